/** The point of a picture that cards keep when they crop it. */
import { crop, h } from "./dom.js";
import { t } from "./i18n.js";
import { asked } from "./sheets.js";

/**
 * Lets the author choose the point, by a pointer on the picture or by two sliders.
 *
 * @param address of the picture
 * @param focus `x` from -1 (left) to 1, `y` from -1 (bottom) to 1
 * @returns the chosen focus; null if the dialog was cancelled
 */
export async function focused(address, focus) {
  const across = slider("focus.x", 50 * (focus.x + 1));
  const down = slider("focus.y", 50 * (1 - focus.y));
  const mark = h("span", { class: "focus-mark" });
  const stage = h(
    "div",
    { class: "focus-stage", on: { pointerdown: point, pointermove: point } },
    h("img", { src: address, alt: "", draggable: "false" }),
    mark,
  );
  const previews = ["wide", "tall"].map((shape) => h("img", { src: address, alt: "", class: shape }));
  draw();
  const title = t("compose.focus");
  const saved = await asked(
    { "aria-label": title },
    [
      h("h2", {}, title),
      h("p", { class: "hint" }, t("focus.hint")),
      stage,
      across.element,
      down.element,
      h("div", { class: "focus-previews", "aria-hidden": "true" }, previews),
    ],
    h("button", { class: "button primary" }, t("settings.save")),
  );
  return saved && chosen();

  function slider(key, value) {
    const input = h("input", {
      type: "range",
      min: 0,
      max: 100,
      step: 1,
      value: Math.round(value),
      on: { input: draw },
    });
    return { input, element: h("label", {}, h("span", {}, t(key)), input) };
  }

  function chosen() {
    const rounded = (number) => Math.round(number * 100) / 100 || 0; // no -0
    return { x: rounded(across.input.value / 50 - 1), y: rounded(1 - down.input.value / 50) };
  }

  function draw() {
    mark.style.left = `${across.input.value}%`;
    mark.style.top = `${down.input.value}%`;
    previews.forEach((preview) => crop(preview, chosen()));
  }

  function point(event) {
    if (event.type === "pointerdown") {
      stage.setPointerCapture(event.pointerId);
    } else if (!stage.hasPointerCapture(event.pointerId)) {
      return;
    }
    const { left, top, width, height } = stage.getBoundingClientRect();
    across.input.value = (100 * (event.clientX - left)) / width;
    down.input.value = (100 * (event.clientY - top)) / height;
    draw();
  }
}
