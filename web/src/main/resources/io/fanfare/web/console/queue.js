/** Lanes, shards, workers, and where a job is. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import {
  act,
  button,
  card,
  col,
  duration,
  facts,
  integer,
  isOperator,
  moment,
  num,
  polling,
  table,
  unseen,
} from "./parts.js";

const SHARDS_SHOWN = 64;

export function queue() {
  const body = h("div", { id: "queue" });
  const poll = polling(3000, async () => show(await api.get("queue")));

  function pause(lane, paused) {
    const path = paused ? "queue/pause" : "queue/resume";
    const command = `fanfare admin ${path.replace("/", " ")} ${lane}`;
    return act(
      t(paused ? "queue.pause.ask" : "queue.resume.ask", { lane, command }),
      t(paused ? "queue.pause" : "queue.resume"),
      path,
      { lane },
      (said) =>
        said.unreached.length > 0
          ? t("queue.unreached", { n: said.unreached.length })
          : t(paused ? "queue.pause.done" : "queue.resume.done", { lane }),
      poll.again,
    );
  }

  function show({ stats, lanes, in_flight: flight }) {
    const totals = facts([
      [t("queue.waiting"), integer(stats.waiting)],
      [t("queue.oldest"), stats.waiting > 0 ? duration(stats.oldest_seconds * 1000) : "–"],
      [t("queue.inflight"), t("queue.inflight.said", { jobs: integer(stats.in_flight), n: stats.batches })],
      [t("queue.delayed"), integer(stats.delayed)],
      [t("queue.suspect"), integer(stats.suspect)],
      [t("queue.dead"), h("a", { href: "#/dead" }, integer(stats.dead))],
      [t("queue.done"), integer(stats.done)],
      [t("queue.retried"), integer(stats.retried)],
      [t("queue.reaped"), integer(stats.reaped)],
    ]);
    const laneRows = lanes.map((one) => [
      h("code", {}, one.lane),
      integer(one.waiting),
      one.waiting > 0 ? duration(one.oldest_seconds * 1000) : "–",
      one.paused
        ? h("span", { class: "warn" }, t("queue.paused", { since: moment(one.paused_since), n: one.paused_shards }))
        : t("queue.runs"),
      one.deepest.map(({ shard, waiting }) => `${shard}: ${integer(waiting)}`).join("  "),
      isOperator() ? button(t(one.paused ? "queue.resume" : "queue.pause"), () => pause(one.lane, !one.paused)) : "",
    ]);
    const busy = stats.shards
      .filter((one) => one.waiting + one.delayed + one.dead + one.batches > 0)
      .sort((one, other) => other.waiting - one.waiting);
    const shardRows = busy
      .slice(0, SHARDS_SHOWN)
      .map((one) => [
        String(one.shard),
        integer(one.high),
        integer(one.normal),
        integer(one.low),
        integer(one.suspect),
        integer(one.delayed),
        integer(one.batches),
        integer(one.dead),
        one.waiting > 0 ? duration(one.oldest_seconds * 1000) : "–",
      ]);
    const workerRows = flight.workers.map((one) => [
      h("code", {}, one.worker),
      integer(one.batches.length),
      integer(one.jobs),
      duration(Math.max(0, Math.min(...one.batches.map((batch) => batch.lease_left_ms)))),
      [...new Set(one.batches.map((batch) => batch.shard))].slice(0, 8).join(", "),
    ]);
    const focus = document.activeElement;
    const kept = body.contains(focus) ? [...body.querySelectorAll("button, a, .scroll")].indexOf(focus) : -1;
    body.replaceChildren(
      card(t("queue.totals"), totals),
      card(
        t("queue.lanes"),
        table(
          t("queue.lanes"),
          [
            col(t("queue.lane")),
            num(t("queue.waiting")),
            num(t("queue.oldest")),
            col(t("queue.state")),
            col(t("queue.deepest")),
            col(t("queue.action")),
          ],
          laneRows,
        ),
      ),
      card(
        t("queue.workers"),
        table(
          t("queue.workers"),
          [
            col(t("queue.worker")),
            num(t("queue.batches")),
            num(t("queue.jobs")),
            num(t("queue.lease")),
            col(t("queue.shards")),
          ],
          workerRows,
        ),
        flight.more ? h("p", { class: "hint" }, t("list.more")) : null,
      ),
      card(
        t("queue.shards.busy"),
        table(
          t("queue.shards.busy"),
          [
            col(t("queue.shard")),
            num("high"),
            num("normal"),
            num("low"),
            num("suspect"),
            num(t("queue.delayed")),
            num(t("queue.batches")),
            num(t("queue.dead")),
            num(t("queue.oldest")),
          ],
          shardRows,
        ),
        busy.length > SHARDS_SHOWN ? h("p", { class: "hint" }, t("list.more")) : null,
      ),
    );
    if (kept >= 0) {
      body.querySelectorAll("button, a, .scroll")[kept]?.focus({ preventScroll: true });
    }
  }

  const id = h("input", { id: "job-id", inputmode: "numeric", pattern: "[0-9]+", required: true, autocomplete: "off" });
  const found = h("div", { id: "job-found", "aria-live": "polite" });
  const find = async (event) => {
    event.preventDefault();
    try {
      const said = await api.get("queue/job", { id: id.value });
      found.replaceChildren(
        table(
          t("job.title"),
          [col(t("queue.shard")), col(t("job.where")), col(t("job.remark")), col(t("job.line"))],
          said.found.map((one) => [String(one.shard), one.where, one.remark, h("code", {}, one.job)]),
        ),
        h("p", { class: "hint" }, unseen(t("job.looked", { n: said.looked_at }), said)),
      );
    } catch (error) {
      found.replaceChildren(h("p", { class: "trouble" }, error.message));
    }
  };
  const search = card(
    t("job.title"),
    h(
      "form",
      { class: "fields", on: { submit: find } },
      h("label", { for: "job-id" }, t("job.id"), id),
      h("button", { class: "button" }, t("list.find")),
    ),
    found,
  );
  const element = h("div", {}, h("h1", { tabindex: "-1" }, t("queue.title")), poll.trouble, body, search);
  return { title: t("queue.title"), element, ...poll };
}
