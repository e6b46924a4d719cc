/** Accounts by name, state and figures, one with its sessions, and what an operator does to it. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import {
  act,
  button,
  card,
  col,
  facts,
  integer,
  isOperator,
  num,
  reveal,
  table,
  trouble,
  unseen,
  when,
} from "./parts.js";
import { notes } from "./notes.js";
import { signUps } from "./signups.js";

const PAGE = 50;
const OFFSET_MAX = 1000;
const STATES = ["any", "active", "suspended", "deleted"];
const ORDERS = ["name", "newest", "last_post", "posts", "followers"];

/** "" for one that is as most are. */
function state(account) {
  const marks = ["deleted", "suspended", "limited", "sensitized"].filter((mark) => account[`${mark}_at`]);
  return marks.length === 0
    ? ""
    : h(
        "span",
        { class: "warn" },
        marks.map((mark) => t(`accounts.${mark}`, { at: when(account[`${mark}_at`]) })).join(", "),
      );
}

/** Picture, display name and name. The picture comes from the public server, which this browser may not reach. */
function person(account, publicUrl) {
  const picture = h("img", {
    class: "face",
    src: publicUrl + account.picture,
    alt: "",
    width: 32,
    height: 32,
    loading: "lazy",
    on: { error: () => picture.classList.add("missing") },
  });
  return h(
    "span",
    { class: "person" },
    picture,
    h(
      "span",
      {},
      h("bdi", {}, account.display_name || account.username),
      h("span", { class: "muted" }, `@${account.username}`),
    ),
  );
}

export function accounts({ public_url: publicUrl }) {
  const name = h("input", { id: "account-name", name: "name", autocomplete: "off", spellcheck: "false" });
  const anywhere = h("input", { type: "checkbox", id: "account-anywhere" });
  const choice = (id, words, options) =>
    h(
      "select",
      { id, on: { change: () => find() } },
      options.map((one) => h("option", { value: one }, words(one))),
    );
  const which = choice("account-state", (one) => t(`accounts.state.${one}`), STATES);
  const order = choice("account-sort", (one) => t(`accounts.sort.${one}`), ORDERS);
  let offset = 0;
  let turns = 0; // of looks: what an earlier one answers late is not drawn
  const list = h("div", { id: "accounts" });
  const one = h("div", { id: "account", "aria-live": "polite" });
  // One each: what succeeds must not hide what was wrong with the other.
  const { element: wrong, watch } = trouble();
  const { element: wrongOne, watch: watchOne } = trouble();

  const find = (from = 0) =>
    watch(async () => {
      const mine = ++turns;
      const said = await api.get("accounts", {
        name: name.value.trim(),
        anywhere: anywhere.checked,
        state: which.value,
        sort: order.value,
        offset: from,
      });
      if (mine !== turns) {
        return;
      }
      offset = from;
      const turn = (label, to, open) => (open ? button(t(label), () => find(to)) : "");
      list.replaceChildren(
        h(
          "p",
          { class: "row", id: "account-pages" },
          h(
            "span",
            { class: "muted", role: "status" },
            unseen(
              said.accounts.length > 0
                ? t("accounts.shown", { first: offset + 1, last: offset + said.accounts.length })
                : t("list.empty"),
              said,
            ),
          ),
          turn("accounts.previous", offset - PAGE, offset > 0),
          turn("accounts.next", offset + PAGE, said.more && offset < OFFSET_MAX),
        ),
        table(
          t("accounts.title"),
          [
            col(t("accounts.name")),
            col(t("accounts.id")),
            col(t("accounts.since")),
            num(t("accounts.statuses")),
            num(t("accounts.followers")),
            num(t("accounts.following")),
            col(t("accounts.last")),
            col(t("accounts.state")),
            col(t("queue.action")),
          ],
          said.accounts.map((found) => [
            person(found, publicUrl),
            h("code", {}, found.id),
            when(found.created_at),
            integer(found.statuses),
            integer(found.followers),
            integer(found.following),
            when(found.last_status_at),
            state(found),
            button(t("accounts.show"), () => show(found.id)),
          ]),
        ),
      );
    });

  /** What can be done with an account; each asks first. */
  function actions(account) {
    const named = { name: account.username };
    if (account.deleted_at) {
      return null;
    }
    const again = () => Promise.all([show(account.id), find(offset)]);
    const remove = () =>
      act(
        t("accounts.delete.ask", { ...named, command: `fanfare admin accounts delete ${account.username} --yes` }),
        t("accounts.delete"),
        "accounts/delete",
        { account: account.id, name: account.username },
        () => t("accounts.delete.done", named),
        again,
        { word: account.username },
      );
    const action = (label, verb, sentence, done, kind = "") =>
      button(
        t(label),
        () =>
          act(
            t(sentence, {
              ...named,
              n: account.sessions.length,
              command: `fanfare admin accounts ${verb} ${account.username}`,
            }),
            t(label),
            `accounts/${verb}`,
            { account: account.id },
            done,
            again,
          ),
        kind,
      );
    const mail = () =>
      act(
        t("accounts.mail.ask", { ...named, command: `fanfare admin accounts mail ${account.username} ADDRESS` }),
        t("accounts.mail"),
        "accounts/mail",
        { account: account.id },
        () => t("accounts.mail.done", named),
        again,
        { text: { name: "address", label: t("pending.email"), max: 320 } },
      );
    return h(
      "p",
      { class: "row" },
      account.sessions.length > 0
        ? action(
            "accounts.end",
            "sign-out",
            "accounts.end.ask",
            (done) => t("accounts.end.done", { ...named, n: done.ended }),
            "danger",
          )
        : null,
      action(
        "accounts.reset",
        "reset-password",
        "accounts.reset.ask",
        (done) => reveal(t("accounts.reset.done", named), done.password),
        "danger",
      ),
      account.second_factor
        ? button(
            t("accounts.factor"),
            () =>
              act(
                t("accounts.factor.ask", {
                  ...named,
                  command: `fanfare admin accounts factor remove ${account.username}`,
                }),
                t("accounts.factor"),
                "accounts/factor/remove",
                { account: account.id },
                () => t("accounts.factor.done", named),
                again,
              ),
            "danger",
          )
        : null,
      button(t("accounts.mail"), mail),
      account.limited_at
        ? action("accounts.unlimit", "unlimit", "accounts.unlimit.ask", () => t("accounts.unlimit.done", named))
        : action("accounts.limit", "limit", "accounts.limit.ask", () => t("accounts.limit.done", named)),
      account.sensitized_at
        ? action("accounts.unsensitive", "unsensitive", "accounts.unsensitive.ask", () =>
            t("accounts.unsensitive.done", named),
          )
        : action("accounts.sensitive", "sensitive", "accounts.sensitive.ask", () =>
            t("accounts.sensitive.done", named),
          ),
      account.suspended_at
        ? action("accounts.unsuspend", "unsuspend", "accounts.unsuspend.ask", () => t("accounts.unsuspend.done", named))
        : action(
            "accounts.suspend",
            "suspend",
            "accounts.suspend.ask",
            () => t("accounts.suspend.done", named),
            "danger",
          ),
      button(t("accounts.delete"), remove, "danger"),
    );
  }

  const show = (id) =>
    watchOne(async () => {
      const said = await api.get("accounts/one", { account: id });
      one.replaceChildren(
        card(
          `@${said.username}`,
          h("p", {}, person(said, publicUrl)),
          facts(
            [
              [t("accounts.id"), said.id],
              [t("accounts.since"), when(said.created_at)],
              isOperator() && [t("pending.email"), said.email || "–"],
              [t("accounts.state"), state(said) || t("accounts.active")],
              [t("accounts.sessions"), integer(said.sessions.length)],
              [t("accounts.factors"), t(said.second_factor ? "accounts.factors.on" : "accounts.factors.off")],
            ].filter(Boolean),
          ),
          isOperator() ? actions(said) : null,
          table(
            t("accounts.sessions"),
            [col(t("accounts.issued")), col(t("accounts.app")), col(t("accounts.scopes"))],
            said.sessions.map((session) => [
              when(session.issued_at),
              h("code", {}, session.client_id ?? "–"),
              h("span", { class: "wrap" }, session.scopes),
            ]),
          ),
        ),
        said.deleted_at || !isOperator() ? "" : notes(said),
      );
    });

  const doors = signUps();
  const form = h(
    "form",
    { class: "fields", on: { submit: (event) => (event.preventDefault(), find()) } },
    h("label", { for: "account-name" }, t("accounts.begins"), name),
    h("label", { class: "check" }, anywhere, t("accounts.anywhere")),
    h("label", { for: "account-state" }, t("accounts.state"), which),
    h("label", { for: "account-sort" }, t("accounts.sort"), order),
    h("button", { class: "button" }, t("list.find")),
  );
  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("accounts.title")),
    wrong,
    doors.elements,
    card(t("accounts.search"), form),
    wrongOne,
    one,
    list,
  );
  return {
    title: t("accounts.title"),
    element,
    start: () => Promise.all([find(), doors.start()]),
    stop: () => {},
  };
}
