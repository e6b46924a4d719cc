/** What the pages are made of: cards, tables, figures, the question before an action, and what goes wrong. */
import { h, toast } from "./dom.js";
import { locale, t } from "./i18n.js";
import * as api from "./api.js";

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
const shares = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });

export const integer = (n) => whole.format(n);
/** A rate or another small figure. */
export const figure = (n) => (n >= 10_000 ? compact.format(n) : n >= 100 ? whole.format(n) : short.format(n));
export const share = (part) => shares.format(part);
export const timeOfDay = (millis) => clock.format(new Date(millis));
export const moment = (millis) => full.format(new Date(millis));

/** A time of the server; a dash for none. */
export const when = (time) => (time ? moment(Date.parse(time)) : "–");

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

export function bytes(n) {
  let unit = 0;
  let value = n;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[unit],
    maximumFractionDigits: unit === 0 ? 0 : 1,
  }).format(value);
}

/** A duration in the unit that suits it. */
export function duration(millis) {
  const [value, unit] =
    millis < 1000
      ? [millis, "millisecond"]
      : millis < 120_000
        ? [millis / 1000, "second"]
        : millis < 7_200_000
          ? [millis / 60_000, "minute"]
          : millis < 172_800_000
            ? [millis / 3_600_000, "hour"]
            : [millis / 86_400_000, "day"];
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(
    value,
  );
}

export function card(title, ...children) {
  const heading = h("h2", {}, title);
  return h("section", { class: "card" }, heading, children);
}

/** A table that scrolls by itself where it is wider than the window. Cells of numbers stand at the right. */
export function table(caption, headers, rows) {
  const body = rows.map((row) =>
    h(
      "tr",
      {},
      row.map((cell, i) =>
        h(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : null, class: headers[i]?.number && "number" }, cell),
      ),
    ),
  );
  const head = h(
    "tr",
    {},
    headers.map((one) => h("th", { scope: "col", class: one.number && "number" }, one.text)),
  );
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", { class: "visually-hidden" }, caption),
      h("thead", {}, head),
      h(
        "tbody",
        {},
        body.length > 0 ? body : h("tr", {}, h("td", { colspan: headers.length, class: "muted" }, t("list.empty"))),
      ),
    ),
  );
}

/** Actions with a reason in the log of acts. A note is a reason itself, and a selection changes nothing. */
const MODERATION =
  /^(accounts\/(?!(un)?note$|selection\/make$)|(announcements|appeals|blocks|held|invitations|post|reports|role|rules|sign-ups|site|texts)\/)/;
const REASON_MAX = 500; // characters

export const col = (text) => ({ text });
export const num = (text) => ({ text, number: true });

/** Names and values. */
export function facts(pairs) {
  return h(
    "dl",
    { class: "facts" },
    pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

export function button(text, action, kind = "") {
  return h("button", { type: "button", class: ["button", "small", kind], on: { click: action } }, text);
}

/**
 * Asks once; resolves to null when the answer was no, else to the texts that were given: `why`, and that of the field
 * `text`, { name, label, max }. A `word` has to be typed before yes can be chosen. An act of moderation is `logged`, and
 * asks for a reason.
 */
export function ask(sentence, label, { word = "", logged = false, text = null } = {}) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { "aria-labelledby": "question" });
    const line = (id, maxlength) => h("input", { id, maxlength, autocomplete: "off", dir: "auto" });
    const reason = line("why", REASON_MAX);
    const other = text && line("message", text.max);
    const given = () => ({
      ...(logged && { why: reason.value.trim() }),
      ...(text && { [text.name]: other.value.trim() }),
    });
    const yes = h(
      "button",
      {
        type: "button",
        class: "button danger",
        id: "yes",
        disabled: word !== "",
        on: { click: () => answer(given()) },
      },
      label,
    );
    const typed = h("input", {
      id: "typed",
      autocomplete: "off",
      spellcheck: "false",
      "aria-labelledby": "question",
      on: { input: () => (yes.disabled = typed.value.trim() !== word) },
    });
    const answer = (said) => {
      dialog.close();
      dialog.remove();
      resolve(said);
    };
    dialog.append(
      h("p", { id: "question" }, sentence),
      word === "" ? "" : h("p", {}, typed),
      text ? h("label", { for: "message" }, text.label, other) : "",
      logged ? h("label", { for: "why" }, t("ask.why"), reason) : "",
      h(
        "div",
        { class: "row end" },
        h(
          "button",
          { type: "button", class: "button", autofocus: true, on: { click: () => answer(null) } },
          t("ask.no"),
        ),
        yes,
      ),
    );
    dialog.addEventListener("cancel", (event) => (event.preventDefault(), answer(null)));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Shows a text that is shown only once, until it is put away. */
export function reveal(sentence, text) {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "revealed", on: { close: () => dialog.remove() } },
    h("p", { id: "revealed" }, sentence),
    h("p", {}, h("code", { id: "secret" }, text)),
    h(
      "div",
      { class: "row end" },
      h(
        "button",
        { type: "button", class: "button", autofocus: true, on: { click: () => dialog.close() } },
        t("ask.close"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Performs an action after a question, shows its outcome in a toast, and renews the page. `done` returns the sentence of
 * the toast, or nothing if it has shown the outcome. `options` are those of `ask`. Resolves to whether the action
 * succeeded.
 */
export async function act(sentence, label, path, body, done, after, options = {}) {
  const given = await ask(sentence, label, { ...options, logged: MODERATION.test(path) });
  if (given === null) {
    return false;
  }
  let succeeded = false;
  try {
    const said = done(await api.post(path, { ...body, ...given }));
    succeeded = true;
    said && toast(said);
  } catch (error) {
    toast(error.message, "alert");
  }
  await after();
  return succeeded;
}

/** A word of a shell command, in quotation marks where it needs them. */
export const quote = (text) => (/^[\w.@:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * A form whose fields are the arguments of an action; fields without a value are left out. It is cleared when `submit`
 * resolves to true, so that Enter does not do the same twice.
 */
export function form(id, label, fields, submit) {
  const send = async (event) => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(element)].filter(([, value]) => value.trim() !== ""));
    if (await submit(given)) {
      element.reset();
    }
  };
  const element = h(
    "form",
    { id, class: "fields", on: { submit: send } },
    fields,
    h("button", { class: "button" }, label),
  );
  return element;
}

/** A field of a form with the id `form`. */
export const field = (form, name, label, props = {}, kind = "input", ...children) =>
  h("label", {}, label, h(kind, { id: `${form}-${name}`, name, autocomplete: "off", dir: "auto", ...props }, children));

/** A sentence about what was found or done, and whether there may be more. */
export const unseen = (sentence, said) => (said.saw_all ? sentence : `${sentence} ${t("list.unseen")}`);

/** A place for a sentence about what went wrong, and what does some work and writes there why it did not succeed. */
export function trouble() {
  const element = h("p", { class: "trouble", role: "status", hidden: true });
  const watch = async (work) => {
    try {
      await work();
      element.hidden = true;
    } catch (error) {
      element.textContent = error.message;
      element.hidden = false;
    }
  };
  return { element, watch };
}

/** A page that asks every so many ms while it is shown and the window is seen. */
export function polling(millis, look) {
  let timer = null;
  let stopped = false;
  let turns = 0; // the newest one goes on, however many were asked for meanwhile
  const { element, watch } = trouble();
  const turn = async () => {
    const mine = ++turns;
    clearTimeout(timer);
    if (!document.hidden) {
      await watch(look);
    }
    if (!stopped && mine === turns) {
      timer = setTimeout(turn, millis);
    }
  };
  return {
    trouble: element,
    start: () => ((stopped = false), turn()),
    /** Looks at once, unless the page has been left. */
    again: () => (stopped ? undefined : turn()),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

export const isOperator = () => document.documentElement.dataset.role === "operator";
