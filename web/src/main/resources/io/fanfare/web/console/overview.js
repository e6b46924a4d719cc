/** What this process does now and has done for an hour. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { chart } from "./chart.js";
import { next } from "./state.js";
import { bytes, card, duration, facts, figure, integer, moment, polling } from "./parts.js";

const HOUR = 3_600_000;

const rate = (field) => (point) => point[field] / Math.max(0.001, point.seconds);
const level = (field) => (point) => point[field];

const CHARTS = [
  ["overview.posts", rate("posts"), figure],
  ["overview.deliveries", rate("deliveries"), figure],
  ["overview.jobs", rate("jobs"), figure],
  ["overview.requests", rate("requests"), figure],
  ["overview.streams", level("streams"), integer],
  ["overview.lag", level("lag_ms"), duration],
];

const HISTORY = [
  ["overview.posts", "posts"],
  ["overview.deliveries", "deliveries"],
  ["overview.jobs", "jobs"],
  ["overview.requests", "requests"],
];
const HIGHEST = [
  ["overview.streams", "streams", integer],
  ["overview.lag", "lag_ms", duration],
  ["overview.waiting", "waiting", integer],
  ["overview.failures", "failures", integer],
];

/** The charts show the rates of all processes, read from Redis. `choose` selects the span in hours. */
function history(choose) {
  const rates = HISTORY.map(([key, field]) => ({
    value: (point) => point[field] / (60 * point.minutes),
    ...chart(t(key), figure),
  }));
  const levels = HIGHEST.map(([key, field, write]) => ({ value: level(field), ...chart(t(key), write) }));
  const said = h("p", { class: "hint" });
  const look = async () => {
    const hours = Number(choose.value);
    const { points } = await api.get("history", { hours });
    const end = Date.now();
    for (const { value, fill } of [...rates, ...levels]) {
      fill(
        points.map((point) => [point.at, value(point)]),
        end - hours * HOUR,
        end,
        hours > 24,
      );
    }
    said.textContent = t("overview.processes", {
      n: points.reduce((most, point) => Math.max(most, point.processes), 0),
    });
  };
  const poll = polling(30_000, look);
  const element = h(
    "div",
    {},
    said,
    poll.trouble,
    h(
      "div",
      { class: "charts", id: "history" },
      [...rates, ...levels].map((one) => one.element),
    ),
  );
  return { element, ...poll };
}

/** The disk of this process with the least room; nothing for a process that writes no files. */
function disk(one) {
  if (!one) {
    return "";
  }
  const refused = one.refused_since
    ? t("overview.disk.since", { at: moment(one.refused_since) })
    : t("overview.disk.now");
  return card(
    t("overview.disk"),
    facts([
      [t("overview.disk.files"), one.refuses ? h("span", { class: "warn" }, refused) : t("overview.disk.taken")],
      [t("overview.disk.room"), bytes(Math.max(0, one.room_bytes))],
      [t("overview.disk.reserve"), bytes(one.reserve_bytes)],
      [t("overview.disk.free"), bytes(one.free_bytes)],
    ]),
  );
}

/** The curves of all processes, or those of this one. */
export function overview(about) {
  const choose = h(
    "select",
    { id: "hours" },
    h("option", { value: "" }, t("overview.this")),
    [1, 6, 24, 72].map((hours) => h("option", { value: hours }, t("overview.hours", { n: hours }))),
  );
  const past = history(choose);
  const todo = next();
  const points = [];
  const room = h("div", { id: "disk" });
  const charts = CHARTS.map(([key, value, write]) => ({ value, ...chart(t(key), write) }));
  const poll = polling(5000, async () => {
    const { points: more, disk: tightest } = await api.get("overview", { after: points.at(-1)?.n ?? 0 });
    room.replaceChildren(disk(tightest));
    points.push(...more);
    points.splice(0, points.length - 360);
    const end = points.at(-1)?.at ?? Date.now();
    const begin = Math.max(end - HOUR, Math.min(points[0]?.at ?? end, end - HOUR / 6)); // a young process fills its charts
    for (const { value, fill } of charts) {
      fill(
        points.map((point) => [point.at, value(point)]),
        begin,
        end,
      );
    }
  });
  const live = h(
    "div",
    {},
    h("p", { class: "hint" }, t("overview.process", { roles: about.roles.join(", ") })),
    h(
      "div",
      { class: "charts", id: "live" },
      charts.map((one) => one.element),
    ),
  );
  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("overview.title")),
    todo.element,
    h("p", { class: "row" }, h("label", { for: "hours" }, t("overview.window")), choose),
    poll.trouble,
    live,
    past.element,
    room,
  );
  const turn = () => {
    live.hidden = choose.value !== "";
    past.element.hidden = !live.hidden;
    return live.hidden ? past.start() : past.stop();
  };
  choose.addEventListener("change", turn);
  const start = () => (todo.start(), Promise.all([poll.start(), turn()]));
  const stop = () => (todo.stop(), poll.stop(), past.stop());
  return { title: t("overview.title"), element, start, stop };
}
