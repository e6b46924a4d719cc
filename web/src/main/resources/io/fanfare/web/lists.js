/** Lists of accounts: their timelines, what they hold, and who is on them. */
import { a, h, labelled, once, openDialog, toast, tried } from "./dom.js";
import { icon } from "./icons.js";
import * as api from "./api.js";
import { t } from "./i18n.js";
import { confirmed, sheet, sheetHead } from "./sheets.js";
import { displayName } from "./people.js";
import { accounts, heading, problem, statuses, view } from "./views.js";

const POLICIES = ["list", "followed", "none"];

const path = (one) => `/lists?id=${one.id}`;

/** All of them, and what makes one. */
export function lists() {
  const found = h("ul", { class: "plain-list" }, h("li", { class: "loading-line" }, t("loading")));
  const title = h("input", {
    name: "title",
    required: true,
    maxlength: 256,
    dir: "auto",
    "aria-label": t("lists.title"),
    placeholder: t("lists.title"),
  });
  const button = h("button", { class: "button primary" }, t("lists.make"));
  const form = h("form", { class: "row form-row", on: { submit: make } }, title, button);
  draw();
  return view(t("nav.lists"), [heading(t("nav.lists")), h("p", { class: "lead small" }, t("lists.lead")), form, found]);

  async function draw() {
    try {
      const all = await api.get("/api/v1/lists");
      found.replaceChildren(
        ...(all.length > 0
          ? all.map((one) => h("li", {}, a(path(one), { class: "line-link", dir: "auto" }, icon("list"), one.title)))
          : [h("li", { class: "end-line" }, t("lists.none"))]),
      );
    } catch (refused) {
      found.replaceChildren(h("li", {}, problem(refused, draw)));
    }
  }

  async function make(event) {
    event.preventDefault();
    if (await once(button, () => tried(() => api.post("/api/v1/lists", { title: title.value })))) {
      form.reset();
      draw();
    }
  }
}

/** What the accounts of one post. */
export function list(id) {
  const box = h("div", {}, h("p", { class: "loading-line", role: "status" }, t("loading")));
  let shown = null;
  let gone = false;
  const made = view(t("nav.lists"), [box], () => ((gone = true), shown?.dispose()));
  load();
  return made;

  async function load() {
    try {
      const one = await api.get(`/api/v1/lists/${encodeURIComponent(id)}`);
      if (gone) {
        return;
      }
      shown?.dispose();
      shown = statuses(
        `/api/v1/timelines/list/${one.id}`,
        { limit: 20 },
        { place: "home", looks: true, label: one.title, empty: t("lists.quiet") },
      );
      made.title = one.title;
      made.renamed?.();
      box.replaceChildren(
        heading(
          one.title,
          h("button", { type: "button", class: "button small", on: { click: () => change(one) } }, t("lists.change")),
        ),
        shown.element,
      );
    } catch (refused) {
      box.replaceChildren(problem(refused, load));
    }
  }

  function change(one) {
    const title = h("input", { required: true, maxlength: 256, dir: "auto", value: one.title });
    const replies = h(
      "select",
      {},
      POLICIES.map((name) =>
        h("option", { value: name, selected: name === one.replies_policy }, t(`lists.replies.${name}`)),
      ),
    );
    const exclusive = h("input", { type: "checkbox", checked: one.exclusive });
    const members = accounts(`/api/v1/lists/${one.id}/accounts`, {
      buttons: (account) =>
        h(
          "button",
          {
            type: "button",
            class: "button small",
            "aria-label": `${t("lists.remove")}: ${displayName(account)}`,
            on: { click: () => remove(account) },
          },
          t("lists.remove"),
        ),
    });
    const dialog = h(
      "dialog",
      {
        class: "sheet",
        "aria-label": t("lists.change"),
        on: {
          close: () => (members.dispose(), dialog.remove()),
          click: (event) => event.target.closest("a") && dialog.close(),
        },
      },
      sheetHead(t("lists.change"), () => dialog.close()),
      h(
        "form",
        { class: "fields-form", on: { submit: save } },
        labelled("lists.title", title),
        labelled("lists.replies", replies),
        h("label", { class: "check" }, exclusive, h("span", {}, t("lists.exclusive"))),
        h(
          "p",
          { class: "row end" },
          h("button", { type: "button", class: "button danger", on: { click: away } }, t("lists.delete")),
          h("button", { class: "button primary" }, t("settings.save")),
        ),
      ),
      h(
        "section",
        {},
        h("h3", {}, t("lists.members")),
        h("p", { class: "hint" }, t("lists.members.hint")),
        members.element,
      ),
    );
    openDialog(dialog);

    async function remove(account) {
      if (await tried(() => api.remove(`/api/v1/lists/${one.id}/accounts?account_ids[]=${account.id}`))) {
        members.reload();
      }
    }

    async function save(event) {
      event.preventDefault();
      if (
        await tried(() =>
          api.put(`/api/v1/lists/${one.id}`, {
            title: title.value,
            replies_policy: replies.value,
            exclusive: exclusive.checked,
          }),
        )
      ) {
        dialog.close();
        load();
      }
    }

    async function away() {
      if (
        (await confirmed(t("lists.delete.sure", { title: one.title }), t("lists.delete"))) &&
        (await tried(() => api.remove(`/api/v1/lists/${one.id}`)))
      ) {
        dialog.close();
        made.go?.("/lists");
      }
    }
  }
}

/** On which of them an account is. */
export async function membership(account) {
  try {
    const [all, on] = await Promise.all([api.get("/api/v1/lists"), api.get(`/api/v1/accounts/${account.id}/lists`)]);
    const title = t("lists.with", { name: displayName(account) });
    const choice = (one) => {
      const box = h("input", {
        type: "checkbox",
        checked: on.some(({ id }) => id === one.id),
        on: { change: () => flip(one, box) },
      });
      return h("label", { class: "check" }, box, h("span", { dir: "auto" }, one.title));
    };
    const choices = h(
      "fieldset",
      { class: "choices" },
      h("legend", { class: "visually-hidden" }, title),
      all.length > 0 ? all.map(choice) : h("p", { class: "hint" }, t("lists.none")),
    );
    const shown = sheet(title, [h("h2", {}, title), choices], {
      small: true,
      buttons: a("/lists", { class: "button" }, t("nav.lists")),
      click: ({ target }) => target.closest("a") && shown.close(),
    });
  } catch (refused) {
    toast(refused.message, "alert");
  }

  async function flip(one, box) {
    const there = `/api/v1/lists/${one.id}/accounts`;
    if (
      !(await once(box, () =>
        tried(() =>
          box.checked
            ? api.post(there, { account_ids: [account.id] })
            : api.remove(`${there}?account_ids[]=${account.id}`),
        ),
      ))
    ) {
      box.checked = !box.checked;
    }
  }
}
