/**
 * The first minute of two new users, who know no addresses but that of the server: they find everything by what the pages show. Says after how many seconds each step was done, and photographs
 * the steps.
 *
 * Usage: node first-minute.mjs HOST:PORT FOLDER    a new server; FOLDER: for the pictures
 */

import { launch } from "./browser.mjs";

const [host, folder] = process.argv.slice(2);
const url = `http://${host}`;
const PASSWORD = "correct horse battery";

const browser = await launch();
const began = performance.now();
let photographing = 0;

async function person() {
  const context = await browser.newContext({
    viewport: { width: 960, height: 520 },
    deviceScaleFactor: 0.7,
    locale: "en-US",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return page;
}

/** What somebody does, and a picture of where it has led. The pictures are not part of the minute. */
async function step(name, page, work) {
  await work();
  console.log(`${((performance.now() - began - photographing) / 1000).toFixed(1)} s  ${name}`);
  const from = performance.now();
  await page.waitForTimeout(400);
  await page.waitForSelector(".toast", { state: "detached" });
  await page.screenshot({ path: `${folder}/first-${name.replaceAll(/[^a-z]+/g, "-")}.png` });
  photographing += performance.now() - from;
}

async function signUp(page, name) {
  await page.getByRole("link", { name: "Sign up" }).first().click();
  await page.getByLabel("User name").fill(name);
  await page.getByLabel("E-mail").fill(`${name}@example.org`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".write textarea");
}

const ada = await person();
const bob = await person();
await step("ada opens the server", ada, async () => {
  await ada.goto(`${url}/`);
  await ada.waitForSelector("html.ready .hero");
});
await step("ada has an account", ada, () => signUp(ada, "ada"));
await step("ada has posted", ada, async () => {
  await ada.fill(".write textarea", "Hello! Is anybody here?");
  await ada.locator(".write").getByRole("button", { name: "Post", exact: true }).click();
  await ada.waitForSelector("article.post:has-text('Is anybody here')");
});
await step("bob sees it before he signs up", bob, async () => {
  await bob.goto(`${url}/`);
  await bob.waitForSelector("html.ready article.post:has-text('Is anybody here')");
});
await step("bob has an account", bob, () => signUp(bob, "bob"));
await step("bob follows ada", bob, async () => {
  await bob.getByRole("link", { name: "See what others write" }).click();
  await bob.locator("article.post .author").first().click();
  await bob.locator(".profile-actions .follow").click();
  await bob.waitForSelector(".profile-actions .follow[aria-pressed=true]:enabled");
});
await step("bob replies", bob, async () => {
  await bob.locator("article.post").getByRole("button", { name: "Reply" }).first().click();
  await bob.waitForSelector("dialog textarea");
  await bob.keyboard.type("Yes, hello Ada!");
  await bob.locator("dialog").getByRole("button", { name: "Reply", exact: true }).click();
  await bob.waitForSelector("dialog", { state: "detached" });
});
await step("ada reads the reply", ada, async () => {
  await ada.waitForSelector("#unread:not([hidden])");
  await ada
    .getByRole("link", { name: /Notifications/ })
    .first()
    .click();
  await ada.waitForSelector("article.post:has-text('Yes, hello Ada')");
});
await browser.close();
