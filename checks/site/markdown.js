// Markdown as the forges read it, where VitePress reads more into it, and the addresses that links have in the site.

/** From this many characters on, the text of a cell is long. */
const CELL_LONG = 100;

/** The characters around the end of a line that is no space: wide punctuation, or Chinese on both sides. */
const NO_SPACE = /^[\u3000-\u303f\uff00-\uffef]|[\u3000-\u303f\uff00-\uffef]$|^\p{Script=Han}{2}$/u;

/** The id of a heading, as the forges and DocumentationTest make it. */
export const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** The name of a page in the site. */
export const named = (name) => `${name}.md`;

/** For the pass that collects links, and for VitePress. */
export function asOnForges(md) {
  // README.md is no host of Moldova.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  return md;
}

/** The text of an inline token without its markup. */
export const plain = (inline) =>
  inline.children
    .map((child) => (child.type === "softbreak" ? " " : child.content))
    .join("")
    .trim();

/** For VitePress: what build.js writes into site.json becomes part of the pages. */
export function forSite(md, site) {
  asOnForges(md);
  md.disable("emoji");
  // Vue reads what stands in double braces.
  const text = md.renderer.rules.text;
  md.renderer.rules.text = (...parameters) => text(...parameters).replaceAll("{{", "&#123;&#123;");
  addresses(md, site.links);
  diagrams(md, site);
  tables(md);
  chinese(md, site.sources);
}

/** Gives links and pictures the addresses that they have in the site. */
function addresses(md, byPage) {
  md.core.ruler.push("addresses", (state) => {
    const links = byPage[state.env.relativePath] ?? {};
    for (const block of state.tokens) {
      for (const token of block.children ?? []) {
        const name = token.type === "link_open" ? "href" : token.type === "image" ? "src" : null;
        const address = name && links[token.attrGet(name)];
        if (address) token.attrSet(name, address);
      }
    }
  });
}

/** Cells with much text keep a width in which it can be read; a table that is too wide scrolls. */
function tables(md) {
  md.core.ruler.push("tables", (state) => {
    state.tokens.forEach((token, at) => {
      if (token.type === "td_open" && state.tokens[at + 1].content.length > CELL_LONG) token.attrJoin("class", "long");
    });
  });
}

/** A diagram is a picture in the colours of either scheme, which opens in its full size. */
function diagrams(md, site) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const name = site.diagrams[tokens[index].content];
    if (!name) return fence(tokens, index, options, env, self);
    return ["light", "dark"]
      .map((scheme) => {
        const picture = `${site.base}${name}.${scheme}.svg`;
        const image = `<img v-bind:src="'${picture}'" alt="A diagram of the text around it">`;
        return `<a class="diagram ${scheme}" href="${picture}" target="_blank">${image}</a>`;
      })
      .join("");
  };
}

/** The page in Chinese says so, and has no spaces where its lines end. */
function chinese(md, sources) {
  md.core.ruler.push("chinese", (state) => {
    if (sources[state.env.relativePath] !== "README.zh-CN.md") return;
    for (const { children } of state.tokens) {
      children?.forEach((token, at) => {
        if (token.type !== "softbreak") return;
        const around = (children[at - 1]?.content ?? "").slice(-1) + (children[at + 1]?.content ?? "").slice(0, 1);
        if (NO_SPACE.test(around)) token.type = "text";
      });
    }
    const tag = (content) => Object.assign(new state.Token("html_block", "", 0), { content, block: true });
    state.tokens = [tag('<div lang="zh-CN">\n'), ...state.tokens, tag("</div>\n")];
  });
}
