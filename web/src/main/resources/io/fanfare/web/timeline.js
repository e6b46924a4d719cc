/** A list that goes on as its reader scrolls, takes up what arrives, and keeps the page's memory bounded. */
import { h, refocus, toast } from "./dom.js";
import { t } from "./i18n.js";
import * as live from "./live.js";

const KEPT_MAX = 150; // entries of a list on the page
const WAITING_MAX = 40; // new ones that are not shown yet; when there are more, the newest page is read again
const SETTLE = 150; // ms for which new ones are collected
const RUSH_MAX = 10; // new ones within RUSH that come in by themselves; more are too many to be read as they come
const RUSH = 5000; // ms
const PACE = 1000; // ms between two counts of those that wait
const SLICE = 8; // ms of drawing after which the page answers its reader again
const DRAWN = 200; // ms after which it goes on without having been drawn
const GROUP = 5; // entries that the browser leaves out together while they are out of sight
const PACE_MAX = 5; // entries between two pictures of the page at most
const SWIFT = 12; // ms: when a picture takes less, more entries come before the next
const SLOW = 20; // ms: when it takes more, fewer
const LAG = 10_000; // ms that workers may be behind: after a gap the page is read a second time
const AHEAD = 800; // px before the end at which the next page is asked for
const BARREN_MAX = 5; // pages in a row of which nothing is shown before the reader is asked whether to go on
const TOP = 120; // px from the top at which new ones come in by themselves

/** Whether the browser itself keeps what is read where it is when something above it goes. */
const anchors = CSS.supports("overflow-anchor", "auto");
let pace = 3; // entries that are added between two pictures now

/**
 * @param load answers the first page, {items, more}
 * @param draw makes an element of an item
 * @param empty a sentence for an empty list, or a function that makes what it shows
 * @param hides says of an item that it is not shown, nor counted
 * @param kind of events whose items belong to the list, null = none; `wants` chooses among them
 */
export function timeline({
  load,
  draw,
  empty,
  hides = () => false,
  kind = null,
  wants = () => true,
  feed = true,
  label = null,
}) {
  const list = h("div", { class: "posts", "aria-busy": "true" });
  const bar = h("button", { type: "button", class: "new-bar", hidden: true, on: { click: show } });
  const end = h("div", { class: "list-end" });
  const element = h(
    "div",
    { class: "timeline" },
    h("div", { class: "new-place", "aria-live": "polite" }, bar),
    list,
    end,
  );
  const known = new Set(); // ids of the list and of those that wait
  const offs = [];
  let waiting = [];
  let recent = []; // when the last ones arrived
  let asked = false; // for those that wait, by somebody who has just posted
  let began = 0; // when the list has last forgotten what had arrived
  let floor = ""; // newest id that was cut off above; "" = none
  let uncounted = false; // more have come than wait here
  let broken = false; // something is missing between what is shown and what has come
  let more = null;
  let busy = false;
  let gone = false;
  let soon = null;
  let lagging = null;
  let turn = 0; // goes up when the list begins anew: what was under way for the one before ends
  let taking = false;
  let barren = 0; // pages in a row of which nothing is shown
  let renewing = false;
  let told = []; // ids of notifications from before the stream began, which have not been looked for
  let comparing = null;

  const watcher = new IntersectionObserver((seen) => seen.at(-1).isIntersecting && on(), { rootMargin: `${AHEAD}px` });
  watcher.observe(end);
  if (kind) {
    offs.push(live.on(kind, (item) => wants(item) && arrive(item)));
    offs.push(live.on("gap", () => (catchUp(), clearTimeout(lagging), (lagging = setTimeout(catchUp, LAG)))));
    offs.push(live.on("delete", ({ id }) => forget(id)));
    kind === "notification" && offs.push(live.on("earlier", earlier));
    kind === "status" && offs.push(live.on("status.update", renew));
  }
  const scrolled = () => waiting.length > 0 && !broken && !rush() && atTop() && take();
  addEventListener("scroll", scrolled, { passive: true });
  const ready = first();

  return { element, ready, arrive, reload, dispose, add, newest, lost };

  /** Begins anew, and forgets what waits. */
  function reload() {
    waiting = [];
    began = performance.now();
    return first();
  }

  /** Id of the newest one that has been on the page. */
  function newest() {
    return floor || idOf(firstOf(list));
  }

  async function first() {
    const mine = ++turn;
    busy = renewing = true;
    list.setAttribute("aria-busy", "true");
    end.replaceChildren(h("p", { class: "loading-line", role: "status" }, t("loading")));
    barren = 0;
    broken = uncounted = false;
    try {
      const page = await load();
      if (gone || mine !== turn || !(await emptied(mine))) {
        return;
      }
      const newest = page.items[0]?.id ?? "";
      waiting = late(newest).reverse();
      uncounted = broken = waiting.length > WAITING_MAX;
      waiting = waiting.slice(-WAITING_MAX);
      floor = "";
      known.clear();
      waiting.forEach(({ id }) => known.add(id));
      more = page.more;
      end.classList.add("drawing"); // its line is pushed down by each slice of posts, a shift of the layout for nothing
      await extend(whole(page.items, newest));
      if (mine === turn) {
        // What came late while the page was drawn belongs among what it shows.
        const top = idOf(firstOf(list)) ?? "";
        const among = waiting.filter(({ id }) => isAfter(top, id));
        waiting = waiting.filter((item) => !among.includes(item));
        among.forEach(insert);
      }
      soon ??= setTimeout(settle, SETTLE);
    } catch (refused) {
      if (mine === turn) {
        broken = sizeOf(list) > 0;
        retry(refused, first);
      }
    } finally {
      ended(mine);
    }
    goOn(mine);
  }

  /** Takes the list's entries away, the last ones first and some of them at a time. Answers whether this turn goes on. */
  async function emptied(mine) {
    let until = performance.now() + SLICE;
    while (lastOf(list)) {
      lastOf(list).remove();
      if (performance.now() > until) {
        await pause();
        if (gone || mine !== turn) {
          return false;
        }
        until = performance.now() + SLICE;
      }
    }
    return true;
  }

  function ended(mine) {
    if (mine === turn) {
      busy = renewing = false;
      end.classList.remove("drawing");
      list.setAttribute("aria-busy", "false");
    }
  }

  async function on() {
    if (busy || !more || gone || barren >= BARREN_MAX) {
      return;
    }
    const mine = turn;
    busy = true;
    try {
      const page = await more();
      if (gone || mine !== turn) {
        return;
      }
      more = page.more;
      await extend(whole(page.items, idOf(lastOf(list))));
    } catch (refused) {
      mine === turn && retry(refused, on);
    } finally {
      ended(mine);
    }
    goOn(mine);
  }

  /** What was loaded may not reach the end of the window: it was short, or nothing of it is shown. A list that is not on the page has no end that could be seen. */
  function goOn(mine) {
    if (mine !== turn || !more || !element.isConnected || end.querySelector("button")) {
      return;
    }
    if (end.getBoundingClientRect().top >= innerHeight + AHEAD) {
      // The watcher tells of changes alone: by its next look, the end may have gone and come back.
      watcher.unobserve(end);
      watcher.observe(end);
      return;
    }
    if (barren < BARREN_MAX) {
      on();
    } else {
      end.replaceChildren(
        h(
          "button",
          { type: "button", class: "button", on: { click: () => ((barren = 0), followed(on)) } },
          t("list.older"),
        ),
      );
    }
  }

  function retry(refused, action) {
    end.replaceChildren(
      h("p", { class: "problem", role: "alert" }, refused.message),
      h("button", { type: "button", class: "button", on: { click: () => followed(action) } }, t("again")),
    );
  }

  /** Does what a button at the end asks for, which goes: the focus is where the list went on. */
  async function followed(action) {
    const last = lastOf(list);
    await action();
    refocus(end.querySelector("button") ?? (last?.isConnected ? last : lastOf(list)));
  }

  function finish() {
    // A feed without articles is none.
    if (feed && sizeOf(list) > 0) {
      if (!list.hasAttribute("role")) {
        list.setAttribute("role", "feed");
        label && list.setAttribute("aria-label", label);
      }
    } else {
      list.removeAttribute("role");
      list.removeAttribute("aria-label");
    }
    if (end.hasChildNodes()) {
      end.replaceChildren();
    }
    if (!more) {
      end.append(
        h(
          "div",
          { class: "end-line" },
          sizeOf(list) === 0 ? (typeof empty === "function" ? empty() : (empty ?? t("empty"))) : t("list.end"),
        ),
      );
    }
  }

  /** What has arrived lately between two ids, the newest first; null = no bound above. */
  function late(from, to = null) {
    return live
      .lately(kind, began)
      .filter((item) => wants(item) && !hides(item) && isAfter(item.id, from) && (to === null || isAfter(to, item.id)))
      .sort(newestFirst);
  }

  /** A page that was read below an id, with what its range lacks: the stream may have brought that before the home had it. Reposts of what the page shows were left out. */
  function whole(items, below = null) {
    if (below === null) {
      return items;
    }
    const shown = new Set(items.flatMap(({ id, reblog }) => [id, reblog?.id]));
    const missed = late(more ? (items.at(-1)?.id ?? below) : "", below).filter(
      ({ id, reblog }) => !shown.has(id) && !shown.has(reblog?.id ?? null),
    );
    return missed.length === 0 ? items : [...items, ...missed].sort(newestFirst);
  }

  /** Adds a page at the end, some of it at a time. */
  async function extend(items) {
    const mine = turn;
    let until = performance.now() + SLICE;
    let added = 0;
    barren++;
    for (const item of items) {
      if (added >= pace || performance.now() > until) {
        cutAbove();
        await pause();
        if (gone || mine !== turn) {
          return;
        }
        until = performance.now() + SLICE;
        added = 0;
      }
      const waits = waiting.findIndex(({ id }) => id === item.id); // The stream has told of it while the page was drawn.
      if (waits >= 0) {
        waiting.splice(waits, 1);
      } else if (known.has(item.id)) {
        continue;
      }
      if (hides(item)) {
        continue;
      }
      groupAt(list, list.lastElementChild, "append").append(drawn(item));
      barren = 0;
      added++;
    }
    cutAbove();
    finish();
  }

  function drawn(item) {
    known.add(item.id);
    const element = draw(item);
    element.itemId = item.id;
    return element;
  }

  /** Answers its id. */
  function cut(element) {
    const id = idOf(element);
    known.delete(id);
    element.remove();
    return id;
  }

  /** The newest go, since the reader is far below: the bar brings them back. What is in the window stays where it is. */
  function cutAbove() {
    const over = sizeOf(list) - KEPT_MAX;
    if (over <= 0) {
      return;
    }
    const stays = anchors ? null : lastOf(list);
    const at = stays?.getBoundingClientRect().top;
    for (let i = 0; i < over; i++) {
      const id = cut(firstOf(list));
      floor = isAfter(id, floor) ? id : floor;
    }
    if (stays) {
      scrollBy(0, stays.getBoundingClientRect().top - at);
    }
    broken = true;
    tell();
  }

  /** @param own of the reader, who wants to see it */
  function arrive(item, own = false) {
    if (own) {
      asked = true;
      clearTimeout(soon);
      soon = setTimeout(settle, SETTLE);
    }
    // What was cut off above has been read.
    if (known.has(item.id) || !isAfter(item.id, floor) || hides(item)) {
      return;
    }
    const top = renewing ? null : idOf(firstOf(list));
    if (top && isAfter(top, item.id)) {
      // The workers were late: it belongs among those that are shown.
      insert(item);
      return;
    }
    known.add(item.id);
    recent = [...recent.slice(-RUSH_MAX), performance.now()];
    waiting.push(item);
    if (waiting.length > WAITING_MAX) {
      known.delete(waiting.shift().id);
      uncounted = broken = true;
    }
    // Together, however many arrive; once a second when the bar counts them already.
    soon ??= setTimeout(settle, bar.hidden ? SETTLE : PACE);
  }

  /** More have come than have arrived here: they come when the list is read again. */
  function lost() {
    uncounted = broken = true;
    soon ??= setTimeout(settle, SETTLE);
  }

  /** More arrive than a reader could follow. */
  function rush() {
    return recent.length > RUSH_MAX && performance.now() - recent[0] < RUSH;
  }

  function settle() {
    soon = null;
    if (gone) {
      return;
    }
    const wanted = asked || !rush();
    if (wanted && waiting.length > 0 && document.visibilityState === "visible" && atTop()) {
      if (!broken) {
        return take();
      }
      if (uncounted && !busy) {
        return first(); // A reader at the top gets the newest, however many have come.
      }
    } else {
      asked = false;
    }
    tell();
    if (!wanted && waiting.length > 0) {
      soon = setTimeout(settle, PACE); // The rush may be over.
    }
  }

  function atTop() {
    return scrollY < TOP && element.isConnected;
  }

  function tell() {
    const hidden = waiting.length === 0 && !broken;
    const text =
      waiting.length === 0
        ? t("list.newest")
        : uncounted
          ? t("list.manynew", { n: WAITING_MAX })
          : t("list.new", { n: waiting.length });
    // What is written anew is laid out and read aloud anew.
    if (!hidden && bar.textContent !== text) {
      bar.textContent = text;
    }
    if (bar.hidden !== hidden) {
      const focused = document.activeElement === bar;
      bar.hidden = hidden;
      focused && refocus(firstOf(list));
    }
  }

  async function show() {
    if (broken) {
      // What goes is below the window then.
      scrollTo({ top: 0 });
      await first();
    } else {
      await take();
    }
    scrollTo({ top: 0 });
    firstOf(list)?.focus({ preventScroll: true });
  }

  /** Those that wait come in at the top, the oldest first and some of them at a time. */
  async function take() {
    if (taking) {
      return;
    }
    taking = true;
    asked = false;
    const mine = turn;
    let left = waiting.length; // More may come all the time.
    // What is behind a hole waits for the list to be read again, and what comes while it is read for the new one.
    while (left > 0 && waiting.length > 0 && !broken && !renewing && !gone && mine === turn) {
      const until = performance.now() + SLICE;
      let added = 0;
      do {
        put(waiting.shift());
        left--;
        added++;
      } while (left > 0 && waiting.length > 0 && added < pace && performance.now() < until);
      cutBelow();
      if (left > 0) {
        await pause();
      }
    }
    taking = false;
    tell();
  }

  function add(item) {
    prepend(item);
    cutBelow();
  }

  /** Among those that are shown, or at the end of a list that is whole; otherwise what is below them comes with its page. */
  function insert(item) {
    if (!more || isAfter(item.id, idOf(lastOf(list)))) {
      put(item);
      cutBelow();
    } else {
      known.delete(item.id);
    }
  }

  /** At the top, or below those that are newer. */
  function put(item) {
    const isNewer = (one) => isAfter(idOf(one) ?? "", item.id);
    const top = firstOf(list);
    if (!top || !isNewer(top)) {
      return prepend(item);
    }
    // What is drawn may take the place of an entry that is there.
    const made = fresh(item);
    const older = [...list.querySelectorAll(":scope > .group > *")].find((one) => !isNewer(one));
    if (older) {
      older.before(made);
    } else {
      groupAt(list, list.lastElementChild, "append").append(made);
    }
  }

  function prepend(item) {
    groupAt(list, list.firstElementChild, "prepend").prepend(fresh(item));
  }

  function fresh(item) {
    const element = drawn(item);
    element.classList.add("fresh");
    return element;
  }

  function cutBelow() {
    // The page that is under way goes on from the last one.
    if (busy) {
      return;
    }
    for (let over = sizeOf(list) - KEPT_MAX; over > 0; over--) {
      cut(lastOf(list));
      // What was cut off is read again by whoever scrolls there.
      more = load.before ? () => load.before(idOf(lastOf(list))) : null;
    }
    end.querySelector(".quiet-home")?.remove(); // The suggested accounts stay: the reader may be choosing one.
    if (!end.querySelector("button")) {
      finish();
    }
  }

  function forget(id) {
    waiting = waiting.filter((item) => item.id !== id);
    tell();
  }

  /** What waits is shown as it is by then. */
  function renew(edited) {
    waiting = waiting.map((item) => (item.id === edited.id ? edited : item));
  }

  /** The list may have been read before this notification: when it lacks one, it is read again. One that has been cleared since stays away. */
  function earlier({ id }) {
    told.push(id);
    comparing ??= setTimeout(async () => {
      await ready;
      comparing = null;
      const lacking = told.some((one) => !known.has(one));
      told = [];
      lacking && !gone && catchUp();
    }, SETTLE);
  }

  /** The stream could not say what was missed: the list is read again, and joined where both have the same. */
  async function catchUp() {
    try {
      const page = await load();
      const joined = page.items.some((item) => known.has(item.id));
      page.items
        .filter((item) => !known.has(item.id))
        .reverse()
        .forEach((item) => arrive(item));
      if (!joined && sizeOf(list) > 0) {
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
    clearTimeout(lagging);
    clearTimeout(comparing);
    watcher.disconnect();
    removeEventListener("scroll", scrolled);
    offs.forEach((off) => off());
  }
}

/** Whether an id is the newer one: of two that differ in length, that is the longer one. */
export const isAfter = (id, other) => (id.length === other.length ? id > other : id.length > other.length);

const newestFirst = (one, other) => (isAfter(one.id, other.id) ? -1 : 1);

/** Id of the item that an entry shows. A card that was drawn again has the attribute alone. */
const idOf = (entry) => entry?.itemId ?? entry?.dataset.id;

/** The group that an entry goes into at an end of the list: the one that is there, or a new one when that is full. */
function groupAt(list, group, add) {
  if (group && group.childElementCount < GROUP) {
    return group;
  }
  const made = h("div", { class: "group" });
  list[add](made);
  return made;
}

function sizeOf(list) {
  let n = 0;
  for (const group of list.children) {
    n += group.childElementCount;
  }
  return n;
}

/** Entries may go without the list's knowledge, such as of those who are muted: groups that are left empty go here. */
function firstOf(list) {
  while (list.firstElementChild?.childElementCount === 0) {
    list.firstElementChild.remove();
  }
  return list.firstElementChild?.firstElementChild;
}

function lastOf(list) {
  while (list.lastElementChild?.childElementCount === 0) {
    list.lastElementChild.remove();
  }
  return list.lastElementChild?.lastElementChild;
}

/** Lets the page be drawn, and answer its reader. How long a picture takes says how much is added before the next. A page that nobody sees is not drawn. */
const pause = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const began = performance.now();
      setTimeout(() => {
        const took = performance.now() - began;
        pace = took > SLOW ? Math.max(1, pace >> 1) : took < SWIFT ? Math.min(PACE_MAX, pace + 1) : pace;
        resolve();
      });
    });
    setTimeout(resolve, DRAWN);
  });
