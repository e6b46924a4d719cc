/** A rough map of the world to draw a box on, with the pointer or with the four fields below it. */
import { h } from "./dom.js";
import { t } from "./i18n.js";

/** Outlines by longitude and latitude, good enough to find a continent. */
const LAND = [
  [
    -168, 66, -156, 71, -128, 70, -95, 72, -82, 68, -94, 60, -80, 52, -78, 62, -64, 59, -56, 52, -66, 45, -76, 36, -81,
    26, -90, 30, -97, 26, -95, 18, -87, 21, -83, 10, -78, 8, -86, 12, -105, 20, -117, 33, -124, 41, -125, 49, -140, 59,
    -158, 57,
  ],
  [
    -78, 8, -62, 10, -50, 1, -35, -7, -39, -18, -48, -26, -58, -35, -65, -42, -69, -54, -75, -50, -72, -30, -70, -18,
    -81, -5,
  ],
  [
    -17, 15, -16, 28, -6, 35, 10, 37, 20, 32, 33, 31, 43, 12, 51, 12, 40, -5, 40, -16, 33, -27, 26, -34, 18, -34, 12,
    -17, 9, 4, -8, 5,
  ],
  [
    -9, 37, -9, 43, -1, 46, -4, 48, 4, 52, 9, 55, 12, 54, 21, 55, 24, 60, 22, 65, 17, 61, 12, 56, 6, 58, 5, 62, 14, 68,
    26, 71, 41, 67, 60, 69, 73, 73, 105, 77, 140, 73, 178, 69, 178, 63, 162, 60, 156, 51, 141, 60, 135, 54, 140, 48,
    130, 42, 127, 35, 122, 40, 120, 32, 121, 25, 108, 20, 109, 11, 101, 13, 103, 2, 98, 10, 91, 22, 80, 13, 77, 8, 72,
    20, 57, 26, 56, 18, 44, 13, 35, 29, 36, 36, 27, 37, 24, 38, 19, 42, 13, 45, 18, 40, 12, 42, 8, 44, 0, 40,
  ],
  [114, -22, 122, -17, 131, -12, 137, -12, 142, -11, 146, -19, 153, -27, 150, -37, 140, -38, 131, -32, 116, -35],
  [-52, 60, -44, 60, -22, 70, -20, 81, -45, 83, -70, 77],
  [-6, 50, 1, 51, -3, 58, -6, 57],
  [131, 31, 141, 36, 145, 44, 140, 42, 136, 36],
  [96, 5, 106, -6, 115, -8, 104, -2],
  [109, 1, 117, 7, 118, 1, 114, -4],
  [131, -1, 141, -3, 150, -10, 138, -8],
  [44, -25, 50, -16, 47, -25],
  [167, -46, 178, -38, 173, -36, 174, -41],
];

const NAMES = ["west", "south", "east", "north"];
const BOUNDS = { west: [-180, 180], south: [-90, 90], east: [-180, 180], north: [-90, 90] };
const svg = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
};

/** @returns the element, and `value`: west,south,east,north or nothing */
export function map() {
  const drawing = svg("svg", { viewBox: "-180 -85 360 170", class: "map", role: "img", "aria-label": t("map.label") });
  for (let at = -150; at < 180; at += 30) {
    drawing.append(
      svg("path", { class: "grid", d: `M${at} -85V85` }),
      svg("path", { class: "grid", d: `M-180 ${at}H180` }),
    );
  }
  for (const land of LAND) {
    drawing.append(svg("path", { class: "land", d: `M${land.map((n, i) => (i % 2 ? -n : n)).join(" ")}Z` }));
  }
  const box = svg("rect", { class: "box", visibility: "hidden" });
  drawing.append(box);
  const fields = Object.fromEntries(
    NAMES.map((name) => [
      name,
      h("input", {
        type: "number",
        step: "0.1",
        min: BOUNDS[name][0],
        max: BOUNDS[name][1],
        "aria-label": t(`map.${name}`),
        placeholder: t(`map.${name}`),
        on: { input: show },
      }),
    ]),
  );
  const clear = h(
    "button",
    {
      type: "button",
      class: "button small",
      on: { click: () => (NAMES.forEach((name) => (fields[name].value = "")), show()) },
    },
    t("map.clear"),
  );
  let start = null;
  drawing.addEventListener("pointerdown", (event) => {
    start = place(event);
    drawing.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  drawing.addEventListener("pointermove", (event) => start && drag(place(event)));
  drawing.addEventListener("pointerup", () => (start = null));

  function place(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    return { x: Math.max(-180, Math.min(180, point.x)), y: Math.max(-90, Math.min(90, -point.y)) };
  }

  function drag(end) {
    const round = (n) => Math.round(n * 10) / 10;
    fields.west.value = round(Math.min(start.x, end.x));
    fields.east.value = round(Math.max(start.x, end.x));
    fields.south.value = round(Math.min(start.y, end.y));
    fields.north.value = round(Math.max(start.y, end.y));
    show();
  }

  function whole() {
    return NAMES.every((name) => fields[name].value !== "");
  }

  function show() {
    const [west, south, east, north] = NAMES.map((name) => Number(fields[name].value));
    box.setAttribute("visibility", whole() && east > west && north > south ? "visible" : "hidden");
    box.setAttribute("x", west);
    box.setAttribute("y", -north);
    box.setAttribute("width", Math.max(0, east - west));
    box.setAttribute("height", Math.max(0, north - south));
  }

  return {
    element: h(
      "div",
      { class: "map-field" },
      drawing,
      h(
        "div",
        { class: "row map-numbers" },
        NAMES.map((name) => fields[name]),
        clear,
      ),
    ),
    value: () => (whole() ? NAMES.map((name) => fields[name].value).join(",") : ""),
  };
}
