/** Many accounts at once, for accounts with a role: select them, act on all of them, undo that. */
import { h, labelled, once, toast, tried } from "./dom.js";
import * as api from "./api.js";
import { moment, t } from "./i18n.js";
import { badge, button, inWords, named, states, tabs } from "./moderation.js";
import { heading, problem, view } from "./views.js";

const SELECTIONS = "/api/v1/admin/selections";
const TYPES = ["silence", "sensitive", "suspend"];
const RUNNING = ["acting", "undoing"];
const POLL = 1000; // ms
const TEXT = { minlength: 3, maxlength: 200, dir: "auto" };

/** @param id of a selection to begin with, or null */
export function selection(id) {
  let timer = 0;
  let gone = false;
  const input = (name, props = {}) => h("input", { name, ...props });
  const text = input("text", TEXT);
  const like = input("like", { maxlength: 30, autocapitalize: "none", spellcheck: "false" });
  const wide = input("wide", { type: "checkbox" });
  const from = input("from", { maxlength: 50, autocapitalize: "none", spellcheck: "false" });
  const since = input("since", { type: "datetime-local" });
  const until = input("until", { type: "datetime-local" });
  const names = h("textarea", { name: "names", rows: 2, dir: "auto" });
  const find = h("button", { class: "button primary" }, t("selection.find"));
  const form = h(
    "form",
    { class: "fields-form report", on: { submit: search } },
    h("p", { class: "hint" }, t("selection.hint")),
    labelled("selection.text", text, "selection.text.hint"),
    labelled("selection.like", like, "selection.like.hint"),
    h("label", { class: "check" }, wide, h("span", {}, t("selection.wide"))),
    labelled("selection.from", from),
    labelled("selection.since", since),
    labelled("selection.until", until),
    labelled("selection.names", names),
    h("p", { class: "row end" }, find),
  );
  const box = h("div");
  const former = h("ul", { class: "plain-list acts" });
  id ? show(() => api.get(`${SELECTIONS}/${encodeURIComponent(id)}`)) : null;
  list();
  return view(
    t("nav.moderation"),
    [heading(t("nav.moderation")), tabs("accounts"), form, box, former],
    () => ((gone = true), clearTimeout(timer)),
  );

  async function search(event) {
    event.preventDefault();
    await once(find, () => tried(async () => draw(await api.post(SELECTIONS, await criteria()))));
  }

  async function criteria() {
    const name = like.value.trim().replace(/^@/, "");
    const time = (field) => field.value && new Date(field.value).toISOString();
    const all = {
      text: text.value,
      signed_up_like: name && (await api.get("/api/v1/accounts/lookup", { acct: name })).id,
      wide: wide.checked,
      signed_up_from: from.value.trim(),
      signed_up_since: time(since),
      signed_up_until: time(until),
      usernames: names.value.split(/[\s,]+/).filter(Boolean),
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value.length ?? value));
  }

  async function show(load) {
    try {
      draw(await load());
    } catch (refused) {
      box.replaceChildren(problem(refused, () => show(load)));
    }
  }

  function draw(one) {
    clearTimeout(timer);
    if (gone) {
      return;
    }
    const path = `${SELECTIONS}/${one.id}`;
    const again = () => show(() => api.get(path));
    box.replaceChildren(
      h(
        "section",
        { class: "report", "data-id": one.id, "aria-label": t("selection.count", { n: one.count }) },
        h("p", {}, h("b", {}, t("selection.count", { n: one.count }))),
        h("p", { class: "hint plain-text", dir: "auto" }, one.criteria),
        one.more ? h("p", { class: "problem" }, t("selection.more")) : null,
        one.complete ? null : h("p", { class: "problem" }, t("selection.incomplete")),
        one.accounts.length > 0
          ? h(
              "ul",
              {},
              one.accounts.map((account) => h("li", {}, named(account), " ", states(account).map(badge))),
            )
          : null,
        one.act ? progress(one) : null,
        h("p", { class: "row" }, verbs(one, path, again)),
      ),
    );
    if (one.act && RUNNING.includes(one.act.state)) {
      timer = setTimeout(again, POLL);
    } else if (one.act) {
      list();
    }
  }

  function progress({ act, count }) {
    return h(
      "p",
      { role: "status" },
      t(`selection.state.${act.state}`),
      " · ",
      t("selection.settled", { done: act.settled, of: count }),
      " · ",
      t("selection.changed", { changed: act.changed, restored: act.restored, skipped: act.skipped }),
    );
  }

  function verbs(one, path, again) {
    if (!one.act) {
      return one.count > 0 ? button("moderation.act", () => act(one, path, again), "danger") : null;
    }
    const undoable = !["undone", "undoing"].includes(one.act.state) && api.serverNow() < Date.parse(one.act.undo_until);
    return [
      one.act.state === "undone" ? null : button("selection.again", repeat(one, path)),
      undoable ? button("selection.undo", undo(path), "danger") : null,
    ];
  }

  function act(one, path, again) {
    const type = h(
      "select",
      {},
      TYPES.map((name) => h("option", { value: name }, t(`moderation.type.${name}`))),
    );
    const title = t("selection.act", { n: one.count });
    return inWords(
      { path: `${path}/act`, verb: t("moderation.act"), done: again },
      [h("h2", {}, title), labelled("moderation.type", type)],
      () => ({ type: type.value }),
    );
  }

  /** The same request makes sure of the job of an act that does not go on. */
  function repeat(one, path) {
    const { type, state } = one.act;
    const undoing = state === "undoing";
    return (event) =>
      once(event.currentTarget, () =>
        tried(async () => draw(await api.post(`${path}/${undoing ? "undo" : "act"}`, undoing ? {} : { type }))),
      );
  }

  function undo(path) {
    return (event) => once(event.currentTarget, () => tried(async () => draw(await api.post(`${path}/undo`))));
  }

  /** The acts that can be looked at again. */
  async function list() {
    try {
      const acted = (await api.get(SELECTIONS)).filter((one) => one.act);
      former.replaceChildren(
        ...acted.map((one) =>
          h(
            "li",
            {},
            h("time", { datetime: one.act.created_at }, moment(one.act.created_at)),
            " · ",
            t("selection.count", { n: one.count }),
            " · ",
            h("code", {}, `${one.act.type} ${one.act.state}`),
            " ",
            button("selection.open", () => show(() => api.get(`${SELECTIONS}/${one.id}`))),
          ),
        ),
      );
    } catch (refused) {
      toast(refused.message, "alert");
    }
  }
}
