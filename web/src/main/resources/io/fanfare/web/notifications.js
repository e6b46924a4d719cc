/** What others have done that concerns the reader; and of whom the reader does not want to be told. */
import { a, h, lazily, leave, plain, refocus, toast } from "./dom.js";
import { icon } from "./icons.js";
import * as api from "./api.js";
import { around, moment, since, t } from "./i18n.js";
import { card, statusPath, subject } from "./status.js";
import { hidden } from "./filters.js";
import { isAfter, timeline } from "./timeline.js";
import { avatar, displayName, followButton, person, profilePath, shownName, standing } from "./people.js";
import { heading, view } from "./views.js";
import * as live from "./live.js";

const SOURCES = ["for_not_following", "for_not_followers", "for_new_accounts"];
const CHOICES = ["accept", "filter", "drop"];
const REASONS = {
  favourite: "like",
  reblog: "boost",
  mention: "reply",
  quote: "quote",
  follow: "person",
  follow_request: "person",
  update: "pen",
  quoted_update: "pen",
  status: "bell",
  poll: "poll",
  moderation_warning: "eye",
};

const FACES = 8; // of a group, as the server sends them
const WHOLE = new Set(["mention", "quote", "quoted_update", "poll"]);

/** @param tab `mentions`, or null for all; only the list of all says what has been read */
export function notifications(seen, tab = null) {
  const mentions = tab === "mentions";
  let newest; // id of those that were answered or told of, whether a filter hides them or not; null = there are none
  let read;
  const list = timeline({
    load,
    draw,
    hides: (one) => unwanted(one) || isShown(one),
    kind: "notification",
    wants: ({ type }) => !mentions || type === "mention",
    empty: t(mentions ? "notifications.nomentions" : "notifications.none"),
    label: t("nav.notifications"),
  });
  const off = live.on("notification", ({ id }) => heard(id));
  document.addEventListener("visibilitychange", look);
  const clear = h("button", { type: "button", class: "button small", on: { click: wipe } }, t("notifications.clear"));
  const aside = h("div", {});
  waiting(aside);
  const made = view(
    t("nav.notifications"),
    [heading(t("nav.notifications"), clear), tabs(mentions), aside, list.element],
    () => (off(), document.removeEventListener("visibilitychange", look), list.dispose()),
  );
  made.again = look;
  return made;

  async function load() {
    const page = grouped(
      await api.list("/api/v2/notifications", { limit: 30, "types[]": mentions ? "mention" : null }),
    );
    heard(page.items[0]?.id ?? null);
    return page;
  }

  /** The entry of the list with the same act on the same post. */
  function entryOf({ group_key: key }) {
    return list.element.querySelector(`[data-group="${CSS.escape(key)}"]`);
  }

  /** Whether an entry above has what an older page has of its group. */
  function isShown(one) {
    const entry = entryOf(one);
    return entry !== null && !isAfter(one.id, entry.group.id);
  }

  /** What comes to a group that is on the page moves it to the top. */
  function draw(one) {
    const entry = entryOf(one);
    const group = one.accounts ? one : joined(one, entry?.group);
    const drawn = notification(group);
    drawn.group = group;
    entry?.contains(document.activeElement) && queueMicrotask(() => refocus(drawn));
    entry?.remove();
    one.accounts || entry || one.group_key.startsWith("ungrouped") || complete(one);
    return drawn;
  }

  /** Shows the others of a group of which the list had nothing yet. */
  async function complete(one) {
    const found = await api.get(`/api/v2/notifications/${encodeURIComponent(one.group_key)}`).catch(() => null);
    const entry = found && entryOf(one);
    const [group] = found ? grouped({ items: found }).items : [];
    if (entry?.group.id === one.id && group?.count > 1) {
      const whole = { ...group, id: one.id, created_at: one.created_at };
      const drawn = notification(whole);
      drawn.group = whole;
      drawn.itemId = one.id;
      entry.replaceWith(drawn);
    }
  }

  function heard(id) {
    newest = newest && !isAfter(id ?? "", newest) ? newest : id;
    look();
  }

  /** All are read as soon as somebody has the page before them. */
  function look() {
    if (!mentions && newest !== read && document.visibilityState === "visible" && list.element.isConnected) {
      seen((read = newest));
    }
  }

  async function wipe() {
    try {
      await api.post("/api/v1/notifications/clear");
      await list.reload();
    } catch (refused) {
      toast(refused.message, "alert");
    }
  }
}

function tabs(mentions) {
  const tab = (path, key, current) =>
    a(path, { class: "tab", "aria-current": current ? "page" : null }, t(`notifications.${key}`));
  return h(
    "nav",
    { class: "tabs", "aria-label": t("nav.notifications") },
    tab("/notifications", "all", !mentions),
    tab("/notifications?tab=mentions", "mentions", mentions),
  );
}

/** A page of groups, each with its accounts, whoever came last first, and its post. */
function grouped({ items, more, room }) {
  const accounts = new Map(items.accounts.map((account) => [account.id, account]));
  const posts = new Map(items.statuses.map((status) => [status.id, status]));
  return {
    items: items.notification_groups.map((group) => ({
      id: group.page_max_id,
      type: group.type,
      group_key: group.group_key,
      created_at: group.latest_page_notification_at,
      accounts: group.sample_account_ids.map((id) => accounts.get(id)),
      count: group.notifications_count,
      status: posts.get(group.status_id) ?? null,
      moderation_warning: group.moderation_warning,
    })),
    more: more ? async () => grouped(await more()) : null,
    room,
  };
}

/** A group and a notification of it that came after. */
function joined(one, group = { accounts: [], count: 0 }) {
  const others = group.accounts.filter(({ id }) => id !== one.account.id);
  return {
    ...one,
    accounts: [one.account, ...others].slice(0, FACES),
    count: group.count + (others.length < group.accounts.length ? 0 : 1),
  };
}

/** Of what a filter hides there is no notification either. */
export const unwanted = (one) => Boolean(one.status) && hidden(one.status, "notifications");

function notification(one) {
  const [account] = one.accounts;
  const kind = one.count > 1 ? `${one.type}.more` : one.type;
  const others = { n: one.count - 1 };
  const name = h("bdi", { class: "name" }, shownName(account));
  const warning = one.moderation_warning;
  const line = h(
    "div",
    { class: "because" },
    icon(REASONS[one.type] ?? "bell"),
    h(
      "div",
      { class: "grow" },
      warning
        ? null
        : h(
            "p",
            { class: "faces-row" },
            one.accounts.map((account) => smallFace(account, one.count > 1)),
          ),
      h(
        "p",
        {},
        warning
          ? h("b", {}, t(`warning.${warning.action}`))
          : around(`notification.${kind}`, "name", a(profilePath(account), {}, name), others),
      ),
    ),
    h("time", { class: "when", datetime: one.created_at, title: moment(one.created_at) }, since(one.created_at)),
  );
  return h(
    "article",
    {
      class: ["notification", `notification-${one.type}`],
      "data-id": `n${one.id}`,
      "data-group": one.group_key,
      tabindex: "0",
      "aria-label": warning
        ? t(`warning.${warning.action}`)
        : t(`notification.${kind}`, { name: displayName(account), ...others }),
    },
    // The card of a mention says by whom and when.
    one.type === "mention" && one.status ? null : line,
    one.type === "follow_request"
      ? answers(account)
      : one.type === "follow"
        ? one.count === 1 && back(account)
        : warning
          ? details(warning)
          : post(one),
  );
}

/** The rest of a warning comes when there is one. */
function details(warning) {
  const box = h("div", {});
  lazily(import("./warning.js")).then(
    ({ warned }) => box.append(warned(warning)),
    (refused) => box.append(h("p", { class: "problem" }, refused.message)),
  );
  return box;
}

/** The sentence names one account alone: of several, each face is a link with its name. */
const smallFace = (account, isNamed) =>
  a(
    profilePath(account),
    isNamed
      ? { "aria-label": displayName(account), title: displayName(account) }
      : { tabindex: "-1", "aria-hidden": "true" },
    avatar(account, "small-face"),
  );

/** The whole post where it is news, and the beginning of one's own. */
function post({ type, status }) {
  if (!status) {
    return null;
  }
  return WHOLE.has(type)
    ? card(status, { place: "notifications" })
    : a(
        statusPath(subject(status)),
        { class: "excerpt", dir: "auto" },
        (status.spoiler_text || plain(status.content)).slice(0, 200) || t("post.picture"),
      );
}

/** How the reader stands to somebody who follows now. */
function back(account) {
  const row = h("p", { class: "row" });
  standing(account).then(
    (state) => row.replaceChildren(...[state && followButton(account, state)].filter(Boolean)),
    () => {},
  );
  return row;
}

/** Lets somebody follow who has asked to, or not. */
export function answers(account) {
  const row = h(
    "p",
    { class: "row" },
    ["authorize", "reject"].map((verb) =>
      h(
        "button",
        {
          type: "button",
          class: ["button small", verb === "authorize" && "primary"],
          "aria-label": t(`request.${verb}.label`, { name: displayName(account) }),
          on: { click: () => answer(verb) },
        },
        t(`request.${verb}`),
      ),
    ),
  );
  return row;

  async function answer(verb) {
    const buttons = [...row.children];
    const focused = row.contains(document.activeElement);
    buttons.forEach((button) => (button.disabled = true));
    try {
      await api.post(`/api/v1/follow_requests/${account.id}/${verb}`);
      said(t(`request.${verb}.done`, { name: displayName(account) }));
    } catch (refused) {
      if (refused.status === 404) {
        said(t("request.gone"));
      } else {
        buttons.forEach((button) => (button.disabled = false));
        focused && refocus(buttons[0]);
        toast(refused.message, "alert");
      }
    }

    function said(sentence) {
      const words = h("span", { tabindex: "-1" }, sentence);
      row.replaceChildren(words);
      focused && refocus(words);
    }
  }
}

/** Says in a box whether the notifications of some are set aside. */
async function waiting(box) {
  const { summary } = await api
    .get("/api/v2/notifications/policy")
    .catch(() => ({ summary: { pending_requests_count: 0 } }));
  if (summary.pending_requests_count > 0) {
    box.replaceChildren(
      a(
        "/notifications?aside",
        { class: "line-link" },
        icon("person"),
        t("aside.some", { n: summary.pending_requests_count }),
      ),
    );
  }
}

/** Whose notifications are set aside. */
export function aside() {
  const list = timeline({
    load: () => api.list("/api/v1/notifications/requests", { limit: 40 }),
    draw: request,
    empty: t("aside.none"),
    feed: false,
  });
  return view(
    t("aside.title"),
    [heading(t("aside.title")), h("p", { class: "lead small" }, t("aside.lead")), list.element],
    list.dispose,
  );

  function request(one) {
    const name = displayName(one.account);
    const button = (verb) =>
      h(
        "button",
        {
          type: "button",
          class: ["button small", verb === "accept" && "primary"],
          "aria-label": t(`aside.${verb}.label`, { name }),
          on: { click: () => answer(verb) },
        },
        t(`aside.${verb}`),
      );
    const row = person(
      one.account,
      null,
      h("span", { class: "badge" }, t("aside.count", { n: Number(one.notifications_count) })),
      button("accept"),
      button("dismiss"),
    );
    row.dataset.id = one.id;
    return row;

    async function answer(verb) {
      try {
        await api.post(`/api/v1/notifications/requests/${one.id}/${verb}`);
        leave([row]);
        toast(t(`aside.${verb}.done`, { name }));
      } catch (refused) {
        toast(refused.message, "alert");
      }
    }
  }
}

/** The choices of whom the reader wants to be told; each is kept when it is made. */
export function policy() {
  const form = h("div", { class: "fields-form" }, h("p", { class: "loading-line" }, t("loading")));
  api
    .get("/api/v2/notifications/policy")
    .then(show, (refused) => form.replaceChildren(h("p", { class: "problem" }, refused.message)));
  return [h("p", { class: "hint" }, t("policy.hint"), " ", a("/notifications?aside", {}, t("aside.title"))), form];

  function show(now) {
    form.replaceChildren(
      ...SOURCES.map((source) => h("label", {}, h("span", {}, t(`policy.${source}`)), choice(source, now[source]))),
    );
  }

  function choice(source, before) {
    let kept = before;
    const select = h(
      "select",
      { name: source, on: { change: keep } },
      CHOICES.map((name) => h("option", { value: name, selected: name === before }, t(`policy.${name}`))),
    );
    return select;

    async function keep() {
      try {
        await api.patch("/api/v2/notifications/policy", { [source]: select.value });
        kept = select.value;
        toast(t("settings.saved"));
      } catch (refused) {
        select.value = kept;
        toast(refused.message, "alert");
      }
    }
  }
}
