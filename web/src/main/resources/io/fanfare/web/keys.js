/** The keyboard alone is enough. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { sheet } from "./sheets.js";

const KEYS = [
  ["j / k", "keys.next"],
  ["Enter", "keys.open"],
  ["n", "keys.new"],
  ["r", "keys.reply"],
  ["l", "keys.like"],
  ["b", "keys.boost"],
  ["s", "keys.bookmark"],
  ["z", "keys.undo"],
  ["/", "keys.search"],
  ["g h", "keys.home"],
  ["g n", "keys.notifications"],
  ["g m", "keys.messages"],
  ["g a", "keys.articles"],
  ["?", "keys.help"],
];

/** @param go shows a path; write opens a sheet to write in */
export function keyboard({ go, write }) {
  let prefix = "";
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
      return;
    }
    const key = prefix + event.key;
    prefix = event.key === "g" && prefix === "" ? "g" : "";
    const action = ACTIONS[key];
    if (action && action(event) !== false) {
      event.preventDefault();
    }
  });

  const ACTIONS = {
    j: () => step(1),
    k: () => step(-1),
    n: () => write(),
    r: () => press(".action.reply"),
    l: () => press(".action.like"),
    b: () => press(".action.boost"),
    s: () => press(".action.bookmark"),
    z: () => [...document.querySelectorAll(".toast-action")].at(-1)?.click(),
    Enter: (event) => event.target.matches("article.post, article.notification") && open(event.target),
    "/": () => go("/search"),
    gh: () => go("/"),
    gn: () => go("/notifications"),
    gm: () => go("/messages"),
    ga: () => go("/articles"),
    "?": help,
  };

  function step(by) {
    const all = [...document.querySelectorAll("main article[tabindex]:not([hidden])")].filter(
      (one) => !one.parentElement.closest("article"),
    );
    const at = all.indexOf(document.activeElement?.closest?.("main article[tabindex]"));
    const next = at < 0 ? all.find((one) => one.getBoundingClientRect().bottom > 80) : all[at + by];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }

  function press(selector) {
    document.activeElement?.closest?.("article.post")?.querySelector(selector)?.click();
  }

  function open(article) {
    const link =
      article.querySelector("a.when[href]") ?? article.querySelector("a.excerpt") ?? article.querySelector("a");
    link?.click();
  }
}

export function help() {
  const rows = KEYS.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(what))]);
  sheet(t("keys.title"), [h("h2", {}, t("keys.title")), h("dl", { class: "keys" }, rows)], { small: true });
}
