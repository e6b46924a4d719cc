/** Cards of the page of accounts: the sign-up mode, the accounts that wait for approval, and the switches of the site. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { act, button, card, col, isOperator, table, trouble, when } from "./parts.js";

const SWITCHES = ["read-only", "members-only", "no-uploads"];
const MODES = { open: "open", approval: "approval", invitation: "invitation", close: "closed" }; // of sign-ups, by the verb that chooses them

export function signUps() {
  const open = h("div", { id: "sign-ups", "aria-live": "polite" });
  const { element: wrongOpen, watch: watchOpen } = trouble();
  const modes = () =>
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
              modes,
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
                h("span", { class: "row" }, decide(one, "approve"), decide(one, "reject")),
              ]),
            ),
      );
    });

  return {
    elements: [
      card(t("switches.title"), wrongSite, switches),
      card(t("signups.title"), wrongOpen, open),
      isOperator() ? card(t("pending.title"), wrongWaiting, waiting) : null,
    ],
    start: () => Promise.all([site(), modes(), isOperator() && pending()]),
  };
}
