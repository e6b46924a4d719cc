/** The e-mail address of the account: which it is, and a form to change it. */
import { field, h, once, toast, tried } from "./dom.js";
import * as api from "./api.js";
import { moment, t } from "./i18n.js";

const PATH = "/api/v1/accounts/email";

/** The content of its section in the settings. */
export function address() {
  const now = h("div", {}, h("p", { class: "loading-line" }, t("loading")));
  const next = field(
    "email",
    { type: "email", autocomplete: "email", required: true, maxlength: 254 },
    { label: "address.new", place: "address" },
  );
  const secret = field(
    "current_password",
    { type: "password", autocomplete: "current-password", required: true },
    { label: "settings.oldpassword", place: "address" },
  );
  const button = h("button", { class: "button primary" }, t("address.change"));
  const form = h(
    "form",
    { hidden: true, on: { submit: change } },
    next.element,
    secret.element,
    h("p", { class: "row end" }, button),
  );
  load();
  return [now, form];

  /** Answers whether a link to a new address is on its way. */
  async function load() {
    try {
      const { email, confirmed, wanted, fixed_until: until } = await api.get(PATH);
      now.replaceChildren(
        h(
          "p",
          {},
          email ?? t("address.none"),
          confirmed ? null : [" ", h("span", { class: "badge" }, t("address.open"))],
        ),
        ...[
          wanted && h("p", { class: "hint" }, t("address.wanted", { address: wanted })),
          until && h("p", { class: "hint" }, t("address.fixed", { when: moment(until) })),
        ].filter(Boolean),
      );
      form.hidden = Boolean(until);
      return Boolean(wanted);
    } catch (refused) {
      now.replaceChildren(h("p", { class: "problem" }, refused.message));
      return false;
    }
  }

  async function change(event) {
    event.preventDefault();
    const body = { email: next.input.value, current_password: secret.input.value };
    if (await once(button, () => tried(() => api.withCode(() => api.post(PATH, body)), [next, secret]))) {
      form.reset();
      toast(t((await load()) ? "address.sent" : "address.changed"));
    }
  }
}
