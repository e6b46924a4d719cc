/** Conversations of direct messages, and posts that wait for their time. */
import { a, h, leave, once, plain, refocus, toast, tried } from "./dom.js";
import { icon } from "./icons.js";
import * as api from "./api.js";
import { localTime, moment, since, t } from "./i18n.js";
import { statusPath } from "./status.js";
import { confirmed } from "./sheets.js";
import { checkTime, compose, whenPosted } from "./compose.js";
import { avatar, displayName, shownName } from "./people.js";
import { timeline } from "./timeline.js";
import { heading, view } from "./views.js";
import * as live from "./live.js";

const FACES = 3;

let done = () => {};

/** To be called when somebody has read a conversation, or has removed it. */
export function whenRead(action) {
  done = action;
}

export function messages() {
  const list = timeline({
    load: () => api.list("/api/v1/conversations", { limit: 20 }),
    draw: conversation,
    empty: t("messages.none"),
    feed: false,
  });
  const write = h(
    "button",
    { type: "button", class: "button primary small", on: { click: () => compose({ message: true }) } },
    icon("pen"),
    t("messages.new"),
  );
  const told = (one) => one.status?.visibility === "direct" && list.element.isConnected && list.reload();
  const offs = [live.on("notification", told), live.on("earlier", told)];
  const posted = whenPosted((status) => status.visibility === "direct" && list.reload());
  return view(
    t("nav.messages"),
    [heading(t("nav.messages"), write), h("p", { class: "lead small" }, t("messages.lead")), list.element],
    () => (offs.forEach((off) => off()), posted(), list.dispose()),
  );

  function conversation(one) {
    const names = one.accounts.map(displayName).join(", ");
    const shown = one.accounts.flatMap((account, i) => [i > 0 ? ", " : "", ...shownName(account)]);
    const status = one.last_status;
    const words = status ? status.spoiler_text || plain(status.content).slice(0, 200) || attached(status) : "";
    const open = status ? statusPath(status) : null;
    const row = h(
      "article",
      { class: ["person", "conversation", one.unread && "unread-line"], "data-id": one.id, "aria-label": names },
      h(
        "span",
        { class: "faces" },
        one.accounts.slice(0, FACES).map((account) => avatar(account)),
      ),
      h(
        "div",
        { class: "person-words" },
        h(
          "p",
          { class: "post-head" },
          open
            ? a(open, { class: "author", on: { click: read } }, h("bdi", { class: "name" }, shown))
            : h("bdi", { class: "name" }, shown),
          one.unread ? h("span", { class: "badge" }, t("messages.unread")) : null,
          status
            ? h(
                "span",
                { class: "marks" },
                h(
                  "time",
                  { class: "when", datetime: status.created_at, title: moment(status.created_at) },
                  since(status.created_at),
                ),
              )
            : null,
        ),
        h("p", { class: "clamp", dir: "auto" }, words),
      ),
      h(
        "div",
        { class: "person-actions" },
        h(
          "button",
          {
            type: "button",
            class: "icon-button",
            "aria-label": t("messages.delete", { name: names }),
            on: { click: away },
          },
          icon("close"),
        ),
      ),
    );
    return row;

    function read() {
      if (one.unread) {
        one.unread = false;
        row.classList.remove("unread-line");
        row.querySelector(".badge")?.remove();
        api.post(`/api/v1/conversations/${one.id}/read`).then(done, () => {});
      }
    }

    async function away() {
      if (!(await confirmed(t("messages.delete.sure"), t("post.delete")))) {
        return;
      }
      try {
        await api.remove(`/api/v1/conversations/${one.id}`);
        leave([row]);
        done();
      } catch (refused) {
        toast(refused.message, "alert");
      }
    }
  }
}

export function scheduled() {
  const list = timeline({
    load: () => api.list("/api/v1/scheduled_statuses", { limit: 20 }),
    draw: row,
    empty: t("scheduled.none"),
    feed: false,
  });
  const off = whenPosted(() => list.reload(), { later: true });
  const waiting = h("section", { "aria-label": t("held.title"), hidden: true });
  held();
  return view(t("nav.scheduled"), [heading(t("nav.scheduled")), waiting, list.element], () => (off(), list.dispose()));

  /** Posts that wait for a moderator, if there are any. */
  async function held() {
    const all = await api.get("/api/v1/held_statuses").catch(() => []);
    waiting.hidden = all.length === 0;
    waiting.replaceChildren(h("h2", {}, t("held.title")), ...all.map(heldRow));
  }

  function heldRow(one) {
    const text = one.params.spoiler_text || one.params.text || attached(one);
    const away = async (event) =>
      (await once(event.currentTarget, () => tried(() => api.remove(`/api/v1/held_statuses/${one.id}`)))) && held();
    return h(
      "article",
      { class: "notification", "data-id": one.id, "aria-label": text.slice(0, 140) },
      h("p", { class: "because" }, icon("clock"), t("held.because", { reason: t(`signal.${one.signal}`) })),
      h("p", { class: "text", dir: "auto" }, text),
      h("p", { class: "hint" }, t("held.until", { when: moment(one.expires_at) })),
      h(
        "p",
        { class: "row" },
        h("button", { type: "button", class: "button small", on: { click: away } }, t("held.withdraw")),
      ),
    );
  }

  function row(one) {
    const when = h("input", {
      type: "datetime-local",
      required: true,
      value: localTime(Date.parse(one.scheduled_at)),
      "aria-label": t("compose.time"),
    });
    const text = one.params.spoiler_text || one.params.text || attached(one);
    const element = h(
      "article",
      { class: "notification", "data-id": one.id, "aria-label": text.slice(0, 140) },
      h("p", { class: "because" }, icon("clock"), h("time", { datetime: one.scheduled_at }, moment(one.scheduled_at))),
      h("p", { class: "text", dir: "auto" }, text),
      h(
        "form",
        { class: "row", on: { submit: change } },
        when,
        h("button", { class: "button small" }, t("scheduled.change")),
        h("button", { type: "button", class: "button small", on: { click: away } }, t("scheduled.cancel")),
      ),
    );
    return element;

    async function change(event) {
      event.preventDefault();
      try {
        checkTime(when.value);
        const now = await api.put(`/api/v1/scheduled_statuses/${one.id}`, {
          scheduled_at: new Date(when.value).toISOString(),
        });
        const changed = row(now);
        element.replaceWith(changed);
        refocus(changed.querySelector("form button"));
        toast(t("compose.scheduled", { when: moment(now.scheduled_at) }));
      } catch (refused) {
        toast(refused.message, "alert");
      }
    }

    async function away() {
      try {
        await api.remove(`/api/v1/scheduled_statuses/${one.id}`);
        leave([element]);
      } catch (refused) {
        toast(refused.message, "alert");
      }
    }
  }
}

/** What a post without words shows. */
function attached({ media_attachments: [first] }) {
  return t({ video: "post.video", audio: "post.sound" }[first?.type] ?? "post.picture");
}
