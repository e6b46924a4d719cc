// Makes the site of docs/, one version or all, and checks its links. .ci/site calls it in the root of the sources:
//   node build.js FOLDER WORK [--versions]
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brokenLinks } from "./links.js";
import { git, Repository } from "./repository.js";
import { Source } from "./source.js";

/** The packages of which the pages load a part, and whose licences want their text beside it. */
const IN_BROWSERS = ["vue", "vitepress", "@vueuse/core", "minisearch", "mark.js", "focus-trap", "tabbable"];

const root = process.cwd();
const here = path.dirname(fileURLToPath(import.meta.url));
const [folder, work, mode] = process.argv.slice(2);
const base = process.env.SITE_BASE || "/";
const address = (process.env.SITE_REPOSITORY || "").replace(/\/$/, "");

function fail(faults) {
  faults.forEach((fault) => console.error(fault));
  console.error(`The site is not made: ${faults.length} ${faults.length === 1 ? "fault" : "faults"}, see above.`);
  process.exit(1);
}

/** The releases newest first, and their names in the menu. The newest, or else the sources, stand at the root. */
function versions() {
  const pom = new Repository(root, null).text("pom.xml").match(/<version>(.*)<\/version>/)[1];
  const now = { name: pom.replace("-SNAPSHOT", " (next)"), ref: null };
  if (mode !== "--versions") return [{ ...now, folder: "" }];
  const tags = git(root, "tag", "--list", "v*", "--sort=-version:refname").toString().split("\n");
  const releases = tags.filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag)).map((tag) => ({ name: tag.slice(1), ref: tag }));
  if (releases.length === 0) return [{ ...now, folder: "" }];
  return [...releases, now].map((version, at) => ({
    ...version,
    folder: at === 0 ? "" : version.ref ? `${version.name}/` : "next/",
  }));
}

if (!/^\/(.+\/)?$/.test(base)) fail([`SITE_BASE is ${base}: it needs a slash at both ends, as in /fanfare/.`]);
rmSync(folder, { recursive: true, force: true });
rmSync(work, { recursive: true, force: true });

const all = versions();
const sources = new Map();
for (const version of all) {
  const source = path.join(work, version.folder || "root");
  const settings = path.join(source, ".vitepress");
  mkdirSync(settings, { recursive: true });
  const own = base + version.folder;
  const made = new Source(new Repository(root, version.ref), source, own);
  const pages = made.make();
  if (made.faults.length > 0) fail(made.faults);
  for (const file of ["config.js", "markdown.js", "theme"]) {
    cpSync(path.join(here, file), path.join(settings, file), { recursive: true });
  }
  const site = {
    ...pages,
    base: own,
    root: base,
    version: version.name,
    versions: all.map(({ name, folder: place }) => ({ name, folder: place })),
    repository: address,
    ref: version.ref ?? git(root, "rev-parse", "HEAD").toString().trim(),
  };
  writeFileSync(path.join(settings, "site.json"), JSON.stringify(site));
  for (const [page, file] of Object.entries(pages.sources)) {
    sources.set(version.folder + page.replace(/\.md$/, ".html"), version.ref ? `${version.ref}:${file}` : file);
  }
  const out = path.resolve(folder, version.folder);
  const build = spawnSync(
    process.execPath,
    [path.join(here, "node_modules/vitepress/bin/vitepress.js"), "build", source, "--outDir", out],
    {
      encoding: "utf8",
    },
  );
  if (build.status !== 0)
    fail([`${build.stdout}${build.stderr}`, `VitePress could not make the pages of ${version.name}.`]);
}

const licences = IN_BROWSERS.map((name) => {
  const home = path.join(here, "node_modules", name);
  const licence = readdirSync(home).find((file) => /^licen[cs]e/i.test(file));
  return `${name}\n\n${readFileSync(path.join(home, licence), "utf8").trim()}\n`;
});
writeFileSync(path.join(folder, "licences.txt"), licences.join(`\n${"-".repeat(80)}\n\n`));

const { pages, faults } = brokenLinks(folder, base, (page) => sources.get(page));
if (faults.length > 0) fail(faults);
console.log(
  `site: ${pages} pages of ${all.map(({ name }) => name).join(", ")} in ${folder}, every link leads somewhere`,
);
