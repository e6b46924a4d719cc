/** Offers names, hashtags and custom emojis for what is being typed before the cursor of a field. */
import { fileAddress, h } from "./dom.js";
import { customEmojis, get } from "./api.js";
import { t } from "./i18n.js";
import { avatar, shownName } from "./people.js";

const PAUSE = 150; // ms after the last letter, before the server is asked
const MOST = 6; // suggestions
const BEFORE = 64; // characters before the cursor that are looked at
/** The regular expression matches an unfinished name, hashtag or emoji before the cursor. */
const STARTED = /(?:^|[\s(])([@#:])([\p{L}\p{M}\p{N}_]{1,30})$/u;
const NAME = /(?:^|[\s,])(@?)([a-zA-Z0-9_]{1,30})$/;

/**
 * Adds the suggestions to a field. A list below the field shows them. The arrow keys select one, Enter and Tab insert it.
 *
 * @param names whether the field holds names only, so that each word begins one
 * @returns the list, to be placed after the field
 */
export function completed(field, { names = false } = {}) {
  const list = h("ul", { class: "suggestions", role: "listbox", id: crypto.randomUUID(), hidden: true });
  const count = h("span", { class: "visually-hidden", role: "status" });
  let token = null;
  let timer = null;
  let at = -1;
  list.setAttribute("aria-label", t("complete.label"));
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  // A text area may have no other role than its own.
  const expand = (on) => names && field.setAttribute("aria-expanded", String(on));
  names && field.setAttribute("role", "combobox");
  expand(false);
  field.addEventListener("input", look);
  field.addEventListener("keydown", keys);
  field.addEventListener("blur", close);
  return h("div", { class: "suggestions-place" }, list, count);

  function started() {
    const text = field.value.slice(Math.max(0, field.selectionStart - BEFORE), field.selectionStart);
    const found = field.selectionStart === field.selectionEnd && (names ? NAME : STARTED).exec(text);
    return found ? { kind: names ? "@" : found[1], letters: found[2], typed: found[1] + found[2] } : null;
  }

  function look() {
    clearTimeout(timer);
    token = started();
    if (!token) {
      return close();
    }
    const pending = token;
    timer = setTimeout(async () => {
      const found = await SOURCES[pending.kind](pending.letters).catch(() => []);
      if (pending === token && document.activeElement === field) {
        show(found.slice(0, MOST));
      }
    }, PAUSE);
  }

  function show(found) {
    at = -1;
    list.replaceChildren(
      ...found.map(({ text, shown }, i) =>
        h(
          "li",
          {
            role: "option",
            id: `${list.id}-${i}`,
            "aria-selected": "false",
            "data-text": text,
            // The field keeps the focus.
            on: { pointerdown: (event) => (event.preventDefault(), take(text)) },
          },
          shown,
        ),
      ),
    );
    list.hidden = found.length === 0;
    count.textContent = found.length === 0 ? "" : t("complete.count", { n: found.length });
    list.hidden ? close() : select(0);
  }

  function select(next) {
    list.children[at]?.setAttribute("aria-selected", "false");
    at = (next + list.children.length) % list.children.length;
    list.children[at].setAttribute("aria-selected", "true");
    field.setAttribute("aria-activedescendant", list.children[at].id);
    expand(true);
  }

  function keys(event) {
    if (list.hidden || event.isComposing) {
      return;
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      select(at + (event.key === "ArrowDown" ? 1 : -1));
    } else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === "Tab") {
      take(list.children[at].dataset.text);
    } else if (event.key === "Escape") {
      close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  function take(text) {
    const end = field.selectionStart;
    const start = end - token.typed.length;
    close();
    field.setRangeText(`${text} `, start, field.value[end] === " " ? end + 1 : end, "end");
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }

  function close() {
    clearTimeout(timer);
    token = null;
    list.hidden = true;
    count.textContent = "";
    field.removeAttribute("aria-activedescendant");
    expand(false);
  }
}

const SOURCES = {
  "@": async (letters) =>
    (await get("/api/v1/accounts/search", { q: letters, limit: MOST })).map((account) => ({
      text: `@${account.acct}`,
      shown: [
        avatar(account, "tiny"),
        h("bdi", {}, shownName(account)),
        h("span", { class: "handle" }, `@${account.acct}`),
      ],
    })),
  "#": async (letters) =>
    (await get("/api/v2/search", { q: `#${letters}`, type: "hashtags", limit: MOST })).hashtags.map(({ name }) => ({
      text: `#${name}`,
      shown: `#${name}`,
    })),
  ":": async (letters) => {
    return (await customEmojis())
      .filter(({ shortcode }) => shortcode.toLowerCase().includes(letters.toLowerCase()))
      .map(({ shortcode, url }) => ({
        text: `:${shortcode}:`,
        shown: [h("img", { class: "emoji", src: fileAddress(url), alt: "" }), `:${shortcode}:`],
      }));
  },
};
