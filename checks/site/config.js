// The settings of VitePress. build.js writes site.json beside this file: what the pages of a version link and are.
import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { forSite, slugify } from "./markdown.js";

const site = JSON.parse(readFileSync(new URL("site.json", import.meta.url), "utf8"));

/** Between spaces and punctuation; each Chinese character is a token. VitePress writes this function into the pages. */
const tokenize = (text) => text.match(/\p{Script=Han}|[^\s\p{Z}\p{P}\p{Script=Han}]+/gu) ?? [];

export default defineConfig({
  title: "Fanfare",
  description: "A self-hosted social-feed server in Java 17: a REST API, a queue and an event stream on Redis.",
  lang: "en",
  base: site.base,
  srcExclude: ["public/**"],
  // links.js checks the finished pages, with their anchors.
  ignoreDeadLinks: true,
  // The index of the search has the pages in the order in which they are read: one at a time makes the bytes the same.
  buildConcurrency: 1,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${site.base}icon.svg` }]],
  vite: { build: { chunkSizeWarningLimit: 4096 } },
  markdown: {
    anchor: { slugify },
    // Comments of the usual themes are too faint (WCAG 2.2, 1.4.3), and the settings consist of comments.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    attrs: { disable: true },
    languageAlias: { console: "shellsession" },
    config: (md) => forSite(md, site),
  },
  themeConfig: {
    versions: site.versions,
    version: site.version,
    root: site.root,
    logo: "/icon.svg",
    search: { provider: "local", options: { miniSearch: { options: { tokenize } } } },
    nav: [
      { text: "Install", link: "/operate/install" },
      { text: "Operate", link: "/operate/" },
      { text: "API", link: "/api/" },
      { text: "Changelog", link: "/changelog" },
      { text: "中文", link: "/zh-CN" },
      ...(site.repository ? [{ text: "Source", link: site.repository }] : []),
    ],
    sidebar: site.sidebar,
    outline: { level: [2, 3] },
    ...(site.repository && {
      editLink: { text: "The source of this page", pattern: ({ frontmatter }) => frontmatter.source },
    }),
  },
  transformPageData(page) {
    const source = site.sources[page.relativePath];
    if (source && site.repository) page.frontmatter.source = `${site.repository}/blob/${site.ref}/${source}`;
  },
});
