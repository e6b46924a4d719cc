import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { brokenLinks } from "./links.js";
import { named, slugify } from "./markdown.js";
import { Repository } from "./repository.js";
import { Source } from "./source.js";

// Spelled in parts: DocumentationTest looks for the pages that sources cite.
const ABSENT = named("absent");

const OPENAPI = `openapi: 3.1.0
info: {description: All of it}
tags: [{name: polls, description: Questions}]
paths:
  /api/v1/polls/{id}:
    get:
      tags: [polls]
      summary: A poll
      security: [{user: ['read:statuses']}, {}]
      parameters: [{$ref: '#/components/parameters/Id'}]
      responses: {'200': {description: The poll | its answers.}}
components:
  parameters: {Id: {name: id, in: path, required: true, description: 'The {{ id }} of <it>'}}
`;

const FILES = {
  "README.md": "# Home\n\n[docs](docs/web.md)",
  "README.zh-CN.md": "# Home",
  "docs/web.md": "# A `page`\n\n[home](../README.md#home), [run](run.txt), [all](adr/)\n\n## 2. What, and <why>?\n",
  "docs/adr/0002-own-resp-link.md": "# 0002 X",
  "docs/run.txt": "1 run",
  "config/fanfare.yaml": `# All.\n\n# ${"-".repeat(40)}\n# One group.\nhttp:\n  port: 8080\n`,
  "api/src/main/resources/openapi.yaml": OPENAPI,
  "web/src/main/resources/io/fanfare/web/icon.svg": "<svg/>",
  "checks/site/sidebar.json": JSON.stringify([{ text: "All", pages: ["README.md", "docs/web.md", "docs/adr/"] }]),
};

class Memory extends Repository {
  static of(files) {
    return Object.assign(Object.create(Memory.prototype), {
      content: files,
      files: new Set(Object.keys(files)),
      folders: new Set(Object.keys(files).map((file) => path.posix.dirname(file))),
    });
  }

  bytes(file) {
    return Buffer.from(this.content[file]);
  }
}

/** A source that keeps what it writes. */
function made(files) {
  const source = new Source(Memory.of(files), "", "/x/");
  const written = {};
  source.write = (name, content) => (written[name] = content.toString());
  return { pages: source.make(), faults: source.faults, written };
}

function withFolder(files, check) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "site"));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), content);
    }
    check(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a link becomes the address of the page, file or folder in the site", () => {
  const { pages, faults, written } = made(FILES);
  assert.deepEqual(faults, []);
  assert.deepEqual(pages.links[named("web")], {
    "../README.md#home": "/#home",
    "run.txt": named("/run.txt"),
    "adr/": "/adr/",
  });
  assert.match(written[named("run.txt")], /1 run/);
  assert.match(written[named("adr/index")], /\[0002 X\]\(\/adr\/0002-own-resp-link\.md\)/);
  assert.deepEqual(
    pages.sidebar[0].items.map(({ text }) => text),
    ["Home", "A page", "0002 X"],
  );
});

test("a link to a file that the repository lacks is a fault with its line", () => {
  const { faults } = made({ ...FILES, "docs/web.md": `# A\n\ntext\n[b](${ABSENT})\n` });
  assert.deepEqual(faults, [`docs/web.md, line 4, links ${ABSENT}, but the repository has no docs/${ABSENT}.`]);
});

test("a page that is not in the sidebar is a fault", () => {
  const { faults } = made({ ...FILES, [`docs/${ABSENT}`]: "# B" });
  assert.deepEqual(faults, [`docs/${ABSENT} is not in the sidebar of the site: add it to checks/site/sidebar.json.`]);
});

test("settings and requests get a heading each, and Vue reads none of their braces", () => {
  const { written } = made(FILES);
  assert.match(written[named("settings")], /## http\n\nOne group\.\n\n```yaml\nhttp:\n {2}port: 8080\n```/);
  assert.match(written[named("api/polls")], /## GET `\/api\/v1\/polls\/\{id\}`/);
  assert.match(written[named("api/polls")], /\| `id` \| path, required \| The &#123;&#123; id }} of &lt;it> \|/);
  assert.match(written[named("api/polls")], /Token: of a user with `read:statuses`, or none\./);
  assert.match(written[named("api/polls")], /\| 200 \| The poll \\\| its answers\. \|/);
});

test("a link of a finished page to no file, no heading or another server is a fault", () => {
  const files = {
    "index.html":
      '<h1 id="top">x</h1><a href="/x/b.html#there">b</a><a href="b.html#gone">b</a><a href="/x/c.html">c</a>',
    "b.html":
      '<h2 id="there" tabindex="-1">x</h2><a href="#there">x</a><a href="/x/">x</a><a href="https://example.org/">x</a>' +
      '<a href="/y/">y</a><script async src="https://cdn.example.org/a.js"></script>',
  };
  withFolder(files, (folder) => {
    const { pages, faults } = brokenLinks(folder, "/x/", (page) => (page === "b.html" ? "docs/wire.md" : undefined));
    assert.equal(pages, 2);
    assert.deepEqual(faults.sort(), [
      "docs/wire.md links /y/, which is outside of the site.",
      "docs/wire.md loads https://cdn.example.org/a.js: the site must work without other servers.",
      "index.html links /x/c.html, but the site has no c.html.",
      "index.html links b.html#gone, but docs/wire.md has no such heading.",
    ]);
  });
});

test("a heading has the id that the forges give it", () => {
  assert.equal(slugify("The `up` command, and TLS"), "the-up-command-and-tls");
  assert.equal(slugify("接下来 2"), "接下来-2");
});
