/**
 * The picture of docs/console.md: an operator's overview of a server that somebody uses.
 *
 * Usage: node console-picture.mjs MANAGEMENT-HOST:PORT OPERATOR-TOKEN FOLDER
 */

import { launch } from "./browser.mjs";

const [host, token, folder] = process.argv.slice(2);
const browser = await launch();
const context = await browser.newContext({
  viewport: { width: 1000, height: 860 },
  deviceScaleFactor: 0.75,
  colorScheme: "light",
  locale: "en-US",
});
const page = await context.newPage();
await page.goto(`http://${host}/console`);
await page.fill("#token", token);
await page.press("#token", "Enter");
await page.waitForFunction(() => document.querySelector("#live .area")?.getAttribute("d")?.length > 40, null, {
  timeout: 60_000,
});
await page.evaluate(() => (document.getElementById("language").hidden = true)); // the machine may lack its letters
await page.screenshot({ path: `${folder}/console.png` });
await browser.close();
