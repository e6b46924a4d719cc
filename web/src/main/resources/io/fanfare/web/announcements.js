/** The announcements of the operator above the home. */
import { h, once, refocus, rich, tried } from "./dom.js";
import * as api from "./api.js";
import { moment, t } from "./i18n.js";

const PATH = "/api/v1/announcements";
const SHOWN_MAX = 3; // the next one follows when one is dismissed

/** Shows those that have not been dismissed above a view. */
export async function announcements(view) {
  const all = await api.get(PATH);
  const box = h("section", { class: "announcements", "aria-label": t("announcements") });
  view.prepend(box);
  draw();

  function draw() {
    box.replaceChildren(...all.slice(0, SHOWN_MAX).map(announcement));
  }

  function announcement(one) {
    const dismiss = async (event) => {
      if (await once(event.currentTarget, () => tried(() => api.post(`${PATH}/${one.id}/dismiss`).then(() => true)))) {
        all.splice(all.indexOf(one), 1);
        draw();
        refocus(box.querySelector("button") ?? view.querySelector("h1"));
      }
    };
    return h(
      "article",
      { class: "announcement" },
      h("div", { class: "text", dir: "auto" }, rich(one.content, one.emojis)),
      h(
        "p",
        { class: "row end" },
        h("span", { class: "hint" }, period(one)),
        h("button", { type: "button", class: "button small", on: { click: dismiss } }, t("announcements.dismiss")),
      ),
    );
  }
}

/** The time of the event, in the reader's time zone; days are days everywhere. */
function period({ starts_at: start, ends_at: end, all_day: days }) {
  const shown = (time) => time && (days ? time.slice(0, 10) : moment(time));
  return [...new Set([shown(start), shown(end)])].filter(Boolean).join(" – ");
}
