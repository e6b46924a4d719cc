// Checks the finished pages: each link leads to a page or file, each anchor to a heading, nothing loads from elsewhere.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const TAG = /<([a-z][a-z0-9]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)\s*\/?>/g;
const ATTRIBUTE = /([^\s"'<>/=]+)="([^"]*)"/g;
const EXTERNAL = /^(?:[a-z]+:|\/\/)/;

const decoded = (value) =>
  value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

function read(file) {
  const ids = new Set();
  const links = [];
  for (const [, tag, attributes] of readFileSync(file, "utf8").matchAll(TAG)) {
    const { id, href, src, rel } = Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name, value]) => [name, decoded(value)]),
    );
    if (id) ids.add(id);
    if (href) links.push({ target: href, loads: tag === "link" && rel !== "canonical" });
    if (src) links.push({ target: src, loads: true });
  }
  return { ids, links };
}

/**
 * @param base the path of the folder on its server
 * @param sourceOf the file of the repository that a page of the site is made of, by the page's name
 * @returns a sentence for each fault
 */
export function brokenLinks(folder, base, sourceOf) {
  const files = readdirSync(folder, { recursive: true }).map((file) => file.split(path.sep).join("/"));
  const pages = new Map(
    files.filter((file) => file.endsWith(".html")).map((file) => [file, read(path.join(folder, file))]),
  );
  const faults = new Set();
  for (const [page, { links }] of pages) {
    const from = sourceOf(page) ?? page;
    for (const { target, loads } of links) {
      if (EXTERNAL.test(target)) {
        if (loads && !target.startsWith("data:"))
          faults.add(`${from} loads ${target}: the site must work without other servers.`);
        continue;
      }
      const { pathname, hash } = new URL(target, `http://site${base}${page}`);
      const name = decodeURIComponent(pathname);
      if (!name.startsWith(base)) {
        faults.add(`${from} links ${target}, which is outside of the site.`);
        continue;
      }
      const file = name.slice(base.length).replace(/(^|\/)$/, "$1index.html");
      const local = path.join(folder, file);
      if (!existsSync(local) || !statSync(local).isFile()) {
        faults.add(`${from} links ${target}, but the site has no ${file}.`);
      } else if (hash.length > 1 && pages.has(file) && !pages.get(file).ids.has(decodeURIComponent(hash.slice(1)))) {
        faults.add(`${from} links ${target}, but ${sourceOf(file) ?? file} has no such heading.`);
      }
    }
  }
  return { pages: pages.size, faults: [...faults] };
}
