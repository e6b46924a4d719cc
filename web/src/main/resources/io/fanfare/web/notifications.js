/** What others have done that concerns the reader; and of whom the reader does not want to be told. */
import { a, h, leave, plain, refocus, toast } from "./dom.js";
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
};

export function notifications(seen) {
  let newest; // id of those that were answered or told of, whether a filter hides them or not; null = there are none
  let read;
  const list = timeline({
    load,
    draw: notification,
    hides: unwanted,
    kind: "notification",
    empty: t("notifications.none"),
    label: t("nav.notifications"),
  });
  const off = live.on("notification", ({ id }) => heard(id));
  document.addEventListener("visibilitychange", look);
  const clear = h("button", { type: "button", class: "button small", on: { click: wipe } }, t("notifications.clear"));
  const aside = h("div", {});
  waiting(aside);
  const made = view(
    t("nav.notifications"),
    [heading(t("nav.notifications"), clear), aside, list.element],
    () => (off(), document.removeEventListener("visibilitychange", look), list.dispose()),
  );
  made.again = look;
  return made;

  async function load() {
    const page = await api.list("/api/v1/notifications", { limit: 30 });
    heard(page.items[0]?.id ?? null);
    return page;
  }

  function heard(id) {
    newest = newest && !isAfter(id ?? "", newest) ? newest : id;
    look();
  }

  /** All are read as soon as somebody has the page before them. */
  function look() {
    if (newest !== read && document.visibilityState === "visible" && list.element.isConnected) {
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

/** Of what a filter hides there is no notification either. */
export const unwanted = (one) => Boolean(one.status) && hidden(one.status, "notifications");

function notification(one) {
  const name = h("bdi", { class: "name" }, shownName(one.account));
  const line = h(
    "p",
    { class: "because" },
    icon(REASONS[one.type] ?? "bell"),
    avatar(one.account, "tiny"),
    h("span", {}, around(`notification.${one.type}`, "name", a(profilePath(one.account), {}, name))),
    h("time", { class: "when", datetime: one.created_at, title: moment(one.created_at) }, since(one.created_at)),
  );
  const whole = one.type === "mention" || one.type === "quote" || one.type === "quoted_update" || one.type === "poll";
  const inside = !one.status
    ? null
    : whole
      ? card(one.status, { place: "notifications" })
      : a(
          statusPath(subject(one.status)),
          { class: "excerpt", dir: "auto" },
          plain(one.status.content).slice(0, 200) || t("post.picture"),
        );
  return h(
    "article",
    {
      class: ["notification", `notification-${one.type}`],
      "data-id": `n${one.id}`,
      tabindex: "0",
      "aria-label": t(`notification.${one.type}`, { name: displayName(one.account) }),
    },
    line,
    one.type === "follow_request" ? answers(one.account) : one.type === "follow" ? back(one.account) : inside,
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
