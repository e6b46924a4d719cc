/** Pictures and videos of a post, one at a time above the page, each with its description. */
import { h, openDialog } from "./dom.js";
import { icon, iconButton } from "./icons.js";
import { t } from "./i18n.js";

const SWIPE = 50; // px

/**
 * Opens the viewer.
 *
 * @param pictures each with `address` and `description`, and a video with `poster`, which may be null
 * @param first index of the picture that is shown at first
 */
export function viewer(pictures, first) {
  let at = first;
  let touched = null;
  const image = h("img", { alt: "" });
  const film = h("video", { controls: true, preload: "none" });
  const words = h("p", { class: "viewer-words", dir: "auto" });
  const place = h("span", { class: "viewer-place", role: "status" });
  const open = h("a", { class: "icon-button", target: "_blank", rel: "noopener" }, icon("link"));
  open.setAttribute("aria-label", t("viewer.original"));
  open.title = t("viewer.original");
  const dialog = h(
    "dialog",
    {
      class: "viewer",
      "aria-label": t("viewer.title"),
      on: {
        close: () => (film.pause(), dialog.remove()),
        keydown: keys,
        click: ({ target }) => target === dialog && dialog.close(),
        touchstart: ({ touches }) => (touched = touches.length === 1 ? touches[0].clientX : null),
        touchend: swiped,
      },
    },
    h(
      "div",
      { class: "viewer-bar" },
      place,
      h("span", { class: "grow" }),
      open,
      iconButton("close", icon("close"), () => dialog.close()),
    ),
    h(
      "figure",
      {},
      pictures.length > 1
        ? iconButton("viewer.previous", icon("back"), () => show(at - 1), { name: "viewer-previous" })
        : null,
      image,
      film,
      pictures.length > 1
        ? iconButton("viewer.next", icon("forward"), () => show(at + 1), { name: "viewer-next" })
        : null,
    ),
    words,
  );
  show(first);
  openDialog(dialog);

  function show(next) {
    at = (next + pictures.length) % pictures.length;
    const { address, description, poster } = pictures[at];
    const moves = poster !== undefined;
    film.pause();
    film.hidden = !moves;
    image.hidden = moves;
    if (moves) {
      film.src = address;
      film.poster = poster ?? "";
      film.setAttribute("aria-label", description || t("post.video"));
    } else {
      image.src = address;
      image.alt = description ?? "";
    }
    open.href = address;
    words.textContent = description ?? "";
    words.hidden = !description;
    place.textContent = pictures.length > 1 ? t("viewer.place", { i: at + 1, all: pictures.length }) : "";
  }

  function keys(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    // In a video they move it.
    if (by && pictures.length > 1 && event.target !== film) {
      event.preventDefault();
      show(at + by);
    }
  }

  function swiped({ changedTouches }) {
    const moved = touched === null ? 0 : changedTouches[0].clientX - touched;
    touched = null;
    if (Math.abs(moved) > SWIPE && pictures.length > 1) {
      show(at + (moved < 0 ? 1 : -1));
    }
  }
}
