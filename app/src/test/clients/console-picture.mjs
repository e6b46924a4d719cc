/**
 * The picture of docs/console.md: an operator's overview of a server that somebody uses.
 *
 * Usage: node console-picture.mjs MANAGEMENT-HOST:PORT OPERATOR-TOKEN FOLDER
 */
import { chromium } from "playwright-core";

const [host, token, folder] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
const context = await browser.newContext({
  viewport: { width: 1000, height: 540 },
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
