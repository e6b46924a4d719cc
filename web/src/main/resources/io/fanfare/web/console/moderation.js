/** Who may moderate, and the log of what moderators and operators have done. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { act, button, card, col, moment, table, trouble } from "./parts.js";

const ROLES = ["owner", "admin", "moderator", "user"];

const account = (name) => (name ? h("span", {}, `@${name}`) : "");

export function moderation() {
  const field = (id) => h("input", { id, autocomplete: "off", spellcheck: "false" });
  const roleList = h("div", { id: "roles" });
  const { element: wrongRoles, watch: watchRoles } = trouble();
  const entries = h("div", { id: "acts" });
  const { element: wrongEntries, watch: watchEntries } = trouble();
  const concerned = field("act-account");
  const actor = field("act-by");
  const action = field("act-action");

  const roles = () =>
    watchRoles(async () => {
      const said = await api.get("roles");
      roleList.replaceChildren(
        table(
          t("moderation.roles"),
          [col(t("accounts.name")), col(t("accounts.id")), col(t("moderation.role")), col(t("accounts.state"))],
          said.roles.map((one) => [
            account(one.username),
            h("code", {}, one.id),
            t(`moderation.role.${one.role}`),
            one.suspended ? h("span", { class: "warn" }, t("accounts.state.suspended")) : "",
          ]),
        ),
      );
    });

  /** From the newest, or from below an entry. */
  const log = (before = "") =>
    watchEntries(async () => {
      const said = await api.get("audit", {
        account: concerned.value.trim(),
        by: actor.value.trim(),
        action: action.value.trim(),
        before,
      });
      entries.replaceChildren(
        table(
          t("moderation.log"),
          [
            col(t("reports.at")),
            col(t("moderation.by")),
            col(t("queue.action")),
            col(t("reports.account")),
            col(t("moderation.subject")),
            col(t("moderation.why")),
          ],
          said.entries.map((entry) => [
            moment(Date.parse(entry.at)),
            entry.by ? account(entry.by) : t("moderation.operator", { name: entry.operator || "–", via: entry.via }),
            h("code", {}, [entry.action, entry.detail].filter(Boolean).join(" ")),
            account(entry.account),
            [entry.report && `#${entry.report}`, entry.status].filter(Boolean).join(" "),
            h("span", { class: "wrap", dir: "auto" }, entry.why),
          ]),
        ),
        h(
          "p",
          { class: "row", id: "act-pages" },
          before ? button(t("moderation.newest"), () => log()) : "",
          said.next ? button(t("accounts.next"), () => log(said.next)) : "",
        ),
      );
    });

  const named = field("role-account");
  const chosen = h(
    "select",
    { id: "role-name" },
    ROLES.map((one) => h("option", { value: one }, t(`moderation.role.${one}`))),
  );
  const set = (event) => {
    event.preventDefault();
    const name = named.value.trim().replace(/^@/, "");
    const role = chosen.value;
    return (
      name &&
      act(
        t("moderation.set.ask", {
          name,
          role: t(`moderation.role.${role}`),
          command: `fanfare admin role set ${name} ${role} --why TEXT`,
        }),
        t("moderation.set"),
        "role/set",
        { account: name, role },
        (done) => t("moderation.set.done", { name: done.username, role: t(`moderation.role.${done.role}`) }),
        () => Promise.all([roles(), log()]),
      )
    );
  };

  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("moderation.title")),
    card(
      t("moderation.roles"),
      h("p", { class: "hint" }, t("moderation.hint")),
      h(
        "form",
        { class: "fields", id: "role-form", on: { submit: set } },
        h("label", { for: "role-account" }, t("accounts.name"), named),
        h("label", { for: "role-name" }, t("moderation.role"), chosen),
        h("button", { class: "button" }, t("moderation.set")),
      ),
      wrongRoles,
      roleList,
    ),
    card(
      t("moderation.log"),
      h(
        "form",
        { class: "fields", on: { submit: (event) => (event.preventDefault(), log()) } },
        h("label", { for: "act-account" }, t("reports.account"), concerned),
        h("label", { for: "act-by" }, t("moderation.by"), actor),
        h("label", { for: "act-action" }, t("moderation.begins"), action),
        h("button", { class: "button" }, t("list.find")),
      ),
      wrongEntries,
      entries,
    ),
  );
  return { title: t("moderation.title"), element, start: () => Promise.all([roles(), log()]), stop: () => {} };
}
