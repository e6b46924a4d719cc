/** Home, public timeline, tags, threads, search, bookmarks and favourites. */
import { a, append, h, openDialog, plain, refocus, toast } from "./dom.js";
import { icon } from "./icons.js";
import * as api from "./api.js";
import { t } from "./i18n.js";
import { card, subject } from "./status.js";
import { sheetHead } from "./sheets.js";
import { hidden } from "./filters.js";
import { composer, compose, whenPosted } from "./compose.js";
import { isAfter, timeline } from "./timeline.js";
import { avatar, displayName, person, withStates } from "./people.js";
import * as live from "./live.js";

const LOOK = 4_000; // ms between looks at the public timeline, of which nobody without a session gets a stream
const LOOK_SPARING = 15_000; // the same when less than half of what the server allows is left: strangers behind one address share that
const LOOK_MAX = 60_000; // the same after failures
const LOOK_ITEMS = 40; // that a look brings; when there are more, the list is read again

export function heading(text, ...more) {
  return h(
    "header",
    { class: "view-head" },
    h("h1", { tabindex: "-1", dir: "auto" }, text),
    h("span", { class: "grow" }),
    more,
  );
}

/**
 * A list of statuses from a path of the API. Options are those of a list, and `place` where filters look at them, and whether it `looks` for new ones as long as somebody looks at it, where no
 * stream tells of them.
 */
export function statuses(path, query = {}, { place = null, looks = false, ...options } = {}) {
  const load = () => api.list(path, query);
  load.before = (id) => api.list(path, { ...query, max_id: id });
  const list = timeline({
    load,
    draw: (status) => card(status, { place }),
    hides: (status) => hidden(status, place),
    ...options,
  });
  if (!looks) {
    return list;
  }
  let seen = ""; // id of the newest that any look has answered, shown or not
  let failures = 0;
  let looking = false;
  let timer = setTimeout(look, LOOK);
  document.addEventListener("visibilitychange", back);
  return {
    ...list,
    dispose: () => (
      clearTimeout(timer),
      (timer = null),
      document.removeEventListener("visibilitychange", back),
      list.dispose()
    ),
  };

  /** A page that nobody sees does not look; whoever comes back to it need not wait. */
  function back() {
    if (document.visibilityState === "visible" && !looking && failures === 0) {
      clearTimeout(timer);
      look();
    }
  }

  async function look() {
    let wait = LOOK;
    if (document.visibilityState === "visible" && list.element.isConnected) {
      looking = true;
      try {
        const shown = list.newest() ?? "";
        const page = await api.list(path, {
          ...query,
          limit: LOOK_ITEMS,
          since_id: (isAfter(seen, shown) ? seen : shown) || null,
        });
        failures = 0;
        seen = page.items[0]?.id ?? seen;
        page.items.reverse().forEach((status) => list.arrive(status));
        page.items.length < LOOK_ITEMS || list.lost();
        wait = page.room < 0.5 ? LOOK_SPARING : LOOK;
      } catch (refused) {
        wait = Math.max(Math.min(LOOK * 2 ** ++failures, LOOK_MAX), refused.again * 1000);
      }
      looking = false;
    }
    if (timer !== null) {
      timer = setTimeout(look, wait);
    }
  }
}

export function home() {
  const list = statuses(
    "/api/v1/timelines/home",
    { limit: 20 },
    {
      place: "home",
      kind: "status",
      empty: emptyHome,
      label: t("nav.home"),
    },
  );
  const off = whenPosted((status, { edit }) => !edit && status.visibility !== "direct" && list.arrive(status, true)); // direct messages are in conversations
  const form = composer({ place: "home" });
  return view(
    t("nav.home"),
    [
      h("h1", { class: "visually-hidden", tabindex: "-1" }, t("nav.home")),
      h("section", { class: "write", "aria-label": t("compose.new") }, avatar(api.session.account), form),
      list.element,
    ],
    () => (off(), list.dispose()),
  );
}

/** Makes the content of an empty home: accounts to follow. */
function emptyHome() {
  const box = h("div", { class: "suggested" });
  suggestions(5).then(
    (people) => box.replaceChildren(...people),
    () => {},
  );
  return [h("span", { class: "quiet-home" }, t("home.empty"), " ", a("/public", {}, t("home.empty.public"))), box];
}

async function suggestions(limit) {
  const suggested = await api.get("/api/v2/suggestions", { limit });
  return suggested.length > 0
    ? [h("h2", {}, t("search.suggested")), ...suggested.map(({ account }) => person(account, "none"))]
    : [];
}

/** Everything public, newest first; looked at again as long as the page is looked at. */
export function everybody({ embedded = false } = {}) {
  const list = statuses(
    "/api/v1/timelines/public",
    { limit: 20 },
    { place: "public", looks: true, label: t("nav.public") },
  );
  const off = whenPosted((status, { edit }) => !edit && status.visibility === "public" && list.arrive(status, true));
  return view(
    t("nav.public"),
    [embedded ? null : heading(t("nav.public")), list.element],
    () => (off(), list.dispose()),
  );
}

export function tag(name) {
  const path = `/api/v1/tags/${encodeURIComponent(name)}`;
  const list = statuses(
    `/api/v1/timelines/tag/${encodeURIComponent(name)}`,
    { limit: 20 },
    { place: "public", label: `#${name}` },
  );
  const follow = h("span", {});
  if (api.session.account) {
    api.get(path).then(show, () => {});
  }
  return view(
    `#${name}`,
    [
      heading(`#${name}`, follow, a(`/tags/${encodeURIComponent(name)}.rss`, { class: "button small" }, "RSS")),
      list.element,
    ],
    list.dispose,
  );

  function show({ following }) {
    const focused = follow.contains(document.activeElement);
    follow.replaceChildren(
      h(
        "button",
        {
          type: "button",
          class: ["button small follow", !following && "primary"],
          "aria-pressed": String(following),
          "aria-label": t(following ? "tag.unfollow" : "tag.follow", { name }),
          on: { click: () => flip(following) },
        },
        t(following ? "follow.following" : "follow.none"),
      ),
    );
    focused && refocus(follow.firstChild);
  }

  async function flip(following) {
    show({ following: !following });
    try {
      show(await api.post(`${path}/${following ? "unfollow" : "follow"}`));
    } catch (refused) {
      show({ following });
      toast(refused.message, "alert");
    }
  }
}

export function bookmarks() {
  const list = statuses("/api/v1/bookmarks", {}, { label: t("nav.bookmarks") });
  return view(t("nav.bookmarks"), [heading(t("nav.bookmarks")), list.element], list.dispose);
}

export function favourites() {
  const list = statuses("/api/v1/favourites", {}, { label: t("nav.favourites") });
  return view(t("nav.favourites"), [heading(t("nav.favourites")), list.element], list.dispose);
}

export function view(title, content, dispose = () => {}) {
  return { title, element: h("div", { class: "view" }, content), dispose };
}

export function thread(id) {
  const box = h("div", { class: "thread" }, h("p", { class: "loading-line", role: "status" }, t("loading")));
  const made = view(t("thread.title"), [heading(t("thread.title")), box]);
  const offs = [];
  load();
  made.dispose = () => offs.forEach((off) => off());
  return made;

  async function load() {
    try {
      const [status, context] = await Promise.all([
        api.get(`/api/v1/statuses/${encodeURIComponent(id)}`),
        api.get(`/api/v1/statuses/${encodeURIComponent(id)}/context`),
      ]);
      const shown = subject(status);
      const below = h("p", { class: "figures" }, figures(shown));
      const redrawn = (status) => below.replaceChildren(...figures(status));
      const focus = card(shown, { focus: true, place: "thread", redrawn });
      const visible = (all) => all.filter((one) => !hidden(one, "thread"));
      const answers = h("div", { class: "posts answers" }, tree(visible(context.descendants), shown.id));
      box.replaceChildren();
      append(box, [
        h(
          "div",
          { class: "posts ancestors" },
          visible(context.ancestors).map((one) => card(one, { place: "thread" })),
        ),
        focus,
        below,
        shown.visibility === "direct" ? readers(shown) : null,
        api.session.account
          ? h(
              "p",
              { class: "answer-line" },
              h(
                "button",
                {
                  type: "button",
                  class: "button wide",
                  on: { click: () => compose({ reply: focus.status ?? shown }) },
                },
                icon("reply"),
                t("compose.reply.hint"),
              ),
            )
          : null,
        answers,
      ]);
      if (context.ancestors.length > 0) {
        focus.scrollIntoView({ block: "center" });
      }
      made.title = `${displayName(shown.account)}: ${(shown.spoiler_text || plain(shown.content)).slice(0, 60)}`;
      made.renamed?.();
      const add = (answer) => {
        const parent = answer.in_reply_to_id;
        const there = box.querySelector(`[data-id="${CSS.escape(answer.id)}"]`);
        if (!there && parent && box.querySelector(`[data-id="${CSS.escape(parent)}"]`)) {
          hidden(answer, "thread") || answers.append(card(answer, { place: "thread" }));
        }
      };
      offs.push(
        whenPosted((answer, { edit }) => !edit && add(answer)),
        live.on("status", add),
        live.on("notification", (one) => one.status && add(one.status)),
      );
    } catch (refused) {
      box.replaceChildren(problem(refused, load));
    }
  }
}

/** Answers below what they answer, indented up to a few steps. */
function tree(all, root, depth = 0) {
  const children = all.filter(
    (one) =>
      one.in_reply_to_id === root ||
      (depth === 0 && !all.some((other) => other.id === one.in_reply_to_id) && one.in_reply_to_id !== root),
  );
  return children.flatMap((one) => {
    const element = card(one, { place: "thread" });
    element.classList.add(`depth${Math.min(depth, 4)}`);
    return [element, ...(depth > 100 ? [] : tree(all, one.id, depth + 1))];
  });
}

/** Names the readers of a direct message. */
function readers(status) {
  const names = [status.account, ...status.mentions]
    .filter(({ id }) => id !== api.session.account?.id)
    .map(({ acct }) => `@${acct}`);
  return names.length === 0
    ? null
    : h("p", { class: "notice readers" }, h("span", {}, icon("lock"), t("thread.direct", { names: names.join(", ") })));
}

/** The counters of a post, each with a list of whom it counts. */
function figures(status) {
  const entry = (n, key, path, list = accounts) =>
    n > 0
      ? h(
          "button",
          { type: "button", class: "text-button", on: { click: () => sheet(list(path), t(key, { n })) } },
          t(key, { n }),
        )
      : null;
  return [
    entry(status.favourites_count, "post.likes", `/api/v1/statuses/${status.id}/favourited_by`),
    entry(status.reblogs_count, "post.boosts", `/api/v1/statuses/${status.id}/reblogged_by`),
    status.article ? entry(status.article.votes, "article.votes", `/api/v1/articles/${status.id}/voters`) : null,
    entry(status.quotes_count, "post.quotes", `/api/v1/statuses/${status.id}/quotes`, (path) =>
      statuses(path, { limit: 20 }, { place: "thread" }),
    ),
  ].filter(Boolean);
}

/** A list above the page: who it was, or what they wrote. */
function sheet(list, title) {
  const dialog = h(
    "dialog",
    {
      class: "sheet",
      "aria-label": title,
      on: {
        close: () => (list.dispose(), dialog.remove()),
        click: (event) => event.target.closest("a") && dialog.close(),
      },
    },
    sheetHead(title, () => dialog.close()),
    list.element,
  );
  openDialog(dialog);
}

/** A list of accounts with how the viewer stands to each. */
export function accounts(path, options = {}) {
  let states = new Map();
  const known = async (page) => {
    states = new Map([...states, ...(await withStates(page.items))]);
    const { more } = page;
    return { items: page.items, more: more && (async () => known(await more())) };
  };
  return timeline({
    load: async () => known(await api.list(path, { limit: 40 })),
    draw: (account) => person(account, states.get(account.id), options.buttons?.(account)),
    empty: t("people.none"),
    feed: false,
  });
}

export function problem(refused, again) {
  const missing = refused.status === 404;
  return h(
    "div",
    { class: "notice" },
    h("p", { role: "alert" }, missing ? t("error.missing") : refused.message),
    missing || !again
      ? a("/", { class: "button" }, t("nav.home"))
      : h(
          "button",
          {
            type: "button",
            class: "button",
            on: { click: async () => (await again(), refocus(document.querySelector("main h1[tabindex], main"))) },
          },
          t("again"),
        ),
  );
}

export function search(asked) {
  const found = h("div", { class: "found", "aria-live": "polite" });
  const field = h("input", {
    type: "search",
    name: "q",
    value: asked,
    placeholder: t("search.hint"),
    "aria-label": t("nav.search"),
    dir: "auto",
    autocomplete: "off",
  });
  const form = h(
    "form",
    {
      class: "search-form",
      role: "search",
      on: { submit: (event) => (event.preventDefault(), made.go?.(`/search?q=${encodeURIComponent(field.value)}`)) },
    },
    icon("search"),
    field,
  );
  const made = view(t("nav.search"), [heading(t("nav.search")), form, found]);
  made.focus = field;
  if (asked.trim()) {
    look();
  } else {
    explore();
  }
  return made;

  /** What there is for somebody who does not know yet what to look for. */
  async function explore() {
    const [tags, suggested] = await Promise.all([
      api.get("/api/v1/trends/tags", { limit: 10 }).catch(() => []),
      api.session.account ? suggestions(10).catch(() => []) : [],
    ]);
    const parts = [
      tags.length > 0 ? h("section", {}, h("h2", {}, t("search.trends")), chips(tags)) : null,
      suggested.length > 0 ? h("section", {}, suggested) : null,
    ];
    found.replaceChildren(...parts.filter(Boolean));
  }

  function chips(tags) {
    return h(
      "p",
      { class: "chips" },
      tags.map(({ name }) => a(`/tags/${encodeURIComponent(name)}`, { class: "chip" }, `#${name}`)),
    );
  }

  async function look() {
    found.replaceChildren(h("p", { class: "loading-line" }, t("loading")));
    try {
      const result = await api.get("/api/v2/search", { q: asked, limit: 20 });
      const states = await withStates(result.accounts);
      const parts = [
        result.accounts.length > 0
          ? h(
              "section",
              {},
              h("h2", {}, t("search.people")),
              result.accounts.map((one) => person(one, states.get(one.id))),
            )
          : null,
        result.hashtags.length > 0 ? h("section", {}, h("h2", {}, t("search.tags")), chips(result.hashtags)) : null,
        result.statuses.length > 0
          ? h(
              "section",
              {},
              h("h2", {}, t("search.posts")),
              h(
                "div",
                { class: "posts" },
                result.statuses.map((one) => card(one)),
              ),
            )
          : null,
      ].filter(Boolean);
      found.replaceChildren(...(parts.length > 0 ? parts : [h("p", { class: "end-line" }, t("search.none"))]));
    } catch (refused) {
      found.replaceChildren(problem(refused, look));
    }
  }
}
