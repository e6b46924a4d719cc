/** Articles: hot, new and best, by group; submitting and voting. */
import { a, base, h, openDialog } from "./dom.js";
import { icon } from "./icons.js";
import * as api from "./api.js";
import { number, since, t } from "./i18n.js";
import { sheetHead } from "./sheets.js";
import { card, stand, statusPath } from "./status.js";
import { timeline } from "./timeline.js";
import { heading, view } from "./views.js";

// Votes do not count for max_rate: all of them come, and next to nothing else.
const VOTES = "/api/v1/streaming/firehose?votes=true&max_rate=1";

/** @param order hot, new or best */
export function articles(order, group) {
  const query = (name) =>
    `/articles${name === "hot" && !group ? "" : `?${new URLSearchParams({ ...(name === "hot" ? {} : { order: name }), ...(group ? { group } : {}) })}`}`;
  const load =
    order === "best"
      ? () => api.list("/api/v1/articles/best")
      : () => api.list("/api/v1/articles", { order: order === "new" ? "time" : "score", group });
  const list = timeline({ load, draw: (status) => row(status), empty: t("articles.none"), label: t("nav.articles") });
  const groups = h("p", { class: "chips", "aria-label": t("articles.groups") });
  const submit = api.session.account
    ? h(
        "button",
        { type: "button", class: "button primary small", on: { click: () => sheet(group, list) } },
        icon("pen"),
        t("articles.submit"),
      )
    : null;
  const tabs = h(
    "nav",
    { class: "tabs", "aria-label": t("articles.order") },
    ["hot", "new", "best"]
      .filter((name) => !(group && name === "best"))
      .map((name) =>
        a(query(name), { class: "tab", "aria-current": name === order ? "page" : null }, t(`articles.${name}`)),
      ),
  );
  showGroups();
  const off = api.session.account ? followVotes() : () => {};
  return view(
    group ? `${t("nav.articles")}: ${group}` : t("nav.articles"),
    [heading(group ? group : t("nav.articles"), submit), tabs, groups, list.element],
    () => (off(), list.dispose()),
  );

  async function showGroups() {
    try {
      const known = await api.get("/api/v1/groups", { limit: 20 });
      groups.replaceChildren(
        ...(group ? [a("/articles", { class: "chip" }, t("articles.all"))] : []),
        ...known.map(({ name, articles_count }) =>
          a(
            `/articles?group=${encodeURIComponent(name)}`,
            { class: "chip", "aria-current": name === group ? "page" : null },
            h("bdi", {}, name),
            " ",
            h("span", { class: "n" }, number(articles_count)),
          ),
        ),
      );
    } catch {
      // The list is there without them.
    }
  }
}

/** Shows the votes of others as they come, while somebody looks at the page. Returns what ends it. */
function followVotes() {
  let source = null;
  const look = () => {
    source?.close();
    source = document.visibilityState === "hidden" ? null : new EventSource(base + VOTES);
    source?.addEventListener("vote", ({ data }) => stand(JSON.parse(data)));
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    source?.close();
  };
}

function row(status) {
  const element = card(status);
  element.classList.add("article-row");
  return element;
}

function sheet(group, list) {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const field = (name, props) =>
    h(
      "label",
      {},
      h("span", {}, t(`articles.field.${name}`)),
      h(props.rows ? "textarea" : "input", { name, dir: "auto", ...props }),
    );
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-label": t("articles.submit"), on: { close: () => dialog.remove() } },
    sheetHead(t("articles.submit"), () => dialog.close()),
    h(
      "form",
      { class: "fields-form", on: { submit: send } },
      field("title", { required: true, maxlength: 300 }),
      field("link", { type: "url", maxlength: 2000, placeholder: "https://" }),
      field("text", { rows: 3 }),
      field("groups", { value: group ?? "", placeholder: "redis, java" }),
      problem,
      h("p", { class: "row end" }, h("button", { class: "button primary" }, t("articles.publish"))),
    ),
  );
  const key = crypto.randomUUID();
  openDialog(dialog);

  async function send(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    problem.hidden = true;
    try {
      const status = await api.post(
        "/api/v1/articles",
        {
          title: form.get("title"),
          link: form.get("link") || undefined,
          text: form.get("text"),
          groups: form
            .get("groups")
            .split(/[\s,]+/)
            .filter(Boolean),
        },
        key,
      );
      dialog.close();
      list.add(status);
    } catch (refused) {
      problem.textContent = refused.message;
      problem.hidden = false;
    }
  }
}

/** A few of the highest, for the side of other pages. */
export async function highest() {
  const { items } = await api.list("/api/v1/articles", { limit: 5 });
  return items.length === 0
    ? null
    : h(
        "section",
        { class: "aside-card" },
        h("h2", {}, t("articles.hottest")),
        h(
          "ol",
          { class: "highest" },
          items.map((status) =>
            h(
              "li",
              {},
              a(statusPath(status), { dir: "auto" }, status.article.title),
              h(
                "p",
                { class: "handle" },
                t("article.votes", { n: status.article.votes }),
                " · ",
                since(status.created_at),
              ),
            ),
          ),
        ),
        a("/articles", { class: "more-link" }, t("articles.all")),
      );
}
