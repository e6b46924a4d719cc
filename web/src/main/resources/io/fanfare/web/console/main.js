/** The frame of the console, who is logged in, and which page stands in it. */
import { h, toast } from "./dom.js";
import { choose, language, languages, load, t } from "./i18n.js";
import * as api from "./api.js";
import { stateLine } from "./state.js";

await load();

/**
 * The pages in the order of the bar. The module of a page has its name, exports a function of that name, and is loaded
 * when the page is first opened.
 */
const PAGES = [
  "overview",
  "queue",
  "jobs",
  "dead",
  "streams",
  "redis",
  "accounts",
  "reports",
  "held",
  "appeals",
  "blocks",
  "selections",
  "invitations",
  "moderation",
  "site",
  "settings",
];
/**
 * Pages that are shown where the operation may be called: a build can leave out a feature, and a viewer reads nothing
 * private.
 */
const NEEDED = {
  reports: "reports",
  held: "held",
  appeals: "appeals",
  blocks: "blocks",
  selections: "selections",
  invitations: "invitations",
  moderation: "audit",
};

const app = document.getElementById("app");
const main = h("main", { id: "main", tabindex: "-1" });
let shown = null;
let about = null;
let state = null;

const pages = () => PAGES.filter((name) => !(name in NEEDED) || about.operations.includes(NEEDED[name]));
let turns = 0; // the page that was chosen last is shown, in whatever order modules arrive

async function show() {
  const mine = ++turns;
  const chosen = location.hash.slice(2).split("?")[0];
  const name = pages().includes(chosen) ? chosen : "overview";
  let module;
  try {
    module = await import(`./${name}.js`);
  } catch {
    toast(t("error.unreachable"), "alert");
    return;
  }
  if (mine !== turns) {
    return;
  }
  shown?.stop();
  shown = module[name](about);
  main.replaceChildren(shown.element);
  document.title = `${shown.title} - ${t("console.title")}`;
  for (const link of document.querySelectorAll("nav a")) {
    link.hash === `#/${name}` ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  shown.element.querySelector("h1")?.focus({ preventScroll: true });
  shown.start();
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  document.getElementById("theme").textContent = themeName();
  try {
    localStorage.setItem("fanfare.theme", root.dataset.theme);
  } catch {
    // It holds for this page only.
  }
}

/** The button shows the name of the theme that it selects. */
function themeName() {
  const { theme: chosen } = document.documentElement.dataset;
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  return t(dark ? "console.light" : "console.dark");
}

function controls() {
  const other = Object.keys(languages).find((name) => name !== language);
  return [
    h("button", { type: "button", class: "plain", id: "theme", on: { click: theme } }, themeName()),
    h(
      "button",
      {
        type: "button",
        class: "plain",
        id: "language",
        lang: other === "zh" ? "zh-Hans" : other,
        on: { click: () => choose(other) },
      },
      languages[other],
    ),
  ];
}

function frame() {
  document.documentElement.dataset.role = about.role;
  const links = Object.fromEntries(pages().map((name) => [name, h("a", { href: `#/${name}` }, t(`${name}.title`))]));
  state = stateLine(links);
  const leave = async () => {
    await api.post("logout").catch(() => {});
    out();
  };
  app.replaceChildren(
    h(
      "a",
      { class: "skip", href: "#main", on: { click: (event) => (event.preventDefault(), main.focus()) } },
      t("console.skip"),
    ),
    h(
      "header",
      {},
      h(
        "div",
        { class: "row brand" },
        h("img", { src: new URL("icon.svg", import.meta.url).href, alt: "", width: 26, height: 26 }),
        h("span", {}, t("console.title")),
        h("span", { class: "muted" }, about.version),
      ),
      h("nav", { "aria-label": t("console.pages") }, Object.values(links)),
      h(
        "div",
        { class: "row controls" },
        h("span", { class: "role" }, t(`role.${about.role}`)),
        controls(),
        h("button", { type: "button", class: "plain", id: "leave", on: { click: leave } }, t("login.leave")),
      ),
    ),
    state.element,
    main,
  );
  addEventListener("hashchange", show);
  state.start();
  show();
}

/** To the form, with a sentence when that was not wished for. */
function out(sentence) {
  turns++;
  shown?.stop();
  shown = null;
  state?.stop();
  removeEventListener("hashchange", show);
  delete document.documentElement.dataset.role;
  const token = h("input", {
    id: "token",
    type: "password",
    autocomplete: "current-password",
    required: true,
    autofocus: true,
  });
  const wrong = h("p", { class: "trouble", role: "alert", id: "wrong", hidden: !sentence }, sentence ?? "");
  const enter = async (event) => {
    event.preventDefault();
    try {
      about = await api.post("login", { token: token.value });
      frame();
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
      token.select();
    }
  };
  document.title = t("console.title");
  app.replaceChildren(
    h(
      "main",
      { class: "door" },
      h(
        "form",
        { class: "card", on: { submit: enter } },
        h("h1", {}, t("console.title")),
        h("label", { for: "token" }, t("login.token")),
        token,
        wrong,
        h("button", { class: "button primary" }, t("login.enter")),
        h("p", { class: "hint" }, t("login.hint")),
      ),
      h("p", { class: "row controls" }, controls()),
    ),
  );
  token.focus();
}

document.body.append(h("div", { id: "toasts", role: "status", "aria-live": "polite" }));
api.whenLost(() => document.documentElement.dataset.role && out(t("login.over")));
try {
  about = await api.get("session");
  about.role ? frame() : out();
} catch (error) {
  out();
  toast(error.message, "alert");
}
document.documentElement.classList.add("ready");
