/** Accounts: their picture and name, and how the viewer stands to them. */
import { a, fileAddress, h, once, pictured, rich, toast } from "./dom.js";
import { get, post, session } from "./api.js";
import { t } from "./i18n.js";

/** Their picture, be it the drawn one. */
export function avatar(account, size = "") {
  return h("img", {
    class: ["avatar", size],
    src: fileAddress(account.avatar),
    alt: "",
    loading: "lazy",
    width: 44,
    height: 44,
  });
}

export const displayName = (account) => account.display_name || account.username;
/** The same to be shown, with its emojis. */
export const shownName = (account) => pictured(displayName(account), account.emojis);
export const profilePath = (account) => `/@${account.username}`;

const LONG = 22; // letters of a name that may be too many for a line; wide ones always may
const WIDE = /[^\0-\u024f]/;

export function author(account) {
  const name = displayName(account);
  const long = name.length + account.acct.length > LONG || WIDE.test(name);
  return a(
    profilePath(account),
    { class: ["author", long && "long"] },
    h("bdi", { class: "name" }, shownName(account)),
    " ",
    h("span", { class: "handle" }, `@${account.acct}`),
  );
}

export function face(account) {
  return a(profilePath(account), { class: "face", tabindex: "-1", "aria-hidden": "true" }, avatar(account));
}

/** One of none, requested, following, follower, mutual, self. */
export function stateOf(relationship) {
  if (relationship.id === session.account?.id) {
    return "self";
  }
  return relationship.following
    ? relationship.followed_by
      ? "mutual"
      : "following"
    : relationship.requested
      ? "requested"
      : relationship.followed_by
        ? "follower"
        : "none";
}

/** A button that follows and unfollows, at once; taken back with a sentence when the server refuses. */
export function followButton(account, state, changed = () => {}) {
  if (!session.account || state === "self" || account.id === session.account.id) {
    return null;
  }
  let now = state;
  const button = h("button", { type: "button", class: "button small follow", on: { click: flip } });
  show();
  return button;

  function show() {
    const follows = wants(now);
    button.classList.toggle("primary", !follows);
    button.setAttribute("aria-pressed", String(follows));
    button.setAttribute("aria-label", t(`follow.${now}.label`, { name: displayName(account) }));
    button.textContent = t(`follow.${now}`);
    button.title = follows ? t(now === "requested" ? "follow.withdraw" : "follow.undo") : "";
  }

  function wants(state) {
    return state === "following" || state === "mutual" || state === "requested";
  }

  async function flip() {
    const before = now;
    const follows = wants(before);
    now = { none: "following", follower: "mutual", following: "none", requested: "none", mutual: "follower" }[before];
    show();
    await once(button, async () => {
      try {
        now = stateOf(await post(`/api/v1/accounts/${account.id}/${follows ? "unfollow" : "follow"}`));
        changed(now);
      } catch (refused) {
        now = before;
        toast(
          t(follows ? "follow.failed.unfollow" : "follow.failed", { name: displayName(account), why: refused.message }),
          "alert",
        );
      }
      show();
    });
  }
}

export function stateBadge(state) {
  return state === "follower" || state === "mutual"
    ? h("span", { class: "badge" }, t(state === "mutual" ? "state.mutual" : "state.follower"))
    : null;
}

/** A line of a list of accounts; extra buttons stand at its end. */
export function person(account, state, ...buttons) {
  return h(
    "article",
    { class: "person", "data-account": account.id },
    face(account),
    h(
      "div",
      { class: "person-words" },
      h("p", { class: "post-head" }, author(account), stateBadge(state)),
      account.note ? h("div", { class: "text small", dir: "auto" }, rich(account.note, account.emojis)) : null,
    ),
    h("div", { class: "person-actions" }, state ? followButton(account, state) : null, buttons),
  );
}

/** The same accounts with how the viewer stands to each, asked in one request where the list does not say it. */
export async function withStates(accounts) {
  const unknown = accounts.filter((account) => account.relationship_state === undefined);
  const states = new Map(accounts.map((account) => [account.id, account.relationship_state ?? null]));
  if (session.account && unknown.length > 0) {
    for (const relationship of await get("/api/v1/accounts/relationships", { "id[]": unknown.map(({ id }) => id) })) {
      states.set(relationship.id, stateOf(relationship));
    }
  }
  return states;
}

let gathered = null; // accounts that are asked for together

/** How the viewer stands to an account; those that are asked for at once are one request. */
export function standing(account) {
  gathered ??= {
    accounts: [],
    states: Promise.resolve().then(() => {
      const { accounts } = gathered;
      gathered = null;
      return withStates(accounts);
    }),
  };
  gathered.accounts.push(account);
  return gathered.states.then((states) => states.get(account.id));
}
