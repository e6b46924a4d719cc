/** What the viewer's own filters do with a status, by the place where it is shown; and the form for them. The server says which of them match. */
import { h, labelled, openDialog, refocus, toast } from "./dom.js";
import * as api from "./api.js";
import { duration, moment, t } from "./i18n.js";

const PLACES = ["home", "notifications", "public", "thread", "account"];
const ACTIONS = ["warn", "hide", "blur"];
const LENGTHS = [1800, 3600, 6 * 3600, 12 * 3600, 86400, 7 * 86400]; // s

const titles = (status, place, action) =>
  place
    ? (status.filtered ?? [])
        .map(({ filter }) => filter)
        .filter((one) => one.filter_action === action && one.context.includes(place))
        .map(({ title }) => title)
    : [];

/** Whether the status is not to be shown there at all. */
export const hidden = (status, place) => titles(status, place, "hide").length > 0;

/** The titles of filters behind which it is shown, or its pictures alone; empty for none. */
export const covered = (status, place) =>
  [...titles(status, place, "hide"), ...titles(status, place, "warn")].join(", ");
export const blurred = (status, place) => titles(status, place, "blur").join(", ");

/** The list of filters, with what makes, changes and deletes one. */
export function filters() {
  const list = h("ul", { class: "sessions" });
  const add = h(
    "button",
    { type: "button", class: "button small", on: { click: () => sheet(null, draw) } },
    t("filter.add"),
  );
  draw();
  return [h("p", { class: "hint" }, t("filter.hint")), list, h("p", { class: "row end" }, add)];

  async function draw() {
    try {
      list.replaceChildren(...(await api.get("/api/v2/filters")).map(row));
    } catch (refused) {
      list.replaceChildren(h("li", { class: "problem" }, refused.message));
    }
  }

  function row(one) {
    const about = [
      t(`filter.action.${one.filter_action}`),
      one.context.map((place) => t(`filter.place.${place}`)).join(", "),
      one.expires_at ? t("poll.ends", { when: moment(one.expires_at) }) : null,
    ];
    const words = one.keywords.map(({ keyword }) => keyword).join(", ");
    return h(
      "li",
      { class: "row" },
      h(
        "span",
        { class: "grow" },
        h("b", { dir: "auto" }, one.title),
        words ? [h("br"), h("bdi", {}, words)] : null,
        h("br"),
        h("span", { class: "handle" }, about.filter(Boolean).join(" · ")),
      ),
      h(
        "button",
        {
          type: "button",
          class: "button small",
          "aria-label": `${t("filter.change")}: ${one.title}`,
          on: { click: () => sheet(one, draw) },
        },
        t("filter.change"),
      ),
      h(
        "button",
        {
          type: "button",
          class: "button small",
          "aria-label": `${t("post.delete")}: ${one.title}`,
          on: { click: () => away(one) },
        },
        t("post.delete"),
      ),
    );
  }

  async function away(one) {
    try {
      await api.remove(`/api/v2/filters/${one.id}`);
    } catch (refused) {
      toast(refused.message, "alert");
    }
    draw();
  }
}

/** @param old the filter to change, null for a new one */
function sheet(old, done) {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const title = h("input", { name: "title", required: true, maxlength: 256, dir: "auto", value: old?.title ?? "" });
  const words = h("textarea", {
    name: "keywords",
    rows: 3,
    dir: "auto",
    value: (old?.keywords ?? []).map(({ keyword }) => keyword).join("\n"),
  });
  const whole = h("input", { type: "checkbox", name: "whole", checked: old?.keywords[0]?.whole_word ?? true });
  const places = PLACES.map((place) =>
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", name: "place", value: place, checked: old ? old.context.includes(place) : true }),
      h("span", {}, t(`filter.place.${place}`)),
    ),
  );
  const action = h(
    "select",
    { name: "action" },
    ACTIONS.map((name) =>
      h("option", { value: name, selected: name === (old?.filter_action ?? "warn") }, t(`filter.action.${name}`)),
    ),
  );
  const ends = h(
    "select",
    { name: "ends" },
    old ? h("option", { value: "same" }, t("filter.ends.same")) : null,
    h("option", { value: "" }, t("filter.ends.never")),
    LENGTHS.map((seconds) => h("option", { value: String(seconds) }, duration(seconds))),
  );
  const name = t(old ? "filter.change" : "filter.add");
  const button = h("button", { class: "button primary" }, t("settings.save"));
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-label": name, on: { close: () => dialog.remove() } },
    h("h2", {}, name),
    h(
      "form",
      { class: "fields-form", on: { submit: save } },
      labelled("filter.title", title),
      labelled("filter.words", words, "filter.words.hint"),
      h("label", { class: "check" }, whole, h("span", {}, t("filter.whole"))),
      h("fieldset", { class: "choices" }, h("legend", {}, t("filter.places")), places),
      labelled("filter.action", action),
      labelled("filter.ends", ends),
      problem,
      h(
        "p",
        { class: "row end" },
        h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, t("cancel")),
        button,
      ),
    ),
  );
  openDialog(dialog);

  async function save(event) {
    event.preventDefault();
    problem.hidden = true;
    const wanted = [
      ...new Set(
        words.value
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean),
      ),
    ];
    const kept = (old?.keywords ?? []).map((one) => ({
      id: one.id,
      ...(wanted.includes(one.keyword) ? { keyword: one.keyword, whole_word: whole.checked } : { _destroy: true }),
    }));
    const fresh = wanted
      .filter((word) => !old?.keywords.some(({ keyword }) => keyword === word))
      .map((keyword) => ({ keyword, whole_word: whole.checked }));
    const body = {
      title: title.value,
      context: places
        .map((place) => place.firstChild)
        .filter(({ checked }) => checked)
        .map(({ value }) => value),
      filter_action: action.value,
      keywords_attributes: [...kept, ...fresh],
      ...(ends.value === "same" ? {} : { expires_in: ends.value }),
    };
    const focused = document.activeElement === button;
    button.disabled = true;
    try {
      await (old ? api.put(`/api/v2/filters/${old.id}`, body) : api.post("/api/v2/filters", body));
      dialog.close();
      done();
    } catch (refused) {
      problem.textContent = refused.message;
      problem.hidden = false;
    }
    button.disabled = false;
    focused && refocus(button);
  }
}
