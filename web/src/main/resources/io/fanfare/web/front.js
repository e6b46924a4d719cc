/** For whoever is not logged in: what this server is, and the forms to log in and to sign up. */
import { a, blame, field, h, proofUrl, refocus, siteTitle } from "./dom.js";
import * as api from "./api.js";
import { t } from "./i18n.js";
import { everybody, view } from "./views.js";

const REASON_MAX = 420; // characters

/** Links to the pages about this server, of which it has some. */
export function siteLinks({ configuration: { urls } }, props = {}) {
  return [
    ["/about", "site.about", true],
    ["/privacy", "site.privacy", urls.privacy_policy],
    ["/terms", "site.terms", urls.terms_of_service],
  ]
    .filter(([, , there]) => there)
    .map(([path, key], i) => [i > 0 ? " · " : null, a(path, props, t(key, { title: siteTitle }))]);
}

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
      h("p", { class: "hint" }, siteLinks(instance)),
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
  const made = form(
    "login",
    [username, password],
    async () => {
      const needsCode = await api.logIn(username.input.value, password.input.value).catch((refused) => {
        throw refused.status === 401 ? new Error(t("login.wrong")) : refused;
      });
      needsCode ? codeStep(made, entered) : entered();
    },
    () => {},
    api.session.passwordReset ? h("p", { class: "hint" }, a("/auth/password/new", {}, t("login.forgot"))) : null,
    h("p", { class: "hint" }, t("login.new"), " ", a("/signup", {}, t("nav.signup"))),
  );
  return made;
}

/** The second step of the log-in to an account with a second factor, in the place of the first. */
function codeStep(made, entered) {
  const code = field("code", {
    autocomplete: "one-time-code",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
    maxlength: 64,
  });
  const step = form(
    "code",
    [code],
    () =>
      api.logInByCode(code.input.value).catch((refused) => {
        throw refused.status === 401 ? new Error(t("code.late")) : refused;
      }),
    entered,
    h("p", { class: "hint" }, t("code.hint")),
  );
  made.element.replaceChildren(...step.element.children);
  step.focus.focus();
}

/** @param invitation its code; without one null */
export function signUp(entered, instance, invitation = null) {
  if (!instance.registrations.enabled && !invitation) {
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
  const reason =
    instance.registrations.reason_required && !invitation
      ? [
          field(
            "reason",
            { required: true, maxlength: REASON_MAX, rows: 3, dir: "auto" },
            { hint: t("signup.reason.hint"), tag: "textarea" },
          ),
        ]
      : [];
  username.input.addEventListener("change", async () => {
    if (username.input.checkValidity()) {
      const free = await api.get("/api/v1/accounts/available", { username: username.input.value }).catch(() => null);
      username.say(free && !free.available ? t("signup.taken") : "");
    }
  });
  let key = "";
  let sent = "";
  const made = form(
    "signup",
    [username, email, password, ...reason, ...agreement(instance)],
    send,
    () => (api.session.account ? entered() : waiting(api.session.unconfirmed ? "confirm" : "applied")),
    h(
      "p",
      { class: "hint" },
      invitation ? [t("signup.invited"), " "] : null,
      t("signup.known"),
      " ",
      a("/login", {}, t("nav.login")),
    ),
  );
  return made;

  /** The account waits for a moderator, or for the confirmation of its address. */
  function waiting(reason) {
    const title = h("h1", { tabindex: "-1" }, t(`signup.${reason}`));
    made.element
      .querySelector(".form-card")
      .replaceChildren(title, h("p", { role: "status" }, t(`signup.${reason}.why`)));
    title.focus();
  }

  /** A sign-up that is sent again after a lost answer has the same key; with other fields it gets another one. */
  function send() {
    const fields = {
      username: username.input.value,
      email: email.input.value,
      password: password.input.value,
      agreement: true,
      ...(invitation ? { invite_code: invitation } : {}),
      ...(reason.length > 0 ? { reason: reason[0].input.value } : {}),
    };
    const text = JSON.stringify(fields);
    key = text === sent ? key : crypto.randomUUID();
    sent = text;
    return proof().then((proven) => api.signUp({ ...fields, ...proven }, key));
  }
}

/** A solved challenge, where the server demands one of each sign-up. */
async function proof() {
  const { challenge, bits } = await api.get("/api/v1/accounts/challenge");
  if (!challenge) {
    return {};
  }
  const worker = new Worker(proofUrl());
  try {
    const nonce = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = () => reject(new Error(t("signup.unproven")));
      worker.postMessage({ challenge, bits });
    });
    return { challenge, nonce };
  } finally {
    worker.terminate();
  }
}

/** A box to agree to the rules and texts of the server, where there are some. */
function agreement({ rules, configuration }) {
  const { urls } = configuration;
  if (rules.length === 0 && !urls.privacy_policy && !urls.terms_of_service) {
    return [];
  }
  const input = h("input", { type: "checkbox", name: "agreement", required: true });
  const links = siteLinks({ configuration }, { target: "_blank" });
  const element = h("label", { class: "check hint" }, input, h("span", {}, t("signup.agree"), " ", links));
  return [{ name: "agreement", element, input, say: () => {} }];
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
