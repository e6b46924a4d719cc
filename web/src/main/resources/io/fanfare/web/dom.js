/** Elements without templates: text becomes text nodes, so that nothing that somebody has written is ever taken for HTML. */

import { has, t } from "./i18n.js";

const root = document.documentElement;

/** Path of the public URL; empty when the server has a host of its own. */
export const base = root.dataset.base ?? "";
export const publicUrl = root.dataset.url ?? location.origin;
export const siteTitle = root.dataset.title ?? "Fanfare";

/**
 * An element. Props are attributes; `on` is a map of listeners, `class` may be a list with holes; true is an empty attribute, false and null are none.
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, listener);
      }
    } else if (name === "class") {
      element.className = Array.isArray(value) ? value.filter(Boolean).join(" ") : value;
    } else if (name === "value") {
      element.value = value;
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

export function append(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      parent.append(child);
    }
  }
  return parent;
}

/** A link within the web client. */
export function a(path, props, ...children) {
  return h("a", { href: base + path, ...props }, ...children);
}

const WORKER = root.dataset.worker ?? null; // path of the service worker
const PROOF = "proof.js";

/** The only place where text becomes HTML: in a document of its own, in which nothing runs and nothing is loaded. */
const policy = globalThis.trustedTypes?.createPolicy("fanfare", {
  createHTML: (html) => html,
  createScriptURL: (name) => (name === PROOF ? beside(name) : WORKER),
});

/** The address of a script of ours that runs in a worker. */
const beside = (name) => new URL(name, document.querySelector("script[type=module]").src).href;
export const proofUrl = () => policy?.createScriptURL(PROOF) ?? beside(PROOF);

/** The address of the service worker, the only script that a script may name; null = there is none. */
export const workerUrl = WORKER && (policy?.createScriptURL("") ?? WORKER);

const TAGS = new Set(["P", "BR", "A", "SPAN"]);
const CLASSES = new Set(["mention", "hashtag", "quote-inline", "invisible", "ellipsis"]);
/** What the server makes of a text. Anything else needs the browser's parser, which makes a document for each text. */
const TOKEN = /<(\/?)(p|br|a|span)((?: [a-z]+="[^"<>\r\0]*")*)>|([^<>\r\0]+)/gy;
const ENTITY = /&(#?\w+);?/g;
const CLASS = / class="([^"]*)"/;
const HREF = / href="([^"]*)"/;
/** The scheme of an address, the 30 characters that are shown, and the rest. */
const ADDRESS = /^(https?:\/\/(?:www\.)?)(.{30})(.*)$/su;
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
/** The text of a card is asked for twice: to be shown, and for its label. */
let told = { html: null, text: "" };

/** What Mastodon takes for a custom emoji: no letter, digit or colon touches it. */
const EMOJI = /(?<![\p{L}\p{M}\p{Nd}:]):([a-zA-Z0-9_]{2,}):(?![\p{L}\p{M}\p{Nd}:])/gu;

/** Text with the custom emojis of its entity as pictures: a list of strings and images. */
export function pictured(text, emojis) {
  if (!emojis?.length || !text.includes(":")) {
    return [text];
  }
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(EMOJI)) {
    const emoji = emojis.find(({ shortcode }) => shortcode === found[1]);
    if (emoji) {
      parts.push(
        text.slice(end, found.index),
        h("img", {
          class: "emoji",
          src: fileAddress(emoji.url),
          alt: found[0],
          title: found[0],
          loading: "lazy",
        }),
      );
      end = found.index + found[0].length;
    }
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}

/** The HTML of a status or a note as nodes: paragraphs, lines and links to the web; of everything else the text. */
export function rich(html, emojis = []) {
  let fragment = document.createDocumentFragment();
  if (!read(html, fragment, emojis)) {
    fragment = document.createDocumentFragment();
    copy(new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html").body, fragment, emojis);
  }
  if (!emojis?.length) {
    told = { html, text: fragment.textContent.trim() };
  }
  return fragment;
}

/** Reads what the server itself writes: paragraphs of text, lines, links and spans, each of them closed. Answers false for anything else, of which a part may have been read. */
function read(html, fragment, emojis) {
  const open = [fragment];
  let text = "";
  let links = 0;
  const flush = () => {
    if (text !== "") {
      open.at(-1).append(...pictured(text, links > 0 ? [] : emojis));
      text = "";
    }
  };
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < html.length;) {
    const [, close, tag, attributes, words] = TOKEN.exec(html) ?? [];
    if (words !== undefined) {
      const plain = unescaped(words);
      if (plain === null || open.length === 1) {
        return false;
      }
      text += plain;
      continue;
    }
    // A paragraph holds all the others, and no link another.
    if (
      tag === undefined ||
      (tag === "p") !== (open.length === (close ? 2 : 1)) ||
      (tag === "a" && !close && links > 0)
    ) {
      return false;
    }
    flush();
    if (close) {
      if (attributes !== "" || open.at(-1).localName !== tag) {
        return false;
      }
      shorten(open.pop());
      links -= tag === "a" ? 1 : 0;
      continue;
    }
    const classes = unescaped(CLASS.exec(attributes)?.[1] ?? "");
    const href = unescaped(HREF.exec(attributes)?.[1] ?? "");
    if (classes === null || href === null) {
      return false;
    }
    const made = dressed(document.createElement(tag), classes.split(/[ \t\n\f]+/), href);
    open.at(-1).append(made);
    if (tag !== "br") {
      open.push(made);
      links += tag === "a" ? 1 : 0;
    }
  }
  return open.length === 1;
}

/** Text without the entities that the server writes; null when it has others. */
function unescaped(text) {
  if (!text.includes("&")) {
    return text;
  }
  let known = true;
  const plain = text.replace(ENTITY, (all, name) => {
    known &&= all.endsWith(";") && Object.hasOwn(ENTITIES, name);
    return ENTITIES[name];
  });
  return known ? plain : null;
}

function copy(from, to, emojis) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) {
      to.append(...pictured(node.data, emojis));
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const target = TAGS.has(node.tagName)
        ? to.appendChild(
            dressed(document.createElement(node.tagName), [...node.classList], node.getAttribute("href") ?? ""),
          )
        : to;
      copy(node, target, node.tagName === "A" ? [] : emojis);
      target === to || shorten(target);
    }
  }
}

/** An element with those of its classes that texts may have, and as a link with its address when that is one of the web. */
function dressed(made, names, href) {
  const classes = names.filter((name) => CLASSES.has(name));
  if (classes.length > 0) {
    made.className = classes.join(" ");
  }
  if (made.localName === "a" && /^https?:\/\//i.test(href)) {
    const own = local(href);
    made.setAttribute("href", own ?? href);
    if (own === null) {
      made.setAttribute("rel", "nofollow noopener noreferrer");
      made.setAttribute("target", "_blank");
    }
  }
  return made;
}

/** Shows of a long address its host and what follows, as Mastodon does. A copy of the text still has all of it. */
function shorten(link) {
  const [, scheme, shown, rest] =
    (link.localName === "a" && !link.firstElementChild && ADDRESS.exec(link.textContent)) || [];
  if (scheme) {
    link.replaceChildren(h("span", { class: "invisible" }, scheme), h("span", { class: rest && "ellipsis" }, shown));
    rest && link.append(h("span", { class: "invisible" }, rest));
  }
}

/** The path of an address of this server, to be opened within the page; null for others. */
export function local(address) {
  return address === publicUrl || address.startsWith(publicUrl + "/") ? base + address.slice(publicUrl.length) : null;
}

/** The address of a file as the page loads it: a path for a file of this server. Null for null. */
export const fileAddress = (url) => url && (local(url) ?? url);

/** Crops a picture around its focus, as Mastodon does: `x` from -1 (left) to 1, `y` from -1 (bottom) to 1. */
export function crop(image, focus) {
  image.style.objectPosition = focus ? `${50 * (1 + focus.x)}% ${50 * (1 - focus.y)}%` : "";
}

/** The text of some HTML. */
export function plain(html) {
  if (html !== told.html) {
    rich(html);
  }
  return told.text;
}

/** A field with a name, and with a hint below it where it needs one: keys of texts. */
export function labelled(key, field, hint) {
  return h("label", {}, h("span", {}, t(key)), field, hint ? h("span", { class: "hint" }, t(hint)) : null);
}

/** A field with its label, and a line below it for a hint or for what is wrong. @param name by which the server knows the field; `place` tells apart two fields of a page with one name */
export function field(name, props, { label = `field.${name}`, hint = "", place = "f", tag = "input" } = {}) {
  const id = `${place}-${name}`;
  const input = h(tag, { id, name, "aria-describedby": `${id}-said`, ...props });
  const said = h("span", { class: "hint", id: `${id}-said` }, hint);
  const element = h("p", { class: "field" }, h("label", { for: id }, t(label)), input, said);
  // The browser's own words name no letters.
  input.addEventListener("input", () => {
    input.setCustomValidity("");
    input.setCustomValidity(input.validity.patternMismatch ? hint : "");
  });
  return {
    name,
    input,
    element,
    say(problem) {
      said.textContent = problem || hint;
      said.classList.toggle("problem", Boolean(problem));
      input.setAttribute("aria-invalid", String(Boolean(problem)));
    },
  };
}

/** Shows below each field what the server refuses of it, in the reader's language where there are words for its code. Answers whether that is one of these fields, which then has the focus. */
export function blame(fields, refused) {
  const wrong = fields.filter(({ name }) => refused.details?.[name]);
  for (const { name, say } of wrong) {
    const sentences = refused.details[name].map(({ error, description }) => {
      const key = `wrong.${name}.${error}`;
      return has(key) ? t(key) : description;
    });
    say(sentences.join(" "));
  }
  wrong[0]?.input.focus();
  return wrong.length > 0;
}

/** The sentence about a server that does not answer. */
export const unreachable = () => t(navigator.onLine ? "error.unreachable" : "error.offline");

/** A module that is being loaded; fails with a sentence for people. One of another version of the server does not go with this page. */
export async function lazily(module) {
  try {
    return await module;
  } catch (cause) {
    throw new Error(cause instanceof SyntaxError ? t("error.upgraded") : unreachable(), { cause });
  }
}

/** Whether it worked; else one of the fields says what is wrong with it, or a sentence above the page does. */
export async function tried(action, fields = []) {
  fields.forEach((one) => one.say(""));
  try {
    await action();
    return true;
  } catch (refused) {
    blame(fields, refused) || toast(refused.message, "alert");
    return false;
  }
}

/** Runs what a button must not begin twice. A button that cannot be pressed loses the focus: it gets it back. */
export async function once(button, action) {
  const focused = document.activeElement === button;
  button.disabled = true;
  try {
    return await action();
  } finally {
    button.disabled = false;
    focused && refocus(button);
  }
}

/** Gives an element the focus when what had it is gone. */
export function refocus(element) {
  const { activeElement } = document;
  if (
    !activeElement ||
    activeElement === document.body ||
    activeElement.disabled ||
    activeElement.checkVisibility?.() === false
  ) {
    element?.focus({ preventScroll: true });
  }
}

/** Opens a dialog above the page. The root element has a class meanwhile. A rule with `:has` would make the browser search the page after each change. */
export function openDialog(dialog) {
  const mark = () => {
    for (const kind of ["sheet", "viewer"]) {
      root.classList.toggle(`below-${kind}`, Boolean(document.querySelector(`dialog.${kind}[open]`)));
    }
  };
  dialog.addEventListener("close", mark);
  document.body.append(dialog);
  dialog.showModal();
  mark();
}

const NEXT =
  "main article[tabindex]:not([hidden]), main article:not([tabindex]) a[href], main h1[tabindex], main section[tabindex]";

/** Takes something off the page, or out of sight: whoever was on it goes on with what comes after it, or else with what was before. */
export function leave(elements, { hide = false } = {}) {
  const last = elements.findLast((one) => one.contains(document.activeElement));
  const others = last
    ? [...document.querySelectorAll(NEXT)].filter((one) => !elements.some((left) => left.contains(one)))
    : [];
  const next =
    others.find((one) => last.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) ??
    others.at(-1) ??
    document.getElementById("main");
  elements.forEach((one) => (hide ? (one.hidden = true) : one.remove()));
  last && next.focus();
}

const TOAST = 7_000; // ms

/** A sentence that goes away by itself; `alert` for what did not work. It may end with a link or a button. Answers its element. */
export function toast(text, kind = "status", action = null) {
  const box = document.getElementById("toasts");
  const entry = h("div", { class: ["toast", kind === "alert" && "toast-alert"] }, text, action && [" ", action]);
  box.append(entry);
  while (box.children.length > 3) {
    box.firstChild.remove();
  }
  setTimeout(() => entry.remove(), TOAST);
  return entry;
}
