/** Accounts by name, one with its sessions, and their end. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { act, button, card, col, facts, integer, isOperator, moment, num, table } from "./parts.js";

const when = (time) => (time ? moment(Date.parse(time)) : "–");

export function accounts() {
  const name = h("input", { id: "account-name", name: "name", autocomplete: "off", spellcheck: "false" });
  const list = h("div", { id: "accounts" });
  const one = h("div", { id: "account", "aria-live": "polite" });
  const trouble = h("p", { class: "trouble", role: "status", hidden: true });

  async function quietly(work) {
    try {
      trouble.hidden = true;
      await work();
    } catch (error) {
      trouble.textContent = error.message;
      trouble.hidden = false;
    }
  }

  const find = () =>
    quietly(async () => {
      const said = await api.get("accounts", { name: name.value.trim() });
      list.replaceChildren(
        table(t("accounts.title"), [col(t("accounts.name")), col(t("accounts.id")), col(t("accounts.since")), num(t("accounts.statuses")), num(t("accounts.followers")), num(t("accounts.following")), col(t("accounts.last")), col(t("queue.action"))], said.accounts.map((found) => [`@${found.username}`, h("code", {}, found.id), when(found.created_at), integer(found.statuses), integer(found.followers), integer(found.following), when(found.last_status_at), button(t("accounts.show"), () => show(found.id))])),
      );
    });

  const show = (id) =>
    quietly(async () => {
      const said = await api.get("accounts/one", { account: id });
      const command = `fanfare admin accounts sign-out ${said.username}`;
      const end = () => act(t("accounts.end.ask", { name: said.username, n: said.sessions.length, command }), t("accounts.end"), "accounts/sign-out", { account: id }, (done) => t("accounts.end.done", { name: done.username, n: done.ended }), () => show(id));
      one.replaceChildren(
        card(
          `@${said.username}`,
          facts([
            [t("accounts.id"), said.id],
            [t("accounts.since"), when(said.created_at)],
            [t("accounts.sessions"), integer(said.sessions.length)],
          ]),
          isOperator() && said.sessions.length > 0 ? h("p", {}, button(t("accounts.end"), end, "danger")) : null,
          table(t("accounts.sessions"), [col(t("accounts.issued")), col(t("accounts.app")), col(t("accounts.scopes"))], said.sessions.map((session) => [when(session.issued_at), h("code", {}, session.client_id ?? "–"), h("span", { class: "wrap" }, session.scopes)])),
        ),
      );
    });

  const form = h("form", { class: "fields", on: { submit: (event) => (event.preventDefault(), find()) } }, h("label", { for: "account-name" }, t("accounts.begins"), name), h("button", { class: "button" }, t("list.find")));
  const element = h("div", {}, h("h1", { tabindex: "-1" }, t("accounts.title")), trouble, card(t("accounts.search"), form), one, list);
  return { title: t("accounts.title"), element, start: find, stop: () => {} };
}
