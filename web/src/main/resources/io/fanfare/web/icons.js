/** Line drawings on a field of 24 by 24; they take the colour of the text around them. */
import { h } from "./dom.js";
import { t } from "./i18n.js";

const PATHS = {
  home: "M4 11.5 12 4l8 7.5M6 10v9.5h4.5V14h3v5.5H18V10",
  bell: "M6 16.5V11a6 6 0 1 1 12 0v5.5l1.5 1.5h-15L6 16.5ZM10 20.5h4",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20",
  globe:
    "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM3.5 12h17M12 3.5c2.6 2.4 3.8 5.2 3.8 8.5s-1.2 6.1-3.8 8.5c-2.6-2.4-3.8-5.2-3.8-8.5S9.400 5.900 12 3.500",
  articles: "M5 5h14v14.500H5zM8.500 9h7M8.500 12.500h7M8.500 16h4",
  bookmark: "M7 4.500h10v15l-5-4-5 4v-15Z",
  like: "M12 19.500 5.300 13a4.300 4.300 0 0 1 6.100-6.100l.6.600.600-.6A4.300 4.300 0 0 1 18.700 13L12 19.500Z",
  reply: "M4.500 12A7.500 7.500 0 1 1 8 18.300L4.500 19.500l1.100-3.600A7.400 7.400 0 0 1 4.500 12Z",
  boost: "M7 17V9.500a2 2 0 0 1 2-2h7M13.500 4.500l3 3-3 3M17 8.500v6a2 2 0 0 1-2 2H8M10.500 19.500l-3-3 3-3",
  quote: "M5 8h6v6a4 4 0 0 1-4 4M13.500 8h6v6a4 4 0 0 1-4 4",
  menu: "M4.500 7h15M4.500 12h15M4.500 17h15",
  more: "M5.500 12h.01M12 12h.01M18.500 12h.01",
  settings:
    "M4 7.500h9M17 7.500h3M4 16.500h3M11 16.500h9M15 9.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM9 18.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  streams: "M3.500 12h3l2.500-7 4 14 3-10 1.500 3h3",
  pen: "M5 19l.8-3.600L15.500 5.700a1.800 1.800 0 0 1 2.600 0l.3.300a1.800 1.800 0 0 1 0 2.600l-9.800 9.700L5 19Z",
  image: "M4.500 5.500h15v13h-15zM4.500 15.500l4.500-4.500 4 4 2.500-2.500 4 4M14.500 9.500h.01",
  close: "M6 6l12 12M18 6 6 18",
  up: "M12 19V6M6.500 11 12 5.500 17.500 11",
  out: "M10 5H5.500v14H10M14 8l4 4-4 4M18 12H9.500",
  lock: "M6.500 11h11v8.500h-11zM9 11V8a3 3 0 0 1 6 0v3",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.500 20c.8-3.600 3.800-5.500 7.500-5.500s6.700 1.900 7.500 5.500",
  poll: "M5.500 19.500V12M12 19.500v-15M18.500 19.500V9",
  message: "M4 6h16v12.500H4zM4 6.500l8 6.500 8-6.500",
  list: "M9 6.500h11M9 12h11M9 17.500h11M4.500 6.500h.01M4.500 12h.01M4.500 17.500h.01",
  clock: "M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM12 7v5l3.500 2",
  pin: "M9 4h6l-.7 6.500 3.200 3H6.500l3.200-3L9 4ZM12 13.500V20.500",
  back: "M14.500 5.500 8 12l6.500 6.500",
  forward: "M9.500 5.500 16 12l-6.500 6.500",
  link: "M13 5h6v6M19 5l-8.500 8.500M16.500 13.500V19H5V7.500h5.500",
  eye: "M3.500 12c2-3.700 5-5.500 8.500-5.500s6.500 1.800 8.500 5.500c-2 3.700-5 5.500-8.500 5.500S5.500 15.700 3.500 12ZM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z",
  smile:
    "M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM8.500 14c.8 1.300 2 2 3.500 2s2.700-.7 3.500-2M9 9.500h.01M15 9.500h.01",
  focus: "M12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM12 3.500v3.500M12 17v3.500M3.500 12H7M17 12h3.500",
  check: "M5 12.500l4.500 4.500L19 7.500",
};

const drawn = new Map();

/** A button with a drawing, and a name for those who do not see it. `pressed` is for one that stays pressed. */
export function iconButton(key, drawing, run, { name = null, pressed = null } = {}) {
  return h(
    "button",
    {
      type: "button",
      class: ["icon-button", name],
      "aria-pressed": pressed === null ? null : String(pressed),
      title: t(key),
      "aria-label": t(key),
      on: { click: run },
    },
    drawing,
  );
}

/** A copy of the drawing: cheaper than one that is drawn anew, and a card has six. */
export function icon(name) {
  if (!drawn.has(name)) {
    drawn.set(name, draw(name));
  }
  return drawn.get(name).cloneNode(true);
}

function draw(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
