/** Writing: posts, replies, quotes and edits. */
import { completed } from "./completion.js";
import { a, h, lazily, openDialog, plain, refocus, toast, tried } from "./dom.js";
import { draft } from "./drafts.js";
import { accepted, configure as configureFiles, gallery } from "./gallery.js";
import { icon, iconButton } from "./icons.js";
import { get, post, put, session } from "./api.js";
import { language, languageName, localTime, moment, t } from "./i18n.js";
import { author, avatar } from "./people.js";
import { asker } from "./poll.js";
import { confirmed, sheetHead } from "./sheets.js";
import { length } from "./text.js";

/** The title of a sheet, and the words of the button that sends it, by its kind. */
const TITLES = {
  edit: "compose.edit",
  reply: "compose.reply",
  quote: "compose.quote",
  message: "messages.new",
  new: "compose.new",
};
const VERBS = { edit: "compose.save", reply: "compose.answer", message: "messages.send" };
const HINTS = { reply: "compose.reply.hint", message: "messages.hint" };

const kindOf = (options) => ["edit", "reply", "quote", "message"].find((kind) => options[kind]) ?? "new";
const pressed = (button) => button.getAttribute("aria-pressed") === "true";
const press = (button, on) => button?.setAttribute("aria-pressed", String(on));

const AHEAD = 3_600_000; // ms, that a form offers for a post to wait
const SOON = 300_000; // ms, the shortest that the server takes
/** Scripts that one of the languages has nearly to itself. */
const SCRIPTS = [
  [/[\u3040-\u30ff]/, "ja"],
  [/[\uac00-\ud7af]/, "ko"],
  [/\p{Script=Han}/u, "zh"],
  [/[پچژگ]/, "fa"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Hebrew}/u, "he"],
  [/[іїєґ]/i, "uk"],
  [/\p{Script=Cyrillic}/u, "ru"],
  [/\p{Script=Devanagari}/u, "hi"],
  [/\p{Script=Thai}/u, "th"],
];
const LANGUAGES = [
  "en",
  "zh",
  "ar",
  "de",
  "es",
  "fa",
  "fr",
  "he",
  "hi",
  "id",
  "it",
  "ja",
  "ko",
  "nl",
  "pl",
  "pt",
  "ru",
  "sv",
  "th",
  "tr",
  "uk",
  "vi",
];

let limits = { max_characters: 500 };
const preferences = { read: null }; // no variable: a part that is loaded later forgets them
const posted = new Map(); // by listener whether it is for what waits for its time

export function configure(instance) {
  limits = instance.configuration.statuses;
  configureFiles(instance);
}

/** Calls the listener with every status that is posted here, or with every one that is to be posted later. Returns what ends it. */
export function whenPosted(listener, { later = false } = {}) {
  posted.set(listener, later);
  return () => posted.delete(listener);
}

async function defaults() {
  preferences.read ??= get("/api/v1/preferences").catch(() => ({}));
  return preferences.read;
}

export function forgetPreferences() {
  preferences.read = null;
}

/** Fails when a time, as a field has it, is too soon for a post to wait for. */
export function checkTime(value) {
  if (new Date(value) - Date.now() < SOON) {
    throw new Error(t("compose.soon"));
  }
}

/** A sheet to write in. */
export function compose(options = {}) {
  if (!session.account) {
    toast(t("session.needed"));
    return;
  }
  const heading = TITLES[kindOf(options)];
  const dialog = h("dialog", { class: "sheet compose-sheet", "aria-label": t(heading) });
  const form = composer({ ...options, done: () => dialog.close(), autofocus: true });
  dialog.append(sheetHead(t(heading), () => leave()));
  const about = options.reply ?? options.quote;
  if (about) {
    dialog.append(
      h(
        "blockquote",
        { class: "quote" },
        h("p", { class: "post-head" }, avatar(about.account, "tiny"), author(about.account)),
        h("p", { class: "clamp", dir: "auto" }, about.spoiler_text || plain(about.content)),
      ),
    );
  }
  dialog.append(form);
  // A draft is not lost by a key.
  const leave = async () => {
    if (form.isEmpty() || (await confirmed(t("compose.discard"), t("compose.discard.verb")))) {
      form.discard();
      dialog.close();
    }
  };
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    // The card that it was opened from may have been drawn again meanwhile.
    const id = (options.edit ?? about)?.id;
    id && refocus(document.querySelector(`main article.post[data-subject="${CSS.escape(id)}"]`));
  });
  openDialog(dialog);
  form.focusText();
}

addEventListener("beforeunload", (event) => {
  if ([...document.querySelectorAll("form.composer")].some((form) => form.hasFiles())) {
    event.preventDefault();
  }
});

/**
 * The form itself, in a sheet or at the top of the home.
 *
 * @param options `reply`, `quote` and `edit` are statuses; `again` is the deleted status that the form restores; `message` is a direct message, with a field for its recipients; `place` names the draft of a form that is about no status
 */
export function composer({
  reply,
  quote,
  edit,
  again,
  message = false,
  place = "new",
  text = "",
  done = () => {},
  autofocus,
} = {}) {
  let key = crypto.randomUUID();
  const id = crypto.randomUUID().slice(0, 8);
  let said = Boolean(edit ?? again?.language); // which language it is
  let decided = Boolean(again) || (Boolean(reply) && reply.visibility !== "public"); // who may see it; until then the server says
  let usual = language;
  const start = edit ? edit.source.text : reply ? mentions(reply) : text;
  const kind = kindOf({ edit, reply, quote, message });
  const about = edit ?? reply ?? quote;
  const drafted = draft(
    again ? "again" : about ? `${kind}-${about.id}` : message ? kind : text ? `text-${text.trim()}` : place,
  );
  const kept = edit || again ? null : (drafted.read() ?? unsent()); // what is edited may have changed since

  /** The draft of a deleted status that a closed or reloaded tab left unsent. */
  function unsent() {
    const rewritten = draft("again");
    const fields = place === "new" && kind === "new" && !text ? rewritten.read() : null;
    fields && (drafted.keep(fields), rewritten.drop());
    return fields;
  }

  const area = h("textarea", {
    id: `text-${id}`,
    class: "compose-text",
    rows: 1,
    dir: "auto",
    placeholder: t(HINTS[kind] ?? "compose.hint"),
    "aria-label": t("compose.text"),
    "aria-describedby": `count-${id}`,
    value: kept?.text ?? again?.text ?? start,
    on: { input: changed, keydown: keys, paste },
  });
  const to = message
    ? h("input", {
        class: "compose-to",
        placeholder: t("messages.to.hint"),
        "aria-label": t("messages.to"),
        autocomplete: "off",
        autocapitalize: "none",
        spellcheck: "false",
        value: kept?.to ?? "",
        on: { input: changed },
      })
    : null;
  const recipients = () => [
    ...new Set(
      to.value
        .split(/[\s,]+/)
        .map((name) => name.replace(/^@/, ""))
        .filter(Boolean),
    ),
  ];
  /** The text as it is sent. A message begins with those recipients that its text does not name. */
  const fullText = () =>
    message
      ? [
          ...recipients()
            .map((name) => `@${name}`)
            .filter((name) => !area.value.split(/[^\w@]+/).includes(name)),
          area.value,
        ].join(" ")
      : area.value;
  const warningText = kept?.warning ?? (edit ?? again)?.spoiler_text ?? reply?.spoiler_text ?? "";
  const warning = h("input", {
    class: "compose-warning",
    dir: "auto",
    placeholder: t("compose.warning"),
    "aria-label": t("compose.warning"),
    value: warningText,
    hidden: !warningText,
    on: { input: changed },
  });
  const warn = iconButton("compose.warn", "CW", toggleWarning, { name: "cw", pressed: !warning.hidden });
  const file = h("input", {
    type: "file",
    accept: accepted(),
    multiple: true,
    class: "visually-hidden",
    tabindex: "-1",
    "aria-hidden": "true",
    on: { change: () => (take(file.files), (file.value = "")) },
  });
  const pick = edit?.poll ? null : iconButton("compose.picture", icon("image"), () => file.click());
  const hide =
    pick &&
    iconButton("compose.sensitive", icon("eye"), () => press(hide, !pressed(hide)), {
      name: "sensitive-button",
      pressed: Boolean((edit ?? again)?.sensitive),
    });
  // A message is for now, and for those whom it names.
  const poll = edit || message ? null : asker(changed);
  const ask = poll && iconButton("compose.poll", icon("poll"), togglePoll, { name: "poll-button", pressed: false });
  const time =
    poll &&
    h("input", { type: "datetime-local", class: "compose-time", "aria-label": t("compose.time"), hidden: true });
  const wait = poll && iconButton("compose.later", icon("clock"), toggleTime, { name: "wait-button", pressed: false });
  const visibility =
    poll &&
    h(
      "select",
      { "aria-label": t("compose.visibility"), on: { change: () => (decided = true) } },
      ["public", "unlisted", "private", "direct"].map((name) => h("option", { value: name }, t(`visibility.${name}`))),
    );
  const spoken = h(
    "select",
    { "aria-label": t("compose.language"), class: "languages", on: { change: () => (said = true) } },
    LANGUAGES.map((code) => h("option", { value: code }, languageName(code))),
  );
  const emojis = h("div", { class: "emoji-place", hidden: true });
  const smile = iconButton("compose.emoji", icon("smile"), toggleEmojis, { name: "emoji-button", pressed: false });
  const counter = h("output", { id: `count-${id}`, class: "counter" });
  const submit = h("button", { class: "button primary" }, t(VERBS[kind] ?? "compose.send"));
  const pictures = gallery((edit ?? again)?.media_attachments ?? [], { kept: Boolean(edit), changed, fail });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });

  const form = h(
    "form",
    {
      class: "composer",
      novalidate: true,
      on: { submit: send, dragover: (event) => event.preventDefault(), drop: dropped },
    },
    message
      ? h(
          "div",
          { class: "compose-recipients" },
          h("label", {}, h("span", {}, t("messages.to")), to),
          completed(to, { names: true }),
        )
      : null,
    warning,
    area,
    completed(area),
    emojis,
    poll,
    pictures,
    time,
    problem,
    h(
      "div",
      { class: "compose-bar" },
      pick,
      file,
      ask,
      smile,
      warn,
      hide,
      wait,
      visibility,
      spoken,
      h("span", { class: "compose-end" }, counter, submit),
    ),
  );
  form.isEmpty = () => area.value.trim() === start.trim() && !pictures.isChanged() && (!poll || poll.isEmpty());
  form.hasFiles = () => pictures.isChanged();
  form.discard = () => drafted.drop();
  form.focusText = () => {
    (to?.value === "" ? to : area).focus();
    area.setSelectionRange(area.value.length, area.value.length);
  };
  const before = (edit ?? again)?.language ?? language;
  spoken.value = before;
  if (spoken.value === "") {
    spoken.append(h("option", { value: before }, languageName(before)));
    spoken.value = before;
  }
  if (visibility) {
    visibility.value = decided ? (again ?? reply).visibility : "public";
    defaults().then((known) => {
      if (!decided) {
        visibility.value = known["posting:default:visibility"] ?? "public";
        decided = true;
      }
      usual = LANGUAGES.includes(known["posting:default:language"]) ? known["posting:default:language"] : usual;
      changed();
    });
  }
  if (autofocus) {
    form.classList.add("open");
  }
  changed();
  return form;

  function changed() {
    const left = limits.max_characters - length(warning.hidden ? "" : warning.value) - length(fullText());
    counter.textContent = left;
    counter.classList.toggle("over", left < 0);
    counter.setAttribute("aria-label", t("compose.left", { n: left }));
    const nothing = !area.value.trim() && pictures.count() === 0 && !(quote && !edit);
    const asking = poll !== null && !poll.hidden;
    submit.disabled = left < 0 || nothing || !pictures.isReady() || (asking && !(poll.isReady() && area.value.trim()));
    if (poll) {
      ask.disabled = pictures.count() > 0;
    }
    if (pick) {
      pick.disabled = asking || pictures.hasClip();
      hide.hidden = pictures.count() === 0;
    }
    if (!said) {
      spoken.value = SCRIPTS.find(([script]) => script.test(area.value))?.[1] ?? usual;
    }
    if (!edit) {
      const fields = { text: area.value, warning: warning.hidden ? "" : warning.value, to: to?.value };
      area.value.trim() === start.trim() && !fields.to ? drafted.drop() : drafted.keep(fields);
    }
    form.classList.toggle("used", !form.isEmpty());
    if (area.isConnected) {
      area.style.height = "auto";
      area.style.height = `${Math.min(area.scrollHeight + 2, innerHeight / 2)}px`;
    }
  }

  async function toggleEmojis() {
    emojis.hidden = !emojis.hidden;
    press(smile, !emojis.hidden);
    if (!emojis.hidden && !emojis.hasChildNodes()) {
      await tried(async () => emojis.append(await (await lazily(import("./emoji.js"))).panel(write)));
    }
  }

  /** Writes at the cursor, which stays behind it. An emoji of the server touches no letter. */
  function write(text) {
    const { selectionStart: from, selectionEnd: to, value } = area;
    const apart = text.startsWith(":") && /[\p{L}\p{N}:]$/u.test(value.slice(0, from)) ? ` ${text}` : text;
    area.setRangeText(text.startsWith(":") ? `${apart} ` : apart, from, to, "end");
    changed();
  }

  function toggleWarning() {
    warning.hidden = !warning.hidden;
    press(warn, !warning.hidden);
    (warning.hidden ? area : warning).focus();
    changed();
  }

  function toggleTime() {
    time.hidden = !time.hidden;
    time.value = time.hidden ? "" : localTime(Date.now() + AHEAD);
    press(wait, !time.hidden);
    if (!time.hidden) {
      time.focus();
    }
  }

  /** A post has either pictures or a poll. */
  function togglePoll() {
    if (poll.hidden) {
      poll.open();
    } else {
      poll.close();
      area.focus();
    }
    press(ask, !poll.hidden);
    changed();
  }

  function keys(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !submit.disabled) {
      event.preventDefault();
      form.requestSubmit();
    }
  }

  function paste(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length > 0) {
      event.preventDefault();
      take(files);
    }
  }

  function dropped(event) {
    event.preventDefault();
    take(event.dataTransfer.files);
  }

  function take(files) {
    if (pick && (!poll || poll.hidden)) {
      problem.hidden = true;
      pictures.add([...files]);
    }
  }

  function fail(refused) {
    problem.textContent = refused.message;
    problem.hidden = false;
  }

  async function send(event) {
    event.preventDefault();
    if (submit.disabled) {
      return;
    }
    const focused = form.contains(document.activeElement);
    submit.disabled = true;
    problem.hidden = true;
    const words = { status: fullText(), spoiler_text: warning.hidden ? "" : warning.value, language: spoken.value };
    try {
      await checkRecipients();
      time?.value && checkTime(time.value);
      // The same key for the same words: what was sent twice, because the answer was lost, is posted once.
      const status = edit
        ? await put(`/api/v1/statuses/${edit.id}`, {
            ...words,
            sensitive: hide ? pressed(hide) : edit.sensitive,
            media_ids: pick ? pictures.ids() : undefined,
            media_attributes: pictures.changes(),
          })
        : await post(
            "/api/v1/statuses",
            {
              ...words,
              visibility: message ? "direct" : decided ? visibility.value : undefined,
              sensitive: pictures.count() > 0 && pressed(hide) ? true : undefined,
              in_reply_to_id: reply?.id ?? again?.in_reply_to_id,
              quoted_status_id: quote?.id ?? again?.quote?.quoted_status?.id,
              poll: poll?.asked(),
              scheduled_at: time?.value ? new Date(time.value).toISOString() : undefined,
              media_ids: pictures.ids(),
              media_attributes: pictures.changes(),
            },
            key,
          ).catch(waits);
      key = crypto.randomUUID();
      area.value = start;
      to && (to.value = "");
      warning.value = "";
      warning.hidden = true;
      press(warn, false);
      pictures.clear();
      press(hide, false);
      poll?.close();
      press(ask, false);
      changed();
      if (time?.value) {
        toggleTime();
      }
      toast(
        status.held
          ? t("compose.held")
          : status.scheduled_at
            ? t("compose.scheduled", { when: moment(status.scheduled_at) })
            : status.limited_by
              ? t("compose.limited", { reason: t(`signal.${status.limited_by.signal}`) })
              : t(edit ? "compose.saved" : "compose.sent"),
        "status",
        status.held || status.scheduled_at
          ? a("/scheduled", {}, t("nav.scheduled"))
          : a(`/@${status.account.username}/${status.id}`, {}, t("compose.show")),
      );
      done();
      focused && refocus(area);
      posted.forEach(
        (later, listener) =>
          !status.held && later === Boolean(status.scheduled_at) && listener(status, { reply, quote, edit }),
      );
    } catch (refused) {
      if (refused.status !== 0 && refused.status < 500) {
        key = crypto.randomUUID();
      }
      fail(refused);
      changed();
      focused && refocus(submit);
    }
  }

  /** A post that waits for a moderator is kept, so that it is done with here. */
  function waits(refused) {
    if (refused.details?.status?.[0].error !== "ERR_HELD") {
      throw refused;
    }
    return { held: true };
  }

  /** Fails when a message has no recipient, or one that does not exist. */
  async function checkRecipients() {
    if (!message) {
      return;
    }
    if (recipients().length === 0 && !/(^|\W)@\w/.test(area.value)) {
      throw new Error(t("messages.nobody"));
    }
    for (const name of recipients()) {
      await get("/api/v1/accounts/lookup", { acct: name }).catch((refused) => {
        throw refused.status === 404 ? new Error(t("messages.unknown", { name })) : refused;
      });
    }
  }
}

/** Those whom an answer names: the author, and whom the author named. */
function mentions(status) {
  const names = new Set([status.account.acct, ...status.mentions.map(({ acct }) => acct)]);
  names.delete(session.account.acct);
  return names.size === 0 ? "" : [...names].map((name) => `@${name}`).join(" ") + " ";
}
