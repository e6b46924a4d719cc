/** The line that every page has: whether all is well, or what needs an operator. The bar has the counts. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { duration, integer, polling } from "./parts.js";

const LOOK = 10_000; // ms
const WAIT_MAX = 60; // s that a job may wait before an operator looks why

/** Each concern is a sentence and the page where an operator resolves it. */
function concerns(state) {
  return [
    [state.refuses_files, "state.disk", {}, "overview"],
    [state.paused.length > 0, "state.paused", { lanes: state.paused.join(", ") }, "queue"],
    [
      state.oldest_seconds > WAIT_MAX,
      "state.waits",
      { time: duration(Math.floor(state.oldest_seconds / 60) * 60_000) },
      "queue",
    ],
    [state.dead > 0, "state.dead", { n: state.dead }, "dead"],
    [state.reports > 0, "state.reports", { n: state.reports }, "reports"],
  ].filter(([is]) => is);
}

/** @param links of the bar, by the name of their page */
export function stateLine(links) {
  const line = h("p", { class: "state", id: "state", role: "status" });
  const count = (name, n) => {
    const badge = links[name].querySelector(".count") ?? h("span", { class: "count" });
    badge.textContent = integer(n);
    if (n === 0) {
      badge.remove();
    } else if (!badge.isConnected) {
      links[name].append(badge);
    }
  };
  const poll = polling(LOOK, async () => {
    const state = await api.get("state").catch((error) => {
      // What was said before may not hold any more.
      line.replaceChildren();
      throw error;
    });
    const found = concerns(state);
    const parts = found.flatMap(([, key, values, page], i) => [
      i > 0 ? " · " : "",
      h("a", { href: `#/${page}`, class: "warn" }, t(key, values)),
    ]);
    const text = found.map(([, key, values]) => t(key, values)).join();
    // What is written anew is read aloud anew.
    if (line.dataset.said !== text || !line.hasChildNodes()) {
      line.dataset.said = text;
      line.replaceChildren(...(parts.length > 0 ? parts : [h("span", { class: "well" }, t("state.well"))]));
    }
    count("queue", state.waiting);
    count("dead", state.dead);
    count("reports", state.reports);
  });
  return { element: h("div", { class: "state-place" }, line, poll.trouble), start: poll.start, stop: poll.stop };
}
