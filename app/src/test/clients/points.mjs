/**
 * The 25 places of the web client that readers look at first, in 12 combinations: 1280, 768 and 360 px, light and dark, English and Chinese. Each is opened, measured, looked at by axe and photographed.
 *
 * Usage: node points.mjs HOST:PORT FOLDER [COMBINATION]    a server without accounts, with limits.enabled=false; FOLDER: for the pictures; COMBINATION: only those whose name contains it, such as 360-dark
 */
import { mkdirSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { flaws, launch } from "./browser.mjs";
import { check, picturePng, run, same } from "./checks.mjs";

const [host, folder, only = ""] = process.argv.slice(2);
const url = `http://${host}`;
const PASSWORD = "correct horse battery";
const PATIENCE = 30_000; // ms
const LINE = 34; // px, the tallest line of a heading
const COMBINATIONS = [1280, 768, 360].flatMap((width) =>
  ["light", "dark"].flatMap((theme) => ["en", "zh"].map((language) => ({ width, theme, language }))),
);

async function call(token, method, path, body) {
  const form = body instanceof FormData;
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(form ? {} : { "Content-Type": "application/json" }),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: form ? body : body && JSON.stringify(body),
  });
  const said = await answer.json();
  return answer.ok ? said : Promise.reject(new Error(`${path}: ${JSON.stringify(said)}`));
}

async function signUp(name, display_name, note = "") {
  const { access_token: token } = await call(null, "POST", "/api/v1/accounts", {
    username: name,
    email: `${name}@example.org`,
    password: PASSWORD,
    agreement: true,
  });
  const { id } = await call(token, "PATCH", "/api/v1/accounts/update_credentials", { display_name, note });
  return { id, name, token };
}

async function picture(token, width, height, description) {
  const form = new FormData();
  form.append("file", new Blob([picturePng(width, height)], { type: "image/png" }), "picture.png");
  form.append("description", description);
  return (await call(token, "POST", "/api/v2/media", form)).id;
}

/** People and posts, one of each kind that a point is about. */
async function fill() {
  const mei = await signUp("mei", "王小美", "都江堰 #travel");
  const bob = await signUp("bob", "Bob Baker 🥖", "Bread, every day. #baking");
  const carol = await signUp("carol", "Carol Clark");
  const dan = await signUp("dan", "Dan");
  const fresh = await signUp("fresh", "");
  for (const [one, others] of [
    [mei, [bob, carol]],
    [bob, [mei]],
    [carol, [bob]],
  ]) {
    for (const other of others) {
      await call(one.token, "POST", `/api/v1/accounts/${other.id}/follow`);
    }
  }
  const say = (one, status, more = {}) => call(one.token, "POST", "/api/v1/statuses", { status, ...more });
  const poll = await say(bob, "Which bread?", { poll: { options: ["Rye", "Sourdough", "None"], expires_in: 86_400 } });
  const long = await say(bob, `https://example.org/${"a-long-path/".repeat(8)}\n${"Bread and patience.\n".repeat(20)}`);
  const tall = await say(bob, "A tall oven", { media_ids: [await picture(bob.token, 300, 1200, "An oven")] });
  await call(bob.token, "POST", "/api/v1/articles", {
    title: "Why rye",
    link: "https://example.org/rye",
    groups: ["bread"],
  });
  const own = await say(mei, "都江堰的水");
  for (const one of [bob, carol, dan, fresh]) {
    await call(one.token, "POST", `/api/v1/statuses/${own.id}/favourite`);
  }
  const shared = await say(dan, "Everybody shares this");
  for (const one of [carol, bob]) {
    await call(one.token, "POST", `/api/v1/statuses/${shared.id}/reblog`);
  }
  const message = await say(bob, "@mei a word between us", { visibility: "direct" });
  const list = await call(mei.token, "POST", "/api/v1/lists", { title: "Bakers" });
  await call(mei.token, "POST", `/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.id, carol.id] });
  return { mei, bob, carol, dan, fresh, poll, long, tall, own, shared, message, list };
}

const boxOf = (page, selector) => page.locator(selector).first().boundingBox();
const count = (page, selector) => page.locator(selector).count();
const style = (page, selector, name) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element)[name], name);
const compose = ".write .compose-text";

/**
 * Of each point: the path, who looks (mei where nobody is named), what is done there, and what holds then. `holds` answers what is wrong, false for nothing.
 */
const POINTS = [
  {
    n: 1,
    path: ({ poll }) => `/@bob/${poll.id}`,
    ready: ".poll input[type=radio]",
    async holds(page) {
      const [circle, label] = [await boxOf(page, ".poll input"), await boxOf(page, ".poll label")];
      return (circle.width > 24 || circle.height > 24 || label.width < 150) && { circle, label };
    },
  },
  {
    n: 2,
    as: "noscript",
    path: ({ tall }) => `/@bob/${tall.id}`,
    ready: "#app .post .text",
    async holds(page) {
      const line = await style(page, "#app .post .text p", "textDecorationLine");
      const [words, body] = [await style(page, "#app .post .text p", "color"), await style(page, "body", "color")];
      return (line !== "none" || words !== body) && { line, words, body };
    },
  },
  {
    n: 3,
    path: () => "/home",
    ready: compose,
    async holds(page) {
      await page.fill(compose, "A draft");
      await page.reload();
      await page.waitForSelector(compose);
      const kept = await page.inputValue(compose);
      await page.fill(compose, "");
      return kept !== "A draft" && { kept };
    },
  },
  {
    n: 4,
    path: () => "/home",
    ready: compose,
    async act(page) {
      await page.locator(compose).pressSequentially("@bo");
      await page.waitForSelector("[role=listbox] [role=option]");
    },
    async holds(page, { width }) {
      const box = await boxOf(page, "[role=listbox]");
      await page.fill(compose, "");
      return (box.x < 0 || box.x + box.width > width) && { box };
    },
  },
  {
    n: 5,
    path: ({ tall }) => `/@bob/${tall.id}`,
    ready: ".media a",
    act: async (page) => (await page.click(".media a"), page.waitForSelector("dialog.viewer img")),
    async holds(page, { width }) {
      const [box, image] = [await boxOf(page, "dialog.viewer"), await boxOf(page, "dialog.viewer figure > img")];
      return (box.width < width - 20 || image.height > 800) && { box, image };
    },
  },
  {
    n: 6,
    path: ({ message }) => `/@bob/${message.id}`,
    ready: ".readers",
    act: (page) => page.waitForSelector(".thread, article.post.focus"),
    async holds(page, { width }) {
      const notice = await page.textContent(".readers");
      await page.locator(".write-button").click();
      await page.waitForSelector("dialog.sheet[open]");
      const pixel = async (x) => {
        const png = await page.screenshot({ clip: { x, y: 850, width: 1, height: 1 } });
        const data = [];
        for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
          if (png.toString("latin1", at + 4, at + 8) === "IDAT") {
            data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
          }
        }
        return [...inflateSync(Buffer.concat(data))].slice(1, 4);
      };
      // The place of the scroll bar is as dark as the page beside it, but for what is rounded.
      const [edge, beside] = [await pixel(width - 1), await pixel(width - 30)];
      const strip = width === 1280 && edge.some((colour, i) => Math.abs(colour - beside[i]) > 2) && [edge, beside];
      await page.keyboard.press("Escape");
      return ((!notice.includes("Bob Baker") && !notice.includes("bob")) || strip) && { notice, strip };
    },
  },
  {
    n: 7,
    path: () => "/home",
    ready: ".write-button",
    async holds(page) {
      const [box, name] = [await boxOf(page, ".write-button"), await page.getAttribute(".write-button", "aria-label")];
      const words = (await page.innerText(".write-button")).trim();
      return (box.height < 40 || !(name || words)) && { box, name, words };
    },
  },
  {
    n: 8,
    path: () => "/home",
    ready: "article.post",
    async holds(page) {
      const shift = await page.evaluate(() =>
        globalThis.shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0),
      );
      return shift > 0.1 && { shift };
    },
  },
  {
    n: 9,
    path: () => "/home",
    ready: "article.post",
    async holds(page) {
      const html = await page.evaluate(() => document.head.innerHTML);
      const loaded = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .map(({ name }) => new URL(name).pathname)
          .filter((path) => path.endsWith(".js")),
      );
      const late = loaded.filter((path) => !html.includes(path));
      return late.length > 0 && { late };
    },
  },
  {
    n: 10,
    path: () => "/home",
    ready: compose,
    act: (page) => page.fill(compose, "Fresh bread"),
    async holds(page) {
      const [button, form] = [
        await boxOf(page, ".write .compose-bar .primary"),
        await boxOf(page, ".write form.composer"),
      ];
      await page.fill(compose, "");
      return Math.abs(button.x + button.width - form.x - form.width) > 4 && { button, form };
    },
  },
  {
    n: 11,
    path: () => "/home",
    ready: ".because",
    async holds(page, { language }) {
      const said = await page.locator(".because span").allTextContents();
      const pattern = language === "zh" ? /^由 ?.+ ?转发/ : /^Boosted by .+/;
      return !said.every((one) => pattern.test(one)) && { said };
    },
  },
  {
    n: 12,
    path: () => "/notifications",
    ready: ".notification-favourite",
    async holds(page) {
      const likes = await count(page, ".notification-favourite");
      const faces = await count(page, ".notification-favourite .faces-row img");
      return (likes !== 1 || faces < 4) && { likes, faces };
    },
  },
  {
    n: 13,
    path: () => "/settings",
    ready: "#p-current_password, [name=current_password]",
    async holds(page, { language }) {
      const form = page.locator("form", { has: page.locator("[name=password]") }).first();
      await form.locator("[name=current_password]").fill("not the password");
      await form.locator("[name=password]").fill("another horse battery");
      await form.locator("button.primary, button[type=submit], button:not([type])").first().click();
      const field = form.locator("[name=current_password][aria-invalid=true]");
      await field.waitFor();
      const said = await form.locator(".problem").first().textContent();
      return (said === "" || (language === "zh") !== /\p{Script=Han}/u.test(said)) && { said };
    },
  },
  {
    n: 14,
    path: () => "/@bob",
    ready: ".profile-name",
    async holds(page) {
      const name = await boxOf(page, ".profile-name .name, .profile-name h1, .profile-name");
      return name.height > 4 * LINE && { name };
    },
  },
  {
    n: 15,
    path: () => "/settings",
    ready: ".settings section",
    async act(page) {
      const file = { name: "me.png", mimeType: "image/png", buffer: picturePng(64, 64) };
      for (const name of ["avatar", "header"]) {
        await page.setInputFiles(`.settings input[name=${name}]`, file);
      }
    },
    async holds(page, { width }) {
      const links = await count(page, ".chips[role=group] button");
      const chosen = await count(page, ".settings img[src^='blob:']:visible");
      const inputs = await page.$$eval("input[type=file]", (all) =>
        all.map((one) => one.getBoundingClientRect().right),
      );
      return (links < 4 || chosen !== 2 || inputs.some((right) => right > width)) && { links, chosen, inputs };
    },
  },
  {
    n: 16,
    path: () => "/settings",
    ready: ".sessions li",
    async holds(page) {
      const said = (await page.locator(".sessions li").allTextContents()).join();
      return !/Chrom/.test(said) && { said };
    },
  },
  {
    n: 17,
    path: () => "/home",
    ready: compose,
    async act(page, { width }) {
      width === 360 && (await page.locator(".rail .narrow-only").last().click());
    },
    async holds(page, { width }) {
      const place = width === 360 ? "dialog .more-links" : "nav.rail";
      const links = await page
        .locator(`${place} a:visible`)
        .evaluateAll((all) => all.map((one) => new URL(one.href).pathname));
      const lacking = ["/lists", "/bookmarks", "/settings"].filter((path) => !links.includes(path));
      return lacking.length > 0 && { lacking, links };
    },
  },
  {
    n: 18,
    path: () => "/home",
    ready: compose,
    async act(page) {
      const file = (name) => ({ name, mimeType: "image/png", buffer: picturePng(240, 160) });
      await page.setInputFiles(".write input[type=file]", [file("one.png"), file("two.png")]);
      await page.waitForFunction(() => document.querySelectorAll(".write .gallery figure:not(.loading)").length === 2);
    },
    async holds(page) {
      const tag = await page
        .locator(".write .gallery .alt")
        .first()
        .evaluate(({ tagName }) => tagName);
      const [figure, bar] = [await boxOf(page, ".gallery figure"), await boxOf(page, ".gallery .picture-bar")];
      const toggle = await page.isVisible(".write .sensitive-button");
      while ((await count(page, ".write .gallery .remove")) > 0) {
        await page.locator(".write .gallery .remove").first().click();
      }
      return (tag !== "TEXTAREA" || !toggle || bar.x < figure.x) && { tag, toggle, figure, bar };
    },
  },
  {
    n: 19,
    path: ({ list }) => `/lists?id=${list.id}`,
    ready: "article.post",
    async holds(page, combination, { shared }) {
      const times = await count(page, `article.post[data-subject="${shared.id}"]`);
      return times !== 1 && { times };
    },
  },
  {
    n: 20,
    path: ({ shared }) => `/@dan/${shared.id}`,
    ready: ".post.focus .action.like",
    async holds(page) {
      const before = await page.textContent(".figures");
      await page.click(".post.focus .action.like");
      await page.waitForFunction((text) => document.querySelector(".figures").textContent !== text, before);
      await page.click(".post.focus .action.like");
      await page.waitForFunction((text) => document.querySelector(".figures").textContent === text, before);
      return false;
    },
  },
  {
    n: 21,
    as: "fresh",
    path: () => "/home",
    ready: ".suggested .person",
    async holds(page, combination, { fresh }) {
      const people = await count(page, ".suggested .person button");
      // A first post ends the quiet, and leaves the suggestions to choose from.
      const first = await call(fresh.token, "POST", "/api/v1/statuses", { status: "My first post" });
      await page.waitForSelector(`article.post[data-subject="${first.id}"]`);
      const quiet = await count(page, ".end-line a[href='/public']");
      const still = await count(page, ".suggested .person button");
      await call(fresh.token, "DELETE", `/api/v1/statuses/${first.id}`);
      return (people === 0 || quiet > 0 || still !== people) && { people, quiet, still };
    },
  },
  {
    n: 22,
    path: () => "/@bob",
    ready: ".text.folded",
    async holds(page) {
      const text = await boxOf(page, ".text.folded");
      const image = await boxOf(page, ".media img");
      return (text.height > 15 * LINE || image.height > 620 || !(await page.isVisible(".unfold"))) && { text, image };
    },
  },
  {
    n: 23,
    path: () => "/public",
    ready: ".action.reply",
    async holds(page) {
      const places = await page.$$eval("article.post .action.reply", (all) => [
        ...new Set(all.map((one) => Math.round(one.getBoundingClientRect().left))),
      ]);
      return places.length !== 1 && { places };
    },
  },
  {
    n: 24,
    as: "stranger",
    path: () => "/",
    ready: "link[rel=manifest]",
    async holds(page) {
      const manifest = await page.getAttribute("link[rel=manifest]", "href");
      const answers = await Promise.all(
        [manifest, "/robots.txt"].map(async (path) => (await page.request.get(new URL(path, url).href)).status()),
      );
      return !same(answers, [200, 200]) && { answers };
    },
  },
  {
    n: 25,
    as: "stranger",
    path: () => "/signup",
    ready: ".form-card form",
    async holds(page, { width }) {
      const gaps = await page.$$eval(".form-card .field", (all) =>
        all.slice(1).map((one, i) => one.getBoundingClientRect().top - all[i].getBoundingClientRect().bottom),
      );
      const card = await boxOf(page, ".form-card");
      const off = width > 500 ? Math.abs(card.x + card.width / 2 - (await centre(page))) : 0;
      return (gaps.some((gap) => gap < 8) || off > 20) && { gaps, off };
    },
  },
];

const centre = (page) =>
  page
    .locator("main")
    .first()
    .evaluate((main) => {
      const { left, width } = main.getBoundingClientRect();
      return left + width / 2;
    });

run(async () => {
  mkdirSync(folder, { recursive: true });
  const data = await fill();
  const browser = await launch();
  const sessions = {};
  for (const name of ["mei", "fresh"]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/login`);
    await page.fill("#f-username", name);
    await page.fill("#f-password", PASSWORD);
    await page.press("#f-password", "Enter");
    await page.waitForSelector(compose);
    sessions[name] = await context.storageState();
    await context.close();
  }
  for (const combination of COMBINATIONS) {
    const { width, theme, language } = combination;
    const name = `${width}-${theme}-${language}`;
    if (!name.includes(only)) {
      continue;
    }
    const pages = {};
    for (const who of ["mei", "fresh", "stranger", "noscript"]) {
      const context = await browser.newContext({
        viewport: { width, height: 860 },
        colorScheme: theme,
        locale: language === "zh" ? "zh-CN" : "en-US",
        storageState: sessions[who],
        javaScriptEnabled: who !== "noscript",
        reducedMotion: "reduce",
      });
      await context.addInitScript(() => {
        globalThis.shifts = [];
        new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries())).observe({
          type: "layout-shift",
          buffered: true,
        });
      });
      pages[who] = await context.newPage();
      pages[who].setDefaultTimeout(PATIENCE);
    }
    for (const { n, as = "mei", path, ready, act, holds } of POINTS) {
      const page = pages[as];
      await check(
        `point ${n} at ${name}`,
        async () => {
          await page.goto(url + path(data));
          await page.locator(ready).first().waitFor({ state: "attached" });
          await page.locator(".loading-line").first().waitFor({ state: "detached" });
          await act?.(page, combination, data);
          await page.screenshot({ path: `${folder}/${String(n).padStart(2, "0")}-${name}.png` });
          const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
          // An element that is left out must leave no word behind.
          const words = await page.evaluate(() => {
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const found = [];
            while (texts.nextNode()) {
              /^(null|undefined|false|NaN|\[object .*)$/.test(texts.currentNode.data.trim()) &&
                found.push(texts.currentNode.data);
            }
            return found;
          });
          const found = as === "noscript" ? [] : await flaws(page);
          return [wide > 0 && { wide }, ...words, ...found, await holds(page, combination, data)].filter(Boolean);
        },
        (wrong) => same(wrong, []),
      );
    }
    for (const page of Object.values(pages)) {
      await page.context().close();
    }
  }
  await browser.close();
});
