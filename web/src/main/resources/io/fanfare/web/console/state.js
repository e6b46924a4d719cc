/** The concerns of an operator: the line that every page has, and the list of the first page. The bar has the counts. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { card, duration, facts, integer, moment, polling } from "./parts.js";

const LOOK = 10_000; // ms

/** By the kind of a concern: the page where an operator resolves it, and the words about it. */
const KINDS = {
  disk: ["overview", () => t("state.disk")],
  disk_full: ["overview", ({ at }) => t("state.disk_full", { at: moment(at) })],
  paused: ["queue", ({ lanes }) => t("state.paused", { lanes: lanes.join(", ") })],
  waits: ["queue", ({ seconds }) => t("state.waits", { time: duration(Math.floor(seconds / 60) * 60_000) })],
  dead: ["dead", ({ n }) => t("state.dead", { n })],
  reports: ["reports", ({ n }) => t("state.reports", { n })],
  held: ["held", ({ n }) => t("state.held", { n })],
  certificate: [
    "overview",
    ({ ends }) => (ends ? t("state.certificate", { at: moment(ends) }) : t("state.certificate.broken")),
  ],
  backup: ["overview", ({ last }) => (last ? t("state.backup", { at: moment(last) }) : t("state.backup.none"))],
};
/** Some operators copy the data by other means, so that only the first page mentions it. */
const FIRST_PAGE_ONLY = "backup";

let latest = null;
let links = {}; // of the bar, by the name of their page: a viewer, and a build without a feature, has fewer
const listeners = new Set();

const words = (concern) => KINDS[concern.kind][1](concern);
const linked = (concern) => {
  const page = KINDS[concern.kind][0];
  return page in links
    ? h("a", { href: `#/${page}`, class: "warn" }, words(concern))
    : h("span", { class: "warn" }, words(concern));
};

/** Calls the listener with the state, if it is known, and after each look; with null when a look fails. Returns what ends it. */
function whenLooked(listener) {
  listeners.add(listener);
  latest && listener(latest);
  return () => listeners.delete(listener);
}

/** The list of what an operator should do next. */
export function next() {
  const list = h("div", { id: "next" });
  let ends = () => {};
  const named = (concern) =>
    KINDS[concern.kind][0] === "overview" ? h("span", { class: "warn" }, words(concern)) : linked(concern);
  const draw = (state) => (state ? shown(state) : list.replaceChildren());
  const shown = ({ concerns, backup_at: backup, certificate_ends_at: certificate, disk_full_at: full }) =>
    list.replaceChildren(
      concerns.length > 0
        ? h(
            "ul",
            { class: "next" },
            concerns.map((one) => h("li", {}, named(one), h("p", {}, t(`next.${one.kind}`)))),
          )
        : h("p", { class: "well" }, t("state.well")),
      facts(
        [
          [t("next.backup_at"), backup ? moment(backup) : t("next.none")],
          certificate ? [t("next.certificate_at"), moment(certificate)] : null,
          [t("next.full_at"), full ? moment(full) : t("next.unseen")],
        ].filter(Boolean),
      ),
    );
  return {
    element: card(t("next.title"), list),
    start: () => (ends = whenLooked(draw)),
    stop: () => ends(),
  };
}

/** @param ofBar the links of the bar, by the name of their page */
export function stateLine(ofBar) {
  links = ofBar;
  const line = h("p", { class: "state", id: "state", role: "status" });
  const count = (name, n) => {
    if (!(name in links)) {
      return;
    }
    const badge = links[name].querySelector(".count") ?? h("span", { class: "count" });
    badge.textContent = integer(n);
    if (n === 0) {
      badge.remove();
    } else if (!badge.isConnected) {
      links[name].append(badge);
    }
  };
  const poll = polling(LOOK, async () => {
    latest = await api.get("state").catch((error) => {
      // What was said before may not hold any more.
      latest = null;
      line.replaceChildren();
      listeners.forEach((listener) => listener(null));
      throw error;
    });
    const found = latest.concerns.filter(({ kind }) => kind !== FIRST_PAGE_ONLY);
    const text = found.map(words).join();
    // What is written anew is read aloud anew.
    if (line.dataset.said !== text || !line.hasChildNodes()) {
      line.dataset.said = text;
      line.replaceChildren(
        ...(found.length > 0
          ? found.flatMap((one, i) => [i > 0 ? " · " : "", linked(one)])
          : [h("span", { class: "well" }, t("state.well"))]),
      );
    }
    count("queue", latest.waiting);
    count("dead", latest.dead);
    count("reports", latest.reports);
    listeners.forEach((listener) => listener(latest));
  });
  return { element: h("div", { class: "state-place" }, line, poll.trouble), start: poll.start, stop: poll.stop };
}
