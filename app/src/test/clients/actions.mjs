/**
 * Makes the picture of the drawings on the buttons below a post out of icons.js: one below the other, 19 px wide and 48 px apart, at three dots a px, in a grey that has a contrast of 4 and more with
 * the ground of both themes. Where it is painted in another colour it is a mask.
 *
 * Usage: node actions.mjs FOLDER    where icons.js is, and where actions.png goes
 */
import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";

const [folder] = process.argv.slice(2);
const GREY = "#7b7785";
const DRAWINGS = [
  ["reply"],
  ["boost"],
  ["like"],
  ["like", { fill: GREY }],
  ["up"],
  ["bookmark"],
  ["bookmark", { fill: GREY }],
  ["more", { width: 3 }],
];

const icons = readFileSync(`${folder}/icons.js`, "utf8");
const drawing = ([name, { fill = "none", width = 1.8 } = {}]) =>
  `<svg viewBox="0 0 24 24" fill="${fill}" stroke="${GREY}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"><path d="${icons.match(new RegExp(`\\b${name}: "([^"]+)"`))[1]}"/></svg>`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await (
  await browser.newContext({ viewport: { width: 100, height: 500 }, deviceScaleFactor: 3 })
).newPage();
await page.setContent(
  `<style>body { margin: 0 } #all { display: flow-root; width: 19px } svg { display: block; width: 19px; height: 19px; margin-bottom: 29px }</style><div id="all">${DRAWINGS.map(drawing).join("")}</div>`,
);
await page.locator("#all").screenshot({ path: `${folder}/actions.png`, omitBackground: true });
await browser.close();
