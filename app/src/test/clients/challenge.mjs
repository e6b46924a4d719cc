/**
 * Somebody signs up with the web client in Chromium at a server that demands a proof of work: a worker computes it, under the policy of the page, and an app without a proof is refused.
 *
 * Usage: node challenge.mjs HOST:PORT PASSWORD BITS
 */
import { launch } from "./browser.mjs";
import { check, run, same } from "./checks.mjs";

const [host, password, bits] = process.argv.slice(2);
const url = `http://${host}`;
const PATIENCE = 60_000; // ms

run(async () => {
  const browser = await launch();
  const page = await (await browser.newContext({ locale: "en-US" })).newPage();
  page.setDefaultTimeout(PATIENCE);
  const troubles = [];
  const workers = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (line) => /Content.Security.Policy|TrustedScript/.test(line.text()) && troubles.push(line.text()));
  page.on("worker", (worker) => workers.push(new URL(worker.url()).pathname));

  await check(
    "an app without a proof reads where its user signs up",
    async () => {
      const body = { username: "app", email: "app@example.org", password, agreement: true };
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(`${url}/api/v1/accounts`, { method: "POST", headers, body: JSON.stringify(body) });
      return [answer.status, (await answer.json()).error];
    },
    ([status, error]) => status === 422 && error.includes("/signup"),
  );
  await check(
    `a browser signs up with a proof of ${bits} bits`,
    async () => {
      await page.goto(`${url}/signup`);
      await page.fill('input[name="username"]', "prover");
      await page.fill('input[name="email"]', "prover@example.org");
      await page.fill('input[name="password"]', password);
      const sent = page.waitForRequest((request) => request.url().endsWith("/api/v1/session/sign_up"));
      const began = Date.now();
      await page.click("main form button.primary");
      const body = (await sent).postDataJSON();
      console.log(`solved in ${Date.now() - began} ms with nonce ${body.nonce}`);
      await page.waitForSelector("nav.rail a[href='/settings'], a[href='/@prover']", { state: "attached" });
      return [Number(body.challenge.split(".")[1]), workers.length, workers[0]?.endsWith("/proof.js")];
    },
    (found) => same(found, [Number(bits), 1, true]),
  );
  await check(
    "no script has failed, and none has broken the policy",
    () => troubles,
    (all) => same(all, []),
  );
});
