// Makes the source of a site of one version: its pages under the names that they have there, with all that they link.
import MarkdownIt from "markdown-it";
import { renderMermaidSVG } from "beautiful-mermaid";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { asOnForges, named, plain } from "./markdown.js";
import { contract, settings } from "./reference.js";

const SETTINGS = "config/fanfare.yaml";
const CONTRACT = "api/src/main/resources/openapi.yaml";
const CHINESE = "README.zh-CN.md";
const ICON = "web/src/main/resources/io/fanfare/web/icon.svg";

const PICTURE = /\.(png|svg|webp|jpg)$/;
const EXTERNAL = /^[a-z]+:/;

/** Larger files are linked as they are: nobody reads them as a page. */
const LISTING_BYTES_MAX = 100_000;

const LANGUAGES = { ".yaml": "yaml", ".json": "json", ".conf": "nginx", ".service": "ini", ".sql": "sql" };

const COLOURS = {
  light: { bg: "#ffffff", fg: "#3c3c43", muted: "#55555f", line: "#85858f", accent: "#5a3fd6" },
  dark: { bg: "#1b1b1f", fg: "#dfdfd6", muted: "#c0c0c8", line: "#8d8d97", accent: "#a796ff" },
};

const markdown = asOnForges(new MarkdownIt({ html: true, linkify: true }));

/** Names the page of the site that shows a file of the repository. */
function place(file) {
  if (file === "README.md") return named("index");
  if (file === CHINESE) return named("zh-CN");
  if (file === SETTINGS) return named("settings");
  if (file === CONTRACT) return named("api/index");
  const name = file.startsWith("docs/") ? file.slice("docs/".length) : `files/${file.replace(/^\./, "")}`;
  if (name.endsWith("README.md")) return name.replace(/README\.md$/, named("index"));
  return name.endsWith(".md") || PICTURE.test(name) ? name : named(name);
}

const address = (file) => `/${place(file).replace(/(^|\/)index\.md$/, "$1")}`;

/** The tokens of a page and those in its paragraphs, each with its line. */
function* tokens(parsed, first = 0) {
  let line = first;
  for (const token of parsed) {
    if (token.map) line = token.map[0] + 1;
    if (token.type === "softbreak" || token.type === "hardbreak") line++;
    yield { token, line };
    if (token.children) yield* tokens(token.children, line);
  }
}

function title(parsed, file) {
  const at = parsed.findIndex((token) => token.type === "heading_open" && token.tag === "h1");
  return at < 0 ? path.posix.basename(file) : plain(parsed[at + 1]);
}

export class Source {
  /**
   * @param folder where the source is written
   * @param base the path of this version on its server, with a slash at both ends
   */
  constructor(repository, folder, base) {
    this.repository = repository;
    this.folder = folder;
    this.base = base;
    this.faults = [];
    this.titles = new Map();
    /** By page of the site: what its links become. */
    this.links = {};
    /** By text of a diagram: the names of its pictures. */
    this.diagrams = {};
    /** By page of the site: the file of the repository that it is made of. */
    this.sources = {};
    this.seen = new Set();
  }

  make() {
    for (const file of ["README.md", CHINESE, CONTRACT, SETTINGS, ...this.repository.manual()]) {
      this.add(file);
    }
    this.public(ICON, "icon.svg");
    const sidebar = this.sidebar(JSON.parse(this.repository.text("checks/site/sidebar.json")));
    return { sidebar, links: this.links, diagrams: this.diagrams, sources: this.sources };
  }

  /** Adds a file and, in turn, what it links. */
  add(file) {
    if (this.seen.has(file)) return;
    this.seen.add(file);
    if (!this.repository.files.has(file)) {
      this.faults.push(`${file} is not in the repository, and the site needs it.`);
    } else if (file === SETTINGS) {
      this.download(file);
      this.generate(file, { [place(file)]: settings(this.repository.text(file), this.raw(file)) });
      this.titles.set(file, "Settings");
    } else if (file === CONTRACT) {
      this.download(file);
      this.generate(file, contract(this.repository.text(file), this.raw(file)));
      this.titles.set(file, "Every request of the API");
    } else if (file.endsWith(".md")) {
      this.page(file);
    } else if (PICTURE.test(file)) {
      this.write(place(file), this.repository.bytes(file));
    } else {
      this.listing(file);
    }
  }

  generate(file, pages) {
    for (const [name, text] of Object.entries(pages)) {
      this.write(
        name,
        `---\neditLink: false\npageClass: ${path.posix.dirname(name) === "." ? "settings" : "api"}\n---\n\n${text}`,
      );
    }
    this.sources[place(file)] = file;
  }

  page(file) {
    const name = place(file);
    const text = this.repository.text(file);
    const parsed = markdown.parse(text, {});
    this.titles.set(file, title(parsed, file));
    this.sources[name] = file;
    this.links[name] = {};
    this.write(name, text);
    for (const { token, line } of tokens(parsed)) {
      if (token.type === "link_open") this.link(file, token.attrGet("href"), line);
      if (token.type === "image") this.link(file, token.attrGet("src"), line);
      if (token.type === "fence" && token.info.trim() === "mermaid") this.diagram(name, token.content);
    }
  }

  link(page, target, line) {
    if (EXTERNAL.test(target) || target.startsWith("#")) return;
    const [name, anchor] = target.split("#");
    const file = path.posix.join(path.posix.dirname(page), decodeURI(name)).replace(/\/$/, "");
    const to = this.target(file === "." ? "" : file);
    if (to === null) {
      this.faults.push(`${page}, line ${line}, links ${target}, but the repository has no ${file}.`);
      return;
    }
    if (PICTURE.test(to)) {
      this.links[place(page)][target] = this.relative(place(page), to);
    } else {
      this.links[place(page)][target] = anchor === undefined ? to : `${to}#${anchor}`;
    }
  }

  /** Returns the address that a file or folder has in the site; null if the repository has neither. */
  target(file) {
    const { files, folders } = this.repository;
    if (files.has(file)) {
      this.add(file);
      return address(file);
    }
    if (!folders.has(file)) return null;
    const readme = path.posix.join(file, "README.md");
    if (files.has(readme)) {
      this.add(readme);
      return address(readme);
    }
    return this.index(file);
  }

  /** The list of the pages of a folder that has no README. */
  index(folder) {
    const readme = path.posix.join(folder, "README.md");
    if (!this.seen.has(readme)) {
      this.seen.add(readme);
      const pages = this.repository.pages(folder);
      pages.forEach((page) => this.add(page));
      const list = pages.map((page) => `- [${this.titles.get(page)}](${address(page)})`).join("\n");
      const heading = folder === "docs/adr" ? "Decisions" : folder;
      this.titles.set(readme, heading);
      this.write(place(readme), `---\neditLink: false\nsearch: false\n---\n\n# ${heading}\n\n${list}\n`);
    }
    return address(readme);
  }

  /** A file that is no page: its text in a page, and the file itself. */
  listing(file) {
    const bytes = this.repository.bytes(file);
    this.titles.set(file, path.posix.basename(file));
    this.download(file);
    const language = LANGUAGES[path.posix.extname(file)] ?? "txt";
    const text =
      bytes.length > LISTING_BYTES_MAX ? "" : `\`\`\`\`${language}\n${bytes.toString().trimEnd()}\n\`\`\`\`\n`;
    this.sources[place(file)] = file;
    this.write(
      place(file),
      `---\nsearch: false\naside: false\neditLink: false\nprev: false\nnext: false\n---\n\n# ${path.posix.basename(file)}\n\n` +
        `\`${file}\`, <a href="${this.raw(file)}" download>download</a>\n\n${text}`,
    );
  }

  /** Returns the address from which browsers download a file. */
  raw(file) {
    return `${this.base}files/${file}`;
  }

  download(file) {
    this.public(file, `files/${file}`);
  }

  public(file, name) {
    this.write(`public/${name}`, this.repository.bytes(file));
  }

  diagram(page, text) {
    if (this.diagrams[text]) return;
    const name = `${page.replace(/\.md$/, "")}-${Object.keys(this.diagrams).length + 1}`;
    for (const [scheme, colours] of Object.entries(COLOURS)) {
      const svg = renderMermaidSVG(text, colours)
        // The font of the style sheet comes from another server; these have its widths, or nearly.
        .replace(/@import url\([^)]*\);/, "")
        .replace(
          /font-family: 'Inter'[^;]*;/,
          "font-family: Inter, Arial, 'Liberation Sans', 'DejaVu Sans Condensed', sans-serif;",
        );
      this.write(`public/diagrams/${name}.${scheme}.svg`, svg);
    }
    this.diagrams[text] = `diagrams/${name}`;
  }

  relative(page, to) {
    const relative = path.posix.relative(path.posix.dirname(`/${page}`), to);
    return relative.startsWith(".") ? relative : `./${relative}`;
  }

  write(name, content) {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** The groups of the sidebar. Each page of docs/ has to be in one. */
  sidebar(groups) {
    const listed = new Set();
    const entry = (file, text) => {
      listed.add(file);
      this.add(file);
      return { text: text ?? this.titles.get(file), link: address(file) };
    };
    // Pages that a group names stand there, and not in the sections of an index too.
    const fileOf = (page) => page.file ?? page;
    groups.forEach(({ pages }) => pages.forEach((page) => listed.add(fileOf(page))));
    const sidebar = groups.map(({ text, pages, sections, collapsed }) => ({
      text,
      collapsed: collapsed ?? false,
      items: [
        ...pages.flatMap((page) =>
          fileOf(page).endsWith("/")
            ? this.folderPages(page.slice(0, -1))
                .filter((file) => !listed.has(file))
                .map((file) => entry(file))
            : [entry(fileOf(page), page.text)],
        ),
        ...(sections ? this.sections(sections, listed, entry) : []),
      ],
    }));
    for (const file of this.repository.manual()) {
      if (!listed.has(file)) {
        this.faults.push(`${file} is not in the sidebar of the site: add it to checks/site/sidebar.json.`);
      }
    }
    return sidebar;
  }

  /** Versions newest first, everything else by name. */
  folderPages(folder) {
    const pages = this.repository.pages(folder);
    return folder === "docs/changelog"
      ? pages.sort((one, other) => other.localeCompare(one, "en", { numeric: true }))
      : pages;
  }

  /** The headings of an index page with the pages that its tables link, by the text of the link. */
  sections(index, listed, entry) {
    const sections = [];
    const parsed = markdown.parse(this.repository.text(index), {});
    parsed.forEach((token, at) => {
      if (token.type === "heading_open" && token.tag === "h2") {
        sections.push({ text: plain(parsed[at + 1]), collapsed: true, items: [] });
      }
      if (token.type !== "td_open" || sections.length === 0) return;
      const children = parsed[at + 1].children;
      if (children[0]?.type !== "link_open") return;
      const file = path.posix.join(path.posix.dirname(index), children[0].attrGet("href"));
      const text = plain({ children: children.slice(1) });
      if (this.repository.files.has(file) && !listed.has(file)) sections.at(-1).items.push(entry(file, text));
    });
    return sections.filter((section) => section.items.length > 0);
  }
}
