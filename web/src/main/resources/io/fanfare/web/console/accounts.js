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
  moment,
  num,
  reveal,
  table,
  trouble,
  unseen,
} from "./parts.js";

const PAGE = 50;
const OFFSET_MAX = 1000;
const SWITCHES = ["read-only", "members-only", "no-uploads"];
const MODES = { open: "open", approval: "approval", invitation: "invitation", close: "closed" }; // of sign-ups, by the verb that chooses them
const STATES = ["any", "active", "suspended", "deleted"];
const ORDERS = ["name", "newest", "last_post", "posts", "followers"];

const when = (time) => (time ? moment(Date.parse(time)) : "–");

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
  const list = h("div", { id: "accounts" });
  const one = h("div", { id: "account", "aria-live": "polite" });
  // One each: what succeeds must not hide what was wrong with the other.
  const { element: wrong, watch } = trouble();
  const { element: wrongOne, watch: watchOne } = trouble();

  const find = (from = 0) =>
    watch(async () => {
      const said = await api.get("accounts", {
        name: name.value.trim(),
        anywhere: anywhere.checked,
        state: which.value,
        sort: order.value,
        offset: from,
      });
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
    const remove = () =>
      act(
        t("accounts.delete.ask", { ...named, command: `fanfare admin accounts delete ${account.username} --yes` }),
        t("accounts.delete"),
        "accounts/delete",
        { account: account.id, name: account.username },
        () => t("accounts.delete.done", named),
        () => Promise.all([show(account.id), find(offset)]),
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
            () => Promise.all([show(account.id), find(offset)]),
          ),
        kind,
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
                () => Promise.all([show(account.id), find(offset)]),
              ),
            "danger",
          )
        : null,
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
          facts([
            [t("accounts.id"), said.id],
            [t("accounts.since"), when(said.created_at)],
            [t("accounts.state"), state(said) || t("accounts.active")],
            [t("accounts.sessions"), integer(said.sessions.length)],
            [t("accounts.factors"), t(said.second_factor ? "accounts.factors.on" : "accounts.factors.off")],
          ]),
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
      );
    });

  const open = h("div", { id: "sign-ups", "aria-live": "polite" });
  const { element: wrongOpen, watch: watchOpen } = trouble();
  const signUps = () =>
    watchOpen(async () => {
      const said = await api.get("sign-ups");
      const action = (verb) =>
        button(
          t(`signups.${verb}`),
          () =>
            act(
              t(`signups.${verb}.ask`, { command: `fanfare admin sign-ups ${verb}` }),
              t(`signups.${verb}`),
              `sign-ups/${verb}`,
              {},
              () => t("signups.done"),
              signUps,
            ),
          verb === "close" ? "danger" : "",
        );
      open.replaceChildren(
        h(
          "p",
          {},
          h("span", { class: said.mode === "closed" ? "warn" : "" }, t(`signups.are.${said.mode}`)),
          " ",
          said.since ? t("signups.since", { at: when(said.since) }) : t("signups.setting"),
        ),
        isOperator()
          ? h(
              "p",
              { class: "row" },
              Object.keys(MODES)
                .filter((verb) => MODES[verb] !== said.mode)
                .map(action),
              said.since ? action("default") : null,
            )
          : "",
      );
    });

  const switches = h("div", { id: "site", "aria-live": "polite" });
  const { element: wrongSite, watch: watchSite } = trouble();
  const site = () =>
    watchSite(async () => {
      const said = await api.get("switches");
      switches.replaceChildren(
        ...SWITCHES.map((one) => {
          const verb = said[one] ? "off" : "on";
          const turn = () =>
            act(
              t(`site.${verb}.ask`, { name: t(`site.${one}`), command: `fanfare admin site ${verb} ${one}` }),
              t(`site.${verb}`),
              `site/${verb}`,
              { switch: one },
              () => t("signups.done"),
              site,
            );
          return h(
            "p",
            { class: "row" },
            h("b", {}, t(`site.${one}`)),
            h(
              "span",
              { class: said[one] ? "warn" : "" },
              said[one] ? t("site.since", { at: when(said[one]) }) : t("site.is.off"),
            ),
            isOperator() ? button(t(`site.${verb}`), turn, verb === "on" ? "danger" : "") : null,
          );
        }),
      );
    });

  const waiting = h("div", { id: "pending", "aria-live": "polite" });
  const { element: wrongWaiting, watch: watchWaiting } = trouble();
  const pending = () =>
    watchWaiting(async () => {
      const said = await api.get("accounts/pending");
      const decide = (one, verb) =>
        button(
          t(`pending.${verb}`),
          () =>
            act(
              t(`pending.${verb}.ask`, {
                name: one.username,
                command: `fanfare admin accounts ${verb} ${one.username}`,
              }),
              t(`pending.${verb}`),
              `accounts/${verb}`,
              { account: one.id },
              () => t(`pending.${verb}.done`, { name: one.username }),
              pending,
            ),
          verb === "reject" ? "danger" : "",
        );
      waiting.replaceChildren(
        said.accounts.length === 0
          ? h("p", { class: "muted" }, t("pending.none"))
          : table(
              t("pending.title"),
              [col(t("accounts.name")), col(t("pending.email")), col(t("pending.reason")), col("")],
              said.accounts.map((one) => [
                one.username,
                one.email,
                h("span", { class: "wrap", dir: "auto" }, one.reason),
                isOperator() ? h("span", { class: "row" }, decide(one, "approve"), decide(one, "reject")) : "",
              ]),
            ),
      );
    });

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
    card(t("switches.title"), wrongSite, switches),
    card(t("signups.title"), wrongOpen, open),
    card(t("pending.title"), wrongWaiting, waiting),
    card(t("accounts.search"), form),
    wrongOne,
    one,
    list,
  );
  return {
    title: t("accounts.title"),
    element,
    start: () => Promise.all([find(), site(), signUps(), pending()]),
    stop: () => {},
  };
}
