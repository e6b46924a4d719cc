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

const PROBE = "/api/v1/instance?intercepted";
const PATIENCE = 15_000; // ms
const isProbe = ({ pathname, search }) => pathname + search === PROBE;

/**
 * Like `page.route` for a page that is open, and waits until requests are intercepted. Chromium hands the page the way
 * through Playwright a moment after `page.route` has ended: a request in that moment goes to the server.
 */
export async function intercept(page, address, handler) {
  await page.route(address, handler);
  await page.route(isProbe, (route) => route.fulfill({ status: 204 }));
  const probe = () => page.evaluate(async (path) => (await fetch(path)).status, PROBE);
  const end = Date.now() + PATIENCE;
  while ((await probe()) !== 204) {
    if (Date.now() > end) {
      throw new Error(`Requests of ${page.url()} are not intercepted.`);
    }
  }
  await page.unroute(isProbe);
}

/**
 * What axe finds wrong with a page by the guidelines (WCAG 2.2, AA): a line for each rule. The fixed button of a narrow
 * window covers different links at each place of the page, so a target that is too small is measured once more in the
 * middle of the window.
 */
export async function flaws(page) {
  await page.evaluate(axe);
  // What fades in has its contrast at the end.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect.getTiming().iterations !== Infinity)
        .map((one) => one.finished.catch(() => null)),
    ),
  );
  return page.evaluate(async (rules) => {
    const run = async (where, only) =>
      (await globalThis.axe.run(where, { runOnly: only, resultTypes: ["violations"] })).violations;
    const isSmall = async (target) => {
      document.querySelector(target)?.scrollIntoView({ block: "center", behavior: "instant" });
      return (await run({ include: [target] }, ["target-size"])).length > 0;
    };
    const { scrollX: x, scrollY: y } = globalThis;
    const lines = [];
    for (const { id, nodes } of await run(document, rules)) {
      const found = [];
      for (const { target, any } of nodes) {
        if (id !== "target-size" || target.length > 1 || (await isSmall(target[0]))) {
          found.push(`${target} ${any[0]?.message ?? ""}`);
        }
      }
      found.length > 0 && lines.push(`${id}: ${found.slice(0, 3).join(" | ")}`);
    }
    scrollTo({ left: x, top: y, behavior: "instant" });
    return lines;
  }, RULES);
}
