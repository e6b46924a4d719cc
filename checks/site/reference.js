// Pages that are made of a file rather than written: the settings, and the requests of the API.
import { parse } from "yaml";
import { named } from "./markdown.js";

const RULE = /^# -{20,}\n/m;
const METHODS = ["get", "post", "put", "patch", "delete", "head"];

/** Vue reads what stands in double braces. */
const text = (value) =>
  String(value ?? "")
    .trim()
    .replaceAll("<", "&lt;")
    .replaceAll("{{", "&#123;&#123;");

const cell = (value) =>
  text(value)
    .replaceAll("|", "\\|")
    .replace(/\s*\n\s*/g, " ");

const comment = (lines) =>
  lines
    .map((line) => line.replace(/^# ?/, ""))
    .join("\n")
    .trim();

/** A heading for each group of the annotated file, so that the search and the outline find it. */
export function settings(yaml, raw) {
  const [head, ...groups] = yaml.split(RULE);
  const parts = groups.map((group) => {
    const lines = group.split("\n");
    const at = lines.findIndex((line) => /^[a-z-]+:/.test(line));
    const name = lines[at].replace(/:.*/, "");
    const about = text(comment(lines.slice(0, at)));
    return `## ${name}\n\n${about}\n\n\`\`\`yaml\n${lines.slice(at).join("\n").trimEnd()}\n\`\`\`\n`;
  });
  return (
    `# Settings\n\nThis is \`config/fanfare.yaml\`, <a href="${raw}" download>as a file</a>.\n\n` +
    `${text(comment(head.trim().split("\n"))).replace(/^ {4}.*$/gm, "\n$&\n")}\n\n${parts.join("\n")}`
  );
}

/** A page for each tag of openapi.yaml, and an index of them. */
export function contract(yaml, raw) {
  const api = parse(yaml);
  const resolve = (part) => {
    let found = part;
    while (found?.$ref) {
      found = found.$ref
        .replace(/^#\//, "")
        .split("/")
        .reduce((node, key) => node[key.replaceAll("~1", "/").replaceAll("~0", "~")], api);
    }
    return found;
  };

  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      path,
      method: method.toUpperCase(),
      ...item[method],
      parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(resolve),
    })),
  );

  const pages = {};
  const list = [];
  for (const { name, description } of api.tags) {
    const own = operations.filter((operation) => operation.tags?.[0] === name);
    if (own.length === 0) continue;
    list.push(`| [${name}](/api/${name}.md) | ${own.length} | ${cell(description)} |`);
    pages[named(`api/${name}`)] =
      `# API: ${name}\n\n${text(description)}\n\n${own.map((operation) => section(operation, resolve)).join("\n")}`;
  }
  pages[named("api/index")] =
    `# Every request of the API\n\nMade of \`openapi.yaml\`, OpenAPI ${api.openapi}: <a href="${raw}" download>download it</a> ` +
    `for schemas and examples. A running server serves it as \`/openapi.yaml\`, and as pages at \`/docs\`.\n\n` +
    `${text(api.info.description)}\n\n## Requests by subject\n\n| subject | requests | about |\n|---|---|---|\n${list.join("\n")}\n`;
  return pages;
}

function section(operation, resolve) {
  const parts = [
    `## ${operation.method} \`${operation.path}\``,
    `**${text(operation.summary)}.** ${text(operation.description)}`,
  ];
  parts.push(`Token: ${caller(operation.security)}.`);
  const body = Object.entries(resolve(operation.requestBody)?.content ?? {});
  const fields = body.length > 0 ? Object.entries(properties(body[0][1].schema, resolve)) : [];
  const parameters = [
    ...operation.parameters.map((parameter) => [parameter.name, parameter.in, parameter.required, parameter]),
    ...fields.map(([name, field]) => [name, "body", field.required, field]),
  ];
  if (parameters.length > 0) {
    parts.push(
      "| parameter | in | about |\n|---|---|---|\n" +
        parameters
          .map(([name, place, required, parameter]) => {
            const about = cell(parameter.description ?? resolve(parameter.schema)?.description);
            return `| \`${name}\` | ${place}${required ? ", required" : ""} | ${about} |`;
          })
          .join("\n"),
    );
  }
  if (body.length > 0) parts.push(`Body: ${body.map(([type]) => `\`${type}\``).join(", ")}.`);
  parts.push(
    "| status | answer |\n|---|---|\n" +
      Object.entries(operation.responses)
        .map(([status, response]) => `| ${status} | ${cell(resolve(response).description)} |`)
        .join("\n"),
  );
  return `${parts.join("\n\n")}\n`;
}

function properties(schema, resolve) {
  const found = resolve(schema) ?? {};
  const all = {};
  for (const part of found.allOf ?? []) Object.assign(all, properties(part, resolve));
  for (const [name, property] of Object.entries(found.properties ?? {})) {
    all[name] = { description: resolve(property)?.description, required: found.required?.includes(name) };
  }
  return all;
}

function caller(security) {
  if (!security?.length) return "none is needed";
  return security
    .map((way) => {
      const [[kind, scopes] = []] = Object.entries(way);
      if (!kind) return "none";
      const what = kind === "user" ? "of a user" : "of an app";
      return scopes.length > 0 ? `${what} with ${scopes.map((scope) => `\`${scope}\``).join(" or ")}` : what;
    })
    .join(", or ");
}
