/** A line over time as SVG, with its newest and its highest value as text. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { moment, timeOfDay } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 320;
const HEIGHT = 72;

function s(tag, props, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/**
 * A chart that can be filled again and again.
 *
 * @param name what is shown
 * @param write makes a text of a value
 */
export function chart(name, write) {
  const now = h("strong", { class: "now" }, "–");
  const most = h("span", { class: "muted" }, "");
  const area = s("path", { class: "area" });
  const line = s("path", { class: "line" });
  const svg = s("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": name,
  });
  const half = s("path", { class: "grid", d: `M0 ${HEIGHT / 2 + 1}H${WIDTH}` });
  svg.append(half, area, line);
  const top = h("span", {}, "");
  const from = h("span", {}, "");
  const to = h("span", {}, "");
  const element = h(
    "section",
    { class: "card chart" },
    h("h2", {}, name),
    h("p", { class: "row" }, now, most),
    h("div", { class: "plot" }, svg, h("span", { class: "top", "aria-hidden": "true" }, top)),
    h("p", { class: "axis", "aria-hidden": "true" }, from, to),
  );

  /** @param points [ms, value] in the order of time */
  function fill(points, begin, end, days = false) {
    const highest = points.reduce((max, [, value]) => Math.max(max, value), 0);
    const last = points.at(-1)?.[1] ?? 0;
    const x = (millis) => (((millis - begin) / Math.max(1, end - begin)) * WIDTH).toFixed(1);
    const y = (value) => (HEIGHT - 2 - (highest > 0 ? (value / highest) * (HEIGHT - 6) : 0)).toFixed(1);
    const drawn = points.map(([millis, value], i) => `${i === 0 ? "M" : "L"}${x(millis)} ${y(value)}`).join("");
    line.setAttribute("d", drawn);
    area.setAttribute(
      "d",
      points.length > 1 ? `${drawn}L${x(points.at(-1)[0])} ${HEIGHT}L${x(points[0][0])} ${HEIGHT}Z` : "",
    );
    now.textContent = points.length > 0 ? write(last) : "–";
    const peak = points.findLast(([, value]) => value === highest);
    most.textContent =
      highest > 0 ? t("chart.most", { value: write(highest), at: (days ? moment : timeOfDay)(peak[0]) }) : "";
    top.textContent = highest > 0 ? write(highest) : "";
    from.textContent = (days ? moment : timeOfDay)(begin);
    to.textContent = (days ? moment : timeOfDay)(end);
    svg.setAttribute(
      "aria-label",
      points.length > 0 ? t("chart.said", { name, now: write(last), most: write(highest) }) : name,
    );
  }

  return { element, fill };
}
