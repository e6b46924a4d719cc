/** Reports, for accounts with a role: what was reported, what can be done about it, and the history of an account. */
import { a, h, labelled, once, toast, tried } from "./dom.js";
import * as api from "./api.js";
import { blocks } from "./blocks.js";
import { moment, t } from "./i18n.js";
import { displayName, profilePath } from "./people.js";
import { asked, ruleText } from "./sheets.js";
import { card } from "./status.js";
import { timeline } from "./timeline.js";
import { heading, problem, view } from "./views.js";

const REPORTS = "/api/v1/admin/reports";
const ACCOUNTS = "/api/v1/admin/accounts";
const STATUSES = "/api/v1/admin/statuses";
const APPEALS = "/api/v1/admin/appeals";
const HELD = "/api/v1/admin/held_statuses";
const TYPES = ["none", "sensitive", "silence", "suspend"];
const TEXT_MAX = 500; // characters
const NOTE_MAX = 2000; // characters
const PAGE = 40;

/** What can be taken back, by the field of the account that says so. */
const UNDO = { sensitized: "unsensitive", silenced: "unsilence", suspended: "unsuspend" };

export const named = ({ username, account }) =>
  a(profilePath(account), { dir: "auto" }, `${displayName(account)} (@${username})`);
export const states = (account) => Object.keys(UNDO).filter((state) => account[state]);
export const button = (key, run, kind = "") =>
  h("button", { type: "button", class: ["button", "small", kind], on: { click: run } }, t(key));

/** The pages of moderation. @param current the name of one, or null for open reports */
export function tabs(current) {
  const link = (key, name) =>
    a(
      name ? `/moderation?tab=${name}` : "/moderation",
      { class: "tab", "aria-current": current === name ? "page" : null },
      t(`moderation.${key}`),
    );
  const waiting = link("held", "held");
  count(waiting);
  return h(
    "nav",
    { class: "tabs", "aria-label": t("nav.moderation") },
    link("open", null),
    link("resolved", "resolved"),
    waiting,
    link("appeals", "appeals"),
    link("pending", "pending"),
    a("/invitations", { class: "tab" }, t("invitations.title")),
    link("accounts", "accounts"),
    link("blocks", "blocks"),
  );
}

/** Shows how many posts wait; without an answer no number. */
async function count(link) {
  const all = await api.get(HELD, { limit: PAGE }).catch(() => []);
  all.length > 0 && link.append(` (${all.length < PAGE ? all.length : `${PAGE}+`})`);
}

/** @param tab `resolved`, `held`, `appeals`, `pending` or `blocks`, or null for open reports */
export function moderation(tab) {
  const lists = {
    appeals: [() => api.list(APPEALS, { limit: PAGE }), appeal, "moderation.noappeals"],
    held: [() => api.list(HELD, { limit: PAGE }), held, "held.none"],
    pending: [() => api.list(ACCOUNTS, { limit: PAGE, pending: "true" }), applicant, "moderation.nopending"],
  };
  const list = tab === "blocks" ? blocks() : pages();
  return view(t("nav.moderation"), [heading(t("nav.moderation")), tabs(tab), list.element], list.dispose);

  function pages() {
    const [load, draw, empty] = lists[tab] ?? [
      () => api.list(REPORTS, { limit: PAGE, resolved: tab === "resolved" ? "true" : null }),
      report,
      "moderation.none",
    ];
    return timeline({ load, draw, empty: t(empty), feed: false });
  }

  function report(one) {
    const change = (verb) => async (event) => {
      const done = await once(event.currentTarget, () => tried(() => api.post(`${REPORTS}/${one.id}/${verb}`)));
      done && list.reload();
    };
    return h(
      "section",
      { class: "report", "data-id": one.id, "aria-label": t("moderation.report", { id: one.id }) },
      h("p", {}, h("b", {}, named(one.target_account)), " ", states(one.target_account).map(badge)),
      h(
        "p",
        { class: "hint" },
        t(`moderation.category.${one.category}`),
        " · ",
        t("moderation.by"),
        " ",
        named(one.account),
        " · ",
        h("time", { datetime: one.created_at }, moment(one.created_at)),
        one.assigned_account ? [" · ", t("moderation.taken", { name: one.assigned_account.username })] : null,
      ),
      one.rules.length > 0
        ? h(
            "ul",
            { dir: "auto" },
            one.rules.map((rule) => h("li", {}, ruleText(rule))),
          )
        : null,
      one.comment ? h("p", { class: "plain-text", dir: "auto" }, one.comment) : null,
      one.statuses.map((status) => [card(status, { quiet: true, shown: true }), verbs(status, one.id)]),
      h(
        "p",
        { class: "row" },
        one.action_taken
          ? button("moderation.reopen", change("reopen"))
          : [
              one.assigned_account?.id === api.session.account.id
                ? button("moderation.give", change("unassign"))
                : button("moderation.take", change("assign_to_self")),
              button("moderation.act", () => act(one.target_account, one.id, list.reload), "danger"),
              button("moderation.resolve", change("resolve")),
            ],
        a(`/moderation?account=${one.target_account.id}`, { class: "button small" }, t("moderation.history")),
      ),
    );
  }

  /** The acts on a post of a report. */
  function verbs(status, reportId) {
    const verb = (name) =>
      button(`moderation.post.${name}`, () => actOnPost(status, name, reportId, list.reload), "danger");
    return h("p", { class: "row" }, status.sensitive ? null : verb("sensitive"), verb("delete"));
  }

  /** A button that approves or rejects something. */
  function decision(path, verb, key = verb, body = {}) {
    return button(`moderation.${key}`, async (event) => {
      (await once(event.currentTarget, () => tried(() => api.post(`${path}/${verb}`, body)))) && list.reload();
    });
  }

  /** A post that waits. */
  function held(one) {
    const { account, params } = one;
    const path = `${ACCOUNTS}/${account.id}/held_statuses/${one.id}`;
    const verb = t("moderation.reject");
    return h(
      "section",
      { class: "report", "data-id": one.id, "aria-label": t("moderation.held") },
      h("p", {}, h("b", {}, named({ username: account.username, account }))),
      h(
        "p",
        { class: "hint" },
        t("held.because", { reason: t(`signal.${one.signal}`) }),
        " · ",
        h("time", { datetime: one.created_at }, moment(one.created_at)),
      ),
      params.spoiler_text ? h("p", { class: "plain-text hint", dir: "auto" }, params.spoiler_text) : null,
      h("p", { class: "plain-text", dir: "auto" }, params.text),
      params.poll
        ? h(
            "ul",
            { dir: "auto" },
            params.poll.options.map((option) => h("li", {}, option)),
          )
        : null,
      one.media_attachments.map(({ url, description }) =>
        h("p", {}, h("a", { href: url, rel: "noopener", dir: "auto" }, description || url)),
      ),
      h(
        "p",
        { class: "row" },
        decision(path, "approve"),
        decision(path, "approve", "trust", { trust: true }),
        button(
          "moderation.reject",
          () => inWords({ path: `${path}/reject`, verb, done: list.reload }, [h("h2", {}, verb)]),
          "danger",
        ),
        a(`/moderation?account=${account.id}`, { class: "button small" }, t("moderation.history")),
      ),
    );
  }

  /** An account that waits for approval. */
  function applicant(one) {
    const decide = (verb) => decision(`${ACCOUNTS}/${one.id}`, verb);
    return h(
      "section",
      { class: "report", "data-id": one.id, "aria-label": `@${one.username}` },
      h("p", {}, h("b", {}, `@${one.username}`)),
      h("p", { class: "hint" }, one.email, " · ", h("time", { datetime: one.created_at }, moment(one.created_at))),
      h("p", { class: "plain-text", dir: "auto" }, one.invite_request),
      h("p", { class: "row" }, decide("approve"), decide("reject")),
    );
  }

  /** A warning with the appeal against it. */
  function appeal(one) {
    const account = one.target_account;
    const decide = (verb) => decision(`${ACCOUNTS}/${account.id}/appeals/${one.id}`, verb);
    return h(
      "section",
      { class: "report", "data-id": one.id, "aria-label": t("moderation.appeals") },
      h("p", {}, h("b", {}, named({ username: account.username, account }))),
      h("p", { class: "hint" }, h("code", {}, one.action), " · ", moment(one.created_at)),
      one.text ? h("p", { class: "plain-text hint", dir: "auto" }, one.text) : null,
      h("p", { class: "plain-text", dir: "auto" }, one.appeal.text),
      h(
        "p",
        { class: "row" },
        decide("approve"),
        decide("reject"),
        a(`/moderation?account=${account.id}`, { class: "button small" }, t("moderation.history")),
      ),
    );
  }
}

export const badge = (state) => h("span", { class: "badge" }, t(`moderation.${state}`));

/** Asks what is to be done with an account, and does it. With a report this resolves it. */
function act(account, report, done) {
  const type = h(
    "select",
    {},
    TYPES.map((one) => h("option", { value: one }, t(`moderation.type.${one}`))),
  );
  return inWords(
    { path: `${ACCOUNTS}/${account.id}/action`, verb: t("moderation.act"), report, done },
    [h("h2", {}, t("moderation.act.on", { name: account.username })), labelled("moderation.type", type)],
    () => ({ type: type.value }),
  );
}

/** The same with a post. */
function actOnPost(status, verb, report, done) {
  const title = t(`moderation.post.${verb}`);
  return inWords({ path: `${STATUSES}/${status.id}/${verb}`, verb: title, report, done }, [h("h2", {}, title)]);
}

/** Asks for a message to whom an act concerns, and for the reason, and acts. */
export function inWords({ path, verb, report, done }, fields, chosen = () => ({})) {
  const words = (name) => h("textarea", { name, rows: 3, maxlength: TEXT_MAX, dir: "auto" });
  const text = words("text");
  const why = words("why");
  return asked(
    { "aria-label": verb },
    [
      fields,
      labelled("moderation.text", text, "moderation.text.hint"),
      labelled("moderation.why", why, "moderation.why.hint"),
    ],
    h("button", { class: "button danger" }, verb),
    async () => {
      await api.withCode(() =>
        api.post(path, {
          ...chosen(),
          text: text.value,
          why: why.value,
          ...(report ? { report_id: report } : {}),
        }),
      );
      toast(t("moderation.done"));
      await done();
    },
  );
}

/** An account as moderators see it, and what was done to it. */
export function history(id) {
  const box = h("div", {}, h("p", { class: "loading-line", role: "status" }, t("loading")));
  load();
  return view(t("nav.moderation"), [heading(t("moderation.history")), box]);

  async function load() {
    try {
      const path = `${ACCOUNTS}/${encodeURIComponent(id)}`;
      const [account, noted, log] = await Promise.all([
        api.get(path),
        api.get(`${path}/notes`).catch(unreached),
        api.get("/api/v1/admin/audit_log", { target_account_id: id, limit: PAGE }),
      ]);
      const ids = [...new Set([...(noted ?? []), ...log.entries].map((entry) => entry.by_account_id).filter(Boolean))];
      const actors = ids.length > 0 ? await api.get("/api/v1/accounts", { "id[]": ids }) : [];
      const names = new Map(actors.map((one) => [one.id, `@${one.username}`]));
      box.replaceChildren(drawn(account), ...(noted ? [notes(path, noted, names)] : []), acts(log.entries, names));
    } catch (refused) {
      box.replaceChildren(problem(refused, load));
    }
  }

  function drawn(account) {
    const undo = (state) =>
      button(`moderation.${UNDO[state]}`, async (event) => {
        const path = `${ACCOUNTS}/${account.id}/${UNDO[state]}`;
        (await once(event.currentTarget, () => tried(() => api.post(path)))) && load();
      });
    return h(
      "section",
      { class: "report" },
      h("p", {}, h("b", {}, named(account)), " ", states(account).map(badge)),
      h(
        "p",
        { class: "hint" },
        t("moderation.since"),
        " ",
        moment(account.created_at),
        account.email ? ` · ${account.email}` : "",
      ),
      h(
        "p",
        { class: "row" },
        button("moderation.act", () => act(account, null, load), "danger"),
        states(account).map(undo),
      ),
    );
  }

  /** Nobody reads notes on an account that the own role does not reach. */
  function unreached(refused) {
    if (refused.status !== 403) {
      throw refused;
    }
    return null;
  }

  /** The notes of moderators on the account. */
  function notes(path, noted, names) {
    const text = h("textarea", { name: "note", rows: 2, maxlength: NOTE_MAX, dir: "auto", required: true });
    const add = h("button", { class: "button small" }, t("moderation.note.add"));
    const remove = (note) => (event) =>
      once(event.currentTarget, () => tried(async () => (await api.remove(`${path}/notes/${note.id}`), await load())));
    return h(
      "section",
      { class: "report notes", "aria-label": t("moderation.notes") },
      h("h2", {}, t("moderation.notes")),
      noted.map((note) =>
        h(
          "p",
          { class: "row" },
          h(
            "span",
            { class: "grow" },
            h("time", { datetime: note.created_at }, moment(note.created_at)),
            ` · ${names.get(note.by_account_id) ?? note.by_operator ?? ""}`,
            h("span", { class: "plain-text", dir: "auto" }, note.text),
          ),
          button("moderation.note.remove", remove(note)),
        ),
      ),
      h(
        "form",
        {
          on: {
            submit: (event) => {
              event.preventDefault();
              return once(add, () =>
                tried(async () => (await api.post(`${path}/notes`, { text: text.value }), await load())),
              );
            },
          },
        },
        labelled("moderation.note", text),
        h("p", { class: "row end" }, add),
      ),
    );
  }

  function acts(entries, names) {
    return h(
      "ul",
      { class: "plain-list acts" },
      entries.length > 0
        ? entries.map((entry) =>
            h(
              "li",
              {},
              h("time", { datetime: entry.created_at }, moment(entry.created_at)),
              ` · ${names.get(entry.by_account_id) ?? entry.by_operator ?? entry.via} · `,
              h("code", {}, [entry.action, entry.detail].filter(Boolean).join(" ")),
              entry.why ? h("span", { class: "plain-text", dir: "auto" }, entry.why) : null,
            ),
          )
        : h("li", { class: "end-line" }, t("moderation.noacts")),
    );
  }
}
