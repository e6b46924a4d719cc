/** Polls: asking in one, voting, and how it stands. */
import { h, pictured, toast } from "./dom.js";
import { icon } from "./icons.js";
import { get, post, session } from "./api.js";
import { duration, moment, percent, t } from "./i18n.js";
import { length } from "./text.js";

const HOUR = 3600;
const LENGTHS = [300, HOUR, 6 * HOUR, 24 * HOUR, 3 * 24 * HOUR, 7 * 24 * HOUR]; // s
const USUAL = 24 * HOUR;

let limits = { max_options: 4, max_characters_per_option: 50, min_expiration: 0, max_expiration: Infinity };

export function configure(instance) {
  limits = instance.configuration.polls;
}

/** The poll of a status, null without one; `changed` gets the poll as the server has it after a vote. */
export function poll(status, changed) {
  const asked = status.poll;
  if (!asked) {
    return null;
  }
  const over = asked.expired || Date.parse(asked.expires_at) <= Date.now();
  const open = session.account && !over && !asked.voted && status.account.id !== session.account.id;
  return open ? ballot(asked, changed) : results(asked, over);
}

function ballot(asked, changed) {
  const name = `poll-${crypto.randomUUID()}`; // the same poll may be on the page twice
  const choices = asked.options.map(({ title }, i) =>
    h(
      "label",
      { class: "check" },
      h("input", { type: asked.multiple ? "checkbox" : "radio", name, value: String(i) }),
      h("span", { dir: "auto" }, pictured(title, asked.emojis)),
    ),
  );
  const button = h("button", { class: "button small" }, t("article.vote"));
  let sending = false;
  const form = h(
    "form",
    { class: "poll", on: { submit: send } },
    h(
      "fieldset",
      {},
      h("legend", { class: "visually-hidden" }, t(asked.multiple ? "poll.several" : "poll.one")),
      choices,
    ),
    h("p", { class: "row" }, button, figures(asked, false)),
  );
  return form;

  async function send(event) {
    event.preventDefault();
    const chosen = choices.map((choice, i) => (choice.firstChild.checked ? i : -1)).filter((i) => i >= 0);
    if (chosen.length === 0) {
      toast(t("poll.choose"));
      return;
    }
    if (sending) {
      return;
    }
    sending = true;
    try {
      changed(await post(`/api/v1/polls/${asked.id}/votes`, { choices: chosen }));
    } catch (refused) {
      sending = false;
      toast(t("article.failed", { why: refused.message }), "alert");
      // It may have ended, or been voted on elsewhere.
      if (refused.status === 422) {
        get(`/api/v1/polls/${asked.id}`).then(changed, () => {});
      }
    }
  }
}

function results(asked, over) {
  const all = asked.multiple ? asked.voters_count : asked.votes_count;
  const row = ({ title, votes_count: votes }, i) => {
    const known = votes !== null && votes !== undefined;
    const share = known && all > 0 ? votes / all : 0;
    const own = asked.own_votes?.includes(i);
    return h(
      "li",
      {},
      h(
        "span",
        { class: "choice" },
        h("span", { dir: "auto" }, pictured(title, asked.emojis)),
        own
          ? h("span", { class: "mine" }, icon("check"), h("span", { class: "visually-hidden" }, t("poll.mine")))
          : null,
        known ? h("span", { class: "share" }, percent(share)) : null,
      ),
      known ? h("progress", { max: 100, value: Math.round(100 * share), "aria-hidden": "true" }) : null,
    );
  };
  return h(
    "div",
    { class: "poll" },
    h("ul", { "aria-label": t("poll.label") }, asked.options.map(row)),
    figures(asked, over),
  );
}

const remaining = (seconds) => (seconds < 60 ? t("poll.soon") : t("poll.left", { time: duration(seconds) }));

function figures(asked, over) {
  const hidden = !over && asked.options.some(({ votes_count: votes }) => votes === null);
  return h(
    "span",
    { class: "hint", title: over ? null : t("poll.ends", { when: moment(asked.expires_at) }) },
    [
      t("poll.people", { n: asked.voters_count ?? asked.votes_count }),
      over ? t("poll.ended") : remaining((Date.parse(asked.expires_at) - Date.now()) / 1000),
      hidden ? t("poll.hidden") : null,
    ]
      .filter(Boolean)
      .join(" · "),
  );
}

/** The part of a form that asks in a poll, closed at first; `asked()` is what it asks, null when it is closed. */
export function asker(changed) {
  const choices = h("div", { class: "poll-choices" });
  const add = h(
    "button",
    { type: "button", class: "button small", on: { click: () => (another(), choices.lastChild.focus()) } },
    t("poll.add"),
  );
  const ends = h(
    "select",
    { "aria-label": t("poll.length") },
    LENGTHS.filter((seconds) => seconds >= limits.min_expiration && seconds <= limits.max_expiration).map((seconds) =>
      h("option", { value: String(seconds), selected: seconds === USUAL }, duration(seconds)),
    ),
  );
  const several = h("input", { type: "checkbox" });
  const box = h(
    "fieldset",
    { class: "asker", hidden: true },
    h("legend", { class: "visually-hidden" }, t("poll.label")),
    choices,
    h("div", { class: "row" }, add, ends, h("label", { class: "check" }, several, h("span", {}, t("poll.multiple")))),
  );
  const said = () => [...choices.children].map((field) => field.value.trim()).filter(Boolean);

  box.close = () => {
    box.hidden = true;
    several.checked = false;
    choices.replaceChildren();
    add.hidden = false;
    another();
    another();
  };
  box.open = () => {
    box.hidden = false;
    choices.firstChild.focus();
  };
  box.isEmpty = () => box.hidden || said().length === 0;
  box.isReady = () => said().length >= 2 && said().every((one) => length(one) <= limits.max_characters_per_option);
  box.asked = () =>
    box.hidden ? undefined : { options: said(), expires_in: Number(ends.value), multiple: several.checked };
  box.close();
  return box;

  function another() {
    const n = choices.children.length + 1;
    const words = t("poll.choice", { n });
    const check = ({ target }) => {
      target.setAttribute("aria-invalid", String(length(target.value.trim()) > limits.max_characters_per_option));
      changed();
    };
    choices.append(h("input", { dir: "auto", placeholder: words, "aria-label": words, on: { input: check } }));
    add.hidden = n >= limits.max_options;
  }
}
