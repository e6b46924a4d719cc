// Looks at installed packages: both kinds of modules load, the types compile, and nothing else is in them.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";

const folder = process.argv[2];
const sources = fileURLToPath(new URL("..", import.meta.url));
const npm = join(folder, "npm");
const run = (command, ...options) => execFileSync(command, options, { cwd: npm, encoding: "utf8" }).trim();
const version = /<version>(.*?)(-SNAPSHOT)?</.exec(readFileSync(join(sources, "../pom.xml"), "utf8"))[1];

const load =
  "new Fanfare('http://127.0.0.1:1').streams.filter().track('a').open(); console.log(Object.keys(Fanfare.prototype).length)";
const modules = run(process.execPath, "--input-type=module", "-e", `import { Fanfare } from "fanfare-client"; ${load}`);
const common = run(process.execPath, "-e", `const { Fanfare } = require("fanfare-client"); ${load}`);
const page = run(
  process.execPath,
  "--input-type=module",
  "-e",
  `import { Fanfare } from "./node_modules/fanfare-client/dist/fanfare.min.js"; ${load}`,
);
assert.ok(Number(modules) > 180);
assert.deepEqual([common, page], [modules, modules]);

writeFileSync(
  join(npm, "typed.mts"),
  `import { Fanfare, type Event, type Status } from "fanfare-client";
const fanfare = new Fanfare("https://social.example", { token: "t" });
export async function all(): Promise<string[]> {
  const names: string[] = [];
  for await (const status of fanfare.showHome({ limit: 40 })) names.push(status.account.acct);
  const page = await fanfare.showPublic();
  const next: Status[] | null = await page.nextPage();
  const text = (event: Event): string => {
    if (event.type === "status" || event.type === "edit") return event.data.content;
    if (event.type === "gap") return String(event.data.missed ?? "unknown");
    return event.type === "notification" ? event.data.account.acct : event.id ?? "";
  };
  for await (const { events, cursor } of fanfare.streams.filter().track("a").after(names[0]).open()) names.push(cursor, ...events.map(text));
  // @ts-expect-error a call without its id
  await fanfare.showStatus();
  // @ts-expect-error a field that no request has
  await fanfare.createStatus({ text: "Hello" });
  return [...names, String(next?.length)];
}
`,
);
const tsc = join(sources, "typescript/node_modules/typescript/bin/tsc");
const lib = "ES2022,DOM,DOM.AsyncIterable";
run(
  process.execPath,
  tsc,
  "--strict",
  "--noEmit",
  "--module",
  "NodeNext",
  "--target",
  "ES2022",
  "--lib",
  lib,
  "typed.mts",
);

const installed = join(npm, "node_modules/fanfare-client");
assert.deepEqual(readdirSync(installed).sort(), ["LICENSE", "README.md", "dist", "package.json"]);
const described = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
assert.equal(described.version, version);
assert.equal(described.dependencies, undefined);
const size = readFileSync(join(installed, "dist/fanfare.min.js")).length;
assert.ok(size <= 20 * 1024, `dist/fanfare.min.js has ${size} bytes, more than 20 KB`);

const metadata = readdirSync(join(folder, "python")).find((name) => name.endsWith(".dist-info"));
const lines = readFileSync(join(folder, "python", metadata, "METADATA"), "utf8").split("\n");
assert.ok(lines.includes(`Version: ${version}`));
assert.deepEqual(
  lines.filter((line) => line.startsWith("Requires-Dist")).map((line) => line.replace(/[()\s]/g, "")),
  ["Requires-Dist:httpx<1,>=0.23.3"],
);
assert.ok(readdirSync(join(folder, "python/fanfare_client")).includes("py.typed"));
assert.equal(readdirSync(join(folder, "packages")).length, 3, "an npm package, a wheel and an sdist");
console.log(`packages: ${readdirSync(join(folder, "packages")).join(", ")}; ${modules} calls, ${size} bytes minified`);
