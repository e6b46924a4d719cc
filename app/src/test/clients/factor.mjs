/**
 * Somebody adds a second factor in Chromium, logs in with codes that an authenticator app would show, confirms a change of the password, lets an app in, and removes the factor.
 *
 * Usage: node factor.mjs HOST:PORT NAME OTHER PASSWORD
 */
import { createHmac } from "node:crypto";
import { flaws, launch } from "./browser.mjs";
import { check, run, same } from "./checks.mjs";
import { logIn } from "./load.mjs";

const [host, name, , password] = process.argv.slice(2);
const url = `http://${host}`;
const PATIENCE = 20_000; // ms
const STEP = 30; // s
const NEW_PASSWORD = "another password of somebody";

/** The code of a secret in Base32, as RFC 6238 has it, so many steps from now. */
function totp(secret, steps = 0) {
  const bits = [...secret].map((one) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(one).toString(2).padStart(5, "0"));
  const key = Buffer.from(
    bits
      .join("")
      .match(/.{8}/g)
      .map((one) => Number.parseInt(one, 2)),
  );
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / STEP) + steps));
  const hash = createHmac("sha1", key).update(step).digest();
  return String((hash.readUInt32BE(hash.at(-1) & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

run(async () => {
  const browser = await launch();
  const stateless = async (options = {}) => {
    const page = await (await browser.newContext({ locale: "en-US", ...options })).newPage();
    page.setDefaultTimeout(PATIENCE);
    return page;
  };
  const storageState = await logIn(browser, url, name, password);
  const before = await stateless({ storageState: await logIn(browser, url, name, password) });
  const page = await stateless({ storageState });
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  const section = page.locator('section[aria-label="Second factor"]');
  let secret = "";
  let recovery = [];

  await check(
    "the home page does not load the module of second factors",
    async () => {
      const asked = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(`${url}/`);
      await page.waitForSelector(".write textarea");
      return asked;
    },
    (asked) => asked.length > 0 && !asked.some((one) => one.includes("factor")),
  );
  await check(
    "a wrong password draws no secret",
    async () => {
      await page.goto(`${url}/settings`);
      await section.locator('input[name="current_password"]').fill("wrong");
      await section.getByRole("button", { name: "Add a second factor" }).click();
      await section.getByText("This is not your password.").waitFor();
      return section.locator("svg").count();
    },
    (count) => same(count, 0),
  );
  await check(
    "a secret is shown as a picture, as text and as a link",
    async () => {
      await section.locator('input[name="current_password"]').fill(password);
      await section.getByRole("button", { name: "Add a second factor" }).click();
      await section.locator("svg.factor-qr").waitFor();
      secret = (await section.locator("code.factor-secret").innerText()).replaceAll(" ", "");
      return section.locator("a[href^=otpauth]").getAttribute("href");
    },
    (link) => /^[A-Z2-7]{32}$/.test(secret) && link.includes(`secret=${secret}`) && link.includes(`:${name}?`),
  );
  await check(
    "the QR code is dark on light in a dark theme too",
    async () => {
      await page.emulateMedia({ colorScheme: "dark" });
      return section.locator("svg.factor-qr").evaluate((svg) => {
        const { fill, backgroundColor } = getComputedStyle(svg);
        return { fill, backgroundColor, width: svg.getBoundingClientRect().width };
      });
    },
    ({ fill, backgroundColor, width }) =>
      same(fill, "rgb(0, 0, 0)") && same(backgroundColor, "rgb(255, 255, 255)") && width > 150,
  );
  await check(
    "a wrong code enables nothing, and says so at the field",
    async () => {
      await section.locator('input[name="code"]').fill("12345");
      await section.getByRole("button", { name: "Enable" }).click();
      await section.getByText("This code is wrong.").waitFor();
      return section.locator("li code").count();
    },
    (count) => same(count, 0),
  );
  await check(
    "the first code enables it, and ten recovery codes are shown",
    async () => {
      await section.locator('input[name="code"]').fill(totp(secret));
      await section.getByRole("button", { name: "Enable" }).click();
      await section.locator(".factor-codes li").first().waitFor();
      recovery = await section.locator(".factor-codes code").allInnerTexts();
      await section.getByRole("button", { name: "I have kept them" }).click();
      await section.getByText("Log-ins need a code since").waitFor();
      return section.innerText();
    },
    (text) => recovery.length === 10 && text.includes("10 recovery codes are left") && !text.includes(recovery[0]),
  );
  for (const [width, colorScheme] of [
    [1280, "light"],
    [360, "dark"],
  ]) {
    await check(
      `the settings hold the guidelines at ${width} px in a ${colorScheme} theme`,
      async () => {
        await page.setViewportSize({ width, height: 860 });
        await page.emulateMedia({ colorScheme });
        return flaws(page);
      },
      (found) => same(found, []),
    );
  }

  const other = await stateless();
  await check(
    "the log-in leads to the reset of a password only where the build has it",
    async () => {
      const link = other.locator('a[href="/auth/password/new"]');
      await other.goto(`${url}/login`);
      await link.waitFor();
      const session = "**/api/v1/session";
      await other.route(session, (route) => route.fulfill({ json: { account: null, password_reset: false } }));
      await other.goto(`${url}/login`);
      await other.waitForSelector("#f-password");
      const count = await link.count();
      await other.unroute(session);
      return count;
    },
    (count) => count === 0,
  );
  await check(
    "a log-in asks for a code, and a wrong one begins no session",
    async () => {
      await other.goto(`${url}/login`);
      await other.fill("#f-username", name);
      await other.fill("#f-password", password);
      await other.press("#f-password", "Enter");
      await other.waitForSelector("#f-code");
      const focused = await other.evaluate(() => document.activeElement.id);
      const cookies = (await other.context().cookies()).map((one) => one.name);
      await other.fill("#f-code", "000000x");
      await other.press("#f-code", "Enter");
      await other.getByText("This code is wrong.").waitFor();
      return { focused, cookies };
    },
    ({ focused, cookies }) => same(focused, "f-code") && same(cookies, ["fanfare_login"]),
  );
  await check(
    "the code of the app completes it",
    async () => {
      await other.fill("#f-code", totp(secret, 1)); // That of now has enabled the factor.
      await other.press("#f-code", "Enter");
      await other.waitForSelector(".write textarea");
      return (await other.context().cookies()).map((one) => one.name);
    },
    (cookies) => same(cookies, ["fanfare_session"]),
  );

  const dialog = before.getByRole("dialog", { name: "Confirm that it is you" });
  const change = async () => {
    await before.goto(`${url}/settings`);
    const form = before.locator('section[aria-label="Password"]');
    await form.locator('input[name="current_password"]').fill(password);
    await form.locator('input[name="password"]').fill(NEW_PASSWORD);
    await form.getByRole("button", { name: "Change the password" }).click();
    await dialog.waitFor();
  };
  await check(
    "a session that has given no code changes no password without one",
    async () => {
      await change();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await before.getByText("Nothing was done").waitFor();
      return before.getByText("The password is changed").count();
    },
    (count) => same(count, 0),
  );
  await check(
    "a recovery code confirms it",
    async () => {
      await change();
      await dialog.locator('input[name="code"]').fill(recovery[0]);
      await dialog.getByRole("button", { name: "Continue" }).click();
      await before.getByText("The password is changed").waitFor();
      return dialog.count();
    },
    (count) => same(count, 0),
  );

  await check(
    "an app is let in after the password and a code",
    async () => {
      const app = await (
        await fetch(`${url}/api/v1/apps`, {
          method: "POST",
          body: new URLSearchParams({ client_name: "Tester", redirect_uris: "urn:ietf:wg:oauth:2.0:oob" }),
        })
      ).json();
      const query = new URLSearchParams({
        response_type: "code",
        client_id: app.client_id,
        redirect_uri: "urn:ietf:wg:oauth:2.0:oob",
      });
      await other.goto(`${url}/oauth/authorize?${query}`);
      await other.fill('input[name="username"]', name);
      await other.fill('input[name="password"]', NEW_PASSWORD);
      await other.click('button[value="approve"]');
      await other.waitForSelector('input[name="code"]');
      const found = await flaws(other);
      await other.fill('input[name="code"]', recovery[1]);
      await other.click('button[value="approve"]');
      const code = await other.locator("code").innerText();
      return { found, code };
    },
    ({ found, code }) => same(found, []) && /^[\w-]{43}$/.test(code),
  );

  await check(
    "sessions show their network, and all others end for the password",
    async () => {
      await before.goto(`${url}/settings`);
      const sessions = before.locator('section[aria-label="Sessions"]');
      await sessions.locator('input[type="password"]').fill(NEW_PASSWORD);
      await sessions.getByRole("button", { name: "Show apps too" }).click();
      await sessions.getByRole("button", { name: "End all others" }).click();
      await before.getByText("All other sessions have ended.").waitFor();
      return sessions.locator("li").allInnerTexts();
    },
    (rows) => rows.length === 1 && rows[0].includes("127.0.0.0/24"),
  );

  const removal = before.locator('section[aria-label="Second factor"]');
  await check(
    "password and code remove the factor, and the password alone logs in",
    async () => {
      await before.goto(`${url}/settings`);
      await removal.locator('input[name="current_password"]').fill(NEW_PASSWORD);
      await removal.locator("#factor-remove-code").fill(recovery[2]);
      await removal.getByRole("button", { name: "Remove", exact: true }).click();
      await removal.getByRole("button", { name: "Add a second factor" }).waitFor();
      return logIn(browser, url, name, NEW_PASSWORD);
    },
    ({ cookies }) => same(cookies.length, 1),
  );
  await check(
    "no page has had an error",
    () => troubles,
    (found) => same(found, []),
  );
  await browser.close();
});
