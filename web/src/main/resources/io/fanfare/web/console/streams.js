/** The open streams of this process. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { act, button, bytes, card, col, duration, facts, integer, isOperator, num, polling, table } from "./parts.js";

export function streams() {
  const totals = h("div", {});
  const list = h("div", { id: "streams" });
  const poll = polling(5000, async () => show(await api.get("streams")));

  function close(conn) {
    const command = `fanfare admin streams close ${conn}`;
    return act(
      t("streams.close.ask", { conn, command }),
      t("streams.close"),
      "streams/close",
      { conn },
      () => t("streams.close.done", { conn }),
      poll.again,
    );
  }

  function show(said) {
    if (!said.served) {
      totals.replaceChildren(h("p", { class: "hint" }, t("streams.none")));
      return;
    }
    totals.replaceChildren(
      facts([
        [t("streams.open"), integer(said.open)],
        [t("streams.bytes"), bytes(said.bytes)],
        [t("streams.waiting"), bytes(said.waiting)],
        [t("streams.lag.max"), integer(said.lag_max)],
      ]),
    );
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.conn : null;
    const rows = said.streams.map((one) => {
      const end = isOperator() ? button(t("streams.close"), () => close(one.conn)) : "";
      if (end) {
        end.dataset.conn = one.conn;
        end.setAttribute("aria-label", `${t("streams.close")} ${one.conn}`);
      }
      return [
        h("code", {}, one.conn),
        one.account_id ?? "–",
        one.stream,
        one.dialect,
        h("span", { class: "wrap" }, one.filter),
        integer(one.lag),
        bytes(one.bytes),
        bytes(one.waiting),
        duration(one.age_seconds * 1000),
        duration(one.idle_seconds * 1000),
        end,
      ];
    });
    list.replaceChildren(
      table(
        t("streams.title"),
        [
          col(t("streams.conn")),
          col(t("streams.account")),
          col(t("streams.stream")),
          col(t("streams.dialect")),
          col(t("streams.filter")),
          num(t("streams.lag")),
          num(t("streams.bytes")),
          num(t("streams.waiting")),
          num(t("streams.age")),
          num(t("streams.idle")),
          col(t("queue.action")),
        ],
        rows,
      ),
      said.open > rows.length ? h("p", { class: "hint" }, t("list.more")) : "",
    );
    if (focused) {
      list.querySelector(`[data-conn="${focused}"]`)?.focus({ preventScroll: true });
    }
  }

  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("streams.title")),
    h("p", { class: "hint" }, t("streams.hint")),
    poll.trouble,
    card(t("streams.here"), totals),
    list,
  );
  return { title: t("streams.title"), element, ...poll };
}
