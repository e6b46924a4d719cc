/** Posts that wait for a moderator. */
import { t } from "./i18n.js";
import { when } from "./parts.js";
import { listPage, words } from "./list.js";

export const held = () =>
  listPage({
    name: "held",
    columns: [
      ["reports.at", (one) => when(one.at)],
      ["reports.account", (one) => `@${one.username}`],
      ["held.signal", (one) => t(`held.${one.signal}`)],
      ["held.text", (one) => words(one.spoiler_text, one.text)],
      ["site.ends", (one) => when(one.ends_at)],
    ],
    acts: ({ id }) => [
      { path: "held/approve", label: "held.approve", of: id, body: { post: id } },
      { path: "held/approve", label: "held.trust", of: `${id} --trust`, body: { post: id, trust: true } },
      {
        path: "held/reject",
        label: "held.reject",
        of: id,
        body: { post: id },
        text: ["notice", "held.notice"],
        danger: true,
      },
    ],
  });
