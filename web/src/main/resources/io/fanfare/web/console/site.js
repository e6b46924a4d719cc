/** The rules, announcements and texts of the site. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { act, button, card, col, field as line, form, isOperator, moment, table, trouble } from "./parts.js";

const TEXTS = ["about", "privacy", "terms"];

export function site() {
  const lists = ["rules", "announcements", "texts"].map((id) => h("div", { id }));
  const { element: wrong, watch } = trouble();

  const look = () =>
    watch(async () => {
      const said = await api.get("site");
      lists[0].replaceChildren(list("site.rules", said.rules.map(rule)));
      lists[1].replaceChildren(list("site.announcements", said.announcements.map(announcement)));
      lists[2].replaceChildren(list("site.texts", said.texts.map(text)));
    });

  const list = (key, rows) => table(t(key), [col(""), col(t(key)), col(t("site.ends")), col(t("queue.action"))], rows);
  const change = (path, body) =>
    act(t("site.ask", { action: path }), t("site.save"), path, body, () => t("site.done"), look);
  const words = (...lines) =>
    h(
      "div",
      { class: "wrap", dir: "auto" },
      lines.map((line) => line && h("p", {}, line)),
    );
  const verbs = (edit, path, body) =>
    isOperator()
      ? h(
          "div",
          { class: "row" },
          edit && button(t("site.edit"), edit),
          button(t("site.remove"), () => change(path, body), "danger"),
        )
      : "";
  const time = (given) => (given ? moment(Date.parse(given)) : "");

  const rule = ({ id, text, hint, translations }) => [
    String(id),
    words(text, hint, ...Object.entries(translations).map(([tag, one]) => `${tag}: ${one.text}`)),
    "",
    verbs(() => fill(forms[0], { rule: id, text, hint }), "rules/remove", { rule: id }),
  ];
  const announcement = ({ id, text, ends_at }) => [
    String(id),
    words(text),
    time(ends_at),
    verbs(null, "announcements/remove", { announcement: id }),
  ];
  const text = ({ name, effective }) => {
    const named = { text: name, effective: effective ?? "" };
    const edit = () => watch(async () => fill(forms[2], { ...named, words: (await api.get("texts", named)).text }));
    return [name, named.effective, "", verbs(edit, "texts/remove", named)];
  };

  const field = (id, name, props, kind) => line(id, name, t(`site.field.${name}`), props, kind);
  const entry = (id, path, fields) => form(id, t("site.save"), fields, (given) => change(path(given), given));
  const fill = (element, values) =>
    Object.entries(values).forEach(([name, value]) => (element.elements[name].value = value));

  const forms = [
    entry("rule-form", ({ rule }) => (rule ? "rules/edit" : "rules/add"), [
      field("rule", "rule"),
      field("rule", "text", { maxlength: 300, required: true }),
      field("rule", "hint", { maxlength: 1000 }),
    ]),
    entry("announcement-form", () => "announcements/add", [
      field("announcement", "text", { rows: 3, maxlength: 3000, required: true }, "textarea"),
      field("announcement", "ends", { placeholder: "2026-12-01T10:00Z" }),
    ]),
    entry("text-form", () => "texts/set", [
      h(
        "select",
        { name: "text", "aria-label": t("site.texts") },
        TEXTS.map((name) => h("option", {}, name)),
      ),
      field("text", "effective", { placeholder: "2026-12-01" }),
      field("text", "words", { rows: 12, maxlength: 30_000, required: true }, "textarea"),
    ]),
  ];
  const parts = ["site.rules", "site.announcements", "site.texts"];
  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("site.title")),
    h("p", { class: "hint" }, t("site.hint")),
    wrong,
    parts.map((key, i) => card(t(key), lists[i], isOperator() ? forms[i] : null)),
  );
  return { title: t("site.title"), element, start: look, stop: () => {} };
}
