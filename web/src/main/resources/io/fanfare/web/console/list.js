/** Pages of one list. Such a page is a declaration: its columns, the acts on a row, and forms. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { act, button, card, col, field, form, isOperator, table, trouble } from "./parts.js";

export const at = (time) => (time ? Date.parse(time) : 0);
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
 * @param acts the acts on a row: { path, of, body }, where `of` are the words of the command after those of the path;
 *   `label` is the key of the words where it is not the path, `danger` marks what does harm, and `text` names an
 *   argument that the question takes
 * @param forms acts of their own: { path, fields, of }; a field is [name, properties, element, children]
 * @param choice the argument by which the list is narrowed, and its values
 */
export function listPage({ name, columns, acts = () => [], forms = [], choice: [narrowed, values] = ["", []] }) {
  const list = h("div", { id: name });
  const { element: wrong, watch } = trouble();
  const select = h(
    "select",
    { id: `${name}-${narrowed}`, on: { change: () => look() } },
    values.map((one) => h("option", { value: one }, t(`${name}.${one}`))),
  );

  const perform = ({ path, of, body, label = path.replaceAll("/", "."), text }) =>
    act(
      t(`${label}.ask`, { command: `fanfare admin ${path.replaceAll("/", " ")} ${of}`.trim() }),
      t(label),
      path,
      body,
      () => t("list.done"),
      () => look(),
      text && { text: { name: text, label: t(`${label}.${text}`), max: 500 } },
    );

  /** From the newest, or from below a cursor. */
  const look = (before = "") =>
    watch(async () => {
      const said = await api.get(name, { before, [narrowed]: select.value });
      list.replaceChildren(
        table(
          t(`${name}.title`),
          [...columns.map(([key]) => col(t(key))), col(t("queue.action"))],
          said[name].map((row) => [
            ...columns.map(([, cell]) => cell(row) ?? ""),
            isOperator()
              ? h(
                  "div",
                  { class: "row" },
                  acts(row).map((one) =>
                    button(
                      t(one.label ?? one.path.replaceAll("/", ".")),
                      () => perform(one),
                      one.danger ? "danger" : "",
                    ),
                  ),
                )
              : "",
          ]),
        ),
        h(
          "p",
          { class: "row", id: `${name}-pages` },
          before ? button(t("moderation.newest"), () => look()) : "",
          said.next ? button(t("accounts.next"), () => look(said.next)) : "",
        ),
      );
    });

  const entry = ({ path, fields, of }) => {
    const id = path.replaceAll("/", "-");
    const label = path.replaceAll("/", ".");
    return card(
      t(label),
      form(
        id,
        t(label),
        fields.map(([argument, ...rest]) => field(id, argument, t(`${name}.field.${argument}`), ...rest)),
        (given) => perform({ path, of: of(given), body: given }),
      ),
    );
  };
  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t(`${name}.title`)),
    h("p", { class: "hint" }, t(`${name}.hint`)),
    isOperator() ? forms.map(entry) : null,
    values.length > 0
      ? h("div", { class: "fields" }, h("label", { for: select.id }, t(`${name}.field.${narrowed}`), select))
      : null,
    wrong,
    list,
  );
  return { title: t(`${name}.title`), element, start: () => look(), stop: () => {} };
}
