/** Elements without templates: text becomes text nodes, so that nothing that somebody has written is ever taken for HTML. */

import { t } from "./i18n.js";

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

/** The only place where text becomes HTML: in a document of its own, in which nothing runs and nothing is loaded. */
const policy = globalThis.trustedTypes?.createPolicy("fanfare", { createHTML: (html) => html });

const TAGS = new Set(["P", "BR", "A", "SPAN"]);
const CLASSES = new Set(["mention", "hashtag", "quote-inline", "invisible", "ellipsis"]);
/** Paragraphs and lines without a link need no parser, which makes a document for each text. */
const BARE = /^<p>(?:[^<>&\r\0]|<br>|<\/p><p>)*<\/p>$/;
/** The text of a card is asked for twice: for its label, and to be shown. */
let parsed = { html: null, body: null };

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
      parts.push(text.slice(end, found.index), h("img", { class: "emoji", src: local(emoji.url) ?? emoji.url, alt: found[0], title: found[0], loading: "lazy" }));
      end = found.index + found[0].length;
    }
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}

/** The HTML of a status or a note as nodes: paragraphs, lines and links to the web; of everything else the text. */
export function rich(html, emojis = []) {
  const fragment = document.createDocumentFragment();
  if (BARE.test(html)) {
    for (const lines of html.slice("<p>".length, -"</p>".length).split("</p><p>")) {
      const paragraph = fragment.appendChild(document.createElement("p"));
      lines.split("<br>").forEach((line, i) => paragraph.append(...(i > 0 ? [document.createElement("br")] : []), ...pictured(line, emojis)));
    }
  } else {
    copy(parse(html), fragment, emojis);
  }
  return fragment;
}

function parse(html) {
  if (html !== parsed.html) {
    parsed = { html, body: new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html").body };
  }
  return parsed.body;
}

function copy(from, to, emojis) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) {
      to.append(...pictured(node.data, emojis));
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const target = TAGS.has(node.tagName) ? to.appendChild(element(node)) : to;
      copy(node, target, node.tagName === "A" ? [] : emojis);
    }
  }
}

function element(node) {
  const made = document.createElement(node.tagName);
  const classes = [...node.classList].filter((name) => CLASSES.has(name));
  if (classes.length > 0) {
    made.className = classes.join(" ");
  }
  const href = node.tagName === "A" ? node.getAttribute("href") ?? "" : "";
  if (/^https?:\/\//i.test(href)) {
    const own = local(href);
    made.setAttribute("href", own ?? href);
    if (own === null) {
      made.setAttribute("rel", "nofollow noopener noreferrer");
      made.setAttribute("target", "_blank");
    }
  }
  return made;
}

/** The path of an address of this server, to be opened within the page; null for others. */
export function local(address) {
  return address === publicUrl || address.startsWith(publicUrl + "/") ? base + address.slice(publicUrl.length) : null;
}

/** The text of some HTML. */
export function plain(html) {
  return rich(html).textContent.trim();
}

/** A field with a name, and with a hint below it where it needs one: keys of texts. */
export function labelled(key, field, hint) {
  return h("label", {}, h("span", {}, t(key)), field, hint ? h("span", { class: "hint" }, t(hint)) : null);
}

/** Whether it worked; else a sentence says why not. */
export async function tried(action) {
  try {
    await action();
    return true;
  } catch (refused) {
    toast(refused.message, "alert");
    return false;
  }
}

/** A sentence that goes away by itself; `alert` for what did not work. */
export function toast(text, kind = "status") {
  const box = document.getElementById("toasts");
  const entry = h("div", { class: ["toast", kind === "alert" && "toast-alert"] }, text);
  box.append(entry);
  while (box.children.length > 3) {
    box.firstChild.remove();
  }
  setTimeout(() => entry.remove(), 7000);
}
