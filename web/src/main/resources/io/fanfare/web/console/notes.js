/** Notes of moderators and operators on an account, for each other. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { act, button, card, col, field, form, table, trouble, when } from "./parts.js";

/** The notes on an account, with a form to add one, for operators. */
export function notes({ id, username }) {
  const list = h("div", { id: "notes" });
  const { element: wrong, watch } = trouble();
  const change = (label, path, option, body) =>
    act(
      t(`${label}.ask`, { name: username, command: `fanfare admin accounts notes ${username} ${option}` }),
      t(label),
      path,
      { account: id, ...body },
      () => t("list.done"),
      look,
    );
  const look = () =>
    watch(async () => {
      const said = await api.get("accounts/notes", { account: id });
      list.replaceChildren(
        table(
          t("notes.title"),
          [col(t("reports.at")), col(t("moderation.by")), col(t("notes.text")), col(t("queue.action"))],
          said.notes.map((note) => [
            when(note.at),
            note.by ? `@${note.by}` : note.operator,
            h("span", { class: "wrap", dir: "auto" }, note.text),
            button(
              t("notes.remove"),
              () => change("notes.remove", "accounts/unnote", `--remove ${note.id}`, { note: note.id }),
              "danger",
            ),
          ]),
        ),
      );
    });
  look();
  return card(
    t("notes.title"),
    h("p", { class: "hint" }, t("notes.hint")),
    form(
      "note-form",
      t("notes.add"),
      [field("note-form", "text", t("notes.text"), { rows: 2, maxlength: 2000, required: true }, "textarea")],
      (given) => change("notes.add", "accounts/note", "--add TEXT", given),
    ),
    wrong,
    list,
  );
}
