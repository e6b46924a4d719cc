/**
 * A moderator uses the web client in Chromium: reads a report with its posts, takes it, acts on the account, sees the history and takes the act back; marks one post and deletes another, whose author reads the message and appeals; approves the appeal; approves and rejects posts that wait. Somebody without a role gets nowhere.
 *
 * Usage: node moderation.mjs HOST:PORT PASSWORD SPAMMER-TOKEN REPORTER-TOKEN
 *   moderator_m, who has the role of a moderator, spammer_m and reporter_m have signed up
 */
import { flaws, launch } from "./browser.mjs";
import { check, run, same, soon } from "./checks.mjs";
import { logIn } from "./load.mjs";

const [host, password, spammer, reporter] = process.argv.slice(2);
const url = `http://${host}`;
const PATIENCE = 20_000; // ms

const call = async (token, method, path, body) => {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, said: await answer.json() };
};

run(async () => {
  const browser = await launch();
  const open = async (name, options = {}) => {
    const storageState = await logIn(browser, url, name, password);
    const context = await browser.newContext({ storageState, locale: "en-US", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    return page;
  };
  const { said: account } = await call(spammer, "GET", "/api/v1/accounts/verify_credentials");
  const post = async (status) => (await call(spammer, "POST", "/api/v1/statuses", { status })).said.id;
  const spam = await post("Buy <b>pills</b> at once");
  const report = (comment, ids) =>
    call(reporter, "POST", "/api/v1/reports", { account_id: account.id, status_ids: ids, comment, category: "spam" });
  await report("<i>spam</i> all day", [spam]);

  const page = await open("moderator_m");
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  const reports = page.locator("main section.report");
  // Not the rendered text, which is empty until the browser has drawn a new entry.
  const textOfFirst = () => reports.first().textContent();
  const button = (name) => reports.first().getByRole("button", { name, exact: true });

  await check(
    "a moderator finds the reports and their number in the rail",
    async () => {
      await page.goto(`${url}/`);
      await page.locator('#waiting[aria-label="1 report or post waits"]').getByText("1", { exact: true }).waitFor();
      await page.click('nav.rail a[href="/moderation"]');
      await reports.first().waitFor();
      return textOfFirst();
    },
    (text) =>
      ["spammer_m", "reporter_m", "Spam", "<i>spam</i> all day", "Buy <b>pills</b> at once"].every((one) =>
        text.includes(one),
      ),
  );
  await check(
    "a report is taken and given back",
    async () => {
      await button("Take").click();
      await reports.filter({ hasText: "taken by @moderator_m" }).waitFor();
      await button("Give back").click();
      await button("Take").waitFor();
      return textOfFirst();
    },
    (text) => !text.includes("taken by"),
  );
  for (const [width, colorScheme] of [
    [1280, "light"],
    [360, "dark"],
  ]) {
    await check(
      `the reports hold the guidelines at ${width} px in a ${colorScheme} theme`,
      async () => {
        await page.setViewportSize({ width, height: 860 });
        await page.emulateMedia({ colorScheme });
        const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
        return [...(await flaws(page)), wide > 0 && { wide }].filter(Boolean);
      },
      (found) => same(found, []),
    );
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await check(
    "an account is limited for a report, which is resolved by that",
    async () => {
      await button("Act").click();
      await page.selectOption("dialog select", "silence");
      await page.fill("dialog textarea", "spams <b>daily</b>");
      await page.locator("dialog").getByRole("button", { name: "Act" }).click();
      await page.waitForSelector("dialog", { state: "detached" });
      await page.locator("main").getByText("No reports here.").waitFor();
      return (await call(reporter, "GET", `/api/v1/accounts/${account.id}`)).said.limited;
    },
    (limited) => limited === true,
  );
  await check(
    "a resolved report is reopened",
    async () => {
      await page.click('main a[href="/moderation?tab=resolved"]');
      await reports.first().waitFor();
      const text = await textOfFirst();
      await button("Reopen").click();
      await page.locator("main").getByText("No reports here.").waitFor();
      return text;
    },
    (text) => text.includes("limited"),
  );
  await check(
    "the history of an account has the act with its reason, and takes it back",
    async () => {
      await page.goto(`${url}/moderation`);
      await reports.first().waitFor();
      await reports.first().getByRole("link", { name: "History of the account" }).click();
      await page.waitForSelector("main .acts code");
      const acts = await page.innerText("main .acts");
      await button("Lift the limit").click();
      await page
        .locator("main .acts")
        .getByText("unsilence")
        .or(page.locator("main .acts").getByText("unlimit"))
        .first()
        .waitFor();
      const after = (await call(reporter, "GET", `/api/v1/accounts/${account.id}`)).said.limited;
      return [acts, after];
    },
    ([acts, after]) => acts.includes("@moderator_m") && acts.includes("spams <b>daily</b>") && after === undefined,
  );
  await check(
    "a report is resolved without an act",
    async () => {
      await page.goto(`${url}/moderation`);
      await button("Resolve").click();
      await page.locator("main").getByText("No reports here.").waitFor();
      return reports.count();
    },
    (count) => count === 0,
  );

  const shocking = await post("Shocking words");
  const rude = await post("Rude words");
  const actOnPost = async (verb, text, why) => {
    await page.goto(`${url}/moderation`);
    await button(verb).click();
    await page.fill('dialog textarea[name="text"]', text);
    await page.fill('dialog textarea[name="why"]', why);
    await page.locator("dialog").getByRole("button", { name: verb }).click();
    await page.waitForSelector("dialog", { state: "detached" });
    await page.locator("main").getByText("No reports here.").waitFor();
  };
  await report("shocks me", [shocking]);
  await check(
    "a reported post is marked as sensitive",
    async () => {
      await actOnPost("Mark as sensitive", "This may shock.", "first time");
      return (await call(reporter, "GET", `/api/v1/statuses/${shocking}`)).said.sensitive;
    },
    (sensitive) => sensitive === true,
  );
  await report("rude", [rude]);
  await check(
    "a reported post is deleted with a message to its author",
    async () => {
      await actOnPost("Delete post", "No <b>insults</b> here.", "third time");
      return (await call(reporter, "GET", `/api/v1/statuses/${rude}`)).status;
    },
    (status) => status === 404,
  );
  const author = await open("spammer_m");
  author.on("pageerror", (error) => troubles.push(error.message));
  const notice = (words) => author.locator("main .notification-moderation_warning").filter({ hasText: words });
  await check(
    "its author reads the message, but neither the reason nor who wrote it, and appeals once",
    async () => {
      await author.goto(`${url}/notifications`);
      const deleted = notice("A moderator deleted a post of yours");
      await deleted.getByRole("button", { name: "Appeal" }).waitFor();
      const before = await author.innerText("main");
      await deleted.getByRole("button", { name: "Appeal" }).click();
      await author.fill("dialog textarea", "It was <i>irony</i>.");
      await author.locator("dialog").getByRole("button", { name: "Appeal" }).click();
      await deleted.getByText("Your appeal waits for a decision.").waitFor();
      await author.reload();
      await deleted.getByText("Your appeal waits for a decision.").waitFor();
      const buttons = await deleted.getByRole("button", { name: "Appeal" }).count();
      return [before, await deleted.innerText(), buttons];
    },
    ([before, after, buttons]) =>
      before.includes("No <b>insults</b> here.") &&
      !before.includes("moderator_m") &&
      !before.includes("third time") &&
      after.includes("It was <i>irony</i>.") &&
      buttons === 0,
  );
  await check(
    "the warning about a post that is still there shows the post",
    async () => {
      const marked = notice("marked a post of yours as sensitive");
      await marked.getByText("Shocking words").waitFor();
      return [await marked.innerText(), ...(await flaws(author))];
    },
    ([text, ...found]) => text.includes("This may shock.") && same(found, []),
  );
  await check(
    "a moderator reads the appeal and approves it, and its author reads that",
    async () => {
      await page.goto(`${url}/moderation`);
      await page.click('main a[href="/moderation?tab=appeals"]');
      await reports.first().waitFor();
      const text = await textOfFirst();
      const found = await flaws(page);
      await button("Approve").click();
      await page.locator("main").getByText("No appeals wait.").waitFor();
      await author.reload();
      await notice("A moderator deleted a post of yours").getByText("Your appeal was approved.").waitFor();
      return [text, ...found];
    },
    ([text, ...found]) =>
      ["spammer_m", "No <b>insults</b> here.", "It was <i>irony</i>."].every((one) => text.includes(one)) &&
      same(found, []),
  );

  await check(
    "a moderator blocks a network, reads why another one is refused, and removes the block",
    async () => {
      await page.goto(`${url}/moderation`);
      await page.click('main a[href="/moderation?tab=blocks"]');
      await page.locator("main").getByText("No blocks of this kind.").waitFor();
      const form = page.locator("main form");
      const value = form.getByLabel("Network, domain or name");
      await value.fill("127.0.0.0/8");
      await form.getByRole("button", { name: "Block" }).click();
      await form.getByText("contains the server itself").waitFor();
      await value.fill("198.51.100.7/24");
      await form.getByLabel("Effect").selectOption("no_access");
      await form.getByLabel("Reason").fill("<b>a wave</b>");
      await form.getByRole("button", { name: "Block" }).click();
      await reports.first().waitFor();
      const text = await textOfFirst();
      const found = await flaws(page);
      await button("Remove: 198.51.100.0/24").click();
      await page.locator("dialog").getByRole("button", { name: "Remove" }).click();
      await page.locator("main").getByText("No blocks of this kind.").waitFor();
      return [text, ...found];
    },
    ([text, ...found]) =>
      ["198.51.100.0/24", "No access", "<b>a wave</b>"].every((one) => text.includes(one)) && same(found, []),
  );

  const names = "Hello @moderator_m and @reporter_m, <b>look</b>";
  await check(
    "an author reads that a post waits, finds it in a list, and sees no error",
    async () => {
      await author.goto(`${url}/`);
      await author.fill(".write .compose-text", names);
      await author.click(".write .compose-bar button.primary");
      await author.getByText("Your post waits for a moderator.").waitFor();
      const left = await author.inputValue(".write .compose-text");
      await author.goto(`${url}/scheduled`);
      await author.getByRole("heading", { name: "Posts that wait for a moderator" }).waitFor();
      return [await author.innerText("main"), left, ...(await flaws(author))];
    },
    ([text, left, ...found]) =>
      text.includes(names) && text.includes("people who do not follow it") && left === "" && same(found, []),
  );
  await check(
    "a moderator sees how many posts wait, and approves one, which is published",
    async () => {
      await page.goto(`${url}/moderation`);
      await page.locator("#waiting").getByText("1", { exact: true }).waitFor();
      await page.locator("main nav.tabs").getByText("Waiting posts (1)").click();
      await reports.first().waitFor();
      const text = await textOfFirst();
      const found = await flaws(page);
      await button("Approve").click();
      await page.locator("main").getByText("No posts wait.").waitFor();
      await soon(
        "the post",
        async () => (await call(reporter, "GET", `/api/v1/accounts/${account.id}/statuses`)).said,
        (all) => all.some(({ content }) => content.includes("Hello")),
      );
      return [text, ...found];
    },
    ([text, ...found]) =>
      ["spammer_m", names, "people who do not follow it"].every((one) => text.includes(one)) && same(found, []),
  );
  await check(
    "an author withdraws a post that waits, and a rejected one leaves a warning",
    async () => {
      const hold = (status) => call(spammer, "POST", "/api/v1/statuses", { status: `${status} ${names}` });
      await hold("One.");
      await author.goto(`${url}/scheduled`);
      await author.getByRole("button", { name: "Withdraw" }).click();
      await author.getByText("Nothing waits to be posted.").waitFor();
      await author.getByRole("button", { name: "Withdraw" }).waitFor({ state: "detached" });
      await hold("Two.");
      await page.goto(`${url}/moderation?tab=held`);
      await button("Reject").click();
      await page.fill('dialog textarea[name="text"]', "No <i>names</i>.");
      await page.locator("dialog").getByRole("button", { name: "Reject" }).click();
      await page.locator("main").getByText("No posts wait.").waitFor();
      return (await call(spammer, "GET", "/api/v1/warnings")).said[0].text;
    },
    (text) => text.includes("Two. Hello") && text.includes("No <i>names</i>."),
  );

  const selected = page.locator("main section.report[data-id]");
  const limited = async () => (await call(reporter, "GET", `/api/v1/accounts/${account.id}`)).said.limited;
  await check(
    "accounts are selected by a text of their posts, and nothing happens to them",
    async () => {
      await page.goto(`${url}/moderation`);
      await page.click('main a[href="/moderation?tab=accounts"]');
      await page.fill('main input[name="text"]', "BUY <b>pills</b>");
      await page.getByRole("button", { name: "Select", exact: true }).click();
      await selected.waitFor();
      return [await selected.innerText(), await limited(), ...(await flaws(page))];
    },
    ([text, state, ...found]) =>
      text.includes("1 account selected") && text.includes("spammer_m") && state === undefined && same(found, []),
  );
  await check(
    "one act limits the selected accounts, and shows when it is done",
    async () => {
      await selected.getByRole("button", { name: "Act", exact: true }).click();
      await page.selectOption("dialog select", "silence");
      await page.fill('dialog textarea[name="why"]', "wave");
      await page.locator("dialog").getByRole("button", { name: "Act" }).click();
      await selected.getByText("1 of 1 done").waitFor();
      await selected.getByText("Done ·").waitFor();
      await page.locator("main .acts").getByText("silence acted").waitFor();
      return [await limited(), await page.innerText("main .acts")];
    },
    ([state, acts]) => state === true && acts.includes("silence acted"),
  );
  await check(
    "the act is undone, also from the list of former acts, in Chinese and on a telephone",
    async () => {
      await page.evaluate(() => localStorage.setItem("fanfare.language", "zh"));
      await page.setViewportSize({ width: 360, height: 780 });
      await page.goto(`${url}/moderation?tab=accounts`);
      await page.locator("main .acts").getByRole("button", { name: "查看" }).first().click();
      await selected.waitFor();
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
      const found = await flaws(page);
      await selected.getByRole("button", { name: "撤销" }).click();
      await selected.getByText("已撤销").waitFor();
      await page.evaluate(() => localStorage.setItem("fanfare.language", "en"));
      await page.setViewportSize({ width: 1280, height: 860 });
      return [await limited(), wide, ...found];
    },
    ([state, wide, ...found]) => state === undefined && wide <= 0 && same(found, []),
  );

  const other = await open("reporter_m");
  await check(
    "somebody without a role has no link and is refused with a sentence",
    async () => {
      await other.goto(`${url}/`);
      await other.waitForSelector("html.ready");
      const links = await other.locator('a[href="/moderation"]').count();
      await other.goto(`${url}/moderation`);
      await soon(
        "the refusal",
        () => other.innerText("main"),
        (text) => text.includes("role of a moderator"),
      );
      return links;
    },
    (links) => links === 0,
  );
  await check(
    "no script has failed",
    () => troubles,
    (all) => same(all, []),
  );
});
