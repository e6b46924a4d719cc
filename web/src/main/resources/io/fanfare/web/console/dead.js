/** Dead letters: those of a filter, and what can be done with one or with all of them. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { act, button, card, col, integer, isOperator, moment, quote, table, trouble, unseen } from "./parts.js";

const STEP = 10_000; // letters that the server takes with one action

/** The command that does the same. */
function command(action, filter) {
  const options = Object.entries(filter)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ` --${name} ${quote(value)}`);
  return `fanfare admin queue dead ${action}${options.join("")}`;
}

export function dead() {
  const field = (name, label) => h("label", {}, label, h("input", { name, autocomplete: "off", id: `dead-${name}` }));
  const form = h(
    "form",
    { class: "fields", on: { submit: (event) => (event.preventDefault(), look()) } },
    field("type", t("dead.type")),
    field("author", t("dead.author")),
    field("error", t("dead.error")),
    h("button", { class: "button" }, t("list.find")),
  );
  const list = h("div", { id: "letters" });
  const all = h("div", { class: "row" });
  const { element: wrong, watch } = trouble();
  let filter = {};

  function take(action, of, sentence) {
    const path = `dead/${action}`;
    return act(
      sentence,
      t(`dead.${action}`),
      path,
      of,
      (said) => unseen(t(`dead.${action}.done`, { n: said.replayed ?? said.dropped, more: integer(said.more) }), said),
      look,
    );
  }

  const look = () =>
    watch(async () => {
      filter = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
      const said = await api.get("dead", { ...filter, max: 100 });
      const rows = said.letters.map((letter) => {
        const one = { job: letter.job, max: 1 };
        const text = `${letter.reason} [${letter.job}]`;
        return [
          moment(letter.died_at),
          String(letter.shard),
          h("span", { class: "wrap" }, letter.reason),
          h("code", {}, letter.job),
          isOperator()
            ? h(
                "div",
                { class: "row" },
                button(t("dead.replay"), () =>
                  take("replay", one, t("dead.replay.one", { text, command: command("replay", one) })),
                ),
                button(t("dead.drop"), () =>
                  take("drop", one, t("dead.drop.one", { text, command: command("drop", one) })),
                ),
              )
            : "",
        ];
      });
      list.replaceChildren(
        table(
          t("dead.title"),
          [
            col(t("dead.when")),
            col(t("queue.shard")),
            col(t("dead.error")),
            col(t("job.line")),
            col(t("queue.action")),
          ],
          rows,
        ),
      );
      const count = said.letters.length + said.more;
      // No more than were seen, whatever arrives after this look.
      const these = { ...filter, max: Math.min(count, STEP) };
      all.replaceChildren(
        h("p", { role: "status" }, t(said.saw_all ? "dead.found" : "dead.found.least", { n: count })),
      );
      if (isOperator() && count > 0) {
        all.append(
          button(t("dead.replay.all"), () =>
            take("replay", these, t("dead.replay.ask", { n: these.max, command: command("replay", these) })),
          ),
          button(t("dead.drop.all"), () =>
            take("drop", these, t("dead.drop.ask", { n: these.max, command: command("drop", these) })),
          ),
        );
      }
    });

  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("dead.title")),
    h("p", { class: "hint" }, t("dead.hint")),
    wrong,
    card(t("dead.filter"), form, all),
    list,
  );
  return { title: t("dead.title"), element, start: look, stop: () => {} };
}
