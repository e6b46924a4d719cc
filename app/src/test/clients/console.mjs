/**
 * Operators use the console in Chromium: they are let in by a token only, look at every page, pause a lane, retry and drop dead letters, close a stream and end sessions; one who may only look is
 * offered nothing to do. Every page, in both themes and languages, is looked at by axe, and once more 360 px wide.
 *
 * Usage: node console.mjs MANAGEMENT-HOST:PORT OPERATOR-TOKEN VIEWER-TOKEN HOST:PORT ACCESS-TOKEN ACCOUNT TOKEN [FOLDER]
 *   the server has dead letters of the type mute, a job that has failed, one of the account that is delayed, and an account whose name begins with ann_ to which the access token belongs; ACCOUNT: the id of another one, bob_console, with its TOKEN; posts with a link of both are held; FOLDER: where pictures go
 */
import { createServer } from "node:http";
import { flaws, launch } from "./browser.mjs";
import { check, run, same } from "./checks.mjs";

const [host, operatorToken, viewerToken, publicHost, accessToken, reportedAccount, reportedToken, folder] =
  process.argv.slice(2);
const url = `http://${host}`;
const PAGES = [
  "overview",
  "queue",
  "jobs",
  "dead",
  "streams",
  "redis",
  "accounts",
  "reports",
  "held",
  "appeals",
  "blocks",
  "selections",
  "invitations",
  "moderation",
  "site",
  "settings",
];
const PATIENCE = 20_000; // ms

const troubles = [];
const strangers = [];

async function person(browser, name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => troubles.push(`${name}: ${error.message}`));
  page.on(
    "console",
    (said) =>
      said.type() === "error" &&
      !/Failed to load resource|ERR_/.test(said.text()) &&
      troubles.push(`${name}: ${said.text()}`),
  );
  // Pictures of accounts are on the public server.
  const isOurs = (request) =>
    [host, request.resourceType() === "image" && publicHost].includes(new URL(request.url()).host);
  page.on("request", (request) => isOurs(request) || strangers.push(request.url()));
  return page;
}

async function logIn(page, token) {
  await page.goto(`${url}/console`);
  await page.fill("#token", token);
  await page.press("#token", "Enter");
  await page.waitForSelector("header nav");
}

async function open(page, name) {
  await page.evaluate((hash) => (location.hash = hash), `#/${name}`);
  await page.waitForSelector(`nav a[href="#/${name}"][aria-current]`);
  await page.waitForLoadState("networkidle");
}

/** Confirms the question that is asked, which holds the command that does the same. */
async function confirm(page, command) {
  const asked = await page.textContent("dialog #question");
  await page.evaluate(() => document.querySelectorAll(".toast").forEach((toast) => (toast.dataset.old = "")));
  await page.click("dialog #yes");
  await page.waitForSelector("dialog", { state: "detached" });
  return asked.includes(command) ? page.textContent(".toast:not([data-old])") : Promise.reject(new Error(asked));
}

/** Waits until the list of accounts has what was looked for alone, so that its buttons stay. */
const found = (page, text) =>
  page.waitForFunction((text) => {
    const all = [...document.querySelectorAll("#accounts tbody .person")];
    return all.length > 0 && all.every((one) => one.textContent.includes(text));
  }, text);

run(async () => {
  const browser = await launch();
  const operator = await person(browser, "operator");

  await check(
    "a wrong token is refused with a sentence",
    async () => {
      await operator.goto(`${url}/console`);
      await operator.fill("#token", "not-the-operators-token");
      await operator.press("#token", "Enter");
      await operator.waitForSelector("#wrong:not([hidden])");
      return operator.textContent("#wrong");
    },
    (text) => text.includes("console.operator-token"),
  );
  await check(
    "axe on the door",
    () => flaws(operator),
    (found) => same(found, []),
  );
  await check("the operator comes in", () => logIn(operator, operatorToken));
  await check(
    "no script can read the session",
    () => operator.evaluate(() => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)),
    (text) => !text.includes("console"),
  );
  await check(
    "a page of another port does not get in with the cookie",
    async () => {
      // SameSite does not tell ports apart, so the browser sends the cookie along.
      const server = createServer((request, response) =>
        response.setHeader("Content-Type", "text/html").end("<p>Another port</p>"),
      );
      await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
      const other = await operator.context().newPage();
      await other.goto(`http://${host.split(":")[0]}:${server.address().port}/`);
      const answers = await other.evaluate(async (address) => {
        const asked = (headers, method) =>
          fetch(`${address}/console/api/${method === "POST" ? "queue/pause" : "overview"}`, {
            method,
            headers,
            credentials: "include",
            body: method === "POST" ? '{"lane":"low"}' : undefined,
            mode: headers ? "cors" : "no-cors",
          }).then(
            (answer) => answer.type,
            () => "blocked",
          );
        return [
          await asked(undefined, "GET"),
          await asked({ "X-Fanfare-Page": "1" }, "GET"),
          await asked(undefined, "POST"),
          await asked({ "X-Fanfare-Page": "1" }, "POST"),
        ];
      }, url);
      await other.close();
      server.close();
      await open(operator, "queue");
      const paused = await operator.locator("#queue .warn").count();
      return [answers, paused];
    },
    ([answers, paused]) => answers.every((answer) => answer !== "basic" && answer !== "cors") && paused === 0,
  );

  await check(
    "the overview is drawn and goes on by itself",
    async () => {
      await open(operator, "overview");
      await operator.waitForFunction(() => document.querySelector("#live .line").getAttribute("d")?.length > 0, null, {
        timeout: 40_000,
      });
      return operator.textContent("#live .chart .now");
    },
    (text) => /[\d.]/.test(text),
  );
  await check(
    "the overview says how much room the disk has for files",
    () => operator.textContent("#disk"),
    (text) => /Uploads and other files/.test(text) && /Reserve/.test(text),
  );

  await check(
    "a lane is paused, asked once, and resumed",
    async () => {
      await open(operator, "queue");
      const row = operator.locator("#queue tr", { hasText: "low" }).first();
      await row.getByRole("button", { name: "Pause" }).click();
      const done = await confirm(operator, "fanfare admin queue pause low");
      await operator.waitForSelector("#queue .warn");
      await row.getByRole("button", { name: "Resume" }).click();
      await confirm(operator, "fanfare admin queue resume low");
      await operator.waitForSelector("#queue .warn", { state: "detached" });
      return done;
    },
    (text) => text.includes("low"),
  );
  await check(
    "who says no changes nothing",
    async () => {
      const row = operator.locator("#queue tr", { hasText: "low" }).first();
      await row.getByRole("button", { name: "Pause" }).click();
      await operator.press("dialog", "Escape");
      await operator.waitForSelector("dialog", { state: "detached" });
      await operator.waitForTimeout(3500);
      return operator.locator("#queue .warn").count();
    },
    (paused) => paused === 0,
  );

  await check(
    "dead letters are found by type and error",
    async () => {
      await open(operator, "dead");
      await operator.waitForSelector("#letters tbody code");
      await operator.fill("#dead-type", "mute");
      await operator.fill("#dead-error", "hostile <img");
      await operator.press("#dead-error", "Enter");
      await operator.waitForFunction(() => document.querySelectorAll("#letters tbody tr").length === 1);
      return operator.textContent("#letters");
    },
    (text) => text.includes("<img src=x onerror=alert(1)>"),
  );
  await check(
    "one is dropped",
    async () => {
      await operator.locator("#letters").getByRole("button", { name: "Drop" }).click();
      return confirm(operator, "fanfare admin queue dead drop --job");
    },
    (text) => text.includes("1 job dropped"),
  );
  await check(
    "all of a filter are retried",
    async () => {
      await operator.fill("#dead-error", "timed out");
      await operator.press("#dead-error", "Enter");
      await operator.waitForFunction(() => document.querySelectorAll("#letters tbody tr").length === 2);
      await operator.getByRole("button", { name: "Retry all of these" }).click();
      return confirm(operator, "fanfare admin queue dead replay --type mute --error 'timed out' --max 2");
    },
    (text) => text.includes("2 jobs wait again"),
  );

  await check(
    "the last failure of each type is shown with its reason",
    async () => {
      await open(operator, "jobs");
      await operator.waitForSelector("#failures tbody code");
      return operator.textContent("#failures");
    },
    (text) => text.includes("hostile <b>failure</b>"),
  );
  await check(
    "whose jobs wait is counted at a click",
    async () => {
      await operator.getByRole("button", { name: "Count" }).click();
      await operator.waitForSelector("#authors tbody code");
      return operator.textContent("#authors");
    },
    (text) => text.includes("@ann_") && text.includes("retract 1"),
  );

  await check(
    "a stream is shown and closed, and its client is told by whom",
    async () => {
      const stream = await fetch(`http://${publicHost}/api/v1/streaming/firehose`, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
      const said = stream.text();
      await open(operator, "streams");
      await operator.locator("#streams").getByRole("button", { name: "Close" }).first().click();
      await confirm(operator, "fanfare admin streams close");
      return said;
    },
    (text) => text.includes('"code":3'),
  );

  await check(
    "posts are deleted by their number and by their address, and a report is closed",
    async () => {
      const send = (method, path, body) =>
        fetch(`http://${publicHost}${path}`, {
          method,
          headers: { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" },
          body: body && JSON.stringify(body),
        });
      const post = async (status) => await (await send("POST", "/api/v1/statuses", { status })).json();
      const [reported, other] = [await post("one that is reported"), await post("one that is not")];
      await send("POST", "/api/v1/reports", { account_id: reportedAccount, status_ids: [], comment: "<i>hostile</i>" });
      await open(operator, "reports");
      await operator.waitForSelector("#reports tbody .wrap");
      const text = await operator.textContent("#reports");
      const states = [];
      for (const one of [reported, other]) {
        await operator.fill("#post-name", one === other ? one.url : one.id);
        await operator.press("#post-name", "Enter");
        states.push(await confirm(operator, "fanfare admin post delete"));
        states.push((await send("GET", `/api/v1/statuses/${one.id}`)).status);
      }
      await operator.locator("#reports").getByRole("button", { name: "Close" }).click();
      states.push(await confirm(operator, "fanfare admin reports close"));
      return [text, ...states];
    },
    ([text, first, gone, second, away, closed]) =>
      text.includes("<i>hostile</i>") &&
      first.includes("is deleted") &&
      gone === 404 &&
      second.includes("is deleted") &&
      away === 404 &&
      closed.includes("is closed"),
  );

  await check(
    "a post that waits is read, and rejected with a message",
    async () => {
      const send = (method, path, body) =>
        fetch(`http://${publicHost}${path}`, {
          method,
          headers: { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" },
          body: body && JSON.stringify(body),
        });
      await send("POST", "/api/v1/statuses", { status: "<u>hostile</u> https://elsewhere.example/" });
      await open(operator, "held");
      await operator.waitForSelector("#held tbody .wrap");
      await operator.waitForSelector("#state a[href='#/held']");
      const text = await operator.textContent("#held");
      await operator.locator("#held").getByRole("button", { name: "Reject" }).click();
      const found = await flaws(operator);
      await operator.fill("dialog #message", "No links.");
      await operator.fill("dialog #why", "spam");
      const done = await confirm(operator, "fanfare admin held reject");
      await operator.waitForSelector("#held td.muted");
      return [text, found, done, await (await send("GET", "/api/v1/warnings")).text()];
    },
    ([text, found, done, warnings]) =>
      text.includes("<u>hostile</u>") && same(found, []) && done === "Done." && warnings.includes("No links."),
  );
  await check(
    "a network is blocked for some days, and released",
    async () => {
      await open(operator, "blocks");
      await operator.fill("#blocks-add-values", "# a wave\n198.51.100.0/24\n");
      await operator.fill("#blocks-add-days", "2");
      await operator.locator("#blocks-add").getByRole("button", { name: "Block" }).click();
      const done = [
        await confirm(operator, "fanfare admin blocks add network 198.51.100.0/24 --severity sign_up_block --days 2"),
      ];
      await operator.waitForSelector("#blocks tbody code");
      done.push(await operator.textContent("#blocks"));
      await operator.locator("#blocks").getByRole("button", { name: "Remove" }).click();
      done.push(await confirm(operator, "fanfare admin blocks remove network 198.51.100.0/24"));
      await operator.waitForSelector("#blocks td.muted");
      return done;
    },
    ([added, list, removed]) => added === "Done." && list.includes("198.51.100.0/24") && removed === "Done.",
  );
  await check(
    "many accounts are selected, limited in one act, and given back",
    async () => {
      await open(operator, "selections");
      await operator.fill("#accounts-selection-make-names", reportedAccount);
      await operator.locator("#accounts-selection-make").getByRole("button", { name: "Select" }).click();
      const said = [await confirm(operator, `fanfare admin accounts selection make ${reportedAccount}`)];
      await operator.click("#selections summary");
      said.push(await operator.textContent("#selections details"));
      await operator.locator("#selections").getByRole("button", { name: "Limit" }).click();
      said.push(await confirm(operator, "fanfare admin accounts selection act"));
      await operator.waitForSelector("#selections tr:has-text('1 restricted'):has-text('done')");
      await operator.locator("#selections").getByRole("button", { name: "Undo" }).click();
      said.push(await confirm(operator, "fanfare admin accounts selection undo"));
      await operator.waitForSelector("#selections tr:has-text('1 restored'):has-text('done')");
      return said;
    },
    ([made, accounts, limited, undone]) =>
      made.includes("has 1 account") && accounts.includes("@bob_console") && limited === "Done." && undone === "Done.",
  );
  await check(
    "the account that was limited appeals, and the appeal is approved",
    async () => {
      const own = async (method, path, body) =>
        (
          await fetch(`http://${publicHost}${path}`, {
            method,
            headers: { Authorization: `Bearer ${reportedToken}`, "Content-Type": "application/json" },
            body: body && JSON.stringify(body),
          })
        ).json();
      const [warning] = await own("GET", "/api/v1/warnings");
      await own("POST", `/api/v1/warnings/${warning.id}/appeal`, { text: "<s>please</s>" });
      await open(operator, "appeals");
      await operator.waitForSelector("#appeals .wrap p");
      const text = await operator.textContent("#appeals");
      await operator.locator("#appeals").getByRole("button", { name: "Approve" }).click();
      const done = await confirm(operator, `fanfare admin appeals approve bob_console ${warning.id}`);
      return [text, done, (await own("GET", "/api/v1/warnings"))[0].appeal.state];
    },
    ([text, done, state]) => text.includes("<s>please</s>") && done === "Done." && state === "approved",
  );
  await check(
    "an invitation is made once, its address shown, and revoked",
    async () => {
      await open(operator, "invitations");
      await operator.fill("#invitations-create-uses", "2");
      await operator.fill("#invitations-create-comment", "the club's");
      await operator.locator("#invitations-create").getByRole("button").click();
      const asked = await operator.textContent("dialog #question");
      await operator.click("dialog #yes");
      const address = await operator.textContent("dialog #secret");
      await operator.keyboard.press("Enter");
      await operator.waitForSelector("#invitations tbody code");
      await operator.waitForFunction(
        () => !document.querySelector("#invitations-create-uses").value, // else Enter makes another one
      );
      const list = await operator.textContent("#invitations");
      await operator.locator("#invitations").getByRole("button", { name: "Revoke" }).click();
      const revoked = await confirm(operator, `fanfare admin invitations revoke ${address.split("/").pop()}`);
      await operator.waitForSelector("#invitations td.muted");
      return [asked, address, list, revoked];
    },
    ([asked, address, list, revoked]) =>
      asked.includes("fanfare admin invitations create --uses 2 --comment 'the club'\\''s'") &&
      address.includes("/invite/") &&
      list.includes(address.split("/").pop()) &&
      revoked === "Done.",
  );
  await check(
    "an account gets a note and another e-mail address",
    async () => {
      await open(operator, "accounts");
      await operator.fill("#account-name", "bob_");
      await operator.press("#account-name", "Enter");
      await operator.waitForFunction(() => document.querySelectorAll("#accounts tbody tr").length === 1);
      await operator.locator("#accounts").getByRole("button", { name: "Show" }).click();
      await operator.fill("#note-form-text", "<i>calm</i>");
      await operator.locator("#note-form").getByRole("button").click();
      const noted = await confirm(operator, "fanfare admin accounts notes bob_console --add TEXT");
      await operator.waitForSelector("#notes .wrap");
      const text = await operator.textContent("#notes");
      await operator.locator("#notes").getByRole("button", { name: "Remove" }).click();
      const removed = await confirm(operator, "fanfare admin accounts notes bob_console --remove");
      await operator.locator("#account").getByRole("button", { name: "Other e-mail address" }).click();
      await operator.fill("dialog #message", "bob@new.example");
      const mailed = await confirm(operator, "fanfare admin accounts mail bob_console ADDRESS");
      await operator.waitForSelector("#account .facts:has-text('bob@new.example')");
      return [noted, text, removed, mailed, await flaws(operator)];
    },
    ([noted, text, removed, mailed, found]) =>
      noted === "Done." &&
      text.includes("<i>calm</i>") &&
      removed === "Done." &&
      mailed.includes("another e-mail address") &&
      same(found, []),
  );

  await check(
    "an account gets a role, is limited, and the log of acts has both with their reasons",
    async () => {
      const confirmed = async (command, why) => {
        await operator.fill("dialog #why", why);
        return confirm(operator, command);
      };
      await open(operator, "accounts");
      await operator.fill("#account-name", "ann_");
      await operator.press("#account-name", "Enter");
      await found(operator, "@ann_");
      await operator.locator("#accounts").getByRole("button", { name: "Show" }).first().click();
      await operator.locator("#account").getByRole("button", { name: "Limit" }).click();
      const said = [await confirmed("fanfare admin accounts limit ann_", "spam")];
      await operator.locator("#account").getByRole("button", { name: "Lift the limit" }).click();
      said.push(await confirmed("fanfare admin accounts unlimit ann_", ""));
      const name = (await operator.textContent("#account h2")).slice(1);
      await open(operator, "moderation");
      await operator.fill("#role-account", name);
      await operator.selectOption("#role-name", "moderator");
      await operator.press("#role-account", "Enter");
      said.push(await confirmed("fanfare admin role set ann_", "<b>helps</b>"));
      await operator.waitForSelector("#roles tbody code");
      said.push(await operator.textContent("#roles"));
      await operator.fill("#act-account", name);
      await operator.fill("#act-action", "accounts.");
      await operator.press("#act-action", "Enter");
      await operator.waitForFunction(() => document.querySelectorAll("#acts tbody tr").length === 2);
      said.push(await operator.textContent("#acts"));
      await operator.fill("#act-action", "role.");
      await operator.press("#act-action", "Enter");
      await operator.waitForFunction(() => document.querySelectorAll("#acts tbody tr").length === 1);
      said.push(await operator.textContent("#acts"));
      return said;
    },
    ([limited, lifted, role, roles, acts, ofRole]) =>
      limited.includes("is limited") &&
      lifted.includes("is not limited") &&
      role.includes("is moderator") &&
      roles.includes("moderator") &&
      acts.includes("accounts.limit") &&
      acts.includes("spam") &&
      acts.includes("accounts.unlimit") &&
      ofRole.includes("role.set moderator") &&
      ofRole.includes("<b>helps</b>"),
  );

  /** How the account's own client is answered once every event loop has heard of a change. */
  const answered = async (status) => {
    for (let tries = 0; ; tries++) {
      const answer = await fetch(`http://${publicHost}/api/v1/accounts/verify_credentials`, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
      if (answer.status === status || tries === 40) {
        return `${answer.status} ${await answer.text()}`;
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };
  const account = operator.locator("#account");
  await check(
    "an account is suspended, and is shown as such",
    async () => {
      await open(operator, "accounts");
      await operator.fill("#account-name", "@ann_");
      await operator.press("#account-name", "Enter");
      await found(operator, "@ann_");
      await operator.locator("#accounts").getByRole("button", { name: "Show" }).first().click();
      await account.getByRole("button", { name: "Suspend" }).click();
      await confirm(operator, "fanfare admin accounts suspend ann_");
      await operator.waitForSelector("#account .warn");
      await operator.waitForSelector("#accounts .warn");
      return answered(403);
    },
    (text) => text.includes("Your login is currently disabled"),
  );
  await check(
    "axe on a suspended account",
    () => flaws(operator),
    (found) => same(found, []),
  );
  await check(
    "accounts are filtered by state and text, and show picture and display name",
    async () => {
      const rows = () => operator.$$eval("#accounts tbody .person", (all) => all.map((one) => one.textContent));
      const settled = (n) =>
        operator.waitForFunction((n) => document.querySelectorAll("#accounts tbody .person").length === n, n);
      await operator.fill("#account-name", "");
      await operator.selectOption("#account-state", "suspended");
      await settled(1);
      const suspended = await rows();
      await operator.selectOption("#account-state", "active");
      await operator.waitForFunction(() => !document.querySelector("#accounts tbody .warn"));
      const active = (await rows()).some((text) => text.includes("@ann_"));
      await operator.selectOption("#account-state", "any");
      await operator.waitForFunction(() => document.querySelectorAll("#accounts tbody .person").length > 1);
      await operator.check("#account-anywhere");
      await operator.fill("#account-name", "NN_");
      await operator.press("#account-name", "Enter");
      await settled(1);
      const drawn = await operator.waitForFunction(() => document.querySelector("#accounts .face")?.naturalWidth > 0);
      const sorted = await operator.$eval("#account-sort", (select) => select.options.length);
      return [suspended.length, suspended[0].includes("@ann_"), active, (await rows()).length, Boolean(drawn), sorted];
    },
    (found) => same(found, [1, true, false, 1, true, 5]),
  );
  await check(
    "its suspension is lifted, and its session goes on",
    async () => {
      await account.getByRole("button", { name: "Lift the suspension" }).click();
      await confirm(operator, "fanfare admin accounts unsuspend ann_");
      await operator.waitForSelector("#account .warn", { state: "detached" });
      return answered(200);
    },
    (text) => text.startsWith("200 "),
  );
  await check(
    "sessions are ended",
    async () => {
      await account.getByRole("button", { name: "End all sessions" }).click();
      await confirm(operator, "fanfare admin accounts sign-out ann_");
      return answered(401);
    },
    (text) => text.startsWith("401 "),
  );
  await check(
    "a new password is shown once, and lets its user in",
    async () => {
      await account.getByRole("button", { name: "New password" }).click();
      const asked = await operator.textContent("dialog #question");
      await operator.click("dialog #yes");
      const password = await operator.textContent("dialog #secret");
      const found = await flaws(operator);
      await operator.keyboard.press("Enter");
      await operator.waitForSelector("dialog", { state: "detached" });
      const name = (await account.locator("h2").first().textContent()).slice(1);
      const answer = await fetch(`http://${publicHost}/api/v1/session`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Fanfare-Page": "1" },
        body: JSON.stringify({ username: name, password }),
      });
      return [asked, found, answer.status, (await operator.content()).includes(password)];
    },
    ([asked, found, status, kept]) =>
      asked.includes("fanfare admin accounts reset-password ann_") && same(found, []) && status === 200 && !kept,
  );

  await check(
    "an account is deleted by whoever types its name",
    async () => {
      await account.getByRole("button", { name: "Delete account" }).click();
      const asked = await operator.textContent("dialog #question");
      const before = await operator.isEnabled("dialog #yes");
      await operator.fill("dialog #typed", (await account.locator("h2").first().textContent()).slice(1));
      const found = await flaws(operator);
      await operator.click("dialog #yes");
      await operator.waitForSelector("#account .warn");
      return [asked, before, found, await operator.textContent("#account"), await account.getByRole("button").count()];
    },
    ([asked, before, found, text, buttons]) =>
      asked.includes("fanfare admin accounts delete ann_") &&
      !before &&
      same(found, []) &&
      text.includes("deleted since") &&
      buttons === 0,
  );

  await check(
    "the memory of Redis by family",
    async () => {
      await open(operator, "redis");
      await operator.waitForSelector("#nodes .facts");
      await operator.getByRole("button", { name: "Look" }).click();
      await operator.waitForSelector("#memory table");
      return operator.textContent("#memory");
    },
    (text) => text.includes("user"),
  );
  await check(
    "settings hide their secrets",
    async () => {
      await open(operator, "settings");
      await operator.waitForSelector("#settings tbody code");
      return operator.textContent("body");
    },
    (text) =>
      text.includes("console.operator-token") &&
      text.includes("***") &&
      !text.includes(operatorToken) &&
      !text.includes(viewerToken),
  );

  await check(
    "a setting is found by a part of its name",
    async () => {
      await operator.fill("#wanted", "HOME-max");
      return operator.locator("#settings tbody th").allTextContents();
    },
    (keys) => same(keys, ["feeds.home-max"]),
  );
  await check(
    "the overview shows all processes instead of this one",
    async () => {
      await open(operator, "overview");
      const before = [await operator.isVisible("#live"), await operator.isVisible("#history")];
      await operator.selectOption("#hours", "6");
      return [...before, await operator.isVisible("#live"), await operator.isVisible("#history")];
    },
    (shown) => same(shown, [true, false, false, true]),
  );
  await check(
    "the first page says what an operator should do next: here, a first backup",
    async () => {
      await open(operator, "overview");
      await operator.waitForSelector("#next li");
      return [
        await operator.$$eval("#next li .warn", (all) => all.map((one) => one.textContent)),
        (await operator.textContent("#next li:has-text('No backup') p")).includes("fanfare backup"),
        await operator.textContent("#next .facts"),
        await operator.textContent("#state"),
      ];
    },
    ([concerns, says, known, line]) =>
      concerns.includes("No backup has been made") && says && known.includes("Last backup") && !line.includes("backup"), // some operators copy the data by other means
  );
  await check("every page says what needs an operator, and leads there", async () => {
    await operator.request.post(`${url}/console/api/queue/pause`, {
      headers: { "X-Fanfare-Page": "1" },
      data: { lane: "low" },
    });
    await open(operator, "redis");
    await operator.waitForSelector("#state a:has-text('Paused: low')");
    await operator.click("#state a:has-text('Paused: low')");
    await operator.waitForSelector("nav a[href='#/queue'][aria-current]");
    await operator.request.post(`${url}/console/api/queue/resume`, {
      headers: { "X-Fanfare-Page": "1" },
      data: { lane: "low" },
    });
    await operator.waitForSelector("#state a:has-text('Paused')", { state: "detached" });
  });

  await check(
    "a delayed job is due at once on demand",
    async () => {
      await open(operator, "jobs");
      await operator.click("#delayed tbody .button:has-text('Now')");
      return confirm(operator, "fanfare admin queue delayed now");
    },
    (text) => text === "1 job is due now.",
  );

  const viewer = await person(browser, "viewer", { locale: "zh-CN" });
  await check(
    "who may only look is offered nothing to do",
    async () => {
      await logIn(viewer, viewerToken);
      const buttons = [];
      for (const name of ["queue", "dead", "streams"]) {
        await open(viewer, name);
        buttons.push(await viewer.locator("#queue button, #letters button, #streams button").count());
      }
      return [buttons, await viewer.textContent(".role")];
    },
    ([buttons, role]) => same(buttons, [0, 0, 0]) && role === "只读",
  );
  await check(
    "who may only look sees no page of what is private, and an account without its e-mail address",
    async () => {
      await open(viewer, "accounts");
      await viewer.fill("#account-name", "bob_");
      await viewer.press("#account-name", "Enter");
      await viewer.waitForFunction(() => document.querySelectorAll("#accounts tbody tr").length === 1);
      await viewer.locator("#accounts tbody button").click();
      await viewer.waitForSelector("#account .facts");
      const text = await viewer.textContent("main");
      await viewer.evaluate(() => (location.hash = "#/invitations"));
      await viewer.waitForSelector("nav a[href='#/overview'][aria-current]");
      await viewer.waitForSelector("#state > *");
      const wrong = await viewer.isVisible(".state-place .trouble");
      return [text, wrong, await viewer.$$eval("nav a", (links) => links.map((link) => link.hash.slice(2)))];
    },
    ([text, wrong, pages]) =>
      !wrong &&
      text.includes("@bob_console") &&
      !text.includes("bob@new.example") &&
      same(pages, ["overview", "queue", "jobs", "dead", "streams", "redis", "accounts", "site", "settings"]),
  );

  for (const [theme, locale] of [
    ["light", "en-US"],
    ["dark", "zh-CN"],
    ["dark", "en-US"],
    ["light", "zh-CN"],
  ]) {
    const page = await person(browser, `${theme} ${locale}`, { colorScheme: theme, locale });
    await logIn(page, operatorToken);
    for (const name of PAGES) {
      await open(page, name);
      if (name === "redis") {
        await page.waitForSelector("#nodes .facts");
        await page.locator("main .button").last().click();
        await page.waitForSelector("#memory table");
      }
      if (name === "jobs") {
        await page.waitForSelector("#failures table");
        await page.locator("main .button").last().click();
        await page.waitForSelector("#authors table");
      }
      await check(
        `axe on ${name}, ${theme}, ${locale}`,
        () => flaws(page),
        (found) => same(found, []),
      );
      await page.setViewportSize({ width: 360, height: 740 });
      await check(
        `360 px hold ${name}, ${theme}, ${locale}`,
        () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        (over) => over <= 0,
      );
      if (folder && theme === "light" && locale === "zh-CN" && name === "overview") {
        await page.screenshot({ path: `${folder}/console-360.png` });
      }
      await page.setViewportSize({ width: 1280, height: 860 });
    }
    await page.context().close();
  }
  await check(
    "the theme and the language change by a button",
    async () => {
      await operator.click("#theme");
      const theme = await operator.evaluate(() => document.documentElement.dataset.theme);
      await operator.click("#language");
      await operator.waitForSelector("html[lang=zh-Hans] header nav");
      return theme;
    },
    (theme) => theme === "dark",
  );
  await check("the session ends at the door", async () => {
    await operator.click("#leave");
    await operator.waitForSelector("#token");
    await operator.goto(`${url}/console`);
    await operator.waitForSelector("#token");
  });
  await check(
    "nothing was wrong on any page",
    () => troubles,
    (found) => same(found, []),
  );
  await check(
    "nothing came from elsewhere",
    () => strangers,
    (found) => same(found, []),
  );
  await browser.close();
});
