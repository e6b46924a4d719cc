/** Why jobs fail, which are tried again and when, and whose jobs wait. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import {
  act,
  button,
  card,
  col,
  integer,
  isOperator,
  moment,
  num,
  polling,
  quote,
  table,
  trouble,
  unseen,
} from "./parts.js";

const LISTS = ["high", "normal", "low", "suspect", "delayed"];

export function jobs() {
  const failures = h("div", { id: "failures" });
  const authors = h("div", { id: "authors", "aria-live": "polite" });
  const poll = polling(5000, async () => {
    const said = await api.get("queue/failures");
    const rows = said.failures.map((one) => [
      h("code", {}, one.type),
      moment(Date.parse(one.failed_at)),
      String(one.shard),
      integer(one.shards),
      h("span", { class: "wrap" }, one.reason),
      h("code", {}, one.job),
    ]);
    failures.replaceChildren(
      table(
        t("jobs.failures"),
        [
          col(t("jobs.type")),
          col(t("jobs.failed")),
          col(t("queue.shard")),
          num(t("jobs.shards")),
          col(t("dead.error")),
          col(t("job.line")),
        ],
        rows,
      ),
    );
  });
  const delayed = h("div", { id: "delayed" });
  const all = h("p", { class: "row" });
  const { element: wrongDelayed, watch: watchDelayed } = trouble();

  const hurry = (of, sentence) =>
    act(sentence, t("delayed.now"), "queue/delayed/now", of, (done) => t("delayed.done", { n: done.hurried }), look);
  const look = () =>
    watchDelayed(async () => {
      const { delayed: jobs } = await api.get("queue/delayed", { max: 100 });
      delayed.replaceChildren(
        table(
          t("delayed.title"),
          [col(t("delayed.due")), col(t("queue.shard")), col(t("job.line")), col(t("queue.action"))],
          jobs.map(({ due_at: due, shard, job }) => [
            moment(Date.parse(due)),
            String(shard),
            h("code", {}, job),
            isOperator()
              ? button(t("delayed.now"), () =>
                  hurry(
                    { job },
                    t("delayed.now.one", { job, command: `fanfare admin queue delayed now --job ${quote(job)}` }),
                  ),
                )
              : "",
          ]),
        ),
      );
      const now = { max: jobs.length };
      all.replaceChildren(
        button(t("delayed.look"), look),
        isOperator() && jobs.length > 0
          ? button(t("delayed.all"), () =>
              hurry(
                now,
                t("delayed.now.ask", { n: now.max, command: `fanfare admin queue delayed now --max ${now.max}` }),
              ),
            )
          : "",
      );
    });

  const { element: wrong, watch } = trouble();

  // At a click, since it reads the lists of all shards.
  const count = () =>
    watch(async () => {
      const said = await api.get("queue/authors", { max: 20 });
      const types = (one) =>
        Object.entries(one.types)
          .map(([type, n]) => `${type} ${integer(n)}`)
          .join(", ");
      const rows = said.authors.map((one) => [
        one.username === null ? one.id : `@${one.username}`,
        integer(one.jobs),
        ...LISTS.map((list) => integer(one.lists[list] ?? 0)),
        types(one),
        h("code", {}, one.id),
      ]);
      authors.replaceChildren(
        table(
          t("jobs.authors"),
          [
            col(t("streams.account")),
            num(t("queue.jobs")),
            num("high"),
            num("normal"),
            num("low"),
            num("suspect"),
            num(t("queue.delayed")),
            col(t("jobs.types")),
            col(t("accounts.id")),
          ],
          rows,
        ),
        h("p", { class: "hint" }, unseen(t("job.looked", { n: said.looked_at }), said)),
      );
    });

  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("jobs.title")),
    card(t("jobs.failures"), h("p", { class: "hint" }, t("jobs.failures.hint")), poll.trouble, failures),
    card(t("delayed.title"), h("p", { class: "hint" }, t("delayed.hint")), wrongDelayed, all, delayed),
    card(
      t("jobs.authors"),
      h("p", { class: "hint" }, t("jobs.authors.hint")),
      h("p", { class: "row" }, button(t("jobs.count"), count)),
      wrong,
      authors,
    ),
  );
  return { title: t("jobs.title"), element, start: () => Promise.all([poll.start(), look()]), stop: poll.stop };
}
