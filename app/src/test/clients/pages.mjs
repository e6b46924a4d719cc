/**
 * Shows a browser every page for people with scripts in everything that somebody else may write: names, notes, texts, warnings, tags, apps and addresses. Once as it is, and once with
 * the pages' policy switched off, so that escaping alone must do.
 *
 * Usage: node pages.mjs HOST:PORT ANN BOB PASSWORD    two users who have signed up
 */
import { chromium } from "playwright-core";
import { check, PAYLOADS, run, same } from "./checks.mjs";

const [host, annName, , password] = process.argv.slice(2);
const url = `http://${host}`;
const OOB = "urn:ietf:wg:oauth:2.0:oob";

async function call(method, path, token, body) {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  return answer.ok ? answer.json() : Promise.reject(new Error(`${answer.status} ${await answer.text()}`));
}

/** Names of apps are shown without characters that show nothing or turn others round. */
const visible = (text) => text.replace("\u202e", "").replace("\u2028", " ");

const register = (client_name, redirect_uris = OOB) =>
  call("POST", "/api/v1/apps", null, { client_name, redirect_uris, scopes: "read write follow" });

async function logIn() {
  const { client_id, client_secret } = await register("conformance");
  return (
    await call("POST", "/oauth/token", null, {
      grant_type: "password",
      client_id,
      client_secret,
      username: annName,
      password,
      scope: "read write follow",
    })
  ).access_token;
}

const authorize = (app, more) =>
  `/oauth/authorize?${new URLSearchParams({ response_type: "code", client_id: app.client_id, redirect_uri: OOB, scope: "read", ...more })}`;

/** What a page must have none of, whatever the policy lets run. */
function suspicious() {
  const own = [...document.scripts]
    .filter((script) => new URL(script.src || "x:", location.href).origin !== location.origin)
    .map((script) => script.outerHTML);
  const all = [...document.querySelectorAll("*")];
  const handlers = all
    .filter((one) => [...one.attributes].some(({ name }) => name.startsWith("on")))
    .map((one) => one.outerHTML);
  const addresses = all
    .filter((one) =>
      /^\s*(javascript|data|vbscript):/i.test(one.getAttribute("href") ?? one.getAttribute("action") ?? ""),
    )
    .map((one) => one.outerHTML);
  const strange = [...document.querySelectorAll("body svg[onload], iframe, object, embed, base")].map(
    (one) => one.outerHTML,
  );
  return [...own, ...handlers, ...addresses, ...strange];
}

run(async () => {
  const ann = await check("log in", logIn, (token) => token);
  const browser = await check("Chromium", () =>
    chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    }),
  );
  const asIs = await browser.newContext();
  const withoutPolicy = await browser.newContext({ bypassCSP: true });

  const ran = [];
  const strangers = [];
  const pages = [];
  for (const context of [asIs, withoutPolicy]) {
    const page = await context.newPage();
    // What the server renders is looked at here, what the scripts make of it in web.mjs.
    await page.route("**/web/*/main.js", (route) => route.abort());
    await page.exposeFunction("ran", () => ran.push(page.url()));
    page.on("dialog", (dialog) => (ran.push(dialog.message()), dialog.dismiss()));
    page.on(
      "request",
      (request) =>
        new URL(request.url()).host === host || request.url().startsWith("data:") || strangers.push(request.url()),
    );
    pages.push(page);
  }
  // That the trap works is part of the proof.
  await pages[1].setContent("<svg onload=ran()>");
  await check(
    "a page without escaping is caught",
    async () => (await pages[1].waitForTimeout(500), ran.length),
    (times) => times === 1,
  );
  await check(
    "and looks suspicious",
    () => pages[1].evaluate(suspicious),
    (found) => found.length === 2,
  );
  ran.length = 0;

  const inEach = (visitor) => Promise.all(pages.map(visitor));

  /** @param shows words that the page must show; left out where it has none of the payload */
  const visit = async (path, shows) => {
    await inEach(async (page) => {
      const what = `${path} ${page === pages[0] ? "" : "without its policy"}`;
      await page.goto(url + path, { waitUntil: "load" });
      await check(
        `nothing strange on ${what}`,
        () => page.evaluate(suspicious),
        (found) => same(found, []),
      );
      if (shows) {
        await check(
          `the words as they are on ${what}`,
          () => page.evaluate(() => document.documentElement.textContent),
          (text) => text.includes(shows),
        );
      }
    });
  };
  for (const payload of PAYLOADS) {
    const name = payload.slice(0, 30);
    await call("PATCH", "/api/v1/accounts/update_credentials", ann, {
      display_name: name,
      note: payload,
      fields_attributes: [{ name: payload, value: payload }],
    });
    const status = await call("POST", "/api/v1/statuses", ann, {
      status: `${payload} #payloads`,
      spoiler_text: payload,
      visibility: "public",
    });
    await visit(`/@${annName}`, payload);
    await visit(`/@${annName}/${status.id}`, payload);
    const app = await register(payload);
    await visit(authorize(app, { state: payload, lang: payload, force_login: payload }), visible(payload));
    // The form again, with what was typed.
    await inEach(async (page) => {
      await page.fill("input[name=username]", payload);
      await page.fill("input[name=password]", payload);
      await Promise.all([page.waitForEvent("load"), page.click("button[value=approve]")]);
      await check(
        `the form again: ${payload}`,
        () => page.evaluate(() => document.querySelector("input[name=username]")?.value),
        (value) => value === payload,
      );
      await check(
        "nothing strange on it",
        () => page.evaluate(suspicious),
        (found) => same(found, []),
      );
    });
    await visit(authorize(app, { client_id: payload }));
    await visit(authorize(app, { redirect_uri: payload }));
    await visit(authorize(app, { scope: payload }));
    await visit(`/tags/${encodeURIComponent(payload)}`);
  }
  await visit("/tags/payloads", "payloads");
  await visit(`/docs?url=${encodeURIComponent("data:text/yaml,<svg onload=ran()>")}&configUrl=x#/<svg%20onload=ran()>`);
  await inEach((page) => page.waitForTimeout(1000));
  await check(
    "no payload ran",
    () => ran,
    (found) => same(found, []),
  );
  await check(
    "nothing was asked of others",
    () => strangers,
    (found) => same(found, []),
  );
  await browser.close();
});
