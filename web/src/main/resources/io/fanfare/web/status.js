/** A status as a card, and what a reader does with it. */
import { a, base, crop, fileAddress, h, lazily, leave, pictured, plain, refocus, rich, toast, tried } from "./dom.js";
import { icon, iconButton } from "./icons.js";
import { get, post, put, remove, removeAtLast, session } from "./api.js";
import { around, count, languageName, moment, number, since, t } from "./i18n.js";
import { author, avatar, displayName, face, profilePath, shownName } from "./people.js";
import { compose, whenPosted } from "./compose.js";
import { poll } from "./poll.js";
import { blurred, covered } from "./filters.js";
import { confirmed, muting, report, sheet } from "./sheets.js";
import * as live from "./live.js";

const LINES_MAX = 15; // of a text in a list; a longer one shows its beginning
const LINE = 64; // letters of a line, of which wide ones take two
const PARAGRAPH = 0.7; // lines between two paragraphs
const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/g;
const UNDO = 5_000; // ms in which a delete can be taken back
const GAP = 8; // px between a button and its menu, and around a menu

const hosts = () => document.querySelectorAll("article.post");

export const statusPath = (status) => `/@${status.account.username}/${status.id}`;

/** The status that likes, boosts and replies go to. */
export const subject = (status) => status.reblog ?? status;

/** @param options `focus` for the status that a thread is about, `quiet` for one without actions, `place` where filters look at it, `shown` in spite of them, `pinned` for one that stands above others, `redrawn` is called with the status when it has changed */
export function card(status, options = {}) {
  const shown = subject(status);
  if (status.reblog && status.account.id === session.account?.id) {
    shown.reblogged ??= true; // events do not know who looks
  }
  const behind = options.focus || options.shown ? "" : covered(status, options.place);
  if (behind) {
    return cover(status, options, behind);
  }
  const inside = words(shown, options); // before the label, which has the same text
  const element = h(
    "article",
    {
      class: ["post", options.focus && "focus"],
      "data-id": status.id,
      "data-subject": shown.id,
      tabindex: options.quiet ? null : "0",
      "aria-label": label(shown),
    },
    face(shown.account),
    h(
      "div",
      { class: "post-body" },
      status.reblog
        ? h(
            "p",
            { class: "because" },
            icon("boost"),
            h(
              "span",
              {},
              around(
                "post.boostedby",
                "name",
                a(profilePath(status.account), {}, h("bdi", {}, shownName(status.account))),
              ),
            ),
          )
        : null,
      options.pinned ? h("p", { class: "because" }, icon("pin"), h("span", {}, t("post.pinned"))) : null,
      head(shown, options),
      inside,
      options.focus
        ? h(
            "p",
            { class: "stamp" },
            h("time", { datetime: shown.created_at }, moment(shown.created_at)),
            shown.application ? ` · ${shown.application.name}` : "",
            shown.language ? ` · ${languageName(shown.language)}` : "",
            shown.place?.name ? ` · ${shown.place.name}` : "",
          )
        : null,
      options.quiet ? null : actions(shown),
    ),
  );
  element.status = status;
  element.options = options;
  element.hidden = deleting.has(shown.id);
  return element;
}

/** What stands there of a status that filters of the reader match, until the reader wants to see it. */
function cover(status, options, titles) {
  const text = t("filter.covered", { titles });
  const show = () => {
    const open = card(element.status, { ...options, shown: true });
    element.replaceWith(open);
    open.focus({ preventScroll: true });
  };
  const element = h(
    "article",
    {
      class: "post covered",
      "data-id": status.id,
      "data-subject": subject(status).id,
      tabindex: "0",
      "aria-label": text,
    },
    h("p", { class: "hint", dir: "auto" }, text),
    h("button", { type: "button", class: "button small", on: { click: show } }, t("filter.show")),
  );
  element.status = status;
  element.options = options;
  return element;
}

function label(status) {
  const text = status.spoiler_text || plain(status.content);
  return t("post.label", { name: displayName(status.account), text: text.slice(0, 140) });
}

function head(status, options) {
  const marks = [
    status.visibility === "private" || status.visibility === "direct"
      ? h(
          "span",
          { class: "mark", title: t(`visibility.${status.visibility}`) },
          icon("lock"),
          h("span", { class: "visually-hidden" }, t(`visibility.${status.visibility}`)),
        )
      : null,
    status.edited_at ? h("span", { class: "mark", title: moment(status.edited_at) }, t("post.edited")) : null,
  ].filter(Boolean);
  const when = options.focus
    ? null
    : a(
        statusPath(status),
        { class: "when", title: moment(status.created_at) },
        h("time", { datetime: status.created_at }, since(status.created_at)),
      );
  return h(
    "p",
    { class: "post-head" },
    author(status.account),
    marks.length > 0 ? h("span", { class: "marks" }, marks, when) : when,
  );
}

function words(status, { place, focus }) {
  const folds = !focus;
  if (status.deleted) {
    return h("p", { class: "gone" }, t("post.gone"));
  }
  const inside = [
    status.article ? title(status.article) : null,
    text(status, folds),
    poll(status, (now) => replace(status.id, (one) => ({ ...one, poll: now }))),
    pictures(status, place),
    quoted(status, place),
  ];
  if (status.spoiler_text) {
    return h(
      "details",
      { class: "warned" },
      h("summary", { dir: "auto" }, pictured(status.spoiler_text, status.emojis)),
      inside,
    );
  }
  return inside;
}

function text(status, folds = false) {
  const content = rich(status.content, status.emojis);
  if (status.article) {
    // Its title and link are the first lines of its text; they stand above it already.
    content.firstElementChild?.remove();
  }
  if (status.quote) {
    // For clients that do not know quotes.
    content.querySelectorAll("p.quote-inline").forEach((line) => line.remove());
  }
  if (!content.textContent.trim() && !content.childElementCount) {
    return null;
  }
  const isLong = folds && linesOf(content) > LINES_MAX;
  const element = h("div", { class: ["text", isLong && "folded"], dir: "auto", lang: status.language }, content);
  return isLong ? [element, unfolder(element)] : element;
}

/** About how many lines a text takes in the page. */
function linesOf(content) {
  let lines = 0;
  for (const paragraph of content.children) {
    const { textContent } = paragraph;
    const width = textContent.length + (textContent.match(WIDE)?.length ?? 0);
    lines += Math.max(Math.ceil(width / LINE), paragraph.querySelectorAll("br").length + 1) + PARAGRAPH;
  }
  return lines;
}

/** The button below a text of which the beginning is shown. Who gets to the rest by keyboard has pressed it. */
function unfolder(text) {
  const button = h("button", { type: "button", class: "text-button unfold", on: { click: unfold } }, t("post.unfold"));
  text.addEventListener("focusin", unfold);
  return button;

  function unfold() {
    const focused = document.activeElement === button;
    text.classList.remove("folded");
    text.removeEventListener("focusin", unfold);
    button.remove();
    focused && text.closest("article")?.focus({ preventScroll: true });
  }
}

function title(article) {
  const link = article.link ? new URL(article.link) : null;
  const heading =
    link && /^https?:$/.test(link.protocol)
      ? h("a", { href: link.href, rel: "nofollow noopener noreferrer", target: "_blank" }, article.title)
      : article.title;
  return h("h3", { class: "title", dir: "auto" }, heading, link ? h("span", { class: "host" }, ` ${link.host}`) : null);
}

function pictures(status, place) {
  if (status.media_attachments.length === 0) {
    return null;
  }
  const seen = status.media_attachments.filter(({ type }) => type !== "audio");
  const view = (event, picture) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      const shown = seen.map(({ type, url, preview_url, description }) => ({
        address: fileAddress(url),
        description,
        poster: type === "video" ? fileAddress(preview_url) : undefined,
      }));
      tried(async () => (await lazily(import("./viewer.js"))).viewer(shown, seen.indexOf(picture)));
    }
  };
  const grid = h(
    "div",
    { class: `media media-${status.media_attachments.length}` },
    status.media_attachments.map((picture) => {
      if (picture.type === "audio") {
        return player(picture);
      }
      if (picture.type === "video") {
        const film = player(picture);
        const enlarge = (event) => (film.pause(), view(event, picture));
        return h("div", { class: "film" }, film, iconButton("viewer.enlarge", icon("link"), enlarge));
      }
      const image = h("img", {
        src: fileAddress(picture.preview_url),
        alt: picture.description ?? "",
        loading: "lazy",
        width: picture.meta?.small?.width,
        height: picture.meta?.small?.height,
      });
      crop(image, picture.meta?.focus);
      return h(
        "a",
        {
          href: fileAddress(picture.url),
          target: "_blank",
          rel: "noopener",
          title: picture.description,
          "aria-label": picture.description || t("post.picture"),
          on: { click: (event) => view(event, picture) },
        },
        image,
        picture.description ? h("span", { class: "alt-mark", "aria-hidden": "true" }, "ALT") : null,
      );
    }),
  );
  const blur = blurred(status, place);
  if (!blur && (!status.sensitive || status.spoiler_text)) {
    return grid;
  }
  return h(
    "details",
    { class: "warned" },
    h("summary", { dir: "auto" }, blur ? t("filter.covered", { titles: blur }) : t("post.sensitive")),
    grid,
  );
}

/** Of a video or sound, of which nothing is loaded before somebody plays it. */
function player(clip) {
  const said = clip.description || t(clip.type === "audio" ? "post.sound" : "post.video");
  const size = clip.meta?.original ?? {};
  const poster = fileAddress(clip.preview_url);
  const element = h(clip.type, {
    src: fileAddress(clip.url),
    controls: true,
    preload: "none",
    poster: clip.type === "video" ? poster : null,
    width: size.width,
    height: size.height,
    "aria-label": said,
    title: clip.description,
  });
  return clip.type === "audio" && poster
    ? h("figure", { class: "sound" }, h("img", { src: poster, alt: "", loading: "lazy" }), element)
    : element;
}

function quoted(status, place) {
  const quote = status.quote;
  if (!quote) {
    return null;
  }
  const original = quote.quoted_status;
  if (!original || original.deleted) {
    return h(
      "p",
      { class: "quote gone" },
      t({ revoked: "post.unquoted", unauthorized: "post.forbidden" }[quote.state] ?? "post.gone"),
    );
  }
  const behind = covered(original, place);
  const inside = original.spoiler_text
    ? h("p", { dir: "auto" }, pictured(original.spoiler_text, original.emojis))
    : [text(original), pictures(original, place)];
  return h(
    "blockquote",
    { class: "quote" },
    h(
      "p",
      { class: "post-head" },
      avatar(original.account, "tiny"),
      author(original.account),
      a(
        statusPath(original),
        { class: "when" },
        h("time", { datetime: original.created_at }, since(original.created_at)),
      ),
    ),
    behind
      ? h(
          "details",
          { class: "warned" },
          h("summary", { dir: "auto" }, t("filter.covered", { titles: behind })),
          inside,
        )
      : inside,
  );
}

/** The buttons below a post: `n` is the figure beside one, `on` whether it is pressed; those with `items` have a menu. */
const BUTTONS = {
  vote: {
    title: "article.vote",
    on: (status) => status.article.voted,
    run: (status) => (session.account ? votable(status) && castVote(status) : ask()),
  },
  reply: {
    title: "post.reply",
    n: (status) => status.replies_count,
    run: (status) => (session.account ? compose({ reply: status }) : ask()),
  },
  boost: {
    title: "post.boost",
    n: (status) => status.reblogs_count, // quotes have their own figure below a post
    on: (status) => status.reblogged,
    items: boosts,
  },
  like: {
    title: "post.like",
    n: (status) => status.favourites_count,
    on: (status) => status.favourited,
    run: (status) => flip(status, "favourite"),
  },
  bookmark: { title: "post.bookmark", on: (status) => status.bookmarked, run: (status) => flip(status, "bookmark") },
  more: { title: "post.more", items: more },
};

const rows = new Map(); // as they are when nobody has done anything, by the names of their buttons

function actions(status) {
  const hidden = status.visibility === "private" || status.visibility === "direct";
  const names = Object.keys(BUTTONS).filter(
    (name) => (name !== "boost" || !hidden) && (name !== "vote" || status.article),
  );
  const key = names.join();
  if (!rows.has(key)) {
    rows.set(key, h("div", { class: "actions", role: "group", "aria-label": t("post.actions") }, names.map(button)));
  }
  // A copy costs a fraction of what is made anew, and one listener does for all.
  const row = rows.get(key).cloneNode(true);
  names.forEach((name, i) => dress(row.children[i], name, status));
  row.addEventListener("click", ({ target }) => {
    const pressed = target.closest("button.action");
    const { items, run } = BUTTONS[pressed?.dataset.name] ?? {};
    items ? unfold(pressed, items(status)) : run?.(status);
  });
  return row;
}

function button(name) {
  const { title, on, items } = BUTTONS[name];
  return h("button", {
    type: "button",
    class: `action ${name}`,
    "data-name": name,
    title: t(title),
    "aria-label": t(title),
    "aria-pressed": on ? "false" : null,
    "aria-haspopup": items ? "menu" : null,
    "aria-expanded": items ? "false" : null,
  });
}

function dress(element, name, status) {
  const { title, n, on } = BUTTONS[name];
  const figure = n?.(status) ?? 0;
  if (name === "vote") {
    element.setAttribute("aria-label", `${t(title)}, ${t("article.votes", { n: status.article.votes })}`);
    element.textContent = number(status.article.votes);
  } else if (figure > 0) {
    element.setAttribute("aria-label", `${t(title)}, ${number(figure)}`);
    element.textContent = count(figure);
  }
  if (on?.(status)) {
    element.classList.add("on");
    element.setAttribute("aria-pressed", "true");
  }
}

function boosts(status) {
  return [
    [status.reblogged ? t("post.unboost") : t("post.boost"), () => flip(status, "reblog")],
    quotable(status) ? [t("post.quote"), () => compose({ quote: status })] : null,
  ];
}

const votable = (status) => status.article.voted === false && status.account.id !== session.account?.id;

async function castVote(status) {
  await optimistic(
    status,
    (one) => ({ ...one, article: { ...one.article, voted: true, votes: one.article.votes + 1 } }),
    () => post(`/api/v1/articles/${status.id}/vote`),
    "article.failed",
  );
}

const FLIPS = {
  favourite: { flag: "favourited", counter: "favourites_count", undo: "unfavourite" },
  reblog: { flag: "reblogged", counter: "reblogs_count", undo: "unreblog" },
  bookmark: { flag: "bookmarked", counter: null, undo: "unbookmark" },
};

/** Likes, boosts and bookmarks show at once; what the server refuses is taken back with a sentence. */
async function flip(status, verb) {
  if (!session.account) {
    return ask();
  }
  const { flag, counter, undo } = FLIPS[verb];
  const on = !status[flag];
  await optimistic(
    status,
    (one) => ({ ...one, [flag]: on, ...(counter ? { [counter]: Math.max(0, one[counter] + (on ? 1 : -1)) } : {}) }),
    async () => subject(await post(`/api/v1/statuses/${status.id}/${on ? verb : undo}`)),
    `failed.${on ? verb : undo}`,
  );
}

const under = new Map(); // what is asked of the server last, by the status that it is about

/** One after the other, as they were pressed; what is shown in the end is what the last one answers. */
async function optimistic(status, change, ask, failed) {
  replace(status.id, change);
  const before = under.get(status.id);
  const mine = (async () => {
    await before?.catch(() => {});
    return ask();
  })();
  under.set(status.id, mine);
  let after = status;
  try {
    after = await mine;
  } catch (refused) {
    toast(t(failed, { why: refused.message }), "alert");
  }
  if (under.get(status.id) === mine) {
    under.delete(status.id);
    replace(status.id, () => after);
  }
}

function ask() {
  toast(t("session.needed"));
}

/** Shows the votes that an article has by now. They only rise, so that what comes late changes nothing. */
export function stand({ id, votes }) {
  replace(id, (one) => (one.article?.votes < votes ? { ...one, article: { ...one.article, votes } } : one));
}

const FOCUSED = "a, button, summary, input";

/** Draws every card of a status again; `change` gets the status and answers another, or itself for no change. The focus stays where it was. */
export function replace(id, change) {
  for (const old of hosts()) {
    const shown = old.status && subject(old.status);
    if (!shown) {
      continue;
    }
    const quote = shown.quote?.quoted_status;
    const before = shown.id === id ? shown : quote?.id === id ? quote : null;
    const after = before && change(before);
    if (after === before) {
      continue;
    }
    let status = { ...after };
    if (before === quote) {
      status = { ...old.status, quote: { ...shown.quote, quoted_status: status } };
    } else if (old.status.reblog) {
      status = { ...old.status, reblog: status };
    }
    const opened = old.querySelector("details")?.open;
    const menu_ = unfolded && old.contains(unfolded.button) ? unfolded.button.dataset.name : null;
    const item = menu_ ? [...old.querySelectorAll("[role=menuitem]")].indexOf(document.activeElement) : -1;
    menu_ && unfolded.close();
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const place = focused && focused !== old ? [...old.querySelectorAll(FOCUSED)].indexOf(focused) : -1;
    const chosen = [...old.querySelectorAll(".poll input:checked")].map(({ value }) => value);
    const card_ = card(status, old.options);
    const details = opened && card_.querySelector("details");
    if (details) {
      details.open = true;
    }
    old.querySelector(".unfold") || card_.querySelector(".unfold")?.click(); // its reader has unfolded the text
    old.options.redrawn?.(status);
    card_.querySelectorAll(".poll input").forEach((input) => (input.checked = chosen.includes(input.value)));
    old.replaceWith(card_);
    if (menu_) {
      // Somebody chooses in the menu that stood there.
      card_.querySelector(`.action[data-name="${menu_}"]`)?.click();
      card_.querySelectorAll("[role=menuitem]")[item]?.focus({ preventScroll: true });
    } else if (focused?.closest(".poll")) {
      card_.focus({ preventScroll: true }); // of a vote that is cast nothing is left to press
    } else if (focused) {
      (place < 0 ? card_ : ([...card_.querySelectorAll(FOCUSED)][place] ?? card_)).focus({ preventScroll: true });
    }
  }
}

export function drop(id) {
  for (const old of hosts()) {
    if (old.dataset.id === id || old.dataset.subject === id) {
      leave([entryOf(old)]);
    }
  }
}

/** What goes with a card: of a mention, the card is all of the notification. */
const entryOf = (card_) => card_.closest(".notification-mention") ?? card_;

function quotable(status) {
  return status.quote_approval.current_user === "automatic" || status.quote_approval.current_user === "manual";
}

/** Events do not know who looks. */
function approval(before, now) {
  const [was] = before.quote_approval.automatic;
  const [is] = now.quote_approval.automatic;
  return was === is || now.account.id === session.account?.id
    ? { ...now.quote_approval, current_user: before.quote_approval.current_user }
    : now.quote_approval;
}

// What others do shows wherever the status is. Flags and counters of the viewer are not in events.
live.on("status.update", (status) =>
  replace(status.id, (one) => ({
    ...status,
    favourited: one.favourited,
    reblogged: one.reblogged,
    bookmarked: one.bookmarked,
    favourites_count: one.favourites_count,
    reblogs_count: one.reblogs_count,
    quotes_count: one.quotes_count,
    replies_count: one.replies_count,
    poll: one.poll,
    muted: one.muted,
    pinned: one.pinned,
    filtered: status.filtered ?? [],
    quote_approval: approval(one, status),
    article: one.article && { ...status.article, voted: one.article.voted, votes: one.article.votes },
  })),
);
live.on("delete", ({ id }) => drop(id));
// An edit of the reader shows without the stream, too.
whenPosted((status, { edit }) => edit && replace(status.id, () => status));

function more(status) {
  const own = status.account.id === session.account?.id;
  const name = displayName(status.account);
  return [
    [t("post.copy"), () => copy(status)],
    status.edited_at ? [t("post.history"), () => history_(status)] : null,
    own && !status.article ? [t("post.edit"), () => edit(status)] : null,
    own && status.visibility !== "private" && status.visibility !== "direct" && !status.article
      ? [t("post.quoters"), () => choose(status)]
      : null,
    !own && status.quote?.quoted_status?.account.id === session.account?.id
      ? [t("post.unquote"), () => unquote(status)]
      : null,
    own && (status.visibility === "public" || status.visibility === "unlisted" || status.visibility === "private")
      ? [t(status.pinned ? "post.unpin" : "post.pin"), () => told(status, status.pinned ? "unpin" : "pin")]
      : null,
    session.account
      ? [t(status.muted ? "post.unsilence" : "post.silence"), () => told(status, status.muted ? "unmute" : "mute")]
      : null,
    own ? [t("post.delete"), () => take(status)] : null,
    own && !status.article && !status.poll ? [t("post.rewrite"), () => rewrite(status)] : null,
    session.account && !own ? [t("post.mute", { name }), () => hide(status, "mute")] : null,
    session.account && !own ? [t("post.block", { name }), () => hide(status, "block")] : null,
    session.account && !own ? [t("report.name", { name }), () => report(status.account, status)] : null,
  ];
}

/** Who may quote a post from now on. */
function choose(status) {
  const [policy = "nobody"] = status.quote_approval.automatic;
  const select = h(
    "select",
    { "aria-label": t("post.quoters") },
    ["public", "followers", "nobody"].map((name) =>
      h("option", { value: name, selected: name === policy }, t(`quoters.${name}`)),
    ),
  );
  const shown = sheet(t("post.quoters"), [h("h2", {}, t("post.quoters")), select], {
    buttons: h("button", { type: "button", class: "button primary", on: { click: save } }, t("settings.save")),
  });

  async function save() {
    shown.close();
    try {
      const answered = await put(`/api/v1/statuses/${status.id}/interaction_policy`, {
        quote_approval_policy: select.value,
      });
      replace(status.id, () => answered);
      toast(t("settings.saved"));
    } catch (refused) {
      toast(refused.message, "alert");
    }
  }
}

/** What shows nowhere but in the menu is said. */
async function told(status, verb) {
  try {
    const answered = await post(`/api/v1/statuses/${status.id}/${verb}`);
    replace(status.id, () => answered);
    toast(t(`post.${verb}.done`));
  } catch (refused) {
    toast(refused.message, "alert");
  }
}

async function unquote(status) {
  if (!(await confirmed(t("post.unquote.sure"), t("post.unquote")))) {
    return;
  }
  try {
    const answered = await post(`/api/v1/statuses/${status.quote.quoted_status.id}/quotes/${status.id}/revoke`);
    replace(status.id, () => answered);
  } catch (refused) {
    toast(refused.message, "alert");
  }
}

/** A button with a list of actions below it. */
export function menu(button, items) {
  button.setAttribute("aria-haspopup", "menu");
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => unfold(button, items));
  return button;
}

let unfolded = null; // the one menu that is open

/** Opens the menu of a button, or closes it when it is open. */
function unfold(button, items) {
  const again = unfolded?.button === button;
  unfolded?.close();
  if (again) {
    return;
  }
  const list = h(
    "div",
    { class: "menu-list", role: "menu", on: { keydown: keys } },
    items
      .filter(Boolean)
      .map(([name, run]) =>
        h("button", { type: "button", role: "menuitem", on: { click: () => (close(), button.focus(), run()) } }, name),
      ),
  );
  unfolded = { button, close };
  button.after(list);
  button.setAttribute("aria-expanded", "true");
  document.addEventListener("click", outside, true);
  if (list.showPopover) {
    // Above everything else: what the browser leaves out while it is out of sight cuts off what sticks out of it.
    list.popover = "manual";
    list.showPopover();
    // The button may be out of sight: a key opens the menu of the focused post, and scroll anchoring waits for the next frame.
    button.scrollIntoView({ block: "nearest" });
    place();
    addEventListener("scroll", place, { passive: true });
  }
  list.firstChild.focus();

  function close() {
    unfolded = null;
    const focused = list.contains(document.activeElement);
    list.remove();
    focused && button.focus({ preventScroll: true });
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("click", outside, true);
    removeEventListener("scroll", place);
  }

  function outside({ target }) {
    button.contains(target) || list.contains(target) || close();
  }

  /** Above the button, or below it where there is no room; it goes with the button, and away with it. */
  function place() {
    const at = button.getBoundingClientRect();
    if (!button.isConnected || at.bottom < 0 || at.top > innerHeight) {
      return close();
    }
    const above = at.top - list.offsetHeight - GAP;
    list.style.left = `${Math.max(GAP, Math.min(at.right, innerWidth - GAP) - list.offsetWidth)}px`;
    list.style.top = `${above >= GAP ? above : Math.min(at.bottom + GAP, innerHeight - list.offsetHeight - GAP)}px`;
  }

  function keys(event) {
    const all = [...list.children];
    const at = all.indexOf(document.activeElement);
    if (event.key === "Escape" || event.key === "Tab") {
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length].focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

async function copy(status) {
  try {
    await navigator.clipboard.writeText(location.origin + base + statusPath(status));
    toast(t("post.copied"));
  } catch {
    toast(location.origin + base + statusPath(status));
  }
}

async function history_(status) {
  try {
    const edits = await get(`/api/v1/statuses/${status.id}/history`);
    sheet(t("post.history"), [
      h("h2", {}, t("post.history")),
      edits
        .reverse()
        .map((edit) =>
          h(
            "section",
            {},
            h("p", { class: "handle" }, moment(edit.created_at)),
            h("div", { class: "text", dir: "auto" }, rich(edit.content, edit.emojis)),
          ),
        ),
    ]);
  } catch (refused) {
    toast(refused.message, "alert");
  }
}

async function edit(status) {
  try {
    const source = await get(`/api/v1/statuses/${status.id}/source`);
    compose({ edit: { ...status, source } });
  } catch (refused) {
    toast(refused.message, "alert");
  }
}

const deleting = new Map(); // what sends each delete that can still be taken back, by the id of the post

/** Sends the deletes that can still be taken back. */
export const sendDeletes = () => Promise.all([...deleting.values()].map((send) => send()));

// Who leaves the page has not taken it back.
addEventListener("pagehide", sendDeletes);
document.addEventListener("visibilitychange", () => document.hidden && sendDeletes());

/** Deletes a post, unless somebody takes that back while the sentence about it stands there. */
async function take(status) {
  // The sentence is out of reach behind a dialog.
  const asks = document.querySelector("dialog[open]") !== null;
  if (asks && !(await confirmed(t("post.delete.sure"), t("post.delete")))) {
    return;
  }
  const places = () => [...hosts()].filter((one) => one.dataset.subject === status.id);
  const timer = setTimeout(send, UNDO);
  deleting.set(status.id, send);
  leave(places(), { hide: true });
  const undo = h("button", { type: "button", class: "toast-action", on: { click: back } }, t("post.delete.undo"));
  const said = toast(t("post.deleted"), "status", undo);
  return asks ? send() : undefined;

  function end() {
    clearTimeout(timer);
    deleting.delete(status.id);
    const focused = document.activeElement === undo;
    undo.remove();
    focused && refocus(document.querySelector("main h1[tabindex]"));
  }

  function back() {
    end();
    said.remove();
    const shown = places();
    shown.forEach((one) => (one.hidden = false));
    shown[0]?.focus({ preventScroll: true });
  }

  async function send() {
    end();
    try {
      await removeAtLast(`/api/v1/statuses/${status.id}?delete_media=true`);
      drop(status.id);
    } catch (refused) {
      places().forEach((one) => (one.hidden = false));
      toast(t("failed.delete", { why: refused.message }), "alert");
    }
  }
}

/** Deletes a post, and opens what it was as a new one. */
async function rewrite(status) {
  if (!(await confirmed(t("post.rewrite.sure"), t("post.rewrite")))) {
    return;
  }
  try {
    const deleted = await remove(`/api/v1/statuses/${status.id}`);
    drop(status.id);
    compose({ again: deleted });
  } catch (refused) {
    toast(t("failed.delete", { why: refused.message }), "alert");
  }
}

async function hide(status, verb) {
  const name = displayName(status.account);
  const how =
    verb === "mute" ? await muting(name) : await confirmed(t("block.sure", { name }), t("post.block", { name }));
  if (!how) {
    return;
  }
  const places = [...hosts()]
    .filter(
      (one) => subject(one.status).account.id === status.account.id || one.status.account.id === status.account.id,
    )
    .map(entryOf);
  leave(places, { hide: true });
  try {
    await post(`/api/v1/accounts/${status.account.id}/${verb}`, verb === "mute" ? how : {});
    places.forEach((one) => one.remove());
    toast(t(`${verb}.done`, { name }));
  } catch (refused) {
    places.forEach((one) => (one.hidden = false));
    toast(refused.message, "alert");
  }
}
