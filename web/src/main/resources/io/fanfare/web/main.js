/** The frame of the page, and which view stands in it. */
import { a, base, h, lazily, local, siteTitle, toast, tried } from "./dom.js";
import { load, t } from "./i18n.js";
import * as api from "./api.js";
import * as live from "./live.js";
import { background, whenOpened } from "./background.js";
import { icon } from "./icons.js";
import { avatar, displayName, profilePath, shownName } from "./people.js";
import { compose, configure } from "./compose.js";
import { configure as configurePolls } from "./poll.js";
import { forgetDrafts } from "./drafts.js";
import { sendDeletes, statusPath } from "./status.js";
import { bookmarks, everybody, favourites, home, problem, search, tag, thread, view } from "./views.js";
import { aside, notifications, unwanted } from "./notifications.js";
import { articles, highest } from "./articles.js";
import { landing, logIn, signUp, siteLinks } from "./front.js";
import { profile } from "./profile.js";
import { help, keyboard } from "./keys.js";
import { moreLinks } from "./sheets.js";

const NARROW = new Set(["/", "/notifications", "/messages", "/search"]); // of the links of a user, those that a narrow window has room for beside "More"
const CONVERSATIONS = 20; // of which those with unread messages are counted
const UNREAD_MAX = 99; // so many are counted for the reader
const UNREAD_PACE = 1000; // ms between two counts
const VIEWS_KEPT = 5; // so many are as they were left when somebody goes back to them

const SERVED = /^\/(about|privacy|terms)(\/|$)/; // pages that the server renders for everybody

const app = document.getElementById("app");
const firstTitle = document.title;
const served = [...document.querySelectorAll("#main > article.site")];
const main = h("main", { id: "main", tabindex: "-1" });
const kept = new Map();
let instance = null;
let shown = null;
let unread = 0;
let unreadMessages = 0;
let telling = null;
let counting = null;
let countingMessages = null;

const loggedIn = () => api.session.account !== null;

/** The view of an address, or a promise of one whose module is loaded when it is opened. */
function route(path, query) {
  const parts = path.split("/").slice(1).map(decodeURIComponent);
  if (isForMembers(parts[0])) {
    return logIn(() => enter());
  }
  if (path === "/" || path === "/home") {
    return loggedIn() ? withAnnouncements(home()) : landing(instance);
  }
  if (served.length > 0 && SERVED.test(path)) {
    return view(firstTitle, served);
  }
  if (parts[0].startsWith("@")) {
    const name = parts[0].slice(1);
    return parts.length === 1
      ? profile(name, query.get("tab") ?? "posts")
      : parts[1] === "followers" || parts[1] === "following"
        ? profile(name, parts[1])
        : thread(parts[1]);
  }
  if (parts[0] === "tags") {
    return tag(parts[1] ?? "");
  }
  const entered = () => enter();
  if (parts[0] === "invite") {
    return signUp(entered, instance, parts[1]);
  }
  const own = (page) => () => (loggedIn() ? page() : logIn(entered));
  const pages = {
    "/public": () => everybody(),
    "/articles": () => articles(query.get("order") ?? "hot", query.get("group") ?? ""),
    "/search": () => search(query.get("q") ?? ""),
    "/streams": async () => (await import("./streams.js")).streams(),
    "/login": () => logIn(entered),
    "/signup": () => signUp(entered, instance),
    "/settings": async () =>
      (await import("./settings.js")).settings({
        changed: redraw,
        loggedOut,
        logOut,
        pushKey: instance.configuration.vapid.public_key,
      }),
    "/notifications": own(() => (query.has("aside") ? aside() : notifications(seen, query.get("tab")))),
    "/messages": own(async () => {
      const { messages, whenRead } = await import("./messages.js");
      whenRead(recountMessages);
      return messages();
    }),
    "/lists": own(async () => {
      const { list, lists } = await import("./lists.js");
      return query.get("id") ? list(query.get("id")) : lists();
    }),
    "/moderation": own(async () => {
      if (query.get("tab") === "accounts") {
        return (await import("./selection.js")).selection(query.get("id"));
      }
      const { history, moderation } = await import("./moderation.js");
      return query.get("account") ? history(query.get("account")) : moderation(query.get("tab"));
    }),
    "/invitations": own(async () => (await import("./invitations.js")).invitations()),
    "/scheduled": own(async () => (await import("./messages.js")).scheduled()),
    "/bookmarks": own(bookmarks),
    "/favourites": own(favourites),
  };
  return (
    pages[path]?.() ??
    view(t("error.missing"), [
      h(
        "div",
        { class: "notice" },
        h("h1", { tabindex: "-1" }, t("error.missing")),
        h("p", {}, t("error.missing.why")),
        a("/", { class: "button" }, t(loggedIn() ? "nav.home" : "nav.start")),
        " ",
        a("/search", { class: "button" }, t("nav.search")),
      ),
    ])
  );
}

/** Whether this reader has to log in to see a view: on a server that is for its members only, all but the ways in. */
function isForMembers(first) {
  return (
    !loggedIn() &&
    instance.configuration.timelines_access.live_feeds.local !== "public" &&
    !["login", "signup", "invite", "settings", "about", "privacy", "terms"].includes(first)
  );
}

/** The home below the announcements of the operator, if there are some. */
function withAnnouncements(made) {
  if (instance.announcements > 0) {
    import("./announcements.js").then(({ announcements }) => announcements(made.element)).catch(console.error);
  }
  return made;
}

function known(path) {
  return (
    path === "/" ||
    (/^\/(@[^/.]+(\/[^/]+)?|(tags|invite)\/[^/]+|invitations|home|public|articles|search|streams|login|signup|settings|notifications|messages|lists|moderation|scheduled|bookmarks|favourites)$/.test(
      path,
    ) &&
      !path.endsWith(".rss"))
  );
}

let turn = 0; // goes up with each view that is shown: one whose module comes later than the next view is dropped

/** Shows a path of the web client. */
function go(path) {
  if (!instance) {
    // Somebody is faster than this page, which has not begun.
    location.assign(base + path);
    return;
  }
  history.pushState({ key: crypto.randomUUID() }, "", base + path);
  show();
}

async function show() {
  if (shown) {
    shown.scroll = scrollY;
    shown.focused = main.contains(document.activeElement) ? document.activeElement : null;
  }
  history.state?.key ?? history.replaceState({ key: crypto.randomUUID() }, "");
  const { key } = history.state;
  const path = here();
  const mine = ++turn;
  let next = kept.get(key);
  const back = next !== undefined;
  if (!back) {
    next = route(path, new URLSearchParams(location.search));
    if (next instanceof Promise) {
      // The module did not come, or goes with another version of the server.
      next = await lazily(next).catch(unloaded);
      if (mine !== turn) {
        next.dispose();
        return;
      }
    }
    next.go = go;
    next.renamed = () => next === shown && rename();
    next.failed || kept.set(key, next);
    for (const [old, one] of kept) {
      if (kept.size <= VIEWS_KEPT) {
        break;
      }
      one.dispose();
      kept.delete(old);
    }
  }
  shown = next;
  main.replaceChildren(next.element);
  rename();
  scrollTo(0, next.scroll ?? 0);
  mark();
  if (back) {
    next.again?.();
    (next.focused?.isConnected ? next.focused : (next.element.querySelector("h1[tabindex]") ?? main)).focus({
      preventScroll: true,
    });
  } else if (!first) {
    (next.focus ?? next.element.querySelector("h1[tabindex]") ?? main).focus({ preventScroll: true });
  } else if (next.focus && first) {
    next.focus.focus({ preventScroll: true });
  }
  first = false;
}

/** In the place of a view that cannot be loaded. */
function unloaded(cause) {
  console.error(cause);
  const made = view(siteTitle, [problem(cause, () => location.reload())]);
  made.failed = true;
  return made;
}

let first = true;

const here = () => location.pathname.slice(base.length).replace(/(.)\/$/, "$1") || "/";

/** Marks the link of the view that is shown. */
function mark() {
  for (const link of app.querySelectorAll("nav.rail a[href]")) {
    link.getAttribute("href") === base + here()
      ? link.setAttribute("aria-current", "page")
      : link.removeAttribute("aria-current");
  }
}

function rename() {
  const title = `${unread > 0 ? `(${counted(unread)}) ` : ""}${shown.title === siteTitle ? siteTitle : `${shown.title} - ${siteTitle}`}`;
  // The window is told of each, also of one that changes nothing.
  if (document.title !== title) {
    document.title = title;
  }
}

const counted = (n) => (n > UNREAD_MAX ? `${UNREAD_MAX}+` : String(n));

function rail() {
  const me = api.session.account;
  const entry = (path, name, key, extra) =>
    a(
      path,
      { class: ["rail-link", me && !NARROW.has(path) && "wide-only"], title: t(key) },
      icon(name),
      h("span", { class: "rail-text" }, t(key)),
      extra,
    );
  const badge = (id) => h("span", { class: "unread", id, hidden: true });
  const links = me
    ? [
        entry("/", "home", "nav.home"),
        entry("/notifications", "bell", "nav.notifications", badge("unread")),
        entry("/messages", "message", "nav.messages", badge("unread-messages")),
        entry("/public", "globe", "nav.public"),
        entry("/articles", "articles", "nav.articles"),
        entry("/search", "search", "nav.search"),
        entry("/lists", "list", "nav.lists"),
        entry("/bookmarks", "bookmark", "nav.bookmarks"),
        entry("/favourites", "like", "nav.favourites"),
        entry("/streams", "streams", "nav.streams"),
        api.moderates() ? entry("/moderation", "eye", "nav.moderation", badge("waiting")) : null,
        entry("/settings", "settings", "nav.settings"),
        h(
          "button",
          {
            type: "button",
            class: "rail-link narrow-only",
            title: t("nav.more"),
            "aria-haspopup": "dialog",
            on: { click: () => moreLinks(beyond(me), logOut) },
          },
          icon("menu"),
          h("span", { class: "visually-hidden" }, t("nav.more")),
        ),
      ]
    : [
        entry("/", "home", "nav.start"),
        entry("/articles", "articles", "nav.articles"),
        entry("/search", "search", "nav.search"),
        entry("/settings", "settings", "nav.settings"),
      ];
  const foot = me
    ? [
        h(
          "button",
          {
            type: "button",
            class: "button primary write-button",
            "aria-label": t("compose.new"),
            title: t("compose.new"),
            on: { click: () => compose() },
          },
          icon("pen"),
          h("span", { class: "rail-text" }, t("compose.new")),
        ),
        a(
          profilePath(me),
          { class: "me", "aria-label": `${displayName(me)} @${me.acct}` }, // a narrow rail has no words
          avatar(me),
          h(
            "span",
            { class: "rail-text" },
            h("bdi", { class: "name" }, shownName(me)),
            h("span", { class: "handle" }, `@${me.acct}`),
          ),
        ),
      ]
    : [
        a("/login", { class: "button rail-login" }, t("nav.login")),
        instance.registrations.enabled ? a("/signup", { class: "button primary rail-login" }, t("nav.signup")) : null,
      ];
  return h(
    "nav",
    { class: "rail", "aria-label": t("nav.main") },
    a(
      "/",
      { class: "brand", "aria-label": siteTitle },
      h("img", { src: new URL("icon.svg", import.meta.url).href, alt: "", width: 30, height: 30 }),
      h("span", { class: "rail-text" }, siteTitle),
    ),
    links,
    foot,
  );
}

/** What a narrow window shows in a sheet: path, drawing and words of each link. */
const beyond = (me) => [
  [profilePath(me), "person", "settings.profile"],
  ["/public", "globe", "nav.public"],
  ["/articles", "articles", "nav.articles"],
  ["/lists", "list", "nav.lists"],
  ["/bookmarks", "bookmark", "nav.bookmarks"],
  ["/favourites", "like", "nav.favourites"],
  ["/scheduled", "clock", "nav.scheduled"],
  ["/streams", "streams", "nav.streams"],
  ...(api.moderates() ? [["/moderation", "eye", "nav.moderation"]] : []),
  ["/settings", "settings", "nav.settings"],
  ["/about", "articles", "site.about"],
];

/** Shows a name or a picture that has changed. */
function redraw() {
  app.querySelector("nav.rail").replaceWith(rail());
  mark();
  setUnread(unread);
  tellMessages(unreadMessages);
}

function frame() {
  const aside = h("aside", { class: "side", "aria-label": t("nav.side") });
  const state = h("p", { class: "connection", role: "status", id: "connection", hidden: true });
  app.className = loggedIn() ? "frame" : "frame out";
  app.replaceChildren(rail(), main, aside, state);
  if (!document.getElementById("toasts")) {
    document.body.append(h("div", { id: "toasts", role: "status", "aria-live": "polite" }));
  }
  fillSide(aside);
}

async function fillSide(aside) {
  const query = h("input", {
    type: "search",
    name: "q",
    placeholder: t("nav.search"),
    "aria-label": t("search.hint"),
    dir: "auto",
  });
  const form = h(
    "form",
    {
      class: "search-form",
      role: "search",
      on: { submit: (event) => (event.preventDefault(), go(`/search?q=${encodeURIComponent(query.value)}`)) },
    },
    icon("search"),
    query,
  );
  const foot = h(
    "p",
    { class: "side-foot" },
    siteLinks(instance),
    " · ",
    h("a", { href: `${base}/docs` }, t("nav.api")),
    " · ",
    a("/streams", {}, t("nav.streams")),
    " · ",
    h("button", { type: "button", class: "text-button", on: { click: help } }, t("keys.title")),
  );
  aside.append(form, foot);
  const articles_ = matchMedia("(min-width: 1100px)").matches ? await highest().catch(() => null) : null;
  if (articles_) {
    form.after(articles_);
  }
}

/** Shows a number beside a link; none for 0. */
function tell(id, n, key, text = counted(n)) {
  const badge = document.getElementById(id);
  if (badge && badge.textContent !== text) {
    badge.textContent = text;
    badge.setAttribute("aria-label", t(key, { n: text }));
  }
  if (badge && badge.hidden !== (n === 0)) {
    badge.hidden = n === 0;
  }
}

function tellMessages(n) {
  unreadMessages = n;
  tell("unread-messages", n, "messages.count");
}

/** Once a second at most, however many messages come. */
function recountMessages() {
  countingMessages ??= setTimeout(async () => {
    const conversations = await api.get("/api/v1/conversations", { limit: CONVERSATIONS }).catch(() => null);
    countingMessages = null;
    conversations && loggedIn() && tellMessages(conversations.filter(({ unread }) => unread).length);
  }, UNREAD_PACE);
}

function setUnread(n) {
  unread = n;
  tell("unread", n, "notifications.unread");
  if (shown) {
    rename();
  }
}

/** All notifications up to this one have been read. */
async function seen(newest) {
  setUnread(0);
  if (newest) {
    await api.post("/api/v1/markers", { notifications: { last_read_id: newest } }).catch(() => {});
  }
}

function forgetViews() {
  kept.forEach((one) => one.dispose());
  kept.clear();
  shown = null;
}

/** Somebody has logged in. */
function enter() {
  forgetViews();
  start();
  // The subscriptions of an earlier session in this browser end first.
  background(false).then(() => background(true));
  history.replaceState({ key: crypto.randomUUID() }, "", `${base}/${api.session.needsFactor ? "settings" : ""}`);
  show();
}

const loggedOut = () => (forgetDrafts(), leave());
const logOut = async () => (await tried(() => sendDeletes().then(api.logOut))) && loggedOut();

/** Somebody has logged out. */
function leave(sentence = t("session.out")) {
  live.close();
  forgetViews();
  background(false);
  api.session.account = null;
  setUnread(0);
  frame();
  history.replaceState({ key: crypto.randomUUID() }, "", `${base}/`);
  show();
  toast(sentence);
}

async function start() {
  frame();
  if (loggedIn()) {
    live.open("/api/v1/streaming/home", api.serverNow());
    recount();
    api.moderates() &&
      lazily(import("./waiting.js"))
        .then(({ watch }) => watch((n, text) => tell("waiting", n, "moderation.waiting", text)))
        .catch(() => {});
    api.session.needsFactor &&
      toast(t("factor.required"), "status", a("/settings", { class: "button small" }, t("nav.settings")));
  }
}

const readingNotifications = () =>
  location.pathname + location.search === `${base}/notifications` && document.visibilityState === "visible";

function recount() {
  recountMessages();
  // Whoever has the page of them before them has read them, also when the count was read before the server heard of that.
  api
    .get("/api/v1/notifications/unread_count")
    .then(({ count }) => readingNotifications() || setUnread(count))
    .catch(() => {});
}

let announced = null;
live.on("state", (state) => {
  clearTimeout(announced);
  const box = document.getElementById("connection");
  if (state === "live" || state === "off" || !box) {
    box && (box.hidden = true);
    return;
  }
  // A restart or a change of the network takes a moment that nobody needs to know of.
  announced = setTimeout(() => {
    box.textContent = t(navigator.onLine ? "live.lost" : "live.offline");
    box.hidden = false;
  }, 3000);
});
live.on("gap", recount);
live.on("earlier", () => (counting ??= setTimeout(() => ((counting = null), recount()), UNREAD_PACE)));
live.on("notification", (one) => {
  if (one.status?.visibility === "direct") {
    recountMessages();
  }
  if (!unwanted(one) && !readingNotifications()) {
    // The first shows at once, what follows it once a second.
    unread++;
    telling ??= setTimeout(
      () => {
        telling = null;
        setUnread(unread);
      },
      unread === 1 ? 0 : UNREAD_PACE,
    );
  }
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (
    !link ||
    event.defaultPrevented ||
    event.button !== 0 ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey ||
    link.target ||
    link.hasAttribute("download")
  ) {
    const article = event.target.closest?.("article.post");
    openCard(event, article);
    return;
  }
  const address = local(link.href) ?? (link.origin === location.origin ? link.pathname + link.search : null);
  if (address === null || link.getAttribute("href").startsWith("#")) {
    return;
  }
  const path = address.slice(base.length);
  if (known(path.split("?")[0])) {
    event.preventDefault();
    go(path);
  }
});

/** A click beside what can be clicked opens the thread, unless somebody selects words. */
function openCard(event, article) {
  if (
    !article?.status ||
    article.options.focus ||
    event.target.closest("a, button, summary, details, input, .menu-list") ||
    String(getSelection())
  ) {
    return;
  }
  article.closest("dialog")?.close();
  go(statusPath(article.status.reblog ?? article.status));
}

// Before the page has begun there is nothing to show again.
addEventListener("popstate", () => instance && show());
history.scrollRestoration = "manual";
keyboard({ go, write: () => compose() });
api.whenChosen(live.forget);
whenOpened((path) => Boolean(instance) && known(path) && (go(path), true));
api.whenLost(() => instance && leave(t("session.lost")));

async function begin() {
  try {
    await load();
    [instance] = await Promise.all([api.get("/api/v2/instance"), api.begin()]);
    configure(instance);
    configurePolls(instance);
    await start();
    await show();
    document.documentElement.classList.add("ready");
    background(loggedIn());
  } catch (refused) {
    document.body.append(h("p", { class: "connection", role: "alert" }, refused.message));
  }
}

begin();
