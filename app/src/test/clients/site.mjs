/**
 * Rules, texts and announcements in Chromium: an operator writes them in the console; a stranger reads the pages without scripts and accepts the rules to sign up; a user dismisses an announcement and reports an account for a rule.
 *
 * Usage: node site.mjs HOST:PORT CONSOLE-URL OPERATOR-TOKEN PASSWORD
 *   ada_s has signed up
 */
import { flaws, launch } from "./browser.mjs";
import { check, run, same, soon } from "./checks.mjs";
import { logIn } from "./load.mjs";

const [host, console_, token, password] = process.argv.slice(2);
const url = `http://${host}`;
const PATIENCE = 20_000; // ms

run(async () => {
  const browser = await launch();
  const open = async (options = {}) => {
    const page = await (await browser.newContext({ locale: "en-US", ...options })).newPage();
    page.setDefaultTimeout(PATIENCE);
    return page;
  };
  const troubles = [];

  const operator = await open();
  operator.on("pageerror", (error) => troubles.push(error.message));
  await operator.goto(console_);
  await operator.fill("#token", token);
  await operator.press("#token", "Enter");
  await operator.click('nav a[href="#/site"]');
  const save = async (form, fields, shown) => {
    for (const [name, value] of Object.entries(fields)) {
      const field = operator.locator(`#${form}-form [name=${name}]`);
      await ((await field.evaluate((one) => one.tagName)) === "SELECT" ? field.selectOption(value) : field.fill(value));
    }
    await operator.click(`#${form}-form button`);
    await operator.click("dialog button.danger, dialog button.primary, dialog .end button:last-child");
    await operator.locator(shown).waitFor();
  };
  await check("an operator writes a rule, a text and an announcement in the console", async () => {
    await save("rule", { text: "Be kind <b>always</b>", hint: "To everybody" }, "#rules >> text=Be kind");
    await save(
      "text",
      { text: "privacy", words: "# Data\n\nWe keep <script>little</script>." },
      "#texts >> text=privacy",
    );
    await save("announcement", { text: "Down tonight, see https://example.org" }, "#announcements >> text=Down");
  });
  await check(
    "the console's page holds the guidelines",
    () => flaws(operator),
    (found) => same(found, []),
  );

  await soon(
    "the server shows all of it",
    async () => (await fetch(`${url}/api/v2/instance`)).json(),
    ({ rules, announcements }) => rules.length === 1 && announcements === 1,
  );

  const plain = await open({ javaScriptEnabled: false });
  await check(
    "the pages can be read without scripts, and the footer leads to them",
    async () => {
      await plain.goto(`${url}/`);
      await plain.click('footer a[href="/about"]');
      const about = await plain.locator("main").innerText();
      await plain.click('main a[href="/privacy"]');
      return about + (await plain.locator("main").innerText());
    },
    (text) =>
      ["Be kind <b>always</b>", "To everybody", "Privacy policy", "Data", "<script>little</script>"].every((one) =>
        text.includes(one),
      ),
  );

  const stranger = await open();
  stranger.on("pageerror", (error) => troubles.push(error.message));
  await check(
    "the pages stay as they are when the scripts have begun",
    async () => {
      await stranger.goto(`${url}/about`);
      await stranger.waitForSelector("html.ready");
      await stranger.click('.side-foot a[href="/privacy"]');
      await stranger.waitForSelector("html.ready");
      return stranger.locator("main").innerText();
    },
    (text) => text.includes("<script>little</script>"),
  );
  for (const [path, width] of [
    ["/about", 1280],
    ["/privacy", 360],
    ["/signup", 360],
  ]) {
    await check(
      `${path} holds the guidelines at ${width} px`,
      async () => {
        await stranger.setViewportSize({ width, height: 860 });
        await stranger.goto(url + path);
        await stranger.waitForSelector("html.ready");
        const wide = await stranger.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
        return [...(await flaws(stranger)), wide > 0 && { wide }].filter(Boolean);
      },
      (found) => same(found, []),
    );
  }
  await check(
    "a sign-up needs the agreement to the rules",
    async () => {
      await stranger.fill("[name=username]", "newcomer_s");
      await stranger.fill("[name=email]", "newcomer_s@example.org");
      await stranger.fill("[name=password]", password);
      await stranger.click("form .button.primary");
      const invalid = await stranger.locator("[name=agreement]:invalid").count();
      await stranger.check("[name=agreement]");
      await stranger.click("form .button.primary");
      await stranger.waitForSelector("nav.rail a.me", { state: "attached" });
      return invalid;
    },
    (invalid) => invalid === 1,
  );

  const ada = await open({ storageState: await logIn(browser, url, "ada_s", password) });
  ada.on("pageerror", (error) => troubles.push(error.message));
  await check(
    "an announcement stands above the home until it is dismissed",
    async () => {
      await ada.goto(`${url}/`);
      await ada.locator(".announcement >> text=Down tonight").waitFor();
      const found = await flaws(ada);
      const links = await ada.locator('.announcement a[href="https://example.org"]').count();
      await ada.click(".announcement button");
      await ada.waitForFunction(() => !document.querySelector(".announcement"));
      const listed = ada.waitForResponse((answer) => answer.url().endsWith("/api/v1/announcements"));
      await ada.reload();
      return { found, links, left: await (await listed).json() };
    },
    ({ found, links, left }) => same(found, []) && links === 1 && left.length === 0,
  );
  await check(
    "a report names the rule that is broken",
    async () => {
      await ada.goto(`${url}/@newcomer_s`);
      await ada.click("main .menu summary, main [aria-haspopup]");
      await ada.getByText("Report newcomer_s", { exact: false }).first().click();
      await ada.check("dialog fieldset input[type=checkbox]");
      const sent = ada.waitForResponse((answer) => answer.url().endsWith("/api/v1/reports"));
      await ada.click("dialog .button.danger");
      return (await sent).json();
    },
    ({ category, rule_ids }) => category === "violation" && rule_ids.length === 1,
  );
  await check(
    "no script has failed",
    () => troubles,
    (all) => same(all, []),
  );
  await browser.close();
});
