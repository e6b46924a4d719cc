/** What is asked in a sheet above the page, before something happens. */
import { a, h, labelled, once, openDialog, siteTitle, toast, tried } from "./dom.js";
import { icon, iconButton } from "./icons.js";
import { get, post } from "./api.js";
import { duration, language, t } from "./i18n.js";
import { displayName } from "./people.js";

const MUTES = [1800, 3600, 6 * 3600, 86400, 7 * 86400, 30 * 86400]; // s
const NOTE_MAX = 2000; // characters
const COMPLAINT_MAX = 1000; // characters

/** Asks once; what is asked for cannot be taken back. */
export async function confirmed(question, verb) {
  return (
    (await asked(
      { "aria-label": verb },
      [h("p", { class: "question" }, question)],
      h("button", { class: "button danger" }, verb),
    )) !== null
  );
}

/** Asks how an account is to be muted; answers what the server is told, null for not at all. */
export async function muting(name) {
  const title = t("post.mute", { name });
  const length = h(
    "select",
    { name: "duration" },
    h("option", { value: "0" }, t("mute.forever")),
    MUTES.map((seconds) => h("option", { value: String(seconds) }, duration(seconds))),
  );
  const told = h("input", { type: "checkbox", name: "notifications", checked: true });
  const given = await asked(
    { "aria-label": title },
    [
      h("h2", {}, title),
      labelled("mute.ends", length),
      h("label", { class: "check" }, told, h("span", {}, t("mute.notifications"))),
    ],
    h("button", { class: "button danger" }, t("mute.verb")),
  );
  return given && { duration: Number(length.value), notifications: told.checked };
}

/** Asks for what somebody wants to remember of an account; null for no change. */
export async function noting(name, before) {
  const title = t("note.about", { name });
  const words = h("textarea", {
    name: "note",
    rows: 4,
    maxlength: NOTE_MAX,
    dir: "auto",
    value: before,
    "aria-label": title,
  });
  const given = await asked(
    { "aria-label": title },
    [h("h2", {}, title), words, h("p", { class: "hint" }, t("note.hint"))],
    h("button", { class: "button primary" }, t("settings.save")),
  );
  return given && words.value.trim();
}

/** A rule in the language of the page, if it is translated. */
export const ruleText = ({ text, translations }) =>
  Object.entries(translations).find(([tag]) => tag.split("-")[0] === language)?.[1].text ?? text;

/** Tells the operator of an account, and of one of its posts. */
export async function report(account, status = null) {
  const title = t("report.name", { name: displayName(account) });
  const words = h("textarea", { rows: 4, maxlength: COMPLAINT_MAX, dir: "auto" });
  const rules = await get("/api/v1/instance/rules").catch(() => []);
  const boxes = rules.map(({ id }) => h("input", { type: "checkbox", value: id }));
  await asked(
    { "aria-label": title },
    [
      h("h2", {}, title),
      rules.length > 0 &&
        h(
          "fieldset",
          {},
          h("legend", {}, t("report.rules")),
          rules.map((rule, i) => h("label", { class: "check" }, boxes[i], h("span", { dir: "auto" }, ruleText(rule)))),
        ),
      labelled("report.why", words, status ? "report.hint.post" : "report.hint"),
    ],
    h("button", { class: "button danger" }, t("report.send")),
    async () => {
      await post("/api/v1/reports", {
        account_id: account.id,
        status_ids: status ? [status.id] : [],
        comment: words.value,
        rule_ids: boxes.filter((box) => box.checked).map((box) => box.value),
      });
      toast(t("report.done"));
    },
  );
}

/** The title of a sheet, beside a button that closes it. */
export function sheetHead(title, close) {
  return h("div", { class: "sheet-head" }, h("h2", {}, title), iconButton("close", icon("close"), close));
}

/** Shows a sheet that ends with a button which closes it, and with others. Answers its element. */
export function sheet(title, children, { small = false, buttons = [], click = () => {} } = {}) {
  const element = h(
    "dialog",
    { class: ["sheet", small && "small"], "aria-label": title, on: { close: () => element.remove(), click } },
    children,
    h(
      "p",
      { class: "row end" },
      h("button", { type: "button", class: "button", on: { click: () => element.close() } }, t("close")),
      buttons,
    ),
  );
  openDialog(element);
  return element;
}

/** Shows the links that have no room elsewhere, with path, drawing and key of the words of each, and the way out. */
export function moreLinks(links, logOut) {
  const title = t("nav.more");
  const all = links.map(([path, drawing, key]) =>
    a(path, { class: "rail-link" }, icon(drawing), h("span", {}, t(key, { title: siteTitle }))),
  );
  const out = h(
    "button",
    { type: "button", class: "rail-link", on: { click: logOut } },
    icon("out"),
    h("span", {}, t("nav.logout")),
  );
  const shown = sheet(title, h("nav", { class: "more-links", "aria-label": title }, all, out), {
    small: true,
    click: left,
  });

  /** By one of the links, or by a click beside the sheet. */
  function left({ target }) {
    if (target === shown || target.closest(".rail-link")) {
      shown.close();
    }
  }
}

/** Shows a sheet with a form, which stays when the action fails. Answers true when it was sent, null when it was left. */
export function asked(props, fields, button, action = async () => {}) {
  return new Promise((resolve) => {
    let sent = null;
    const sheet = h(
      "dialog",
      { class: "sheet small", ...props, on: { close: () => (sheet.remove(), resolve(sent)) } },
      h(
        "form",
        { class: "fields-form", on: { submit: send } },
        fields,
        h(
          "p",
          { class: "row end" },
          h("button", { type: "button", class: "button", on: { click: () => sheet.close() } }, t("cancel")),
          button,
        ),
      ),
    );
    openDialog(sheet);

    async function send(event) {
      event.preventDefault();
      if (await once(button, () => tried(action))) {
        sent = true;
        sheet.close();
      }
    }
  });
}
