/** The stream explorer: puts a stream together, shows what it sends, and says how to ask for the same from elsewhere. */
import { a, base, h, labelled, publicUrl, rich, toast } from "./dom.js";
import * as api from "./api.js";
import { locale, number, since, t } from "./i18n.js";
import { author, face } from "./people.js";
import { map } from "./map.js";
import { heading, view } from "./views.js";

const SHOWN_MAX = 100;
const SECOND = 1000; // ms
const WINDOW = 10; // seconds over which the rate is taken
const MAX_RATE = 50; // events a second that the page asks for
const millis = new Intl.NumberFormat(locale, { style: "unit", unit: "millisecond" });
const KINDS = ["status", "status.update", "delete", "follow", "unfollow", "gap", "limit", "warning"];

export function streams() {
  const made = view(t("nav.streams"), []);
  if (!api.session.account) {
    made.element.append(
      heading(t("nav.streams")),
      h(
        "div",
        { class: "notice" },
        h("p", {}, t("streams.login")),
        a("/login", { class: "button primary" }, t("nav.login")),
      ),
    );
    return made;
  }
  const kind = h(
    "select",
    { name: "kind", "aria-label": t("streams.kind"), on: { change: shape } },
    ["firehose", "sample", "filter", "home"].map((name) => h("option", { value: name }, t(`streams.${name}`))),
  );
  const input = (name, props = {}) => h("input", { name, dir: "auto", on: { input: describe }, ...props });
  const track = input("track", { placeholder: "hello world, fanfare" });
  const follow = input("follow", { placeholder: "ada, bob" });
  const exclude = input("exclude");
  const language = input("language", { placeholder: "en,zh" });
  const rate = input("rate", { type: "number", min: 0, max: 100, value: "10" });
  const combine = h(
    "select",
    { name: "combine", on: { change: describe } },
    h("option", { value: "or" }, t("streams.any")),
    h("option", { value: "and" }, t("streams.all")),
  );
  const places = map();
  places.element.addEventListener("input", describe);
  places.element.addEventListener("pointerup", describe);
  places.element.addEventListener("click", describe);
  const filterFields = h(
    "div",
    { class: "filter-fields" },
    labelled("streams.track", track, "streams.track.hint"),
    labelled("streams.follow", follow),
    h("fieldset", {}, h("legend", {}, t("streams.locations")), places.element),
    labelled("streams.combine", combine),
    labelled("streams.exclude", exclude),
    labelled("streams.language", language),
  );
  const sampleFields = h("div", { class: "filter-fields" }, labelled("streams.rate", rate));

  const openButton = h("button", { class: "button primary" }, t("streams.open"));
  const change = h(
    "button",
    { type: "button", class: "button", hidden: true, on: { click: changeFilter } },
    t("streams.change"),
  );
  const pause = h(
    "button",
    {
      type: "button",
      class: "button",
      disabled: true,
      on: { click: () => (source ? stop(t("streams.paused")) : resume()) },
    },
    t("streams.pause"),
  );
  const figures = h("p", { class: "stream-figures", role: "status" }, t("streams.closed"));
  const list = h("div", {
    class: "posts stream-list",
    role: "log",
    "aria-live": "off",
    "aria-label": t("streams.events"),
    tabindex: "0",
  });
  const curl = h("pre", { tabindex: "0" });
  const snippet = h("pre", { tabindex: "0" });
  const form = h(
    "form",
    { class: "card fields-form", on: { submit: (event) => (event.preventDefault(), start()) } },
    labelled("streams.kind", kind),
    sampleFields,
    filterFields,
    h("p", { class: "row" }, openButton, change, pause),
  );
  let source = null;
  let cursor = "";
  let conn = null;
  let counts = [];
  let total = 0;
  let lag = null;
  let opened = null;

  const timer = setInterval(tick, SECOND);
  made.element.append(
    heading(t("nav.streams")),
    h("p", { class: "lead small" }, t("streams.lead")),
    form,
    figures,
    list,
    h(
      "section",
      { class: "card" },
      h("h2", {}, t("streams.elsewhere")),
      h("h3", {}, "curl"),
      curl,
      h("h3", {}, "EventSource"),
      snippet,
    ),
  );
  made.dispose = () => {
    clearInterval(timer);
    source?.close();
  };
  shape();
  return made;

  function query() {
    const given = new URLSearchParams();
    const add = (name, value) => value && given.set(name, value);
    if (kind.value === "sample") {
      add("rate", rate.value);
    } else if (kind.value === "filter") {
      add("track", track.value.trim());
      add("follow", follow.value.replaceAll("@", "").replace(/\s+/g, ""));
      add("locations", places.value());
      add("combine", combine.value === "and" ? "and" : "");
      add("exclude", exclude.value.trim());
      add("language", language.value.trim());
      add("explain", "1");
    }
    return given;
  }

  function shape() {
    filterFields.hidden = kind.value !== "filter";
    sampleFields.hidden = kind.value !== "sample";
    describe();
  }

  function describe() {
    const asked = query().toString();
    const address = `${publicUrl}/api/v1/streaming/${kind.value}${asked ? `?${asked}` : ""}`;
    curl.textContent = `curl -sN -H "Authorization: Bearer $token" \\\n  "${address}"`;
    snippet.textContent = `// A page of another server asks for a ticket first: POST ${publicUrl}/api/v1/streaming/tickets\nconst source = new EventSource("${address}${asked ? "&" : "?"}ticket=" + ticket);\nsource.addEventListener("status", ({ data }) => console.log(JSON.parse(data)));`;
    change.hidden = !(source && conn && opened === "filter" && kind.value === "filter");
  }

  function start() {
    cursor = "";
    total = 0;
    counts = [];
    list.replaceChildren();
    opened = kind.value;
    connect();
  }

  function resume() {
    connect();
  }

  function connect() {
    source?.close();
    const asked = query();
    asked.set("max_rate", MAX_RATE);
    if (cursor) {
      asked.set("cursor", cursor);
    }
    const made = new EventSource(`${base}/api/v1/streaming/${opened}?${asked}`);
    source = made;
    figures.textContent = t("streams.opening");
    made.addEventListener("hello", (event) => {
      conn = JSON.parse(event.data).conn;
      describe();
    });
    for (const name of KINDS) {
      made.addEventListener(name, (event) => {
        cursor = event.lastEventId || cursor;
        take(name, JSON.parse(event.data));
      });
    }
    made.addEventListener("disconnect", (event) => toast(JSON.parse(event.data).message ?? t("streams.closed")));
    made.onerror = () => made.readyState === EventSource.CLOSED && made === source && stop(t("streams.refused"));
    pause.disabled = false;
    pause.textContent = t("streams.pause");
    describe();
  }

  function stop(sentence) {
    source?.close();
    source = null;
    conn = null;
    figures.textContent = sentence;
    pause.textContent = t("streams.resume");
    describe();
  }

  function take(name, data) {
    total++;
    counts.push(Date.now());
    if (name === "status") {
      lag = Date.now() - Date.parse(data.created_at);
    }
    list.prepend(row(name, data));
    while (list.childElementCount > SHOWN_MAX) {
      list.lastElementChild.remove();
    }
  }

  function tick() {
    if (!source) {
      return;
    }
    const from = Date.now() - WINDOW * SECOND;
    counts = counts.filter((time) => time > from);
    figures.textContent = t("streams.figures", {
      total: number(total),
      rate: number(counts.length / WINDOW),
      lag: lag === null ? "-" : millis.format(Math.max(0, lag)),
      cursor: cursor || "-",
    });
  }

  async function changeFilter() {
    const asked = query();
    asked.delete("explain");
    try {
      await api.put(`/api/v1/streaming/connections/${conn}/filter`, { ...Object.fromEntries(asked), explain: "1" });
      toast(t("streams.changed"));
    } catch (refused) {
      toast(refused.message, "alert");
    }
  }
}

function row(name, data) {
  if (name !== "status" && name !== "status.update") {
    return h(
      "article",
      { class: "event" },
      h("span", { class: "badge" }, name),
      " ",
      h("code", {}, JSON.stringify(data)),
    );
  }
  const shown = data.reblog ?? data;
  const terms = matched(data.matched);
  const words = h("div", { class: "text", dir: "auto" }, rich(shown.content, shown.emojis));
  mark(words, data.matched?.track ?? []);
  return h(
    "article",
    { class: "post" },
    face(shown.account),
    h(
      "div",
      { class: "post-body" },
      h("p", { class: "post-head" }, author(shown.account), h("span", { class: "when" }, since(shown.created_at))),
      words,
      terms.length > 0
        ? h(
            "p",
            { class: "chips" },
            t("streams.matched"),
            " ",
            terms.map((term) => h("span", { class: "chip" }, term)),
          )
        : null,
    ),
  );
}

function matched(found) {
  return found
    ? [
        ...(found.track ?? []).map((word) => `“${word}”`),
        ...(found.follow ?? []).map((id) => `${t("streams.follow")} ${id}`),
        ...(found.locations ?? []).map((box) => box.join(", ")),
      ]
    : [];
}

/** Marks the words that the filter has found. */
function mark(element, phrases) {
  const words = new Set(phrases.flatMap((phrase) => phrase.toLowerCase().split(/\s+/)));
  if (words.size === 0) {
    return;
  }
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    texts.push(walker.currentNode);
  }
  for (const node of texts) {
    const parts = node.data.split(/([\p{L}\p{M}\p{N}_]+)/u);
    if (parts.some((part) => words.has(part.toLowerCase()))) {
      node.replaceWith(...parts.map((part) => (words.has(part.toLowerCase()) ? h("mark", {}, part) : part)));
    }
  }
}
