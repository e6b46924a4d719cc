/** The account of whoever is logged in: profile, password, sessions, mutes and blocks; and how the page looks. */
import { a, field, h, labelled, lazily, once, refocus, toast, tried, workerUrl } from "./dom.js";
import * as api from "./api.js";
import { choose, language, languages, moment, t } from "./i18n.js";
import { avatar, profilePath } from "./people.js";
import { forgetPreferences } from "./compose.js";
import { address } from "./address.js";
import { accounts, heading, view } from "./views.js";
import { answers, policy } from "./notifications.js";
import { filters } from "./filters.js";
import { push } from "./push.js";

const FIELDS = 4; // that a profile may have
const FIELD_MAX = 255; // characters

/** @param changed is called when the profile has changed, `loggedOut` when the session has ended; `logOut` ends it; `pushKey` of the server, empty = it pushes nothing */
export function settings({ changed, loggedOut, logOut, pushKey }) {
  const lists = [];
  const parts = [looks()];
  if (api.session.account) {
    const mutes = accounts("/api/v1/mutes", {
      buttons: (one) => [
        one.mute_expires_at
          ? h("span", { class: "badge" }, t("poll.ends", { when: moment(one.mute_expires_at) }))
          : null,
        undo(one, "unmute", mutes),
      ],
    });
    const blocks = accounts("/api/v1/blocks", { buttons: (one) => undo(one, "unblock", blocks) });
    const requests = accounts("/api/v1/follow_requests", { buttons: (one) => answers(one) });
    lists.push(mutes, blocks, requests);
    parts.unshift(profile(changed));
    parts.push(
      section("settings.filters", filters()),
      section("settings.policy", policy(), pushKey && workerUrl ? push(pushKey) : null),
      followedTags(),
      section("settings.requests", requests.element),
      section("settings.mutes", mutes.element),
      section("settings.blocks", blocks.element),
      section("settings.address", address()),
      password(),
      section(
        "settings.factor",
        later(async () => (await import("./factor.js")).factor()),
      ),
      sessions(logOut),
      takeAlong(),
      deletion(loggedOut),
    );
  }
  const links = api.session.account
    ? h(
        "p",
        { class: "chips" },
        a(profilePath(api.session.account), { class: "chip" }, t("settings.own")),
        a("/scheduled", { class: "chip" }, t("nav.scheduled")),
        a("/invitations", { class: "chip" }, t("invitations.title")),
      )
    : null;
  return view(
    t("nav.settings"),
    [heading(t("nav.settings")), links, jumps(parts), h("div", { class: "settings" }, parts)],
    () => lists.forEach((list) => list.dispose()),
  );
}

/** What is in a module of its own, when that has come. */
function later(load) {
  const box = h("div", {}, h("p", { class: "loading-line" }, t("loading")));
  lazily(load()).then(
    (content) => box.replaceChildren(content),
    (failed) => box.replaceChildren(h("p", { class: "problem" }, failed.message)),
  );
  return box;
}

/** Buttons that lead to the sections of the page. */
function jumps(sections) {
  const to = (section) => (section.scrollIntoView(), section.focus({ preventScroll: true }));
  return h(
    "p",
    { class: "chips", role: "group", "aria-label": t("settings.sections") },
    sections.map((section) =>
      h(
        "button",
        { type: "button", class: "chip", on: { click: () => to(section) } },
        section.getAttribute("aria-label"),
      ),
    ),
  );
}

function section(key, ...content) {
  return h("section", { class: "card", tabindex: "-1", "aria-label": t(key) }, h("h2", {}, t(key)), content);
}

function undo(account, verb, list) {
  return h(
    "button",
    {
      type: "button",
      class: "button small",
      on: { click: async () => (await tried(() => api.post(`/api/v1/accounts/${account.id}/${verb}`))) && again(list) },
    },
    t(`settings.${verb}`),
  );
}

/** Reads a list again, without the one that the focus was on. */
async function again(list) {
  await list.reload();
  refocus(list.element.closest("section"));
}

function profile(changed) {
  const form = h("form", { class: "fields-form" }, h("p", { class: "loading-line" }, t("loading")));
  fill();
  return section("settings.profile", form);

  async function fill() {
    let me;
    try {
      me = await api.get("/api/v1/accounts/verify_credentials");
    } catch (refused) {
      form.replaceChildren(h("p", { class: "problem" }, refused.message));
      return;
    }
    const name = h("input", { name: "display_name", value: me.display_name, maxlength: 60, dir: "auto" });
    const note = h("textarea", { name: "note", rows: 4, dir: "auto", value: me.source.note });
    const privacy = h(
      "select",
      { name: "privacy" },
      ["public", "unlisted", "private"].map((one) =>
        h("option", { value: one, selected: me.source.privacy === one }, t(`visibility.${one}`)),
      ),
    );
    const quoters = h(
      "select",
      { name: "quoters" },
      ["public", "followers", "nobody"].map((one) =>
        h("option", { value: one, selected: me.source.quote_policy === one }, t(`quoters.${one}`)),
      ),
    );
    const picture = h("input", { type: "file", accept: "image/*", name: "avatar" });
    const wide = h("input", { type: "file", accept: "image/*", name: "header" });
    const indexed = h("input", { type: "checkbox", name: "indexable", checked: me.indexable });
    const locked = h("input", { type: "checkbox", name: "locked", checked: me.locked });
    const hidden = h("input", { type: "checkbox", name: "hide_collections", checked: me.hide_collections });
    const fold = h("input", { type: "checkbox", name: "fold", checked: me.source.aggregate_reblogs !== false });
    const field = (place, key, n, value = "") =>
      h("input", {
        name: `${place}-${n}`,
        value,
        maxlength: FIELD_MAX,
        dir: "auto",
        "aria-label": t(key, { place: n }),
        placeholder: n === 1 ? t(key, { place: n }) : null,
      });
    const fields = Array.from({ length: FIELDS }, (_, i) => [
      field("field", "settings.fields.name", i + 1, me.source.fields[i]?.name),
      field("value", "settings.fields.value", i + 1, me.source.fields[i]?.value),
    ]);
    form.replaceChildren(
      labelled("settings.name", name),
      labelled("settings.note", note),
      h("fieldset", {}, h("legend", {}, t("settings.fields")), h("div", { class: "pairs" }, fields)),
      h("div", { class: "row" }, previewed(avatar(me), picture), labelled("settings.avatar", picture)),
      labelled("settings.header", wide),
      previewed(h("img", { class: "banner", alt: "", hidden: true }), wide),
      labelled("settings.privacy", privacy),
      labelled("settings.quoters", quoters),
      h("label", { class: "check" }, locked, h("span", {}, t("settings.locked"))),
      h("label", { class: "check" }, indexed, h("span", {}, t("settings.indexable"))),
      h("label", { class: "check" }, hidden, h("span", {}, t("settings.hideFollows"))),
      h("label", { class: "check" }, fold, h("span", {}, t("settings.fold"))),
      h("p", { class: "row end" }, h("button", { class: "button primary" }, t("settings.save"))),
    );
    form.onsubmit = async (event) => {
      event.preventDefault();
      const body = new FormData();
      body.append("display_name", name.value);
      body.append("note", note.value);
      body.append("source[privacy]", privacy.value);
      body.append("source[quote_policy]", quoters.value);
      fields.forEach(
        ([name, value], i) => (
          body.append(`fields_attributes[${i}][name]`, name.value),
          body.append(`fields_attributes[${i}][value]`, value.value)
        ),
      );
      body.append("locked", locked.checked);
      body.append("indexable", indexed.checked);
      body.append("hide_collections", hidden.checked);
      body.append("source[aggregate_reblogs]", fold.checked);
      for (const field of [picture, wide]) {
        if (field.files[0]) {
          body.append(field.name, field.files[0]);
        }
      }
      if (
        await tried(async () => (api.session.account = await api.patch("/api/v1/accounts/update_credentials", body)))
      ) {
        forgetPreferences();
        changed();
        toast(t("settings.saved"));
        await fill();
        refocus(form.querySelector("button.primary"));
      }
    };
  }
}

/** An image that shows the chosen picture before it is uploaded. */
function previewed(image, input) {
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) {
      image.src = URL.createObjectURL(file);
      image.onload = image.onerror = () => URL.revokeObjectURL(image.src);
      image.hidden = false;
    }
  });
  return image;
}

function followedTags() {
  const list = h("p", { class: "chips" });
  draw();
  return section("settings.tags", h("p", { class: "hint" }, t("settings.tags.hint")), list);

  async function draw() {
    await tried(async () => {
      const tags = await api.get("/api/v1/followed_tags", { limit: 50 });
      const focused = list.contains(document.activeElement);
      list.replaceChildren(
        ...tags.flatMap(({ name }) => [
          h(
            "span",
            { class: "row" },
            a(`/tags/${encodeURIComponent(name)}`, { class: "chip" }, `#${name}`),
            h(
              "button",
              {
                type: "button",
                class: "button small",
                "aria-label": t("tag.unfollow", { name }),
                on: { click: () => end(name) },
              },
              t("settings.tags.end"),
            ),
          ),
        ]),
      );
      focused && refocus(list.closest("section"));
    });
  }

  async function end(name) {
    if (await tried(() => api.post(`/api/v1/tags/${encodeURIComponent(name)}/unfollow`))) {
      draw();
    }
  }
}

function password() {
  const old = field(
    "current_password",
    { type: "password", autocomplete: "current-password", required: true },
    { label: "settings.oldpassword", place: "change" },
  );
  const next = field(
    "password",
    { type: "password", autocomplete: "new-password", required: true, maxlength: 128 },
    { label: "settings.newpassword", hint: t("settings.password.hint"), place: "change" },
  );
  const form = h(
    "form",
    { on: { submit: change } },
    old.element,
    next.element,
    h("p", { class: "row end" }, h("button", { class: "button primary" }, t("settings.password.change"))),
  );
  return section("settings.password", form);

  async function change(event) {
    event.preventDefault();
    const changed = await tried(
      () =>
        api.withCode(() =>
          api.post("/api/v1/accounts/password", { current_password: old.input.value, password: next.input.value }),
        ),
      [old, next],
    );
    if (changed) {
      form.reset();
      toast(t("settings.password.changed"));
    }
  }
}

function sessions(logOut) {
  const list = h("ul", { class: "sessions" });
  const secret = h("input", {
    type: "password",
    autocomplete: "current-password",
    required: true,
    "aria-label": t("settings.oldpassword"),
    placeholder: t("settings.oldpassword"),
  });
  let proven = null;
  const all = h(
    "form",
    { class: "row", on: { submit: showAll } },
    secret,
    h("button", { class: "button small" }, t("settings.sessions.all")),
  );
  const others = h(
    "button",
    { type: "button", class: "button danger small", hidden: true, on: { click: endOthers } },
    t("settings.sessions.others"),
  );
  own();
  return section(
    "settings.sessions",
    h("p", { class: "hint" }, t("settings.sessions.hint")),
    list,
    all,
    h(
      "p",
      { class: "row end" },
      others,
      h("button", { type: "button", class: "button", on: { click: logOut } }, t("nav.logout")),
    ),
  );

  async function own() {
    await tried(async () => draw(await api.get("/api/v1/tokens")));
  }

  async function showAll(event) {
    event?.preventDefault();
    const given = secret.value || proven;
    await tried(async () => {
      draw(await api.post("/api/v1/tokens/list", { current_password: given }));
      proven = given;
      secret.value = "";
      all.hidden = true;
      others.hidden = false;
    });
  }

  function draw(tokens) {
    list.replaceChildren(
      ...tokens.map((token) =>
        h(
          "li",
          { class: "row" },
          h(
            "span",
            { class: "grow" },
            h("b", {}, token.client ?? device(token)),
            h("br"),
            h("span", { class: "handle" }, t("settings.sessions.since", { when: moment(token.created_at) })),
            token.network && [h("br"), h("span", { class: "handle" }, t("settings.sessions.network", token))],
            token.last_used_at && !token.current
              ? [
                  h("br"),
                  h("span", { class: "handle" }, t("settings.sessions.used", { when: moment(token.last_used_at) })),
                ]
              : null,
          ),
          token.current
            ? h("span", { class: "badge" }, t("settings.sessions.current"))
            : h(
                "button",
                { type: "button", class: "button small", on: { click: () => end(token) } },
                t("settings.sessions.end"),
              ),
        ),
      ),
    );
  }

  function device({ browser, system }) {
    return browser && system
      ? t("settings.sessions.device", { browser, system })
      : (browser ?? system ?? t("settings.sessions.here"));
  }

  async function endOthers() {
    const ended = () => api.post("/api/v1/tokens/revoke_others", { current_password: proven });
    if (await once(others, () => tried(ended))) {
      toast(t("settings.sessions.othersEnded"));
      await showAll();
    }
  }

  async function end(token) {
    const ended = await tried(() =>
      proven
        ? api.post(`/api/v1/tokens/${token.id}/revoke`, { current_password: proven })
        : api.remove(`/api/v1/tokens/${token.id}`),
    );
    if (ended) {
      await (proven ? showAll() : own());
      refocus(list.closest("section"));
    }
  }
}

/** What is one's own, as files; each is on its way to the disk before the next can be asked for. */
function takeAlong() {
  const button = (path, label, kind = "small") =>
    h(
      "button",
      { type: "button", class: `button ${kind}`, on: { click: (event) => download(event.currentTarget, path) } },
      label,
    );
  const lists = ["follows", "lists", "mutes", "blocks", "bookmarks"].map((name) =>
    button(`/api/v1/exports/${name}.csv`, t(`settings.export.${name}`)),
  );
  return section(
    "settings.export",
    h("p", { class: "hint" }, t("settings.export.hint")),
    h("p", { class: "row" }, button("/api/v1/exports/archive.zip", t("settings.export.all"), "")),
    h("p", { class: "chips" }, lists),
  );

  async function download(element, path) {
    let file = null;
    await once(element, () => tried(async () => (file = await api.download(path))));
    if (file) {
      const address = URL.createObjectURL(file.blob);
      h("a", { href: address, download: file.name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    }
  }
}

/** Asks for the password, and for a click on a second button that says what it does. */
function deletion(loggedOut) {
  const secret = field(
    "current_password",
    { type: "password", autocomplete: "current-password", required: true },
    { label: "settings.oldpassword", place: "delete" },
  );
  const sure = h("input", { type: "checkbox", required: true });
  const form = h(
    "form",
    { class: "fields-form", on: { submit: remove } },
    h("p", { class: "problem" }, t("settings.delete.warning", { name: api.session.account.username })),
    secret.element,
    h("label", { class: "check" }, sure, h("span", {}, t("settings.delete.sure"))),
    h("p", { class: "row end" }, h("button", { class: "button danger" }, t("settings.delete.now"))),
  );
  return section("settings.delete", form);

  async function remove(event) {
    event.preventDefault();
    if (
      await tried(
        () => api.withCode(() => api.post("/api/v1/accounts/delete", { current_password: secret.input.value })),
        [secret],
      )
    ) {
      toast(t("settings.delete.done"));
      await tried(api.logOut);
      loggedOut();
    }
  }
}

function looks() {
  const theme = h(
    "select",
    { on: { change: () => setTheme(theme.value) } },
    ["system", "light", "dark"].map((one) =>
      h(
        "option",
        { value: one, selected: one === (document.documentElement.dataset.theme ?? "system") },
        t(`theme.${one}`),
      ),
    ),
  );
  const spoken = h(
    "select",
    { on: { change: () => choose(spoken.value) } },
    Object.entries(languages).map(([code, name]) =>
      h("option", { value: code, lang: code, selected: code === language }, name),
    ),
  );
  return section(
    "settings.looks",
    h(
      "div",
      { class: "fields-form" },
      h("label", {}, h("span", {}, t("settings.theme")), theme),
      h("label", {}, h("span", {}, t("settings.language")), spoken),
    ),
  );
}

export function setTheme(name) {
  if (name === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = name;
  }
  try {
    localStorage.setItem("fanfare.theme", name);
  } catch {
    // It holds for this page only.
  }
}
