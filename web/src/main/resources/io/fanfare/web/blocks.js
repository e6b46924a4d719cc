/** Blocks of the site, for accounts with a role: the networks, mail domains and user names that it refuses. */
import { field, h, labelled, once, toast, tried } from "./dom.js";
import * as api from "./api.js";
import { moment, t } from "./i18n.js";
import { confirmed } from "./sheets.js";
import { timeline } from "./timeline.js";

/** By kind: the path, and the field of the value. */
const KINDS = {
  network: ["/api/v1/admin/ip_blocks", "ip"],
  mail: ["/api/v1/admin/email_domain_blocks", "domain"],
  name: ["/api/v1/admin/username_blocks", "username"],
};
const SEVERITIES = ["sign_up_requires_approval", "sign_up_block", "no_access"];
const DAYS = [0, 1, 7, 30, 365];
const DAY = 86_400; // s
const PAGE = 40;
const COMMENT_MAX = 500; // characters

const choice = (props, names, label) =>
  h(
    "select",
    props,
    names.map((name) => h("option", { value: name }, label(name))),
  );

/** The form for a new block and the list of one kind. */
export function blocks() {
  let [path, name] = KINDS.network;
  const kind = choice({ on: { change: choose } }, Object.keys(KINDS), (one) => t(`blocks.${one}`));
  const value = field("value", { required: true, maxlength: 300, dir: "ltr", autocomplete: "off" }, { place: "block" });
  const severity = choice({}, SEVERITIES, (one) => t(`blocks.${one}`));
  const days = choice({}, DAYS, (one) => (one ? t("blocks.days", { n: one }) : t("blocks.forever")));
  const comment = h("input", { maxlength: COMMENT_MAX, dir: "auto" });
  const ofNetworks = h("div", {}, labelled("blocks.severity", severity), labelled("blocks.ends", days));
  const add = h("button", { class: "button" }, t("blocks.add"));
  const list = timeline({
    load: () => api.list(path, { limit: PAGE }),
    draw,
    empty: t("blocks.none"),
    feed: false,
  });
  const form = h(
    "form",
    { class: "fields-form", on: { submit: send } },
    labelled("blocks.kind", kind),
    value.element,
    ofNetworks,
    labelled("moderation.why", comment, "moderation.why.hint"),
    h("p", { class: "row end" }, add),
  );
  return { element: h("div", {}, form, list.element), dispose: list.dispose };

  function choose() {
    [path, name] = KINDS[kind.value];
    ofNetworks.hidden = kind.value !== "network";
    value.say("");
    list.reload();
  }

  async function send(event) {
    event.preventDefault();
    const body = { [name]: value.input.value, comment: comment.value };
    if (name === "ip") {
      body.severity = severity.value;
      body.expires_in = Number(days.value) * DAY;
    }
    // The server names the field by its kind.
    const added = await once(add, () => tried(() => api.post(path, body), [{ ...value, name }]));
    if (added) {
      value.input.value = "";
      toast(t("moderation.done"));
      list.reload();
    }
  }

  function draw(one) {
    const text = one[name];
    const uses = (one.history ?? []).reduce((sum, day) => sum + Number(day.uses), 0);
    const about = [
      one.severity && t(`blocks.${one.severity}`),
      moment(one.created_at),
      one.expires_at && t("poll.ends", { when: moment(one.expires_at) }),
      uses > 0 && t("blocks.uses", { n: uses }),
    ];
    const remove = async (event) => {
      const button = event.currentTarget;
      if (await confirmed(t("blocks.remove.sure", { value: text }), t("blocks.remove"))) {
        (await once(button, () => tried(() => api.remove(`${path}/${one.id}`)))) && list.reload();
      }
    };
    return h(
      "section",
      { class: "report row", "data-id": one.id, "aria-label": text },
      h(
        "span",
        { class: "grow" },
        h("b", { dir: "ltr" }, text),
        h("br"),
        h("span", { class: "hint" }, about.filter(Boolean).join(" · ")),
        one.comment ? [h("br"), h("span", { class: "plain-text", dir: "auto" }, one.comment)] : null,
      ),
      h(
        "button",
        {
          type: "button",
          class: "button small",
          "aria-label": `${t("blocks.remove")}: ${text}`,
          on: { click: remove },
        },
        t("blocks.remove"),
      ),
    );
  }
}
