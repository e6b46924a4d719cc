/** Acts on many accounts, and their undo. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { integer, quote, when } from "./parts.js";
import { listPage, words } from "./list.js";

const ACTS = ["limit", "sensitive", "suspend"];

const found = ({ count, accounts, more, complete }) =>
  h(
    "details",
    {},
    h("summary", {}, t("selections.count", { n: count })),
    more ? h("p", { class: "warn" }, t("list.more")) : "",
    complete ? "" : h("p", { class: "warn" }, t("list.unseen")),
    h(
      "ul",
      {},
      accounts.map((one) => h("li", {}, h("code", {}, one))),
    ),
  );

const state = ({ act, count }) =>
  act &&
  words(
    `${t(act.undo ? "selections.undone" : `selections.${act.kind}`)}: ${t(`selections.phase.${act.phase}`)}`,
    t("selections.settled", { settled: act.settled, count }),
    t(act.undo ? "selections.restored" : "selections.changed", { n: act.undo ? act.restored : act.changed }),
  );

export const selections = () =>
  listPage({
    name: "selections",
    columns: [
      ["accounts.id", (one) => String(one.number)],
      ["accounts.since", (one) => when(one.created_at)],
      ["selections.criteria", (one) => words(one.criteria)],
      ["accounts.title", found],
      ["accounts.state", state],
    ],
    every: 5000,
    acts: ({ number, count, act }) =>
      act
        ? !act.undo && Date.parse(act.undo_until) > Date.now()
          ? [{ path: "accounts/selection/undo", label: "selections.undo", of: number, body: { selection: number } }]
          : []
        : ACTS.filter(() => count > 0).map((one) => ({
            path: "accounts/selection/act",
            label: `selections.${one}`,
            of: `${number} ${one}`,
            body: { selection: number, act: one },
            values: { n: count },
            text: ["text", "selections.text"],
            danger: true,
          })),
    forms: [
      {
        path: "accounts/selection/make",
        label: "selections.make",
        fields: [
          ["names", { rows: 2, spellcheck: "false" }, "textarea"],
          ["from", { placeholder: "192.0.2.0/24" }],
          ["like"],
          ["wide", { type: "checkbox", value: "true" }],
          ["since", { placeholder: "24h" }],
          ["until", { placeholder: "2026-12-01T10:00:00Z" }],
          ["text", { maxlength: 200 }],
        ],
        of: ({ names = "", from, like, wide, since, until, text }) => [
          ...names
            .split(/[\s,]+/)
            .filter(Boolean)
            .map(quote),
          from && `--signed-up-from ${quote(from)}`,
          like && `--signed-up-like ${quote(like)}`,
          wide && "--wide",
          since && `--since ${quote(since)}`,
          until && `--until ${quote(until)}`,
          text && `--text ${quote(text)}`,
        ],
        done: (made) => t("selections.made", { n: made.count, number: integer(made.number) }),
      },
    ],
  });
