/** Networks, mail domains and user names that the site refuses. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { quote, when } from "./parts.js";
import { listPage, words } from "./list.js";

const KINDS = ["network", "mail", "name"];
const SEVERITIES = ["sign_up_block", "sign_up_requires_approval", "no_access"];

const options = (values) => values.map((one) => h("option", { value: one }, t(`blocks.${one}`)));
const lines = (values) =>
  values
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("#"));

export const blocks = () =>
  listPage({
    name: "blocks",
    choice: ["kind", options(KINDS)],
    columns: [
      ["blocks.field.values", (one) => h("code", {}, one.value)],
      ["blocks.field.severity", (one) => t(`blocks.${one.severity}`)],
      ["moderation.why", (one) => words(one.comment)],
      ["accounts.since", (one) => when(one.created)],
      ["site.ends", (one) => when(one.ends)],
    ],
    acts: ({ kind, value }) => [
      {
        path: "blocks/remove",
        label: "blocks.remove",
        of: `${kind} ${quote(value)}`,
        body: { kind, values: value },
        danger: true,
      },
    ],
    forms: [
      {
        path: "blocks/add",
        label: "blocks.add",
        fields: [
          ["kind", {}, "select", options(KINDS)],
          ["values", { rows: 3, required: true, spellcheck: "false" }, "textarea"],
          ["severity", {}, "select", options(SEVERITIES)],
          ["days", { type: "number", min: 1, max: 3650 }],
        ],
        of: ({ kind, values, severity, days }) => [
          kind,
          lines(values).length === 1 ? quote(lines(values)[0]) : "--file FILE",
          ...(kind === "network" ? [`--severity ${severity}`, days && `--days ${days}`] : []),
        ],
      },
    ],
  });
