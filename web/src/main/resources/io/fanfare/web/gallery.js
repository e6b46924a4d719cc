/** The pictures, or the one video or sound, of a form: descriptions, focus and order. */
import { crop, fileAddress, h, lazily, refocus, tried } from "./dom.js";
import { icon, iconButton } from "./icons.js";
import { get, upload } from "./api.js";
import { language, t } from "./i18n.js";

const PICTURES_MAX = 4;
const PROCESSING = [500, 5_000, 600_000]; // ms: the first pause before the state of an upload is requested again, the longest, and all of them
const DESCRIPTION_MAX = 1500; // characters
const CENTRE = { x: 0, y: 0 };

let files = { supported_mime_types: [], video_size_limit: 0 };

export function configure(instance) {
  files = instance.configuration.media_attachments;
}

/** The types that a file picker offers. */
export const accepted = () => files.supported_mime_types.join(",") || "image/png,image/jpeg,image/gif,image/webp";

/** Whether it is a video or a sound, which a post has one of and nothing beside it. */
const isClip = (type) => /^(video|audio)/.test(type);

/**
 * The element, with methods.
 *
 * @param attachments of the status that the form edits or restores
 * @param options `kept` if an edit begins with them; `changed` is called after each change, `fail` with the error of a file
 */
export function gallery(attachments, { kept = false, changed, fail }) {
  let pictures = [];
  let dragged = null;
  const grid = h("div", { class: "gallery", on: { drop: dropped } });
  const said = h("p", { class: "visually-hidden", role: "status" });
  const element = h("div", {}, grid, said);
  element.add = add;
  element.clear = () => (pictures.forEach(({ release }) => release?.()), (pictures = []), grid.replaceChildren());
  element.count = () => pictures.length;
  element.isReady = () => pictures.every(({ id }) => id);
  element.hasClip = () => pictures.some(({ clip }) => clip);
  element.ids = () => pictures.map(({ id }) => id);
  element.changes = () => pictures.map(attributes).filter((now, i) => differs(now, pictures[i].saved));
  element.isChanged = () => JSON.stringify(element.ids()) !== before || element.changes().length > 0;
  for (const one of attachments) {
    const address = fileAddress(one.preview_url);
    const noun = { audio: "post.sound", video: "post.video" }[one.type] ?? "post.picture";
    show(
      {
        id: one.id,
        words: altField(one.description ?? "", isClip(one.type)),
        clip: isClip(one.type),
        focus: one.meta?.focus ?? CENTRE,
      },
      address ? h("img", { src: address, alt: "" }) : h("p", { class: "clip" }, t(noun)),
    );
  }
  const before = kept ? JSON.stringify(element.ids()) : "[]"; // a picture that is being uploaded has no id
  return element;

  function add(chosen) {
    // Some browsers offer the picture that is dragged to another place as a new file.
    if (dragged) {
      return;
    }
    const clips = chosen.filter(({ type }) => isClip(type));
    const images = chosen.filter(({ type }) => type.startsWith("image/"));
    const most = files.video_size_limit;
    if (clips.length > 0 && most === 0) {
      fail({ message: t("compose.noclips") });
    } else if (
      clips.length > 1 ||
      (clips.length === 1 && images.length + pictures.length > 0) ||
      (images.length > 0 && element.hasClip())
    ) {
      fail({ message: t("compose.alone") });
    } else if (clips.length === 1 && clips[0].size > most) {
      fail({ message: t("compose.large", { size: Math.floor(most / 1_048_576) }) });
    } else {
      for (const one of clips.length > 0 ? clips : images.slice(0, PICTURES_MAX - pictures.length)) {
        take(one);
      }
    }
    changed();
  }

  /** Puts a picture or clip into the form, with its description and its buttons. */
  function show(picture, shown) {
    picture.earlier = iconButton("compose.earlier", icon("back"), () => move(picture, -1), { name: "earlier" });
    picture.later = iconButton("compose.later.picture", icon("forward"), () => move(picture, 1), { name: "later" });
    picture.box = h(
      "figure",
      { role: "group", on: { dragstart, dragover, dragend } },
      shown,
      picture.words,
      h(
        "div",
        { class: "picture-bar" },
        picture.earlier,
        picture.later,
        shown.localName === "img" && !picture.clip
          ? iconButton("compose.focus", icon("focus"), chooseFocus, { name: "focus-button" })
          : null,
        iconButton(picture.clip ? "compose.unclip" : "compose.unpicture", icon("close"), () => picture.remove(), {
          name: "remove",
        }),
      ),
    );
    picture.remove = () => {
      const at = pictures.indexOf(picture);
      pictures.splice(at, 1);
      picture.release?.();
      picture.box.remove();
      label();
      changed();
      const next = (pictures[at] ?? pictures[at - 1])?.box.querySelector(".remove");
      refocus(next ?? element.closest("form")?.querySelector(".compose-text"));
    };
    picture.words.addEventListener("input", changed);
    shown.localName === "img" && crop(shown, picture.focus);
    picture.saved = attributes(picture);
    pictures.push(picture);
    grid.append(picture.box);
    label();

    async function chooseFocus() {
      await tried(async () => {
        const { focused } = await lazily(import("./focus.js"));
        const chosen = await focused(shown.src, picture.focus);
        if (chosen) {
          picture.focus = chosen;
          crop(shown, chosen);
          changed();
        }
      });
    }

    function dragstart({ target, dataTransfer }) {
      if (target === shown && pictures.length > 1) {
        dragged = picture;
        dataTransfer.effectAllowed = "move";
        picture.box.classList.add("dragged");
      }
    }

    function dragover() {
      dragged && dragged !== picture && place(dragged, pictures.indexOf(picture));
    }

    function dragend() {
      dragged = null;
      picture.box.classList.remove("dragged");
    }
  }

  function dropped(event) {
    if (dragged) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** By a button, which keeps the focus; at the end of the row the other one gets it. */
  function move(picture, by) {
    const button = by < 0 ? picture.earlier : picture.later;
    place(picture, pictures.indexOf(picture) + by);
    said.textContent = picture.box.getAttribute("aria-label");
    (button.disabled ? (by < 0 ? picture.later : picture.earlier) : button).focus();
  }

  function place(picture, to) {
    pictures.splice(pictures.indexOf(picture), 1);
    pictures.splice(to, 0, picture);
    grid.insertBefore(picture.box, pictures[to + 1]?.box ?? null);
    label();
    changed();
  }

  function label() {
    pictures.forEach(({ box, earlier, later }, i) => {
      box.setAttribute("aria-label", t("viewer.place", { i: i + 1, all: pictures.length }));
      earlier.hidden = later.hidden = pictures.length === 1;
      earlier.disabled = i === 0;
      later.disabled = i === pictures.length - 1;
    });
  }

  async function take(chosen) {
    const address = URL.createObjectURL(chosen);
    const clip = isClip(chosen.type);
    const words = altField("", clip);
    const note = h("figcaption", { class: "processing", role: "status" }, t("compose.processing"));
    const picture = { id: null, words, clip, focus: CENTRE, release: () => URL.revokeObjectURL(address) };
    show(
      picture,
      !clip
        ? h("img", { src: address, alt: "" })
        : h(chosen.type.slice(0, 5), { src: address, controls: true, preload: "metadata", "aria-label": chosen.name }),
    );
    const { box } = picture;
    box.classList.add("loading");
    const progress = h("progress", { max: 1, value: 0, "aria-label": t("compose.uploading") });
    box.insertBefore(progress, words);
    try {
      const body = new FormData();
      body.append("file", chosen);
      const uploaded = await upload("/api/v2/media", body, (part) => (progress.value = part));
      progress.remove();
      const ready = await processed(uploaded);
      if (ready) {
        picture.id = ready.id;
        note.remove();
        box.classList.remove("loading");
      }
    } catch (refused) {
      if (pictures.includes(picture)) {
        picture.remove();
        // The server's sentence is English, and says more.
        const unusable = refused.status === 413 || refused.status === 422;
        fail(unusable && language !== "en" ? new Error(t("compose.refused")) : refused);
      }
    }
    changed();

    /** A large picture is answered before it can be posted. Null when nobody waits for it any more. */
    async function processed(uploaded) {
      let [pause, longest, left] = PROCESSING;
      if (uploaded.url === null) {
        box.insertBefore(note, words);
      }
      while (uploaded.url === null) {
        if (left <= 0) {
          throw new Error(t("compose.processing.long"));
        }
        await new Promise((over) => setTimeout(over, pause));
        left -= pause;
        pause = Math.min(longest, pause * 1.5);
        if (!pictures.includes(picture)) {
          return null;
        }
        uploaded = await get(`/api/v1/media/${uploaded.id}`).catch((failure) => {
          // A server that is busy or away for a moment has the picture all the same.
          if (failure.status === 0 || failure.status === 429 || failure.status >= 500) {
            return uploaded;
          }
          throw failure;
        });
      }
      return uploaded;
    }
  }
}

const attributes = ({ id, words, clip, focus }) => ({
  id,
  description: words.value,
  focus: clip ? undefined : `${focus.x},${focus.y}`,
});
const differs = (one, other) => one.description !== other.description || one.focus !== other.focus;

/** Where a picture, or a video or sound, is described for those who do not see or hear it. */
function altField(value, clip) {
  const label = t(clip ? "compose.alt.clip" : "compose.alt");
  return h("textarea", {
    class: "alt",
    rows: 2,
    dir: "auto",
    maxlength: DESCRIPTION_MAX,
    placeholder: label,
    "aria-label": label,
    value,
  });
}
