/** An account: what it says of itself, its posts, whom it follows and who follows it. */
import { a, fileAddress, h, lazily, pictured, refocus, rich, toast, tried } from "./dom.js";
import * as api from "./api.js";
import { day, moment, t } from "./i18n.js";
import { card, menu } from "./status.js";
import { confirmed, muting, noting, report } from "./sheets.js";
import { hidden } from "./filters.js";
import { icon } from "./icons.js";
import { timeline } from "./timeline.js";
import { avatar, displayName, followButton, profilePath, shownName, stateBadge, stateOf } from "./people.js";
import { accounts, problem, view } from "./views.js";
import { compose, whenPosted } from "./compose.js";

/** @param tab posts, replies, followers or following */
export function profile(name, tab = "posts") {
  const box = h("div", { class: "profile-view" }, h("p", { class: "loading-line", role: "status" }, t("loading")));
  const offs = [];
  const end = () => offs.splice(0).forEach((off) => off());
  const made = view(`@${name}`, [box], end);
  load();
  return made;

  async function load() {
    try {
      const account = await api.get("/api/v1/accounts/lookup", { acct: name });
      const own = account.id === api.session.account?.id;
      const [relationship, familiar] =
        api.session.account && !own
          ? await Promise.all([
              api.get("/api/v1/accounts/relationships", { "id[]": account.id }).then(([one]) => one),
              api.get("/api/v1/accounts/familiar_followers", { "id[]": account.id }).then(([one]) => one.accounts),
            ])
          : [null, []];
      made.title = displayName(account);
      made.renamed?.();
      const pinned =
        tab === "posts"
          ? await api.get(`/api/v1/accounts/${account.id}/statuses`, { pinned: true }).catch(() => [])
          : [];
      const focused = box.contains(document.activeElement);
      end(); // of what is shown since before
      box.replaceChildren(
        head(account, relationship, familiar, own),
        tabs(account),
        pinned.length > 0
          ? h(
              "div",
              { class: "posts pinned" },
              pinned
                .filter((one) => !hidden(one, "account"))
                .map((one) => card(one, { place: "account", pinned: true })),
            )
          : "",
        list(account, own),
      );
      focused && refocus(box.querySelector("h1"));
    } catch (refused) {
      box.replaceChildren(problem(refused, load));
    }
  }

  function head(account, relationship, familiar, own) {
    const badge = h("span", {}, relationship ? stateBadge(stateOf(relationship)) : null);
    const buttons = own
      ? [a("/settings", { class: "button" }, t("profile.edit"))]
      : relationship
        ? [
            followButton(account, stateOf(relationship), (state) =>
              badge.replaceChildren(...[stateBadge(state)].filter(Boolean)),
            ),
            menu(
              h("button", { type: "button", class: "icon-button", "aria-label": t("post.more") }, icon("more")),
              choices(account, relationship),
            ),
          ]
        : [];
    const banner = account.header.endsWith("/headers/default.png")
      ? null
      : h("img", { class: "banner", src: fileAddress(account.header), alt: "" });
    return h(
      "section",
      { class: "profile" },
      banner,
      h(
        "div",
        { class: "profile-head" },
        avatar(account, "large"),
        h(
          "div",
          { class: "profile-name" },
          h("h1", { dir: "auto", tabindex: "-1" }, shownName(account)),
          h("p", { class: "handle" }, `@${account.acct} `, badge),
        ),
        h("div", { class: "profile-actions" }, buttons),
      ),
      relationship?.blocking
        ? h("p", { class: "notice" }, t("profile.blocked"))
        : relationship?.muting
          ? h(
              "p",
              { class: "notice" },
              relationship.muting_expires_at
                ? t("profile.muteduntil", { when: moment(relationship.muting_expires_at) })
                : t("profile.muted"),
            )
          : null,
      relationship?.note
        ? h("div", { class: "notice note" }, h("b", {}, t("note.title")), h("p", { dir: "auto" }, relationship.note))
        : null,
      account.note ? h("div", { class: "text", dir: "auto" }, rich(account.note, account.emojis)) : null,
      account.fields.length > 0
        ? h(
            "dl",
            { class: "fields" },
            account.fields.map((field) => [
              h("dt", { dir: "auto" }, pictured(field.name, account.emojis)),
              h("dd", { dir: "auto" }, rich(field.value, account.emojis)),
            ]),
          )
        : null,
      h(
        "p",
        { class: "figures" },
        a(profilePath(account), {}, t("profile.posts", { n: account.statuses_count })),
        a(`${profilePath(account)}/following`, {}, t("profile.following", { n: account.following_count })),
        a(`${profilePath(account)}/followers`, {}, t("profile.followers", { n: account.followers_count })),
        h("span", {}, t("profile.since", { date: day(account.created_at) })),
      ),
      familiar.length > 0
        ? h(
            "p",
            { class: "figures familiar" },
            familiar.slice(0, 3).map((one) => avatar(one, "tiny")),
            h("span", {}, t("profile.familiar", { names: familiar.slice(0, 3).map(displayName).join(", ") })),
          )
        : null,
    );
  }

  function choices(account, relationship) {
    const who = { name: displayName(account) };
    const act = (verb, body) => async () => {
      const how =
        verb === "block"
          ? await confirmed(t("block.sure", who), t("post.block", who))
          : verb === "mute"
            ? await muting(who.name)
            : true;
      if (!how) {
        return;
      }
      try {
        await api.post(`/api/v1/accounts/${account.id}/${verb}`, verb === "mute" ? how : body);
        load();
      } catch (refused) {
        toast(refused.message, "alert");
      }
    };
    const note = async () => {
      const comment = await noting(who.name, relationship.note);
      if (comment !== null) {
        act("note", { comment })();
      }
    };
    return [
      [t("profile.mention", who), () => compose({ text: `@${account.acct} ` })],
      [t("profile.rss"), () => (location.href = `${document.documentElement.dataset.base}${profilePath(account)}.rss`)],
      [t("note.menu"), note],
      relationship.following
        ? [t("lists.menu"), () => tried(async () => (await lazily(import("./lists.js"))).membership(account))]
        : null,
      relationship.following
        ? [
            t(relationship.notifying ? "profile.bell.off" : "profile.bell"),
            act("follow", { notify: !relationship.notifying }),
          ]
        : null,
      relationship.following
        ? [
            t(relationship.showing_reblogs ? "profile.boosts.off" : "profile.boosts"),
            act("follow", { reblogs: !relationship.showing_reblogs }),
          ]
        : null,
      relationship.followed_by ? [t("profile.removefollower"), act("remove_from_followers")] : null,
      relationship.muting ? [t("profile.unmute", who), act("unmute")] : [t("post.mute", who), act("mute")],
      relationship.blocking ? [t("profile.unblock", who), act("unblock")] : [t("post.block", who), act("block")],
      [t("report.name", who), () => report(account)],
    ];
  }

  function tabs(account) {
    const path = profilePath(account);
    const entry = (key, to) =>
      a(to, { class: "tab", "aria-current": key === tab ? "page" : null }, t(`profile.tab.${key}`));
    return h(
      "nav",
      { class: "tabs", "aria-label": t("profile.tabs") },
      entry("posts", path),
      entry("replies", `${path}?tab=replies`),
      entry("following", `${path}/following`),
      entry("followers", `${path}/followers`),
    );
  }

  function list(account, own) {
    if (tab === "followers" || tab === "following") {
      const people = accounts(`/api/v1/accounts/${account.id}/${tab}`);
      offs.push(people.dispose);
      return people.element;
    }
    const path =
      tab === "replies" ? `/api/v1/accounts/${account.id}/comments` : `/api/v1/accounts/${account.id}/statuses`;
    const load_ = () => api.list(path, { limit: 20 });
    load_.before = (id) => api.list(path, { limit: 20, max_id: id });
    const posts = timeline({
      load: load_,
      draw: (status) => card(status, { place: "account" }),
      hides: (status) => hidden(status, "account"),
      empty: t("profile.noposts"),
    });
    offs.push(posts.dispose);
    if (own && tab === "posts") {
      offs.push(whenPosted((status, { edit }) => !edit && status.visibility !== "direct" && posts.arrive(status)));
    }
    return posts.element;
  }
}
