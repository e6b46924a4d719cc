/** The second factor of the account: a code of an authenticator app beside the password. */
import { field, h, once, refocus, toast, tried } from "./dom.js";
import * as api from "./api.js";
import { moment, t } from "./i18n.js";
import { asked } from "./sheets.js";

const PATH = "/api/v1/factor";
const SVG = "http://www.w3.org/2000/svg";

/** The content of its section in the settings. */
export function factor() {
  const box = h("div", { class: "fields-form factor" }, h("p", { class: "loading-line" }, t("loading")));
  load();
  return box;

  async function load() {
    try {
      const state = await api.get(PATH);
      show(state.enabled ? enabled(state) : disabled(state));
    } catch (refused) {
      show(h("p", { class: "problem" }, refused.message));
    }
  }

  function show(...content) {
    const focused = box.contains(document.activeElement);
    box.replaceChildren(...content.flat().filter(Boolean));
    focused && refocus(box.querySelector("input") ?? box.closest("section"));
  }

  function disabled(state) {
    const password = secret("add");
    return [
      h("p", { class: "hint" }, t("factor.hint")),
      state.removed_at && h("p", { class: "problem" }, t("factor.removed", { when: moment(state.removed_at) })),
      state.required && h("p", { class: "problem" }, t("factor.required")),
      form([password], t("factor.add"), async () =>
        show(begun(await api.post(PATH, { current_password: password.input.value }))),
      ),
    ];
  }

  function begun({ secret: text, uri, qr_size: size, qr_path: path }) {
    const first = code("enable");
    return [
      h("p", {}, t("factor.scan")),
      picture(size, path),
      h("p", { class: "hint" }, t("factor.type")),
      h("p", {}, h("code", { class: "factor-secret" }, text.match(/.{4}/g).join(" "))),
      h("p", {}, h("a", { href: uri }, t("factor.open"))),
      form([first], t("factor.enable"), async () =>
        show(drawn((await api.post(`${PATH}/enable`, { code: first.input.value })).recovery_codes)),
      ),
    ];
  }

  function drawn(codes) {
    api.session.needsFactor = false;
    const text = codes.join("\n");
    return [
      h("p", {}, t("factor.codes")),
      h(
        "ul",
        { class: "factor-codes" },
        codes.map((one) => h("li", {}, h("code", {}, one))),
      ),
      h(
        "p",
        { class: "row end" },
        h(
          "button",
          {
            type: "button",
            class: "button",
            on: {
              click: () => tried(async () => (await navigator.clipboard.writeText(text), toast(t("factor.copied")))),
            },
          },
          t("factor.copy"),
        ),
        h("button", { type: "button", class: "button primary", on: { click: load } }, t("factor.kept")),
      ),
    ];
  }

  function enabled(state) {
    const renewal = code("renew");
    const password = secret("remove");
    const last = code("remove");
    return [
      h("p", {}, t("factor.since", { when: moment(state.enabled_at) })),
      h("p", { class: state.recovery_codes < 3 ? "problem" : "hint" }, t("factor.left", { n: state.recovery_codes })),
      h("h3", {}, t("factor.renew")),
      form([renewal], t("factor.renew.now"), async () =>
        show(drawn((await api.post(`${PATH}/codes`, { code: renewal.input.value })).recovery_codes)),
      ),
      h("h3", {}, t("factor.remove")),
      form(
        [password, last],
        t("factor.remove.now"),
        async () => {
          await api.post(`${PATH}/disable`, {
            current_password: password.input.value,
            code: last.input.value,
          });
          toast(t("factor.remove.done"));
          await load();
        },
        "danger",
      ),
    ];
  }
}

const secret = (place) =>
  field(
    "current_password",
    { type: "password", autocomplete: "current-password", required: true },
    { label: "settings.oldpassword", place: `factor-${place}` },
  );

const code = (place) =>
  field(
    "code",
    { autocomplete: "one-time-code", autocapitalize: "none", spellcheck: "false", required: true, maxlength: 64 },
    { place: `factor-${place}` },
  );

function form(fields, verb, action, kind = "primary") {
  const button = h("button", { class: `button ${kind}` }, verb);
  return h(
    "form",
    {
      on: {
        submit: (event) => (event.preventDefault(), once(button, () => tried(action, fields))),
      },
    },
    fields.map(({ element }) => element),
    h("p", { class: "row end" }, button),
  );
}

/** A QR code, dark on light in both themes. */
function picture(size, outline) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "factor-qr");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", t("factor.qr"));
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", outline);
  svg.append(path);
  return svg;
}

/** Asks for a code, which confirms the session for a while. Answers whether it was right. */
export async function confirmSession() {
  const given = code("confirm");
  return (
    (await asked(
      { "aria-label": t("factor.confirm") },
      [h("h2", {}, t("factor.confirm")), h("p", { class: "hint" }, t("factor.confirm.hint")), given.element],
      h("button", { class: "button primary" }, t("code.go")),
      () => api.post(`${PATH}/confirm`, { code: given.input.value }),
    )) !== null
  );
}
