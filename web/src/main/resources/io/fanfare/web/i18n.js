/** Words, numbers and dates of the language that somebody has chosen, or that the browser asks for. */

const LANGUAGES = { en: "English", zh: "简体中文" };

function chosen() {
  try {
    const kept = localStorage.getItem("fanfare.language");
    if (kept in LANGUAGES) {
      return kept;
    }
  } catch {
    // Storage is off.
  }
  const asked = navigator.languages?.find((name) => /^(en|zh)\b/i.test(name)) ?? "en";
  return asked.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export const language = chosen();
export const languages = LANGUAGES;
export const locale =
  language === "zh" ? "zh-CN" : (navigator.languages?.find((name) => name.startsWith("en")) ?? "en");

let words = {};

/** To be called before the first text is needed. */
export async function load() {
  words = (await import(language === "zh" ? "./zh.js" : "./en.js")).default;
}

document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";

const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat(locale);
const percents = new Intl.NumberFormat(locale, { style: "percent" });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" });
const days = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
const longDays = new Intl.DateTimeFormat(locale, { year: "numeric", month: "short", day: "numeric" });
const wholeDays = new Intl.DateTimeFormat(locale, { dateStyle: "long" });
const ago = new Intl.RelativeTimeFormat(locale, { style: "narrow", numeric: "auto" });

/** Whether there is a text of a key, such as of an error of the server. */
export const has = (key) => key in words;

/** The text of a key; `n` chooses between its forms "one|other". */
export function t(key, values = {}) {
  let text = words[key];
  if (text === undefined) {
    throw new Error(`no words for ${key}`);
  }
  if ("n" in values && text.includes("|")) {
    const [one, other] = text.split("|");
    text = plurals.select(values.n) === "one" ? one : other;
  }
  return !text.includes("{")
    ? text
    : text.replace(/\{(\w+)\}/g, (all, name) =>
        name in values ? (typeof values[name] === "number" ? exact.format(values[name]) : values[name]) : all,
      );
}

/** The text of a key as a list, with an element in the place of `{name}`. */
export function around(key, name, element, values = {}) {
  const [before, after] = t(key, values).split(`{${name}}`);
  return [before, element, after];
}

/** A count beside a button: nothing for none. */
export const count = (n) => (n > 0 ? numbers.format(n) : "");
export const number = (n) => numbers.format(n);
export const percent = (share) => percents.format(share);
export const moment = (time) => moments.format(new Date(time));
export const day = (time) => wholeDays.format(new Date(time));

/** Of a time what a form has of it: the reader's clock, without its zone. */
export const localTime = (time) =>
  new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** A length of time in its largest whole unit. */
export function duration(seconds) {
  const [unit, n] =
    seconds < 3600 ? ["minute", seconds / 60] : seconds < 86400 ? ["hour", seconds / 3600] : ["day", seconds / 86400];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(Math.round(n));
}

/** How long ago, in a few letters. */
export function since(time) {
  const date = new Date(time);
  const seconds = Math.max(0, (Date.now() - date) / 1000);
  if (seconds < 45) {
    return t("time.now");
  }
  if (seconds < 3600) {
    return ago.format(-Math.max(1, Math.round(seconds / 60)), "minute");
  }
  if (seconds < 86400) {
    return ago.format(-Math.round(seconds / 3600), "hour");
  }
  return (date.getFullYear() === new Date().getFullYear() ? days : longDays).format(date);
}

/** Names of languages, for lists to choose from. */
const names = new Intl.DisplayNames([locale], { type: "language" });
export function languageName(code) {
  try {
    return names.of(code);
  } catch {
    return code;
  }
}

export function choose(name) {
  try {
    localStorage.setItem("fanfare.language", name);
  } catch {
    // It holds for this page only.
  }
  location.reload();
}
