/** Codes with which people sign up. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { integer, quote, reveal, when } from "./parts.js";
import { listPage, words } from "./list.js";

export const invitations = () =>
  listPage({
    name: "invitations",
    columns: [
      ["invitations.code", (one) => h("code", {}, one.code)],
      ["moderation.by", (one) => one.account_id ?? t("invitations.operator")],
      ["accounts.since", (one) => when(one.created_at)],
      ["site.ends", (one) => when(one.expires_at)],
      ["invitations.used", (one) => `${integer(one.uses)} / ${one.max_uses ? integer(one.max_uses) : "∞"}`],
      [
        "accounts.state",
        (one) => (one.valid ? t("accounts.active") : h("span", { class: "warn" }, t("invitations.over"))),
      ],
      ["invitations.field.comment", (one) => words(one.comment)],
    ],
    acts: ({ code }) => [
      { path: "invitations/revoke", label: "invitations.revoke", of: code, body: { code }, danger: true },
    ],
    forms: [
      {
        path: "invitations/create",
        label: "invitations.create",
        fields: [
          ["uses", { type: "number", min: 1, max: 10_000 }],
          ["days", { type: "number", min: 1, max: 365 }],
          ["comment", { maxlength: 420 }],
        ],
        of: ({ uses, days, comment }) => [
          uses && `--uses ${uses}`,
          days && `--days ${days}`,
          comment && `--comment ${quote(comment)}`,
        ],
        done: ({ url }) => reveal(t("invitations.made"), url),
      },
    ],
  });
