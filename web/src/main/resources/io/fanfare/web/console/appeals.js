/** Appeals against warnings of moderators. */
import { h } from "./dom.js";
import { when } from "./parts.js";
import { listPage, words } from "./list.js";

export const appeals = () =>
  listPage({
    name: "appeals",
    columns: [
      ["reports.at", (one) => when(one.at)],
      ["reports.account", (one) => `@${one.username}`],
      ["appeals.act", (one) => h("code", {}, [one.action, ...one.statuses].join(" "))],
      ["appeals.message", (one) => words(one.message)],
      ["appeals.text", (one) => words(one.text)],
    ],
    acts: ({ id, account, username }) =>
      ["approve", "reject"].map((verb) => ({
        path: `appeals/${verb}`,
        label: `appeals.${verb}`,
        of: `${username} ${id}`,
        body: { account, appeal: id },
      })),
  });
