/** Pages of one list, for operators. Such a page is a declaration: its columns, the acts on a row, and forms. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { act, button, card, col, field, form, polling, table, trouble } from "./parts.js";

export const words = (...lines) =>
  h(
    "div",
    { class: "wrap", dir: "auto" },
    lines.filter(Boolean).map((line) => h("p", {}, line)),
  );

/**
 * A page.
 *
 * @param name of the page, of the operation that answers its list, and of the list in the answer
 * @param columns the key of each heading, and what makes the cell of a row
 * @param acts the acts on a row: { path, label, of, body }, where `label` is the key of the words, and `of` has the words
 *   of the command after those of the path; `danger` marks what does harm, `text` has the name of an argument that the
 *   question takes and the key of its words, and `values` are for the words of the question
 * @param forms acts of their own: { path, label, fields, of, done }; a field is [name, properties, element, children],
 *   `of` makes a list of words, of which empty ones are left out, and `done` shows the answer, or makes a sentence of it
 * @param every after so many ms the page looks again; 0 = only after an act
 * @param choice the argument by which the list is narrowed, and its options
 */
export function listPage({
  name,
  columns,
  acts = () => [],
  forms = [],
  choice: [narrowed, options] = ["", []],
  every = 0,
}) {
  const list = h("div", { id: name });
  const { element: wrong, watch } = trouble();
  let place = "";
  let turns = 0; // the newest look is drawn, in whatever order answers arrive
  let drawn = ""; // what is drawn again loses the focus, and is read aloud
  const select = h("select", { id: `${name}-${narrowed}`, on: { change: () => look() } }, options);

  const perform = ({ path, label, of, body, text: [argument, question] = [], values: given, done }) =>
    act(
      t(`${label}.ask`, { ...given, command: `fanfare admin ${path.replaceAll("/", " ")} ${of}`.trim() }),
      t(label),
      path,
      body,
      done ?? (() => t("list.done")),
      () => look(place),
      argument && { text: { name: argument, label: t(question), max: 500 } },
    );

  const cells = (row) => [
    ...columns.map(([, cell]) => cell(row) ?? ""),
    h(
      "div",
      { class: "row" },
      acts(row).map((one) => button(t(one.label), () => perform(one), one.danger ? "danger" : "")),
    ),
  ];

  /** From the newest, or from below a cursor. */
  const look = (before = "") =>
    watch(async () => {
      place = before;
      const mine = ++turns;
      const said = await api.get(name, { before, [narrowed]: select.value });
      const text = JSON.stringify([before, said]);
      if (text === drawn || mine !== turns) {
        return;
      }
      drawn = text;
      list.replaceChildren(
        table(
          t(`${name}.title`),
          [...columns.map(([key]) => col(t(key))), col(t("queue.action"))],
          said[name].map(cells),
        ),
        h(
          "p",
          { class: "row", id: `${name}-pages` },
          before ? button(t("moderation.newest"), () => look()) : "",
          said.next ? button(t("accounts.next"), () => look(said.next)) : "",
        ),
      );
    });
  const poll = every > 0 ? polling(every, () => look(place)) : { start: () => look(), stop: () => {} };

  const entry = ({ path, label, fields, of, done }) => {
    const id = path.replaceAll("/", "-");
    return card(
      t(label),
      form(
        id,
        t(label),
        fields.map(([argument, ...rest]) => field(id, argument, t(`${name}.field.${argument}`), ...rest)),
        (given) => perform({ path, label, of: of(given).filter(Boolean).join(" "), body: given, done }),
      ),
    );
  };
  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t(`${name}.title`)),
    h("p", { class: "hint" }, t(`${name}.hint`)),
    forms.map(entry),
    options.length > 0
      ? h("div", { class: "fields" }, h("label", { for: select.id }, t(`${name}.field.${narrowed}`), select))
      : null,
    wrong,
    list,
  );
  return { title: t(`${name}.title`), element, start: poll.start, stop: poll.stop };
}
