/** For whoever is not logged in: what this server is, and the forms to log in and to sign up. */
import { a, blame, field, h, refocus, siteTitle } from "./dom.js";
import * as api from "./api.js";
import { t } from "./i18n.js";
import { everybody, view } from "./views.js";

export function landing(instance) {
  const list = everybody({ embedded: true });
  const made = view(siteTitle, [
    h(
      "section",
      { class: "hero" },
      h("h1", { tabindex: "-1" }, instance.title),
      h("p", { class: "lead", dir: "auto" }, instance.description),
      h(
        "p",
        { class: "hero-actions" },
        instance.registrations.enabled ? a("/signup", { class: "button primary big" }, t("nav.signup")) : null,
        a("/login", { class: "button big" }, t("nav.login")),
      ),
      instance.usage.users.active_month > 0
        ? h("p", { class: "handle" }, t("landing.figures", { n: instance.usage.users.active_month }))
        : null,
    ),
    h("h2", { class: "landing-title" }, t("landing.newest")),
    list.element,
  ]);
  made.dispose = list.dispose;
  return made;
}

export function logIn(entered) {
  const username = field("username", {
    autocomplete: "username",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
  });
  const password = field("password", { type: "password", autocomplete: "current-password", required: true });
  return form(
    "login",
    [username, password],
    () =>
      api.logIn(username.input.value, password.input.value).catch((refused) => {
        throw refused.status === 401 ? new Error(t("login.wrong")) : refused;
      }),
    entered,
    h("p", { class: "hint" }, a("/auth/password/new", {}, t("login.forgot"))),
    h("p", { class: "hint" }, t("login.new"), " ", a("/signup", {}, t("nav.signup"))),
  );
}

export function signUp(entered, instance) {
  if (!instance.registrations.enabled) {
    return view(t("nav.signup"), [
      h(
        "section",
        { class: "card form-card" },
        h("h1", { tabindex: "-1" }, t("nav.signup")),
        h("p", {}, t("signup.closed")),
      ),
    ]);
  }
  const username = field(
    "username",
    {
      autocomplete: "username",
      autocapitalize: "none",
      spellcheck: "false",
      required: true,
      maxlength: 30,
      pattern: "[a-zA-Z0-9_]+",
    },
    { hint: t("signup.name.hint") },
  );
  const email = field("email", { type: "email", autocomplete: "email", required: true });
  const password = field(
    "password",
    { type: "password", autocomplete: "new-password", required: true, maxlength: 128 },
    { hint: t("settings.password.hint") },
  );
  username.input.addEventListener("change", async () => {
    if (username.input.checkValidity()) {
      const free = await api.get("/api/v1/accounts/available", { username: username.input.value }).catch(() => null);
      username.say(free && !free.available ? t("signup.taken") : "");
    }
  });
  let key = "";
  let sent = "";
  return form(
    "signup",
    [username, email, password],
    send,
    entered,
    h("p", { class: "hint" }, t("signup.known"), " ", a("/login", {}, t("nav.login"))),
  );

  /** A sign-up that is sent again after a lost answer has the same key; with other fields it gets another one. */
  function send() {
    const fields = {
      username: username.input.value,
      email: email.input.value,
      password: password.input.value,
      agreement: true,
    };
    const text = JSON.stringify(fields);
    key = text === sent ? key : crypto.randomUUID();
    sent = text;
    return api.signUp(fields, key);
  }
}

function form(key, fields, send, entered, below) {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const button = h("button", { class: "button primary wide" }, t(`nav.${key}`));
  const made = view(t(`nav.${key}`), [
    h(
      "section",
      { class: "card form-card" },
      h("h1", { tabindex: "-1" }, t(`${key}.title`, { title: siteTitle })),
      h(
        "form",
        { on: { submit } },
        fields.map(({ element }) => element),
        problem,
        button,
      ),
      below,
    ),
  ]);
  made.focus = fields[0].input;
  return made;

  async function submit(event) {
    event.preventDefault();
    const focused = document.activeElement === button;
    button.disabled = true;
    problem.hidden = true;
    fields.forEach((one) => one.say(""));
    try {
      await send();
      entered();
    } catch (refused) {
      problem.textContent = refused.message;
      problem.hidden = blame(fields, refused);
    }
    button.disabled = false;
    focused && refocus(button);
  }
}
