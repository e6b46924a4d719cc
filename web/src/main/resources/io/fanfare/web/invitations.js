/** Invitations: those of the account, a form for another one, and how each is revoked. */
import { h, labelled, once, toast, tried } from "./dom.js";
import * as api from "./api.js";
import { moment, t } from "./i18n.js";
import { heading, problem, view } from "./views.js";

const INVITATIONS = "/api/v1/invitations";
const DAY = 86400; // seconds
const LIVES = [1, 7, 30, 0]; // days that an invitation can be good; 0 = it does not end
const USES_MAX = 10000;
const COMMENT_MAX = 420; // characters

export function invitations() {
  const box = h("div", {}, h("p", { class: "loading-line", role: "status" }, t("loading")));
  const uses = h("input", { type: "number", name: "max_uses", min: 1, max: USES_MAX, value: 1 });
  const life = h(
    "select",
    { name: "expires_in" },
    LIVES.map((days) => h("option", { value: days * DAY, selected: days === 7 }, t(`invitations.life.${days}`))),
  );
  const comment = h("input", { name: "comment", maxlength: COMMENT_MAX, dir: "auto" });
  const button = h("button", { class: "button primary" }, t("invitations.make"));
  const form = h(
    "form",
    { class: "card fields-form", on: { submit: make } },
    labelled("invitations.uses", uses, "invitations.uses.hint"),
    labelled("invitations.life", life),
    labelled("invitations.comment", comment),
    button,
  );
  load();
  return view(t("invitations.title"), [heading(t("invitations.title")), form, box]);

  async function make(event) {
    event.preventDefault();
    const fields = {
      ...(uses.value ? { max_uses: Number(uses.value) } : {}),
      ...(Number(life.value) > 0 ? { expires_in: Number(life.value) } : {}),
      comment: comment.value,
    };
    if (await once(button, () => tried(() => api.post(INVITATIONS, fields)))) {
      comment.value = "";
      await load();
    }
  }

  async function load() {
    try {
      const found = await api.get(INVITATIONS);
      box.replaceChildren(
        ...(found.length > 0 ? found.map(drawn) : [h("p", { class: "end-line" }, t("invitations.none"))]),
      );
    } catch (refused) {
      form.hidden = refused.status === 403;
      box.replaceChildren(problem(refused, load));
    }
  }

  function drawn(one) {
    const copy = () => navigator.clipboard.writeText(one.url).then(() => toast(t("invitations.copied")));
    const revoke = async (event) => {
      (await once(event.currentTarget, () => tried(() => api.remove(`${INVITATIONS}/${one.code}`)))) && (await load());
    };
    return h(
      "section",
      { class: "report", "aria-label": one.code },
      h("p", {}, h("code", {}, one.url)),
      h(
        "p",
        { class: "hint" },
        t("invitations.used", { uses: one.uses, max: one.max_uses ?? "∞" }),
        " · ",
        one.expires_at ? [t("invitations.until"), " ", moment(one.expires_at)] : t("invitations.life.0"),
        one.valid ? null : [" · ", t("invitations.over")],
      ),
      one.comment ? h("p", { class: "plain-text", dir: "auto" }, one.comment) : null,
      h(
        "p",
        { class: "row" },
        one.valid
          ? h("button", { type: "button", class: "button small", on: { click: copy } }, t("invitations.copy"))
          : null,
        h("button", { type: "button", class: "button small danger", on: { click: revoke } }, t("invitations.revoke")),
      ),
    );
  }
}
