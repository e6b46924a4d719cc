/** A list that goes on as its reader scrolls, takes up what arrives, and keeps the page's memory bounded. */
import { h, toast } from "./dom.js";
import { t } from "./i18n.js";
import * as live from "./live.js";

const KEPT_MAX = 400; // entries of a list on the page
const WAITING_MAX = 200; // new ones that are not shown yet
const SETTLE = 150; // ms for which new ones are collected
const TOP = 120; // px from the top at which new ones come in by themselves

/**
 * @param load answers the first page, {items, more}
 * @param draw makes an element of an item
 * @param empty what stands there when there is nothing
 * @param kind of events whose items belong to the list, null = none; `wants` chooses among them
 */
export function timeline({ load, draw, empty, kind = null, wants = () => true, feed = true, label = null }) {
  const list = h("div", { class: "posts", "aria-busy": "true" });
  const bar = h("button", { type: "button", class: "new-bar", hidden: true, on: { click: () => show(true) } });
  const end = h("div", { class: "list-end" });
  const element = h("div", { class: "timeline" }, h("div", { class: "new-place", "aria-live": "polite" }, bar), list, end);
  const known = new Set();
  const offs = [];
  let waiting = [];
  let uncounted = false; // more have come than wait here
  let broken = false; // something is missing between what is shown and what has come
  let more = null;
  let busy = false;
  let gone = false;
  let soon = null;

  const watcher = new IntersectionObserver(([entry]) => entry.isIntersecting && on(), { rootMargin: "800px" });
  watcher.observe(end);
  if (kind) {
    offs.push(live.on(kind, (item) => wants(item) && arrive(item)));
    offs.push(live.on("gap", catchUp));
    offs.push(live.on("delete", ({ id }) => forget(id)));
  }
  const scrolled = () => waiting.length > 0 && !broken && atTop() && show(false);
  addEventListener("scroll", scrolled, { passive: true });
  const ready = first();

  return { element, ready, arrive, reload: first, dispose, add: (item) => insert([item]) };

  async function first() {
    busy = true;
    list.setAttribute("aria-busy", "true");
    end.replaceChildren(h("p", { class: "loading-line", role: "status" }, t("loading")));
    try {
      const page = await load();
      if (gone) {
        return;
      }
      known.clear();
      waiting = [];
      broken = uncounted = false;
      list.replaceChildren();
      more = page.more;
      extend(page.items);
      tell();
      finish();
    } catch (refused) {
      retry(refused, first);
    } finally {
      busy = false;
      list.setAttribute("aria-busy", "false");
    }
  }

  async function on() {
    if (busy || !more || gone) {
      return;
    }
    busy = true;
    try {
      const page = await more();
      more = page.more;
      extend(page.items);
      finish();
    } catch (refused) {
      retry(refused, on);
    } finally {
      busy = false;
    }
    // What was loaded may not reach the end of the window.
    if (more && end.getBoundingClientRect().top < innerHeight + 800 && !end.querySelector("button")) {
      on();
    }
  }

  function retry(refused, action) {
    end.replaceChildren(h("p", { class: "problem", role: "alert" }, refused.message), h("button", { type: "button", class: "button", on: { click: () => action() } }, t("again")));
  }

  function finish() {
    // A feed without articles is none.
    if (feed && list.childElementCount > 0) {
      list.setAttribute("role", "feed");
      label && list.setAttribute("aria-label", label);
    } else {
      list.removeAttribute("role");
      list.removeAttribute("aria-label");
    }
    end.replaceChildren();
    if (!more) {
      end.append(h("p", { class: "end-line" }, list.childElementCount === 0 ? empty ?? t("empty") : t("list.end")));
    }
  }

  function extend(items) {
    for (const item of items) {
      if (!known.has(item.id)) {
        known.add(item.id);
        list.append(draw(item));
      }
    }
    // The newest go, since the reader is far below: the bar brings them back.
    let above = 0;
    while (list.childElementCount > KEPT_MAX) {
      above += list.firstElementChild.getBoundingClientRect().height;
      list.firstElementChild.remove();
      broken = true;
    }
    if (above > 0) {
      scrollBy(0, -above);
      tell();
    }
  }

  function arrive(item) {
    if (known.has(item.id)) {
      return;
    }
    known.add(item.id);
    waiting.push(item);
    if (waiting.length > WAITING_MAX) {
      waiting.shift();
      uncounted = broken = true;
    }
    if (!broken && atTop() && document.visibilityState === "visible") {
      // Together, however many arrive.
      soon ??= setTimeout(settle, SETTLE);
    } else {
      tell();
    }
  }

  function settle() {
    soon = null;
    if (!gone) {
      waiting.length > 0 && !broken && atTop() ? show(false) : tell();
    }
  }

  function atTop() {
    return scrollY < TOP && element.isConnected;
  }

  function tell() {
    bar.hidden = waiting.length === 0 && !broken;
    bar.textContent = waiting.length === 0 ? t("list.newest") : uncounted ? t("list.manynew", { n: WAITING_MAX }) : t("list.new", { n: waiting.length });
  }

  async function show(go) {
    if (broken) {
      await first();
    } else {
      const items = waiting;
      waiting = [];
      insert(items);
      tell();
    }
    if (go) {
      scrollTo({ top: 0 });
      list.firstElementChild?.focus({ preventScroll: true });
    }
  }

  function insert(items) {
    for (const item of items) {
      known.add(item.id);
      const drawn = draw(item);
      drawn.classList.add("fresh");
      list.prepend(drawn);
    }
    while (list.childElementCount > KEPT_MAX) {
      list.lastElementChild.remove();
      // What was cut off is read again by whoever scrolls there.
      more = load.before ? () => load.before(list.lastElementChild.dataset.id) : null;
    }
    if (!busy && !end.querySelector("button")) {
      finish();
    }
  }

  function forget(id) {
    waiting = waiting.filter((item) => item.id !== id);
    tell();
  }

  /** The stream could not say what was missed: the list is read again, and joined where both have the same. */
  async function catchUp() {
    try {
      const page = await load();
      const joined = page.items.some((item) => known.has(item.id));
      page.items.filter((item) => !known.has(item.id)).reverse().forEach((item) => arrive(item));
      if (!joined && list.childElementCount > 0) {
        broken = true;
        tell();
      }
    } catch (refused) {
      toast(refused.message, "alert");
    }
  }

  function dispose() {
    gone = true;
    clearTimeout(soon);
    watcher.disconnect();
    removeEventListener("scroll", scrolled);
    offs.forEach((off) => off());
  }
}
