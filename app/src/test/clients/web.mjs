/**
 * Two people in two browsers use the web client: sign up, follow, post, reply, like, quote, vote, go offline and come back, and live through a restart of the server. Then every page, in both
 * themes and languages, is looked at by axe, for what people need who see, hear or point less; and once more with hostile texts, with the keyboard alone, and 360 px wide.
 *
 * Usage: node web.mjs HOST:PORT FOLDER    FOLDER: where the script asks for a restart with the file "restart", and waits for "restarted"; it also gets pictures of every page, 360 px wide
 */
import { existsSync, writeFileSync } from "node:fs";
import { flaws, intercept, launch } from "./browser.mjs";
import { answered, check, PAYLOADS, run, same, soon } from "./checks.mjs";

const [host, folder] = process.argv.slice(2);
const url = `http://${host}`;
const PASSWORD = "correct horse battery";
const PATIENCE = 20_000; // ms, for what reaches others through the queue

const troubles = [];
const strangers = [];
const ran = [];

async function person(browser, name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.exposeFunction("ran", () => ran.push(page.url()));
  page.on("pageerror", (error) => troubles.push(`${name} ${error.message}`));
  page.on(
    "console",
    (said) =>
      said.type() === "error" &&
      !/Failed to load resource|ERR_/.test(said.text()) &&
      troubles.push(`${name}: ${said.text()}`),
  );
  page.on(
    "request",
    (request) =>
      new URL(request.url()).host === host || /^(data|blob):/.test(request.url()) || strangers.push(request.url()),
  );
  return page;
}

async function signUp(page, name) {
  await page.goto(`${url}/`);
  await page.click(".hero a.primary");
  await page.fill("#f-username", name);
  await page.fill("#f-email", `${name}@example.org`);
  await page.fill("#f-password", PASSWORD);
  await page.press("#f-password", "Enter");
  await page.waitForSelector(".write textarea");
}

async function write(page, text) {
  await page.fill(".write textarea", text);
  await page.click(".write .compose-bar button.primary");
}

const post = (text) => `article.post:has-text(${JSON.stringify(text)})`;
const seen = (page, text) => page.waitForSelector(post(text));
const home = (page) => page.click("nav.rail a[href='/']");

/** The native call of a script of the page: with its session, and without any token. */
const call = (page, method, path, body) =>
  page.evaluate(
    async ([method, path, body]) =>
      (
        await fetch(path, { method, headers: { "X-Fanfare-Page": "1", "Content-Type": "application/json" }, body })
      ).json(),
    [method, path, body && JSON.stringify(body)],
  );

/** Texts as the server writes them, half of them with something in them that it does not write, of which the page makes something else than the browser's parser does: a comment leaves no other way. */
async function misread(seed) {
  const { rich } = await import(document.querySelector("script[type=module]").src.replace("main.js", "dom.js"));
  let state = seed;
  const below = (n) => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) >>> 8) % n;
  const one = (all) => all[below(all.length)];
  const words = () =>
    one([
      "word",
      " ",
      "a b",
      "&amp;",
      "&lt;b&gt;",
      "&quot;",
      "&#39;",
      "\n",
      "é",
      "\u202e",
      "🌳",
      ":tree:",
      "x".repeat(below(40)),
    ]);
  const many = (make) => Array.from({ length: below(4) }, make).join("");
  const span = () =>
    `<span${one(["", ' class="invisible"', ' class="h-card"', ' class="ellipsis mention  x"', ' title="a=b"'])}>${many(one([words, words, span]))}</span>`;
  const link = () =>
    `<a${one(["", ` href="${location.origin}/@ada_web"`, ' href="https://example.org/?a=1&amp;b=2" rel="nofollow noopener" target="_blank"', ' class="mention hashtag" href="http://a/#&quot;"', ' href="javascript:x"'])}>${many(one([words, span]))}</a>`;
  const text = () => many(() => `<p>${many(() => one([words, words, link, span, () => "<br>"])())}</p>`);
  const odd = [
    "<",
    ">",
    "&",
    "&copy",
    "&copy;",
    "&#60;",
    "&amp",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "</a>",
    "</span>",
    "<a>",
    "<br/>",
    "</br>",
    "\r",
    "\0",
    " ",
    '"',
    "<script>",
    "<!-- -->",
    "<svg><p>",
    "<template><p>",
    "<textarea>",
    "<A HREF=x>",
  ];
  const shown = (html) => {
    const box = document.createElement("div");
    box.append(rich(html));
    return box.innerHTML;
  };
  const wrong = [];
  for (let i = 0; i < 3000 && wrong.length < 5; i++) {
    let html = text();
    for (let n = below(2) * (1 + below(2)); n > 0; n--) {
      const at = below(html.length + 1);
      html = html.slice(0, at) + one(odd) + html.slice(at + below(2));
    }
    // In an attribute, Chromium's two parsers differ on a reference that no semicolon ends ("?a&copyb", "&ampquot;") and on a NUL.
    if (/="[^"]*(?:\0|&(?!(?:amp|copy|lt|gt|quot|#\d+);))/.test(html)) {
      continue;
    }
    const expected = shown(`<!-- -->${html}`);
    if (shown(html) !== expected) {
      wrong.push([html, shown(html), expected]);
    }
  }
  return wrong;
}

run(async () => {
  const browser = await launch();
  const began = Date.now();
  const ada = await person(browser, "ada");
  const bob = await person(browser, "bob");

  await check("two people sign up", () => Promise.all([signUp(ada, "ada_web"), signUp(bob, "bob_web")]));
  await check(
    "no script can read the session",
    () => ada.evaluate(() => document.cookie + JSON.stringify(localStorage)),
    (text) => !/session|ey[A-Za-z0-9]/.test(text),
  );
  await check("bob follows ada", async () => {
    await bob.goto(`${url}/@ada_web`);
    await bob.click(".profile-actions .follow");
    await bob.waitForSelector(".profile-actions .follow[aria-pressed=true]:enabled");
    await home(bob);
    await bob.waitForSelector(".write textarea");
  });
  await check("ada posts, and bob sees it without doing anything", async () => {
    await write(ada, "Hello from Ada #fanfare");
    await seen(ada, "Hello from Ada");
    await seen(bob, "Hello from Ada");
  });
  await check("bob replies", async () => {
    await bob.click(`${post("Hello from Ada")} .action.reply`);
    await bob.fill("dialog textarea", "@ada_web Hello back");
    await bob.press("dialog textarea", "Control+Enter");
    await bob.waitForSelector("dialog", { state: "detached" });
  });
  await check(
    "from sign-up to a reply took less than a minute",
    () => Date.now() - began,
    (millis) => millis < 60_000,
  );
  await check("ada is told, and reads it", async () => {
    await ada.waitForSelector("#unread:not([hidden])");
    await ada.click("nav.rail a[href='/notifications']");
    await seen(ada, "Hello back");
    await ada.waitForSelector("#unread", { state: "hidden" });
  });
  await check("bob likes it, at once; the count is there after a reload", async () => {
    await answered(bob, "/favourite", () => bob.click(`${post("Hello from Ada")} .action.like`));
    await bob.waitForSelector(`${post("Hello from Ada")} .action.like.on`);
    await bob.goto(`${url}/@ada_web`);
    await bob.waitForSelector(`${post("Hello from Ada")} .action.like.on:has-text("1")`);
  });
  await check("what the server refuses is taken back with a sentence", async () => {
    await intercept(bob, "**/favourite", (route) =>
      route.fulfill({ status: 422, contentType: "application/json", body: '{"error":"Not today."}' }),
    );
    await answered(bob, "/unfavourite", () => bob.click(`${post("Hello from Ada")} .action.like`));
    await bob.waitForSelector(`${post("Hello from Ada")} .action.like:not(.on)`);
    await bob.click(`${post("Hello from Ada")} .action.like`);
    await bob.waitForSelector(".toast:has-text('Not today.')");
    await bob.waitForSelector(`${post("Hello from Ada")} .action.like:not(.on)`);
    await bob.unroute("**/favourite");
  });
  await check("bob quotes it", async () => {
    await bob.click(`${post("Hello from Ada")} .action.boost`);
    await bob.click(`${post("Hello from Ada")} [role=menuitem]:last-child`);
    await bob.fill("dialog textarea", "Well said");
    await bob.click("dialog .compose-bar button.primary");
    await home(bob);
    await bob.waitForSelector(`${post("Well said")} .quote:has-text("Hello from Ada")`);
  });
  await check("ada publishes an article, and bob votes", async () => {
    await ada.click("nav.rail a[href='/articles']");
    await ada.click(".view-head button.primary");
    await ada.fill("dialog [name=title]", "Ten fast queues");
    await ada.fill("dialog [name=link]", "https://example.org/queues");
    await ada.fill("dialog [name=groups]", "redis");
    await ada.click("dialog .button.primary");
    await ada.waitForSelector(post("Ten fast queues"));
    await bob.click("nav.rail a[href='/articles']");
    await bob.click(`${post("Ten fast queues")} .action.vote`);
    await bob.waitForSelector(`${post("Ten fast queues")} .action.vote.on:has-text("2")`);
    // Ada sees his vote without a reload.
    await ada.waitForSelector(`${post("Ten fast queues")} .action.vote:has-text("2")`);
  });
  await check("ada asks in a poll, and bob votes", async () => {
    await home(ada);
    await ada.fill(".write textarea", "Which one?");
    await ada.click(".write .poll-button");
    const choices = ada.locator(".write .poll-choices input");
    await choices.nth(0).fill("This");
    await choices.nth(1).fill("That");
    await ada.click(".write .compose-bar button.primary");
    await ada.waitForSelector(`${post("Which one?")} .poll .share`);
    await home(bob);
    const circle = await bob.locator(`${post("Which one?")} .poll input >> nth=0`).boundingBox();
    if (circle.width >= 24 || circle.height >= 24) {
      throw new Error(`the button of a choice is ${circle.width} by ${circle.height} px`);
    }
    await bob.check(`${post("Which one?")} .poll label:has-text("That") input`);
    await bob.click(`${post("Which one?")} .poll button`);
    await bob.waitForSelector(`${post("Which one?")} .poll li:has-text("That"):has-text("100") .mine`);
  });
  await check(
    "the counter counts as the server does",
    async () => {
      const counted = await ada.evaluate(
        async (text) =>
          (await import(document.querySelector("script[type=module]").src.replace("main.js", "text.js"))).length(text),
        "👩‍👩‍👧 https://example.org/" +
          "a".repeat(100) +
          " @ada_web@example.org http://u:p@☺.example/b https://[::1]/ https://x.example😀 ",
      );
      // 500 less what was counted: just enough, and one too many.
      const text = (more) =>
        "👩‍👩‍👧 https://example.org/" +
        "a".repeat(100) +
        " @ada_web@example.org http://u:p@☺.example/b https://[::1]/ https://x.example😀 " +
        "x".repeat(500 - counted + more);
      const fits = await call(ada, "POST", "/api/v1/statuses", { status: text(0), visibility: "private" });
      const over = await call(ada, "POST", "/api/v1/statuses", { status: text(1), visibility: "private" });
      return fits.id && over.error;
    },
    Boolean,
  );

  // The page has the only Trusted Types policy of its name: this module of its own needs another page, without the policy.
  const apart = await person(browser, "apart", { bypassCSP: true });
  await apart.goto(`${url}/login`);
  const seed = Date.now() % 1_000_000;
  await check(
    `texts are read as the browser's own parser reads them, seed ${seed}`,
    () => apart.evaluate(misread, seed),
    (found) => same(found, []),
  );

  await check(
    "a draft is there again after another view and after a reload, and gone once it is posted",
    async () => {
      await home(ada);
      await ada.fill(".write textarea", "Half of a thought");
      await ada.click("nav.rail a[href='/articles']");
      await home(ada);
      const after = [await ada.inputValue(".write textarea")];
      await ada.reload();
      await ada.waitForSelector("html.ready");
      after.push(await ada.inputValue(".write textarea"));
      await write(ada, "Half of a thought, and the rest");
      await seen(ada, "and the rest");
      await ada.reload();
      await ada.waitForSelector("html.ready");
      return [...after, await ada.inputValue(".write textarea")];
    },
    (found) => same(found, ["Half of a thought", "Half of a thought", ""]),
  );
  await check(
    "an edit that is left keeps the draft of a new post",
    async () => {
      const sheet = "dialog[open] textarea:focus";
      await ada.keyboard.press("n");
      await ada.waitForSelector(sheet);
      await ada.keyboard.type("Not sent yet");
      await ada.reload();
      await ada.waitForSelector("html.ready");
      await ada.click(`${post("and the rest")} .action.more`);
      await ada.click(`${post("and the rest")} [role=menuitem]:has-text("Edit")`);
      await ada.waitForSelector(sheet);
      await ada.keyboard.press("Escape");
      await ada.waitForSelector("dialog", { state: "detached" });
      await ada.keyboard.press("n");
      await ada.waitForSelector(sheet);
      const text = await ada.inputValue("dialog textarea");
      await ada.keyboard.press("Escape");
      await ada.click("dialog.small .button.danger");
      await ada.waitForSelector("dialog", { state: "detached" });
      return text;
    },
    (text) => text === "Not sent yet",
  );
  await check("a name is offered and completed by keyboard", async () => {
    await ada.click(".write textarea");
    await ada.keyboard.type("For @bob_w");
    await ada.waitForSelector(".suggestions [role=option][aria-selected=true]:has-text('@bob_web')");
    const found = await flaws(ada);
    await ada.keyboard.press("Enter");
    await ada.keyboard.type("alone");
    const text = await ada.inputValue(".write textarea");
    await ada.fill(".write textarea", "");
    if (text !== "For @bob_web alone" || found.length > 0) {
      throw new Error(`${text} ${found}`);
    }
  });
  await check(
    "a long address is shown as its first 30 characters, and copied whole",
    async () => {
      const address = `https://example.org/${"a".repeat(60)}`;
      await write(ada, `See ${address}`);
      const link = await ada.waitForSelector(`${post("See")} .text a`);
      const shown = await link.$$eval(":scope > span:not(.invisible)", (all) => all.map((one) => one.textContent));
      await home(ada);
      return [shown, (await link.textContent()) === address];
    },
    (found) => same(found, [[`example.org/${"a".repeat(18)}`], true]),
  );

  // Offline, and back: what was missed comes, once and in order.
  await home(bob);
  await home(ada);
  await check(
    "offline and back",
    async () => {
      await bob.context().setOffline(true);
      await bob.waitForSelector("#connection:not([hidden])");
      await write(ada, "While Bob was away 1");
      await seen(ada, "While Bob was away 1");
      await write(ada, "While Bob was away 2");
      await seen(ada, "While Bob was away 2");
      await bob.context().setOffline(false);
      await seen(bob, "While Bob was away 2");
      return bob.$$eval("article.post", (all) =>
        all.map((one) => one.textContent.match(/While Bob was away \d/)?.[0]).filter(Boolean),
      );
    },
    (found) => same(found, ["While Bob was away 2", "While Bob was away 1"]),
  );
  await check(
    "a reader further down sees how many are new, beside the links of the first post",
    async () => {
      for (let i = 0; i < 8; i++) {
        await call(ada, "POST", "/api/v1/statuses", {
          status: `Filler ${i}\n\nso that\n\nthere is\n\nsomething\n\nto scroll`,
          visibility: "public",
        });
      }
      await seen(bob, "Filler 7");
      await bob.evaluate(() => scrollTo(0, 900));
      await call(ada, "POST", "/api/v1/statuses", { status: "Far above", visibility: "public" });
      await bob.waitForSelector(".new-bar:has-text('1 new post')");
      await bob.setViewportSize({ width: 360, height: 740 });
      const space = await bob.evaluate(() => {
        scrollTo({ top: 125, behavior: "instant" });
        const [bar, author] = [".new-bar", "article.post .author"].map((one) =>
          document.querySelector(one).getBoundingClientRect(),
        );
        return author.top - bar.bottom;
      });
      await bob.setViewportSize({ width: 1280, height: 860 });
      await bob.click(".new-bar");
      await seen(bob, "Far above");
      return [space >= 0 && space < 20, await bob.evaluate(() => scrollY)];
    },
    (found) => same(found, [true, 0]),
  );
  if (folder) {
    await check("a restart of the server", async () => {
      writeFileSync(`${folder}/restart`, "");
      while (!existsSync(`${folder}/restarted`)) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await soon(
        "posting works again",
        () => call(ada, "POST", "/api/v1/statuses", { status: "After the restart", visibility: "public" }),
        (status) => status.id,
      );
      await bob.waitForSelector(post("After the restart"), { timeout: 60_000 });
    });
  }

  // Hostile texts in every place that shows some.
  await check(
    "ada becomes hostile",
    async () => {
      const [first] = PAYLOADS;
      await call(ada, "PATCH", "/api/v1/accounts/update_credentials", {
        display_name: PAYLOADS[1],
        note: PAYLOADS.join("\n").slice(0, 500),
        fields_attributes: PAYLOADS.slice(2, 6).map((one) => ({ name: one, value: one })),
      });
      const made = [];
      for (const payload of PAYLOADS) {
        made.push(
          await call(ada, "POST", "/api/v1/statuses", {
            status: `${payload} #payloads`,
            spoiler_text: payload === first ? payload : "",
            quoted_status_id: made.at(-1)?.id,
            visibility: "public",
          }),
        );
        made.push(
          await call(ada, "POST", "/api/v1/articles", { title: payload.replace("\u2028", " "), groups: ["redis"] }),
        );
      }
      await call(ada, "POST", "/api/v1/statuses", {
        status: `@bob_web ${PAYLOADS.join(" ")}`.slice(0, 380),
        visibility: "public",
      });
      return made.filter(({ error }) => error);
    },
    (refused) => same(refused, []),
  );
  // As it is, and without the policy, so that the scripts alone must do.
  const unguarded = await person(browser, "bob", { bypassCSP: true, storageState: await bob.context().storageState() });
  await check(
    "a page without care is caught",
    async () => (
      await unguarded.goto(`${url}/login`),
      await unguarded.setContent("<svg onload=ran()>"),
      unguarded.waitForTimeout(300)
    ),
    () => ran.splice(0).length === 1,
  );
  for (const page of [bob, unguarded]) {
    for (const path of [
      "/",
      "/@ada_web",
      "/@ada_web?tab=replies",
      "/notifications",
      "/articles",
      "/public",
      "/tags/payloads",
      "/search?q=ada",
    ]) {
      await page.goto(url + path);
      await page.waitForSelector("html.ready");
      await page.waitForSelector(".loading-line", { state: "detached" });
      await check(
        `nothing of it is more than text on ${path}${page === bob ? "" : " without the policy"}`,
        () =>
          page.evaluate(() => [
            document.querySelectorAll(
              "main svg[onload], main img[onerror], main [href^='javascript:' i], main iframe, main script, main [onfocus]",
            ).length,
            document.querySelector("main").textContent.includes("onload=ran()") ||
              document.querySelector("main").textContent.includes("onerror=ran()"),
          ]),
        (found) => same(found, [0, true]),
      );
    }
  }
  await unguarded.context().close();
  await check(
    "no payload ran",
    () => ran,
    (found) => same(found, []),
  );

  // The keyboard alone.
  await check("the keyboard alone: next, like, open, reply, back", async () => {
    await bob.goto(`${url}/@bob_web`);
    // The server's own page shows the post as well, before the scripts listen to keys.
    await bob.waitForSelector("html.ready");
    await bob.waitForSelector(`.timeline ${post("Well said")}`);
    await bob.keyboard.press("j");
    await bob.keyboard.press("l");
    await bob.waitForSelector("article.post:focus-within .action.like.on");
    await bob.keyboard.press("Enter");
    await bob.waitForSelector(".post.focus");
    await bob.goBack();
    await bob.waitForSelector(`.timeline ${post("Well said")}`);
    await bob.keyboard.press("j");
    // A menu, left and opened again, one choice down and up.
    await bob.keyboard.press("b");
    await bob.waitForSelector("[role=menuitem]:focus");
    await bob.keyboard.press("Escape");
    await bob.waitForSelector(".action.boost:focus[aria-expanded=false]");
    await bob.keyboard.press("Enter");
    await bob.keyboard.press("ArrowDown");
    await bob.waitForSelector("[role=menuitem]:last-child:focus");
    await bob.keyboard.press("ArrowUp");
    await bob.keyboard.press("Enter");
    await bob.waitForSelector("article.post:focus-within .action.boost.on:focus");
    await bob.keyboard.press("n");
    await bob.waitForSelector("dialog[open] textarea:focus");
    await bob.keyboard.type("By keyboard");
    await bob.keyboard.press("Control+Enter");
    await seen(bob, "By keyboard");
    await bob.keyboard.press("g");
    await bob.keyboard.press("h");
    await bob.waitForSelector(".write textarea");
  });

  // Every page, in both themes and languages; the narrow window must not scroll sideways.
  const thread = await (await bob.waitForSelector("article.post a.when")).getAttribute("href");
  const inside = [
    "/",
    "/notifications",
    "/public",
    thread,
    "/@ada_web",
    "/@ada_web/followers",
    "/articles",
    "/search?q=ada",
    "/messages",
    "/lists",
    "/scheduled",
    "/bookmarks",
    "/favourites",
    "/settings",
    "/streams",
    "/tags/fanfare",
  ];
  for (const [theme, language] of [
    ["light", "en"],
    ["dark", "zh"],
    ["dark", "en"],
    ["light", "zh"],
  ]) {
    await bob.evaluate(
      ([theme, language]) => (
        localStorage.setItem("fanfare.theme", theme),
        localStorage.setItem("fanfare.language", language)
      ),
      [theme, language],
    );
    for (const path of inside) {
      await bob.goto(url + path);
      await bob.waitForSelector("html.ready");
      await bob.waitForSelector(".loading-line", { state: "detached" });
      await check(
        `axe on ${path}, ${theme}, ${language}`,
        () => flaws(bob),
        (found) => same(found, []),
      );
      await bob.setViewportSize({ width: 360, height: 740 });
      await check(
        `360 px hold ${path}, ${theme}, ${language}`,
        () => bob.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        (over) => over <= 0,
      );
      if (theme === "light" && language === "en") {
        await check(
          `axe at 360 px on ${path}`,
          () => flaws(bob),
          (found) => same(found, []),
        );
      }
      if (folder) {
        await bob.screenshot({ path: `${folder}/360-${path.replaceAll(/[^a-z]+/g, "-")}-${theme}-${language}.png` });
      }
      await bob.setViewportSize({ width: 1280, height: 860 });
    }
  }
  for (const [theme, locale] of [
    ["light", "zh-CN"],
    ["dark", "en-US"],
    ["light", "en-US"],
    ["dark", "zh-CN"],
  ]) {
    const stranger = await person(browser, "stranger", { colorScheme: theme, locale });
    for (const path of ["/", "/login", "/signup"]) {
      await stranger.goto(url + path);
      await stranger.waitForSelector("html.ready");
      await check(
        `axe on ${path} for strangers, ${theme}, ${locale}`,
        () => flaws(stranger),
        (found) => same(found, []),
      );
    }
    await stranger.context().close();
  }
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const read = await plain.newPage();
  for (const path of ["/", "/@ada_web", thread, "/articles", "/tags/fanfare"]) {
    await check(
      `${path} can be read without scripts`,
      async () => ((await read.goto(url + path)).ok() ? read.textContent("main") : ""),
      (text) => text.includes("_web"),
    );
  }
  await check(
    "a text without scripts looks like a text, not like a link",
    () =>
      read.$eval(".post .text p", (text) => {
        const lines = [];
        for (let one = text; one; one = one.parentElement) {
          lines.push(getComputedStyle(one).textDecorationLine);
        }
        return [...new Set(lines), getComputedStyle(text).color === getComputedStyle(document.documentElement).color];
      }),
    (found) => same(found, ["none", true]),
  );

  // Out.
  await check(
    "logging out ends the session",
    async () => {
      await ada.goto(`${url}/settings`);
      await ada.click("section:has(h2:text-is('Sessions')) .row.end button:not([hidden])");
      await ada.waitForSelector(".hero");
      return call(ada, "GET", "/api/v1/session");
    },
    ({ account }) => account === null,
  );
  await check(
    "nothing was asked of others",
    () => strangers,
    (found) => same(found, []),
  );
  await check(
    "no errors in the pages",
    () => troubles,
    (found) => same(found, []),
  );
  await browser.close();
});
