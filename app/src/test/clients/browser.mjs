/** The Chromium of the scripts that use pages as people do. It asks nobody outside of this machine for anything. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Starts the Chromium that the environment variable CHROMIUM names, else Debian's, with more options for it. */
export const launch = (options = []) =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...options,
    ],
  });

/**
 * What axe finds wrong with a page by the guidelines (WCAG 2.2, AA): a line for each rule. A link that the fixed button
 * of a narrow window covers is none: it is free as soon as one scrolls.
 */
export async function flaws(page) {
  await page.evaluate(axe);
  return page.evaluate(
    async (rules) =>
      (await globalThis.axe.run(document, { runOnly: rules, resultTypes: ["violations"] })).violations
        .map(({ id, nodes }) => ({
          id,
          found: nodes
            .map(({ target, any }) => `${target} ${any[0]?.message ?? ""}`)
            .filter((one) => id !== "target-size" || !one.includes("partially obscured")),
        }))
        .filter(({ found }) => found.length > 0)
        .map(({ id, found }) => `${id}: ${found.slice(0, 3).join(" | ")}`),
    RULES,
  );
}
