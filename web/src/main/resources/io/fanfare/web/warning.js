/** A warning by a moderator: the message, the posts concerned, and the appeal. */
import { h, labelled, refocus } from "./dom.js";
import * as api from "./api.js";
import { t } from "./i18n.js";
import { asked } from "./sheets.js";
import { card } from "./status.js";

const APPEAL_MAX = 2000; // characters
const APPEAL_DAYS = 20; // as the server has them
const POSTS_MAX = 3; // of many; the others are on the profile

/** The message, the posts if they are still there, and the appeal. */
export function warned(warning) {
  const posts = h("div", {});
  warning.action === "delete_statuses" || show(posts, warning.status_ids.slice(0, POSTS_MAX));
  const appeal = h("div", {});
  appeal.replaceChildren(...standing(warning, appeal));
  return h(
    "div",
    { class: "report" },
    warning.text ? h("p", { class: "plain-text", dir: "auto" }, warning.text) : null,
    posts,
    appeal,
  );
}

/** Deleted ones are left out. */
async function show(box, ids) {
  const query = ids.map((id) => `id[]=${id}`).join("&");
  const found = ids.length > 0 ? await api.get(`/api/v1/statuses?${query}`).catch(() => []) : [];
  box.replaceChildren(...found.map((status) => card(status, { quiet: true })));
}

function standing(warning, box) {
  const { appeal } = warning;
  if (appeal) {
    return [
      h("p", { class: "hint" }, t(`appeal.${appeal.state}`)),
      h("p", { class: "plain-text", dir: "auto" }, appeal.text),
    ];
  }
  if (Date.now() - Date.parse(warning.created_at) > APPEAL_DAYS * 86_400_000) {
    return [];
  }
  const button = h("button", { type: "button", class: "button small", on: { click: make } }, t("appeal.make"));
  return [h("p", { class: "row" }, button)];

  async function make() {
    const text = h("textarea", { name: "text", rows: 5, maxlength: APPEAL_MAX, required: true, dir: "auto" });
    let made;
    const sent = await asked(
      { "aria-label": t("appeal.make") },
      [h("h2", {}, t("appeal.make")), labelled("appeal.why", text, "appeal.hint")],
      h("button", { class: "button primary" }, t("appeal.make")),
      async () => (made = await api.post(`/api/v1/warnings/${warning.id}/appeal`, { text: text.value })),
    );
    if (sent) {
      const lines = standing(made, box);
      lines[0].tabIndex = -1;
      box.replaceChildren(...lines);
      refocus(lines[0]);
    }
  }
}
