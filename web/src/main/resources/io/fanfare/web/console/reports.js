/** What users have reported, and the deletion of single posts. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { act, button, card, col, moment, table, trouble } from "./parts.js";

const account = (one) => h("span", {}, `@${one.username}`);

export function reports() {
  const named = h("input", { id: "post-name", name: "status", autocomplete: "off", spellcheck: "false" });
  const list = h("div", { id: "reports" });
  const { element: wrong, watch } = trouble();

  const look = () =>
    watch(async () => {
      const said = await api.get("reports");
      list.replaceChildren(
        table(
          t("reports.title"),
          [
            col(t("reports.id")),
            col(t("reports.at")),
            col(t("reports.category")),
            col(t("reports.reporter")),
            col(t("reports.account")),
            col(t("reports.comment")),
            col(t("reports.statuses")),
            col(t("queue.action")),
          ],
          said.reports.map((report) => [
            String(report.id),
            moment(Date.parse(report.at)),
            report.category,
            account(report.reporter),
            account(report.account),
            h("span", { class: "wrap" }, report.comment),
            statuses(report.statuses),
            h(
              "div",
              { class: "row" },
              button(t("accounts.suspend"), () => suspend(report.account), "danger"),
              button(t("reports.close"), () => close(report)),
            ),
          ]),
        ),
      );
    });

  const remove = (status) =>
    act(
      t("post.delete.ask", { id: status, command: `fanfare admin post delete ${status}` }),
      t("post.delete"),
      "post/delete",
      { status },
      (done) => t(done.changed ? "post.delete.done" : "post.delete.before", { name: done.username, id: done.id }),
      look,
    );
  const suspend = ({ id, username }) =>
    act(
      t("accounts.suspend.ask", { name: username, command: `fanfare admin accounts suspend ${username}` }),
      t("accounts.suspend"),
      "accounts/suspend",
      { account: id },
      () => t("accounts.suspend.done", { name: username }),
      look,
    );
  const close = (report) =>
    act(
      t("reports.close.ask", { id: report.id, command: `fanfare admin reports close ${report.id}` }),
      t("reports.close"),
      "reports/close",
      { report: report.id },
      () => t("reports.close.done", { id: report.id }),
      look,
    );

  /** Each at its public page, with its deletion. */
  function statuses(all) {
    return h(
      "ul",
      {},
      all.map((status) =>
        h(
          "li",
          { class: "row" },
          h("a", { href: status.url, target: "_blank", rel: "noreferrer" }, status.id),
          status.text === null
            ? h("span", { class: "muted" }, t("reports.gone"))
            : h("span", { class: "wrap", dir: "auto" }, status.text),
          button(t("post.delete"), () => remove(status.id), "danger"),
        ),
      ),
    );
  }

  const form = h(
    "form",
    {
      class: "fields",
      on: { submit: (event) => (event.preventDefault(), named.value.trim() && remove(named.value.trim())) },
    },
    h("label", { for: "post-name" }, t("post.named"), named),
    h("button", { class: "button danger" }, t("post.delete")),
  );
  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("reports.title")),
    card(t("post.title"), h("p", { class: "hint" }, t("post.hint")), form),
    card(t("reports.open"), wrong, list),
  );
  return { title: t("reports.title"), element, start: look, stop: () => {} };
}
