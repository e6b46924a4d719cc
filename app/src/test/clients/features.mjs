/**
 * What people do with the web client beside the first steps, which web.mjs has: warnings, pictures, edits, lists, hashtags, messages, posts for later, pins, filters, mutes, blocks, reports,
 * notes, notifications that are set aside, settings, the stream explorer. Two people in two browsers, and a third one who has a client of her own. Then the pages of it as axe sees them, and attempts of a page of another origin.
 *
 * Usage: node features.mjs HOST:PORT ANN BOB PASSWORD [FOLDER]    two users who have signed up; FOLDER: for pictures of narrow pages
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { flaws, intercept, launch } from "./browser.mjs";
import { answered, check, picturePng, run, same } from "./checks.mjs";

const [host, annName, bobName, password, folder] = process.argv.slice(2);
const url = `http://${host}`;
const PATIENCE = 20_000; // ms
const RED = // a WebM of 32 x 24, five frames in a second
  "GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAAIdEU2bdLpNu4tTq4QVSalmU6yBoU27i1OrhBZUrmtTrIHGTbuMU6uEElTDZ1OsggEMTbuMU6uEHFO7a1OsggIH7AEAAAAAAABZAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrXsYMPQkBNgIRMYXZmV0GETGF2ZkSJiECPQAAAAAAAFlSua8GuAQAAAAAAADjXgQFzxYgAAAAAAAAAAZyBACK1nIN1bmSIgQCGhVZfVlA4g4EBI+ODhAvrwgDgibCBILqBGJqBAhJUw2fRc3POY8CLY8WIAAAAAAAAAAFnyJhFo4dFTkNPREVSRIeLTGF2YyBsaWJ2cHhnyKJFo4hEVVJBVElPTkSHlDAwOjAwOjAxLjAwMDAwMDAwMAAAH0O2dUCf54EAo76BAACAEAMAnQEqIAAYAABHCIWFiIWEiAICAnWqA/gD+gIIWQy9AP79bvP/45k3MMT/jm3/8WE8DijI//FRAKOVgQDIALEBAAEQEAAYABhYL/QACHAAo5WBAZAAsQEAARAQABgAGFgv9AAIcACjlYECWACxAQABEBAAGAAYWC/0AAhwAKOVgQMgALEBAAEQEAAYABhYL/QACHAAHFO7a5G7j7OBALeK94EB8YIBYvCBAw==";

const troubles = [];

async function person(browser, name, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: "en-US",
    timezoneId: "Europe/Berlin",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => troubles.push(`${name} ${error.message}`));
  page.on(
    "console",
    (said) =>
      said.type() === "error" &&
      !/Failed to load resource|ERR_/.test(said.text()) &&
      troubles.push(`${name}: ${said.text()}`),
  );
  return page;
}

async function logIn(page, name, secret = password) {
  await page.goto(`${url}/login`);
  await page.fill("#f-username", name);
  await page.fill("#f-password", secret);
  await page.press("#f-password", "Enter");
  await page.waitForSelector(".write textarea");
}

async function api(token, method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: body && JSON.stringify(body),
  });
  const said = await answer.json();
  return answer.ok ? said : Promise.reject(new Error(`${path}: ${JSON.stringify(said)}`));
}

/** What a script of the page asks, with its session. */
const call = (page, method, path, body) =>
  page.evaluate(
    async ([method, path, body]) =>
      (
        await fetch(path, { method, headers: { "X-Fanfare-Page": "1", "Content-Type": "application/json" }, body })
      ).json(),
    [method, path, body && JSON.stringify(body)],
  );

const post = (text) => `article.post:has-text(${JSON.stringify(text)})`;
const seen = (page, text) => page.waitForSelector(post(text));
const home = async (page) => (await page.click("nav.rail a[href='/']"), page.waitForSelector(".write textarea"));

async function open(page, path) {
  await page.goto(url + path);
  await page.waitForSelector("html.ready");
  await page.waitForSelector(".loading-line", { state: "detached" });
}

async function write(page, text) {
  await page.fill(".write textarea", text);
  await page.click(".write .compose-bar button.primary");
  await seen(page, text);
}

/** Takes a choice of the menu of a post, or of a profile. */
async function choose(page, place, choice) {
  await page.click(`${place} button[aria-haspopup=menu][aria-label="More"]`);
  await page.locator("[role=menuitem]", { hasText: choice }).click();
}

const said = (page, text) => page.waitForSelector(`.toast:has-text(${JSON.stringify(text)})`);

run(async () => {
  const browser = await launch();
  const ann = await person(browser, "ann");
  const bob = await person(browser, "bob");
  const cydName = `cyd_${annName}`.slice(0, 30);
  const { access_token: cyd } = await api(null, "POST", "/api/v1/accounts", {
    username: cydName,
    email: `${cydName}@example.org`,
    password,
    agreement: true,
  });
  await Promise.all([logIn(ann, annName), logIn(bob, bobName)]);

  await check(
    "bob follows ann on her profile, and ann finds him among her followers",
    async () => {
      await open(bob, `/@${annName}`);
      await bob.click(".profile-actions .follow");
      await bob.waitForSelector(".profile-actions .follow[aria-pressed=true]:enabled");
      await open(ann, `/@${annName}/followers`);
      return ann.textContent(`.person:has-text("@${bobName}")`);
    },
    (text) => text.includes("Follows you") && text.includes("Follow back"),
  );
  await check("back and both follow each other", async () => {
    await ann.click(`.person:has-text("@${bobName}") .follow`);
    await ann.waitForSelector(`.person:has-text("@${bobName}") .follow[aria-label$="who follows you"]`);
  });
  await check(
    "who follows is told of with how one stands to them",
    async () => {
      await open(ann, "/notifications");
      await ann.waitForSelector(
        `.notification-follow:has-text("@${bobName}"), .notification-follow:has-text("${bobName}")`,
      );
      await ann.waitForSelector(".notification-follow .follow[aria-label$='who follows you']");
      return flaws(ann);
    },
    (found) => same(found, []),
  );
  await Promise.all([home(ann), home(bob)]);
  await check(
    "a post behind a warning",
    async () => {
      await ann.click(".write .cw");
      await ann.fill(".write .compose-warning", "The end of the film");
      await write(ann, "It was the butler").catch(() => {});
      await seen(bob, "The end of the film");
      const before = await bob.isVisible(`${post("The end of the film")} .text`);
      await bob.click(`${post("The end of the film")} summary`);
      return [before, await bob.isVisible(`${post("The end of the film")} .text`)];
    },
    (found) => same(found, [false, true]),
  );
  await check(
    "a picture with a description",
    async () => {
      await ann.setInputFiles(".write input[type=file]", {
        name: "picture.png",
        mimeType: "image/png",
        buffer: await ann.locator("nav.rail .brand").screenshot(),
      });
      await ann.fill(".write .gallery .alt", "A small trumpet");
      await ann.waitForSelector(".write .gallery figure:not(.loading)");
      await write(ann, "Our sign");
      await bob.waitForSelector(`${post("Our sign")} img[alt="A small trumpet"]`);
      return bob.$eval(
        `${post("Our sign")} .media img`,
        async (image) => (image.scrollIntoView(), (image.loading = "eager"), await image.decode(), image.naturalWidth),
      );
    },
    (width) => width > 0,
  );
  await check(
    "a picture opens above the page with its description, and Escape leads back",
    async () => {
      await bob.click(`${post("Our sign")} .media a`);
      await bob.waitForSelector("dialog.viewer img");
      const shown = [await bob.textContent(".viewer-words"), await flaws(bob), new URL(bob.url()).pathname];
      await bob.keyboard.press("Escape");
      await bob.waitForSelector("dialog", { state: "detached" });
      return shown;
    },
    (found) => same(found, ["A small trumpet", [], "/"]),
  );
  await check(
    "a large picture says that it is processed, lets one write meanwhile and is posted when it is ready",
    async () => {
      let release;
      const held = new Promise((resolve) => (release = resolve));
      await intercept(ann, "**/api/v1/media/*", async (route) => (await held, route.continue()));
      await ann.setInputFiles(".write input[type=file]", {
        name: "wide.png",
        mimeType: "image/png",
        buffer: picturePng(4000, 3000),
      });
      await ann.waitForSelector(".write .gallery figure.loading");
      await ann.waitForSelector(".write form.used"); // and is asked before it is discarded
      await ann.fill(".write .compose-text", "A wide night");
      const note = await ann.waitForSelector(".write .gallery .processing").then((it) => it.textContent());
      const early = await ann.isDisabled(".write .compose-bar button.primary");
      release();
      await ann.waitForSelector(".write .gallery figure:not(.loading)");
      await ann.unroute("**/api/v1/media/*");
      const left = await ann.locator(".write .gallery .processing").count();
      await write(ann, "A wide night");
      await bob.waitForSelector(`${post("A wide night")} .media img`);
      const width = await bob.$eval(
        `${post("A wide night")} .media img`,
        async (image) => ((image.loading = "eager"), await image.decode(), image.naturalWidth),
      );
      return [note, early, left, width > 0];
    },
    (found) => same(found, ["Being processed…", true, 0, true]),
  );
  await check(
    "the description of a picture is changed, and shows at once; the picture stays",
    async () => {
      await choose(ann, post("Our sign"), "Edit");
      const before = await ann.inputValue("dialog .gallery .alt");
      await ann.fill("dialog .gallery .alt", "A small violet trumpet");
      await ann.click("dialog .compose-bar button.primary");
      await ann.waitForSelector("dialog", { state: "detached" });
      await bob.waitForSelector(`${post("Our sign")} img[alt="A small violet trumpet"]`);
      return [
        before,
        await bob.$eval(
          `${post("Our sign")} .media img`,
          async (image) => (await image.decode(), image.naturalWidth > 0),
        ),
        await bob.locator(`${post("Our sign")} .media img`).count(),
      ];
    },
    (found) => same(found, ["A small trumpet", true, 1]),
  );
  const pictures = (...names) =>
    names.map((name) => ({ name: `${name}.png`, mimeType: "image/png", buffer: picturePng(240, 160) }));
  const described = (page, place) => page.$$eval(`${place} .media img`, (all) => all.map(({ alt }) => alt));
  const alts = (page, place) => page.$$eval(`${place} .gallery .alt`, (all) => all.map(({ value }) => value));
  const describe = async (page, place, ...words) => {
    for (const [i, one] of words.entries()) {
      await page.locator(`${place} .gallery .alt`).nth(i).fill(one);
    }
  };
  await check(
    "buttons and dragging put pictures in another order, and the post has them in this order",
    async () => {
      await ann.setInputFiles(".write input[type=file]", pictures("one", "two", "three"));
      await describe(ann, ".write", "one", "two", "three");
      const ends = await ann.$$eval(".write .gallery figure", (all) =>
        all.map((box) => [".earlier", ".later"].map((name) => box.querySelector(name).disabled)),
      );
      await ann.locator(".write .gallery .later").first().focus();
      await ann.keyboard.press("Enter");
      await ann.keyboard.press("Enter");
      const moved = await alts(ann, ".write");
      const focused = await ann.evaluate(() => document.activeElement.className.includes("earlier"));
      const spoken = await ann.textContent(".write .gallery + [role=status]");
      await ann.locator(".write .gallery img").nth(2).dragTo(ann.locator(".write .gallery img").nth(0));
      const dragged = await alts(ann, ".write");
      await ann.waitForFunction(() => !document.querySelector(".write .gallery .loading"));
      const axeFinds = await flaws(ann);
      await write(ann, "In my order");
      await bob.waitForSelector(`${post("In my order")} .media img`);
      return [ends, moved, focused, spoken, dragged, await described(bob, post("In my order")), axeFinds];
    },
    (found) =>
      same(found, [
        [
          [true, false],
          [false, false],
          [false, true],
        ],
        ["two", "three", "one"],
        true,
        "Picture 3 of 3",
        ["one", "two", "three"],
        ["one", "two", "three"],
        [],
      ]),
  );
  await check(
    "the focus of a picture is chosen by keyboard or pointer, and cards crop around it",
    async () => {
      await ann.setInputFiles(".write input[type=file]", pictures("flower"));
      await describe(ann, ".write", "A flower in a corner");
      await ann.click(".write .gallery .focus-button");
      await ann.waitForSelector("dialog .focus-stage img");
      const [across, down] = [
        ann.locator("dialog input[type=range]").nth(0),
        ann.locator("dialog input[type=range]").nth(1),
      ];
      await across.focus();
      await ann.keyboard.press("End");
      const axeFinds = await flaws(ann);
      await ann.keyboard.press("Tab");
      await ann.keyboard.press("Home");
      const byKeys = await ann.$eval("dialog .focus-mark", ({ style }) => [style.left, style.top]);
      const box = await ann.locator("dialog .focus-stage").boundingBox();
      await ann.mouse.click(box.x + box.width / 4, box.y + box.height * 0.75);
      const byPointer = [await across.inputValue(), await down.inputValue()];
      await ann.click("dialog .button.primary");
      await ann.waitForSelector("dialog", { state: "detached" });
      const thumbnail = await ann.$eval(".write .gallery img", ({ style }) => style.objectPosition);
      await ann.waitForSelector(".write .gallery figure:not(.loading)");
      await write(ann, "A cropped flower");
      const image = `${post("A cropped flower")} .media img`;
      await bob.waitForSelector(image);
      return [
        byKeys,
        byPointer,
        thumbnail,
        await bob.$eval(image, (shown) => [getComputedStyle(shown).objectPosition, getComputedStyle(shown).objectFit]),
        axeFinds,
      ];
    },
    (found) => same(found, [["100%", "0%"], ["25", "75"], "25% 75%", ["25% 75%", "cover"], []]),
  );
  await check(
    "an edit adds, removes and reorders pictures, and changes a focus; nothing changes when it is left",
    async () => {
      const card = post("In my order");
      await choose(ann, card, "Edit");
      await ann.locator("dialog .gallery .earlier").nth(1).click();
      await ann.click("dialog .sheet-head button");
      await ann.click("dialog.small .button:has-text('Cancel')");
      await ann.locator("dialog .gallery .remove").nth(2).click();
      await ann.setInputFiles("dialog input[type=file]", pictures("four"));
      await ann.locator("dialog .gallery .alt").nth(2).fill("four");
      await ann.locator("dialog .gallery .focus-button").nth(0).click();
      await ann.locator("dialog.small input[type=range]").nth(0).focus();
      await ann.keyboard.press("Home");
      await ann.click("dialog.small .button.primary");
      await ann.waitForFunction(() => !document.querySelector("dialog .gallery .loading"));
      await ann.click("dialog .compose-bar button.primary");
      await ann.waitForSelector("dialog", { state: "detached" });
      await bob.waitForSelector(`${card} img[alt="four"]`);
      const shown = await described(bob, card);
      const position = await bob.$eval(`${card} .media img`, (image) => getComputedStyle(image).objectPosition);
      await ann.waitForSelector(`${card} img[alt="four"]`);
      await choose(ann, card, "Edit");
      await ann.waitForSelector("dialog .gallery .alt");
      const again = await alts(ann, "dialog");
      await ann.click("dialog .sheet-head button");
      await ann.waitForSelector("dialog", { state: "detached" });
      return [shown, position, again];
    },
    (found) => same(found, [["two", "one", "four"], "0% 50%", ["two", "one", "four"]]),
  );
  await check(
    "the last minute of a poll is less than a minute, in both languages",
    async () => {
      const asked = await call(ann, "POST", "/api/v1/statuses", {
        status: "Tea or coffee?",
        poll: { options: ["Tea", "Coffee"], expires_in: 300 },
      });
      const ends = Date.parse(asked.poll.expires_at);
      const said = [];
      for (const [locale, seconds] of [
        ["en-US", 20],
        ["en-US", 90],
        ["zh-CN", 20],
      ]) {
        const guest = await person(browser, `a guest ${locale}`, { locale });
        await guest.clock.setFixedTime(ends - seconds * 1000);
        await open(guest, `/@${annName}/${asked.id}`);
        said.push((await guest.textContent(".poll .hint")).split(" · ")[1]);
        await guest.context().close();
      }
      return said;
    },
    (found) => same(found, ["less than a minute left", "2 minutes left", "还剩不到一分钟"]),
  );
  await check(
    "an upload that is refused for its rate says for how long to wait",
    async () => {
      await intercept(ann, "**/api/v2/media", (route) =>
        route.fulfill({ status: 429, headers: { "Retry-After": "150" }, json: { error: "Too many requests" } }),
      );
      await ann.setInputFiles(".write input[type=file]", pictures("refused"));
      await ann.waitForSelector(".write .problem:not([hidden])");
      const said = await ann.textContent(".write .problem");
      await ann.unroute("**/api/v2/media");
      return [said, await ann.locator(".write .gallery figure").count()];
    },
    ([said, left]) => said.includes("3 minutes") && left === 0,
  );
  await check(
    "a video with a description, of which nothing is loaded before it is played",
    async () => {
      const video = { name: "red.webm", mimeType: "video/webm", buffer: Buffer.from(RED, "base64") };
      await ann.setInputFiles(".write input[type=file]", [video, video]);
      await ann.waitForSelector(".write .problem:has-text('one video')");
      await ann.setInputFiles(".write input[type=file]", video);
      await ann.fill(".write .gallery .alt", "Nothing but red");
      await ann.waitForSelector(".write .gallery figure:not(.loading) video");
      const another = await ann.isDisabled(".write .icon-button[aria-label^='Add pictures']");
      await write(ann, "Our film");
      const place = `${post("Our film")} video[aria-label="Nothing but red"]`;
      await bob.waitForSelector(place);
      const before = await bob.$eval(place, (film) => [film.controls, film.preload, film.readyState]);
      const played = await bob.$eval(place, async (film) => {
        film.muted = true;
        await film.play();
        return [film.videoWidth, Math.round(film.duration)];
      });
      return [another, before, played, await flaws(bob)];
    },
    (found) => same(found, [true, [true, "none", 0], [32, 1], []]),
  );
  await check(
    "a video opens above the page with its description, and stops where it was",
    async () => {
      const card = `${post("Our film")} video`;
      await bob.$eval(card, (film) => ((film.loop = true), film.play()));
      await bob.click(`${post("Our film")} .film .icon-button`);
      await bob.waitForSelector('dialog.viewer video[aria-label="Nothing but red"]');
      const shown = [
        await bob.textContent(".viewer-words"),
        await bob.isVisible("dialog.viewer figure > img"),
        await bob.$eval(card, (film) => film.paused),
        await flaws(bob),
      ];
      await bob.keyboard.press("Escape");
      await bob.waitForSelector("dialog", { state: "detached" });
      return shown;
    },
    (found) => same(found, ["Nothing but red", false, true, []]),
  );
  await check("a file that is no picture is refused in the language of the person", async () => {
    await bob.evaluate(() => localStorage.setItem("fanfare.language", "zh"));
    await bob.reload();
    await bob.setInputFiles(".write input[type=file]", {
      name: "picture.png",
      mimeType: "image/png",
      buffer: Buffer.from("no picture"),
    });
    await bob.waitForSelector(".write .problem:has-text('无法使用此文件')");
    await bob.evaluate(() => localStorage.removeItem("fanfare.language"));
    await bob.reload();
    await bob.waitForSelector("html.ready[lang=en]");
  });
  await check("a sound beside a picture is refused with a sentence, and alone it is there to be heard", async () => {
    const wave = Buffer.alloc(8044);
    wave.write("RIFF", 0);
    wave.writeUInt32LE(8036, 4);
    wave.write("WAVEfmt ", 8);
    [
      [16, 4],
      [1, 2],
      [1, 2],
      [8000, 4],
      [8000, 4],
      [1, 2],
      [8, 2],
    ].reduce((at, [value, bytes]) => wave.writeUIntLE(value, at, bytes), 16);
    wave.write("data", 36);
    wave.writeUInt32LE(8000, 40);
    wave.fill(128, 44);
    const sound = { name: "tone.wav", mimeType: "audio/wav", buffer: wave };
    const picture = {
      name: "picture.png",
      mimeType: "image/png",
      buffer: await ann.locator("nav.rail .brand").screenshot(),
    };
    await ann.setInputFiles(".write input[type=file]", [sound, picture]);
    await ann.waitForSelector(".write .problem:has-text('one sound')");
    await ann.setInputFiles(".write input[type=file]", sound);
    await ann.waitForSelector(".write .gallery figure:not(.loading) audio");
    await write(ann, "Our silence");
    await bob.waitForSelector(`${post("Our silence")} audio[controls][aria-label="Sound"]`);
  });
  await check(
    "an edit shows at once, and its earlier version on request",
    async () => {
      await write(ann, "The frist version");
      await seen(bob, "The frist version");
      await choose(ann, post("The frist version"), "Edit");
      await ann.fill("dialog textarea", "The first version");
      await ann.click("dialog .compose-bar button.primary");
      await seen(bob, "The first version");
      await choose(bob, post("The first version"), "Earlier versions");
      const text = await bob.textContent("dialog[open]");
      await bob.keyboard.press("Escape");
      return text;
    },
    (text) => text.includes("frist") && text.includes("first"),
  );
  await check("a boost, and it is undone", async () => {
    const boost = async () => {
      await bob.click(`${post("The first version")} .action.boost`);
      await bob.click(`${post("The first version")} [role=menuitem]:first-child`);
    };
    await answered(bob, "/reblog", boost);
    await bob.waitForSelector(`${post("The first version")} .action.boost.on`);
    await boost();
    await bob.waitForSelector(`${post("The first version")} .action.boost:not(.on)`);
  });
  await check(
    "a thread shows who has quoted its post",
    async () => {
      const [{ id }] = (await call(ann, "GET", "/api/v1/timelines/home")).filter(({ content }) =>
        content.includes("The first version"),
      );
      await api(cyd, "POST", "/api/v1/statuses", { status: "In my own words", quoted_status_id: id });
      await open(bob, `/@${annName}/${id}`);
      await bob.click(".figures button:has-text('1 quote')");
      await bob.waitForSelector("dialog .post:has-text('In my own words')");
      const found = await flaws(bob);
      await bob.keyboard.press("Escape");
      await home(bob);
      return found;
    },
    (found) => same(found, []),
  );
  await check("bookmarks and likes have pages", async () => {
    await answered(bob, "/bookmark", () => bob.click(`${post("The first version")} .action.bookmark`));
    await bob.waitForSelector(`${post("The first version")} .action.bookmark.on`);
    await answered(bob, "/favourite", () => bob.click(`${post("Our sign")} .action.like`));
    await bob.waitForSelector(`${post("Our sign")} .action.like.on`);
    await open(bob, "/bookmarks");
    await seen(bob, "The first version");
    await open(bob, "/favourites");
    await seen(bob, "Our sign");
  });
  await check(
    "a post of which the home has not heard yet is shown, and its deletion too",
    async () => {
      // As when the workers are behind: the stream that begins with the page tells of it.
      const { id } = await call(ann, "POST", "/api/v1/statuses", { status: "Ahead of the home", visibility: "public" });
      await intercept(bob, "**/api/v1/timelines/home*", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: (await answer.json()).filter((one) => one.id !== id) });
      });
      await home(bob);
      await seen(bob, "Ahead of the home");
      await call(ann, "DELETE", `/api/v1/statuses/${id}`);
      await bob.waitForSelector(post("Ahead of the home"), { state: "detached" });
      await home(bob);
      await seen(bob, "The first version");
      await bob.unroute("**/api/v1/timelines/home*");
      return bob.$$(post("Ahead of the home"));
    },
    (left) => left.length === 0,
  );
  await check(
    "right-to-left texts run so",
    async () => {
      await call(ann, "POST", "/api/v1/statuses", { status: "مرحبا بالعالم", visibility: "public" });
      await home(bob);
      await seen(bob, "مرحبا بالعالم");
      return bob.$eval(`${post("مرحبا بالعالم")} .text`, (text) => getComputedStyle(text).direction);
    },
    (direction) => direction === "rtl",
  );
  await check(
    "a post is pinned to the profile",
    async () => {
      await choose(ann, post("Our sign"), "Pin to your profile");
      await said(ann, "at the top of your profile");
      await open(bob, `/@${annName}`);
      return bob.textContent(".posts.pinned");
    },
    (text) => text.includes("Pinned") && text.includes("Our sign"),
  );

  await check("bob makes a list and puts ann on it", async () => {
    await bob.click("nav.rail a[href='/lists']");
    await bob.fill(".form-row input", "Close friends");
    await bob.click(".form-row .button.primary");
    await bob.waitForSelector(".line-link:has-text('Close friends')");
    await open(bob, `/@${annName}`);
    await choose(bob, ".profile", "On lists");
    await bob.check("dialog label:has-text('Close friends') input");
    await bob.waitForSelector("dialog label:has-text('Close friends') input:checked:enabled");
    await bob.click("dialog .button:has-text('Close')");
    await bob.click("nav.rail a[href='/lists']");
    await bob.click(".line-link:has-text('Close friends')");
    await seen(bob, "Our sign");
  });
  const listPath = new URL(bob.url()).pathname + new URL(bob.url()).search;
  await check(
    "who is on a list is shown, and taken off",
    async () => {
      await bob.click(".view-head .button");
      await bob.waitForSelector(`dialog .person:has-text("@${annName}")`);
      const found = await flaws(bob);
      await bob.click(`dialog .person:has-text("@${annName}") .button:has-text("Remove")`);
      await bob.waitForSelector("dialog .person", { state: "detached" });
      await bob.click("dialog [aria-label=Close]");
      return found;
    },
    (found) => same(found, []),
  );

  await check(
    "a direct message: written, told of, read and answered",
    async () => {
      await ann.click("nav.rail a[href='/messages']");
      await ann.click(".view-head .button.primary");
      await ann.fill("dialog textarea", "Between you and me");
      const send = () => ann.click("dialog .compose-bar button.primary");
      await send();
      await ann.waitForSelector("dialog .problem:has-text('Nobody would receive')");
      await ann.fill("dialog .compose-to", "nobody_of_this_name");
      await send();
      await ann.waitForSelector("dialog .problem:has-text('nobody_of_this_name')");
      // The field of names is a combobox: it says that it has suggestions, and which one Enter takes.
      const to = ann.locator("dialog .compose-to[role=combobox]");
      await to.fill("");
      await to.pressSequentially(bobName);
      await ann.waitForSelector(`dialog [role=option][aria-selected=true]:has-text("@${bobName}")`);
      await ann.waitForSelector("dialog .compose-to[aria-expanded=true][aria-activedescendant]");
      await to.press("Enter");
      await ann.waitForSelector("dialog .compose-to[aria-expanded=false]:not([aria-activedescendant])");
      await send();
      await ann.waitForSelector(".conversation:has-text('Between you and me')");
      await bob.click("nav.rail a[href='/messages']");
      await bob.waitForSelector(".conversation.unread-line:has-text('Between you and me')");
      const found = await flaws(bob);
      await bob.click(".conversation .author");
      await bob.waitForSelector(".post.focus:has-text('Between you and me')");
      await bob.waitForSelector(".readers:has-text('Only you and')");
      // The server's own page of it says that there is nothing.
      await bob.reload();
      await bob.waitForSelector(".post.focus:has-text('Between you and me')");
      await bob.click(".answer-line button");
      await bob.waitForFunction(() => document.querySelector("dialog .compose-bar select").value === "direct");
      await bob.keyboard.type("I keep it");
      await bob.click("dialog .compose-bar button.primary");
      await ann.waitForSelector(".conversation.unread-line:has-text('I keep it')");
      await bob.click("nav.rail a[href='/messages']");
      await bob.waitForSelector(".conversation:not(.unread-line):has-text('I keep it')");
      return found;
    },
    (found) => same(found, []),
  );
  await check(
    "a message is in nobody's home",
    () =>
      Promise.all(
        [ann, bob].map(
          async (page) => (
            await home(page),
            await page.reload(),
            await seen(page, "Our sign"),
            page.locator(post("Between you and me")).count()
          ),
        ),
      ),
    (counts) => same(counts, [0, 0]),
  );

  await check(
    "a post for later waits on its page, at another time, and is cancelled",
    async () => {
      await ann.fill(".write textarea", "Good morning");
      await ann.click(".write .wait-button");
      await ann.fill(".write .compose-time", "2020-05-01T08:30");
      await ann.click(".write .compose-bar button.primary");
      await ann.waitForSelector(".write .problem:has-text('at least five minutes')");
      await ann.fill(".write .compose-time", "2031-05-01T08:30");
      await ann.click(".write .compose-bar button.primary");
      await said(ann, "It will be posted on May 1, 2031");
      const early = await ann.locator(post("Good morning")).count();
      await open(ann, "/scheduled");
      await ann.waitForSelector("article:has-text('Good morning'):has-text('8:30')");
      await ann.fill("article input", "2031-05-01T09:45");
      await ann.click("article .button:has-text('Change the time')");
      await ann.waitForSelector("article:has-text('9:45')");
      const [waiting] = await call(ann, "GET", "/api/v1/scheduled_statuses");
      return [early, waiting.scheduled_at];
    },
    ([early, time]) => early === 0 && time.startsWith("2031-05-01T07:45"),
  );

  await check(
    "bob follows a hashtag, and its posts come to his home by themselves",
    async () => {
      await api(cyd, "POST", "/api/v1/statuses", { status: "Tulips #gardening" });
      await open(bob, "/tags/gardening");
      await bob.click(".view-head .follow");
      await bob.waitForSelector(".view-head .follow[aria-pressed=true]");
      await home(bob);
      let said = false;
      for (let tries = 0; !said && tries < 20; tries++) {
        await api(cyd, "POST", "/api/v1/statuses", { status: `Roses ${tries} #gardening` });
        said = await bob.waitForSelector(post("Roses"), { timeout: 1500 }).then(
          () => true,
          () => false,
        );
      }
      await open(bob, "/settings");
      await bob.click(".card .row:has-text('#gardening') button");
      await bob.waitForSelector(".card .chip:has-text('#gardening')", { state: "detached" });
      return said;
    },
    Boolean,
  );

  await check(
    "a filter is made, and hides what arrives",
    async () => {
      await bob.click(".button:has-text('Add a filter')");
      await bob.fill("dialog [name=title]", "Spoilers");
      await bob.fill("dialog [name=keywords]", "season finale\nbutler");
      await bob.selectOption("dialog [name=action]", "hide");
      const found = await flaws(bob);
      await bob.click("dialog .button.primary");
      await bob.waitForSelector("li:has-text('season finale')");
      await home(bob);
      await seen(bob, "Our sign");
      const before = await bob.locator(post("The end of the film")).count();
      await call(ann, "POST", "/api/v1/statuses", { status: "The SEASON finale was long", visibility: "public" });
      await call(ann, "POST", "/api/v1/statuses", { status: "The weather was fine", visibility: "public" });
      await seen(bob, "The weather was fine");
      return [found, before, await bob.locator(post("finale was long")).count()];
    },
    (found) => same(found, [[], 0, 0]),
  );
  await check(
    "a filter that warns covers them, until they are asked for",
    async () => {
      await open(bob, "/settings");
      await bob.click("li:has-text('Spoilers') .button:has-text('Change')");
      await bob.selectOption("dialog [name=action]", "warn");
      await bob.fill("dialog [name=keywords]", "season finale");
      await bob.click("dialog .button.primary");
      await bob.waitForSelector("li:has-text('Spoilers'):has-text('covered')");
      await home(bob);
      const covered = "article.post.covered:has-text('Filtered: Spoilers')";
      await bob.waitForSelector(covered);
      await call(ann, "POST", "/api/v1/statuses", { status: "Another season finale", visibility: "public" });
      await bob.waitForFunction(() => document.querySelectorAll("article.post.covered").length === 2);
      const words = await bob.locator("main").textContent();
      const found = await flaws(bob);
      await bob.locator(`${covered} button`).first().click();
      await seen(bob, "Another season finale");
      return [words.includes("season finale"), await bob.locator(post("The end of the film")).count(), found];
    },
    (found) => same(found, [false, 1, []]),
  );
  await check(
    "one's own posts are not covered",
    async () => {
      await call(bob, "POST", "/api/v1/statuses", { status: "My own season finale", visibility: "public" });
      await home(bob);
      await seen(bob, "My own season finale");
      return bob.locator("article.post.covered:has-text('My own')").count();
    },
    (count) => count === 0,
  );
  await check("a filter is deleted", async () => {
    await open(bob, "/settings");
    await bob.click("li:has-text('Spoilers') .button:has-text('Delete')");
    await bob.waitForSelector("li:has-text('Spoilers')", { state: "detached" });
    await home(bob);
    await bob.reload();
    await seen(bob, "The SEASON finale was long");
  });

  await check("somebody who wants to be told of each post is", async () => {
    await open(bob, `/@${annName}`);
    await answered(bob, "/follow", () => choose(bob, ".profile", "Tell me of each post"));
    await call(ann, "POST", "/api/v1/statuses", { status: "Ring the bell", visibility: "public" });
    await bob.click("nav.rail a[href='/notifications']");
    await bob.waitForSelector(".notification-status:has-text('Ring the bell')");
  });
  await check(
    "what happens between the page and its stream is told of, and counted",
    async () => {
      // As over a slow network: the stream begins when the page has long been read.
      const between = async (path, text, visibility = "public") => {
        let go;
        const held = new Promise((resolve) => (go = resolve));
        await intercept(bob, "**/api/v1/streaming/home?*", async (route) => (await held, route.continue()));
        await open(bob, path);
        await call(ann, "POST", "/api/v1/statuses", { status: text, visibility });
        await bob.waitForFunction(
          async (text) =>
            (await (await fetch("/api/v1/notifications", { headers: { "X-Fanfare-Page": "1" } })).text()).includes(
              text,
            ),
          text,
          { polling: 200 },
        );
        const early = await bob
          .locator(`#unread:visible, .notification-status:has-text("${text}"), .conversation:has-text("${text}")`)
          .count();
        go();
        return early;
      };
      const first = await between("/notifications", "While you were reading");
      await bob.waitForSelector(".notification-status:has-text('While you were reading')");
      await bob.unroute("**/api/v1/streaming/home?*");
      await bob.waitForFunction(
        async () =>
          (await (await fetch("/api/v1/notifications/unread_count", { headers: { "X-Fanfare-Page": "1" } })).json())
            .count === 0,
        null,
        { polling: 200 },
      );
      const second = await between("/settings", "While you were choosing");
      await bob.waitForSelector("#unread:visible");
      const unread = await bob.textContent("#unread");
      await bob.unroute("**/api/v1/streaming/home?*");
      await answered(bob, "/markers", () => open(bob, "/notifications"));
      const third = await between("/messages", `@${bobName} while you were away`, "direct");
      await bob.waitForSelector(".conversation:has-text('while you were away')");
      await bob.unroute("**/api/v1/streaming/home?*");
      return [first, second, unread, third];
    },
    (found) => same(found, [0, 0, "1", 0]),
  );
  await check(
    "what the stream tells while the home is drawn is there once, the oldest post too",
    async () => {
      const reader = await bob.context().newPage();
      reader.setDefaultTimeout(PATIENCE);
      const items = await call(bob, "GET", "/api/v1/timelines/home?limit=6");
      await reader.route("**/api/v1/timelines/home*", (route) => route.fulfill({ json: items }));
      await reader.addInitScript((told) => {
        let source;
        globalThis.EventSource = class extends EventTarget {
          constructor() {
            super();
            source = this;
          }
        };
        globalThis.requestAnimationFrame = () => 0; // so that the list waits between its entries, as when nobody sees it
        addEventListener("DOMContentLoaded", () => {
          const watcher = new MutationObserver(() => {
            if (document.querySelectorAll("main article.post").length === 3) {
              watcher.disconnect();
              told.forEach((one) => source.dispatchEvent(new MessageEvent("status", { data: JSON.stringify(one) })));
            }
          });
          watcher.observe(document.body, { childList: true, subtree: true });
        });
      }, items.slice(3).reverse());
      await open(reader, "/");
      await reader.waitForSelector(".end-line");
      const ids = await reader.$$eval("main article.post", (all) => all.map((one) => one.dataset.id));
      await reader.close();
      return [items.map(({ id }) => id), ids];
    },
    ([items, ids]) => items.length === 6 && same(ids, items),
  );
  await check("a post and its author are reported", async () => {
    await home(bob);
    await choose(bob, post("The weather was fine"), `Report ${annName}`);
    await bob.fill("dialog textarea", "It rained");
    await bob.click("dialog .button.danger");
    await said(bob, "The operator will look at it");
  });
  await check(
    "muted, blocked, and both undone in the settings",
    async () => {
      await choose(bob, post("The weather was fine"), `Mute ${annName}`);
      await bob.selectOption("dialog [name=duration]", "86400");
      const found = await flaws(bob);
      await bob.click("dialog .button.danger");
      await said(bob, "is muted");
      await open(bob, `/@${annName}`);
      const until = await bob.textContent(".profile .notice");
      await open(bob, "/settings");
      await bob.waitForSelector(`.person:has-text("@${annName}") .badge:has-text("ends")`);
      await bob.click(`.person:has-text("@${annName}") .button:has-text("Unmute")`);
      await bob.waitForSelector(`.person:has-text("@${annName}") .button:has-text("Unmute")`, { state: "detached" });
      await open(bob, `/@${annName}`);
      await choose(bob, ".profile", `Block ${annName}`);
      await bob.click("dialog .button.danger");
      await bob.waitForSelector(".profile .notice");
      await open(bob, "/settings");
      await bob.click(`.person:has-text("@${annName}") .button:has-text("Unblock")`);
      await bob.waitForSelector(`.person:has-text("@${annName}") .button:has-text("Unblock")`, { state: "detached" });
      return [found, until.includes("muted this account until")];
    },
    (found) => same(found, [[], true]),
  );
  await check(
    "a note about somebody is for its writer alone, and is taken away again",
    async () => {
      await open(bob, `/@${annName}`);
      await choose(bob, ".profile", "Note for yourself");
      await bob.fill("dialog textarea", "Met at the fair");
      const found = await flaws(bob);
      await bob.click("dialog .button.primary");
      await bob.waitForSelector(".profile .note:has-text('Met at the fair')");
      const { id } = await call(ann, "GET", "/api/v1/accounts/verify_credentials");
      const [others] = await api(cyd, "GET", `/api/v1/accounts/relationships?id[]=${id}`);
      await choose(bob, ".profile", "Note for yourself");
      await bob.fill("dialog textarea", "");
      await bob.click("dialog .button.primary");
      await bob.waitForSelector(".profile .note", { state: "detached" });
      return [found, others.note];
    },
    (found) => same(found, [[], ""]),
  );
  await check(
    "likes and boosts of one post are one entry each, which what comes later moves to the top",
    async () => {
      const mine = await call(bob, "POST", "/api/v1/statuses", { status: "Liked by many", visibility: "public" });
      const like = (token) => api(token, "POST", `/api/v1/statuses/${mine.id}/favourite`);
      await call(ann, "POST", `/api/v1/statuses/${mine.id}/favourite`);
      await open(bob, "/notifications");
      const entry = ".notification-favourite:has-text('Liked by many')";
      await bob.waitForSelector(`${entry}:has-text("liked your post")`);
      await call(ann, "POST", "/api/v1/statuses", { status: `Something else for @${bobName}`, visibility: "public" });
      await seen(bob, "Something else");
      await like(cyd);
      await bob.waitForSelector(`.posts .group:first-child > :first-child:has-text('Liked by many')`);
      await bob.waitForSelector(`${entry}:has-text("and 1 other liked your post")`);
      const faces = await bob.locator(`${entry} .faces-row a`).count();
      const entries = await bob.locator(entry).count();
      // The stream brings both likes again, which the page has counted.
      await bob.reload();
      await bob.waitForSelector(`${entry}:has-text("and 1 other liked your post")`);
      await bob.waitForTimeout(500);
      await bob.waitForSelector(`${entry}:has-text("${cydName} and 1 other liked your post")`);
      return [faces, entries, await bob.locator(entry).count(), await flaws(bob)];
    },
    (found) => same(found, [2, 1, 1, []]),
  );
  await check(
    "the tab of mentions has nothing else, and does not say what was read",
    async () => {
      await open(bob, "/settings");
      await api(cyd, "POST", "/api/v1/statuses", { status: `A word for @${bobName}` });
      await bob.waitForSelector("#unread:visible");
      await open(bob, "/notifications?tab=mentions");
      await seen(bob, "A word for");
      const others = await bob.locator(".notification:not(.notification-mention)").count();
      await bob.waitForSelector("#unread:visible"); // its count is another request
      const unread = await bob.isVisible("#unread");
      await bob.click(".tabs a:has-text('All')");
      await bob.waitForSelector(".notification-favourite");
      await bob.waitForSelector("#unread", { state: "hidden" });
      return [others, unread];
    },
    (found) => same(found, [0, true]),
  );
  await check(
    "a deleted post can be taken back for five seconds, and is gone after them",
    async () => {
      await home(bob);
      await write(bob, "Deleted by mistake");
      const mine = post("Deleted by mistake");
      await choose(bob, mine, /^Delete$/);
      await bob.waitForSelector(mine, { state: "hidden" });
      await bob.click(".toast-action:has-text('Undo')");
      await bob.waitForSelector(mine);
      const { id } = (await call(bob, "GET", "/api/v1/timelines/home?limit=1"))[0];
      await choose(bob, mine, /^Delete$/);
      await answered(bob, `/api/v1/statuses/${id}?delete_media=true`, () =>
        bob.waitForSelector(mine, { state: "hidden" }),
      );
      await write(bob, "Deleted by somebody who leaves");
      const other = (await call(bob, "GET", "/api/v1/timelines/home?limit=1"))[0];
      await choose(bob, post("Deleted by somebody who leaves"), /^Delete$/);
      await bob.goto("about:blank");
      const gone = async (id) => {
        for (let tries = 0; tries < 150; tries++) {
          if ((await fetch(`${url}/api/v1/statuses/${id}`)).status === 404) {
            return true;
          }
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return false;
      };
      const found = [await gone(id), await gone(other.id)];
      await open(bob, "/");
      return found;
    },
    (found) => same(found, [true, true]),
  );
  await check(
    "a post that is deleted to be written again comes back with its text, picture and description",
    async () => {
      await home(bob);
      const media = await bob.evaluate(
        async (png) => {
          const body = new FormData();
          body.append("file", new Blob([Uint8Array.from(png)], { type: "image/png" }), "dot.png");
          body.append("description", "A small square");
          return (await fetch("/api/v2/media", { method: "POST", headers: { "X-Fanfare-Page": "1" }, body })).json();
        },
        [...picturePng(24, 24)],
      );
      const first = await call(bob, "POST", "/api/v1/statuses", {
        status: "Written onse",
        media_ids: [media.id],
        visibility: "unlisted",
      });
      await open(bob, `/@${bobName}`);
      await choose(bob, post("Written onse"), "Delete and write again");
      await bob.click("dialog .button.danger");
      await bob.waitForSelector("dialog.compose-sheet");
      const described = await bob.inputValue("dialog textarea.alt");
      await bob.fill("dialog .compose-text", "Written once");
      await bob.click("dialog .compose-bar button.primary");
      await bob.waitForSelector("dialog", { state: "detached" });
      const [second] = await call(bob, "GET", `/api/v1/accounts/${first.account.id}/statuses?limit=1`);
      return [
        described,
        second.visibility,
        second.media_attachments[0]?.id === media.id,
        (await fetch(`${url}/api/v1/statuses/${first.id}`)).status,
      ];
    },
    (found) => same(found, ["A small square", "unlisted", true, 404]),
  );
  await check(
    "of a long post the beginning is shown, until somebody asks for the rest or gets to it by keyboard",
    async () => {
      const lines = Array.from({ length: 30 }, (_, i) => `Line ${i}`).join("\n");
      await call(bob, "POST", "/api/v1/statuses", { status: `${lines}\n#last`, visibility: "public" });
      await open(bob, "/");
      const height = () =>
        bob
          .locator(post("Line 29"))
          .first()
          .locator(".text")
          .evaluate((one) => one.offsetHeight);
      const folded = await height();
      await bob.click(`${post("Line 29")} .text-button:has-text('Show more')`);
      const whole = await height();
      await answered(bob, "/favourite", () => bob.click(`${post("Line 29")} .action.like`));
      await bob.waitForSelector(`${post("Line 29")} .action.like.on:focus`);
      // Cards are drawn anew by a like and by its answer.
      await bob.waitForFunction(
        (whole) =>
          [...document.querySelectorAll("article.post .text")].some(
            (one) => one.textContent.includes("Line 29") && one.offsetHeight === whole,
          ),
        whole,
      );
      await bob.reload();
      await bob.locator(`${post("Line 29")} .text a`).focus();
      await bob.waitForSelector(`${post("Line 29")} .text:not(.folded)`);
      return whole / folded;
    },
    (ratio) => ratio > 2,
  );
  await check(
    "a narrow window has the other pages in a sheet, and says how many messages are unread",
    async () => {
      await bob.setViewportSize({ width: 360, height: 740 });
      await call(ann, "POST", "/api/v1/statuses", { status: `@${bobName} psst`, visibility: "direct" });
      await bob.waitForSelector("#unread-messages:visible");
      await bob.click("nav.rail button:has-text('More')");
      await bob.waitForSelector("dialog[open] a:has-text('Bookmarks')");
      const found = await flaws(bob);
      await bob.click("dialog[open] a:has-text('Bookmarks')");
      await bob.waitForSelector("dialog[open]", { state: "detached" });
      const at = new URL(bob.url()).pathname;
      await bob.click("nav.rail a[href='/messages']");
      await bob.click(".conversation:has-text('psst') a.author");
      await bob.waitForSelector(".post.focus");
      await bob.setViewportSize({ width: 1280, height: 860 });
      return [found, at];
    },
    (found) => same(found, [[], "/bookmarks"]),
  );
  await check(
    "the columns of the buttons are the same below posts and articles",
    async () => {
      const article = await call(bob, "POST", "/api/v1/articles", {
        title: "A title for the columns",
        link: "https://example.org/",
      });
      await call(bob, "POST", "/api/v1/statuses", { status: "A post for the columns", visibility: "public" });
      await open(bob, `/@${bobName}`);
      const left = (text) =>
        bob
          .locator(post(text))
          .first()
          .locator(".action:not(.vote)")
          .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
      const found = [await left("A title for the columns"), await left("A post for the columns")];
      // Other clients of this server look at what is trending.
      await call(bob, "DELETE", `/api/v1/statuses/${article.id}`);
      return found;
    },
    ([one, other]) => one.length === 5 && same(one, other),
  );
  await check(
    "sessions are told apart by browser and system",
    async () => {
      await open(bob, "/settings");
      return bob.textContent(".sessions li:has(.badge)");
    },
    (text) => text.includes("Chrome on Linux") && text.includes("Since"),
  );
  await check("a narrow window has the way out in its sheet", async () => {
    const narrow = await person(browser, "narrow", { viewport: { width: 360, height: 740 } });
    await narrow.goto(`${url}/login`);
    await narrow.fill("#f-username", annName);
    await narrow.fill("#f-password", password);
    await narrow.press("#f-password", "Enter");
    await narrow.locator(".rail .narrow-only").last().click();
    await narrow.click("dialog .more-links button");
    await narrow.waitForSelector(".hero");
    await narrow.context().close();
  });
  await check(
    "a form says at the field what is wrong, in the reader's language",
    async () => {
      const reader = await person(browser, "reader", { locale: "zh-CN" });
      await reader.goto(`${url}/signup`);
      await reader.fill("#f-username", annName);
      await reader.fill("#f-email", `another_${annName}@example.org`);
      await reader.fill("#f-password", "password123");
      await reader.click(".form-card .button.primary");
      await reader.waitForSelector("#f-password[aria-invalid=true]");
      const found = [await reader.textContent("#f-password-said"), await reader.isVisible(".toast")];
      await reader.goto(`${url}/login`);
      await reader.fill("#f-username", annName);
      await reader.fill("#f-password", "not the password");
      await reader.press("#f-password", "Enter");
      found.push(await reader.textContent(".form-card .problem:visible"));
      await reader.context().close();
      return found;
    },
    (found) => same(found, ["此密码容易被猜到，请换一个。", false, "用户名或密码错误。"]),
  );
  await check(
    "notifications of strangers are set aside, until one is accepted",
    async () => {
      await open(bob, "/settings");
      await bob.selectOption("[name=for_not_following]", "filter");
      await said(bob, "Saved");
      await api(cyd, "POST", "/api/v1/statuses", { status: `Do you know me, @${bobName}?` });
      for (
        let tries = 0;
        tries < 40 &&
        !(await call(bob, "GET", "/api/v1/notifications/requests")).some(({ account }) => account.username === cydName);
        tries++
      ) {
        await bob.waitForTimeout(500);
      }
      await open(bob, "/notifications");
      const told = await bob.isVisible(post("Do you know me"));
      await bob.click(".line-link:has-text('set aside')");
      await bob.waitForSelector(`.person:has-text("@${cydName}"):has-text("notifications")`);
      const found = await flaws(bob);
      await bob.click(`.person:has-text("@${cydName}") .button.primary`);
      await said(bob, "You are told of what");
      await bob.click("nav.rail a[href='/notifications']");
      await seen(bob, "Do you know me");
      await open(bob, "/settings");
      await bob.waitForFunction(() => document.querySelector("[name=for_not_following]")?.value === "filter");
      await bob.selectOption("[name=for_not_following]", "accept");
      await said(bob, "Saved");
      return [found, told];
    },
    (found) => same(found, [[], false]),
  );
  await check("search finds people, tags and posts, and has something to begin with", async () => {
    await open(bob, "/search");
    await bob.waitForSelector(".found .chip:has-text('#gardening'), .found .person");
    await open(bob, `/search?q=${cydName}`);
    await bob.waitForSelector(`.found .person:has-text("@${cydName}")`);
    await open(bob, "/search?q=%23gardening");
    await bob.waitForSelector(".found .chip:has-text('#gardening')");
    await open(bob, "/search?q=tulips");
    await seen(bob, "Tulips");
  });
  await check(
    "the profile is edited",
    async () => {
      await open(ann, "/settings");
      await ann.fill("[name=display_name]", "Ann of the tests");
      await ann.fill("[name=note]", "I try things");
      await ann.fill("[name=field-1]", "Website");
      await ann.fill("[name=value-1]", "https://example.org/ann");
      await ann.check("[name=locked]");
      await ann.click("section:has([name=display_name]) .button.primary");
      await said(ann, "Saved");
      await open(bob, `/@${annName}`);
      return [await bob.textContent(".profile"), await bob.getAttribute(".profile .fields a", "href")];
    },
    ([text, address]) =>
      text.includes("Ann of the tests") &&
      text.includes("I try things") &&
      text.includes("Here since") &&
      text.includes(String(new Date().getFullYear())) &&
      address === "https://example.org/ann",
  );
  await check(
    "a locked account accepts a request in the settings",
    async () => {
      const { id } = await call(ann, "GET", "/api/v1/accounts/verify_credentials");
      await api(cyd, "POST", `/api/v1/accounts/${id}/follow`);
      await open(ann, "/settings");
      await ann.click(`.person:has-text("@${cydName}") .button.primary:has-text("Accept")`);
      await ann.waitForSelector(`.person:has-text("@${cydName}"):has-text("follows you now")`);
      const [state] = await api(cyd, "GET", `/api/v1/accounts/relationships?id[]=${id}`);
      return state.following;
    },
    Boolean,
  );
  await check(
    "a new password ends the other sessions, not this one",
    async () => {
      const elsewhere = await person(browser, "ann elsewhere");
      await logIn(elsewhere, annName);
      const fields = ann.locator("section:has(h2:text-is('Password')) input");
      await fields.nth(0).fill(password);
      await fields.nth(1).fill(`${password} again`);
      await ann.click("section:has(h2:text-is('Password')) .button.primary");
      await said(ann, "The password is changed");
      // Other event loops of the server refuse its token within a second.
      const out = () =>
        elsewhere.waitForSelector(".hero", { timeout: 2_000 }).then(
          () => true,
          () => false,
        );
      for (const path of ["/notifications", "/bookmarks", "/favourites"]) {
        // Its stream may have been refused before, and then there is nothing to click any more.
        await elsewhere.click(`nav.rail a[href='${path}']`, { timeout: 2_000 }).catch(() => {});
        if (await out()) {
          break;
        }
      }
      await elsewhere.waitForSelector(".hero");
      await elsewhere.context().close();
      return call(ann, "GET", "/api/v1/session");
    },
    ({ account }) => account !== null,
  );

  await check(
    "the settings give what is one's own as files",
    async () => {
      await open(ann, "/settings");
      const part = "section:has(h2:text-is('Download your data'))";
      const files = [];
      for (const label of ["Download everything", "Followed accounts"]) {
        const [file] = await Promise.all([
          ann.waitForEvent("download"),
          ann.locator(part).getByRole("button", { name: label }).click(),
        ]);
        files.push([
          file.suggestedFilename(),
          readFileSync(await file.path())
            .subarray(0, 15)
            .toString("latin1"),
        ]);
      }
      return files;
    },
    ([all, follows]) =>
      all[0].startsWith(`${annName}-2`) &&
      all[0].endsWith(".zip") &&
      all[1].startsWith("PK\x03\x04") &&
      follows[0] === "following_accounts.csv" &&
      follows[1] === "Account address",
  );

  await check(
    "who deletes the account in the settings, with the password, is logged out and gone",
    async () => {
      const name = `gus_${annName}`.slice(0, 30);
      const { access_token: token } = await api(null, "POST", "/api/v1/accounts", {
        username: name,
        email: `${name}@example.org`,
        password,
        agreement: true,
      });
      const { id } = await api(token, "GET", "/api/v1/accounts/verify_credentials");
      const gus = await person(browser, "gus");
      await logIn(gus, name);
      await open(gus, "/settings");
      const part = "section:has(h2:text-is('Delete the account'))";
      await gus.fill(`${part} input[type=password]`, "not the password");
      await gus.check(`${part} input[type=checkbox]`);
      const found = await flaws(gus);
      await gus.click(`${part} .button.danger`);
      await gus.waitForSelector(`${part} .problem:has-text("This is not your password.")`);
      await gus.fill(`${part} input[type=password]`, password);
      await gus.click(`${part} .button.danger`);
      await gus.waitForSelector(".hero");
      const { account } = await call(gus, "GET", "/api/v1/session");
      const status = (await fetch(`${url}/api/v1/accounts/${id}`)).status;
      await gus.goto(`${url}/login`);
      await gus.fill("#f-username", name);
      await gus.fill("#f-password", password);
      await gus.press("#f-password", "Enter");
      await gus.waitForSelector(":text('This account has been deleted')");
      await gus.context().close();
      return [found, account, status];
    },
    ([found, account, status]) => same(found, []) && account === null && status === 404,
  );

  // The stream explorer.
  await check(
    "the explorer opens a filter, marks what matched, and says how to ask for it elsewhere",
    async () => {
      await open(bob, "/streams");
      await bob.selectOption("[name=kind]", "filter");
      await bob.fill("[name=track]", "comet");
      const curl = await bob.textContent("pre");
      await bob.click("form .button.primary");
      let found = false;
      for (let tries = 0; !found && tries < 20; tries++) {
        await api(cyd, "POST", "/api/v1/statuses", { status: `A comet passes ${tries}` });
        found = await bob.waitForSelector(".stream-list mark:text-is('comet')", { timeout: 1500 }).then(
          () => true,
          () => false,
        );
      }
      return [
        found,
        curl.includes("/api/v1/streaming/filter?track=comet"),
        await bob.isVisible(".stream-list .chip:has-text('comet')"),
      ];
    },
    (found) => same(found, [true, true, true]),
  );
  await check("a paused stream goes on without loss", async () => {
    await bob.click(".button:has-text('Pause')");
    await api(cyd, "POST", "/api/v1/statuses", { status: "A comet while nobody looked" });
    await bob.click(".button:has-text('Go on')");
    await bob.waitForSelector(".stream-list:has-text('while nobody looked')");
  });
  await check(
    "an open filter is changed",
    async () => {
      await bob.fill("[name=track]", "asteroid");
      await bob.waitForSelector(".button:has-text('Change the filter')");
      await bob.click(".button:has-text('Change the filter')");
      await said(bob, "The new filter applies");
      await api(cyd, "POST", "/api/v1/statuses", { status: "A comet too late" });
      await api(cyd, "POST", "/api/v1/statuses", { status: "An asteroid in time" });
      await bob.waitForSelector(".stream-list:has-text('An asteroid in time')");
      return bob.textContent(".stream-list");
    },
    (text) => !text.includes("too late"),
  );
  await check(
    "a box is drawn on the map, and its numbers are in the address",
    async () => {
      const map = await bob.locator(".map").boundingBox();
      await bob.mouse.move(map.x + map.width * 0.4, map.y + map.height * 0.3);
      await bob.mouse.down();
      await bob.mouse.move(map.x + map.width * 0.6, map.y + map.height * 0.5, { steps: 4 });
      await bob.mouse.up();
      return bob.textContent("pre");
    },
    (text) => /locations=-?\d/.test(text),
  );

  // A page of another port has the same site, so that the browser sends it the cookie; what it may not send is the header.
  await check(
    "a page of another origin cannot act with the session",
    async () => {
      const server = createServer((request, response) =>
        response.setHeader("Content-Type", "text/html").end("<form method=post enctype='text/plain'></form>"),
      );
      await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
      const other = await bob.context().newPage();
      await other.goto(`http://${host.split(":")[0]}:${server.address().port}/`);
      const answers = await other.evaluate(async (address) => {
        const asked = (headers, method, mode) =>
          fetch(`${address}/api/v1/${method === "POST" ? "statuses" : "session"}`, {
            method,
            headers,
            credentials: "include",
            body: method === "POST" ? new URLSearchParams({ status: "forged" }) : undefined,
            mode,
          }).then(
            (answer) =>
              answer.type === "opaque" ? "opaque" : answer.json().then(({ account }) => (account ? "read" : "nobody")),
            () => "blocked",
          );
        return [
          await asked({}, "GET", "cors"),
          await asked({ "X-Fanfare-Page": "1" }, "GET", "cors"),
          await asked({}, "POST", "no-cors"),
          await asked({ "X-Fanfare-Page": "1" }, "POST", "cors"),
        ];
      }, url);
      await Promise.all([
        other.waitForNavigation(),
        other.evaluate((address) => {
          const form = document.forms[0];
          form.action = `${address}/api/v1/statuses`;
          form.enctype = "application/x-www-form-urlencoded";
          form.append(Object.assign(document.createElement("input"), { name: "status", value: "forged" }));
          form.submit();
        }, url),
      ]);
      await other.close();
      server.close();
      const me = await call(bob, "GET", "/api/v1/session");
      const mine = await call(bob, "GET", `/api/v1/accounts/${me.account.id}/statuses`);
      return [answers.includes("read"), mine.filter(({ content }) => content.includes("forged")).length];
    },
    (found) => same(found, [false, 0]),
  );

  for (const [theme, language] of [
    ["light", "en"],
    ["dark", "zh"],
    ["dark", "en"],
    ["light", "zh"],
  ]) {
    for (const [page, paths] of [
      [bob, ["/messages", "/lists", listPath, "/notifications?aside", "/search", `/@${annName}`, "/tags/gardening"]],
      [ann, ["/scheduled", "/settings"]],
    ]) {
      await page.evaluate(
        ([theme, language]) => (
          localStorage.setItem("fanfare.theme", theme),
          localStorage.setItem("fanfare.language", language)
        ),
        [theme, language],
      );
      for (const path of paths) {
        await open(page, path);
        const name = path.replace(/\d{5,}/, "N");
        await check(
          `axe on ${name}, ${theme}, ${language}`,
          () => flaws(page),
          (found) => same(found, []),
        );
        await page.setViewportSize({ width: 360, height: 740 });
        await check(
          `360 px hold ${name}, ${theme}, ${language}`,
          () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          (over) => over <= 0,
        );
        if (folder) {
          await page.screenshot({ path: `${folder}/360-${path.replace(/[^a-z]+/g, "-")}-${theme}-${language}.png` });
        }
        await page.setViewportSize({ width: 1280, height: 860 });
      }
    }
  }
  // The log begins anew, as after a crash of Redis: the server cannot say what a page has missed. It is the page that asks for a place in a log that there is no more.
  const dee = await person(browser, "dee");
  const deeName = `dee_${annName}`.slice(0, 30);
  await api(null, "POST", "/api/v1/accounts", {
    username: deeName,
    email: `${deeName}@example.org`,
    password,
    agreement: true,
  });
  await dee.addInitScript(() => {
    globalThis.gaps = [];
    const Source = EventSource;
    globalThis.EventSource = class extends Source {
      constructor(...address) {
        super(...address);
        this.addEventListener("gap", ({ data }) => globalThis.gaps.push(JSON.parse(data).reason));
      }
    };
  });
  await logIn(dee, deeName);
  const writer = await api(cyd, "GET", "/api/v1/accounts/verify_credentials");
  await call(dee, "POST", `/api/v1/accounts/${writer.id}/follow`);
  const streamOf = "**/api/v1/streaming/home?*";
  const again = () => dee.evaluate(() => dispatchEvent(new Event("online")));
  const missed = async (texts) => {
    await dee.evaluate(() => (globalThis.gaps.length = 0));
    const aborted = dee.waitForEvent("requestfailed", (request) => request.url().includes("/api/v1/streaming/home?"));
    await intercept(dee, streamOf, (route) => route.abort());
    await again();
    await aborted;
    for (const status of texts) {
      await api(cyd, "POST", "/api/v1/statuses", { status });
    }
    const early = await dee.locator(post(texts.at(-1))).count();
    await dee.unroute(streamOf);
    await intercept(dee, streamOf, (route) => {
      const address = new URL(route.request().url());
      address.search = "?cursor=00000000-7";
      const { ["last-event-id"]: last, ...headers } = route.request().headers();
      return route.continue({ url: address.href, headers });
    });
    await again();
    await dee.waitForFunction(() => globalThis.gaps.length > 0);
    await dee.unroute(streamOf);
    // The aborted stream may have come back by itself meanwhile, and have told of the same.
    return [early, ...new Set(await dee.evaluate(() => globalThis.gaps.splice(0)))];
  };
  const shown = (pattern) =>
    dee.$$eval(
      "main article.post",
      (all, pattern) => all.map((one) => one.textContent.match(new RegExp(pattern))?.[0]).filter(Boolean),
      pattern,
    );
  await open(dee, "/");
  for (const n of [1, 2]) {
    await api(cyd, "POST", "/api/v1/statuses", { status: `Before the gap ${n}` });
    await seen(dee, `Before the gap ${n}`);
  }
  await check(
    "a gap in the stream: the home is read again and joined, nothing is missing and nothing is there twice",
    async () => {
      const told = await missed(["Missed A1", "Missed A2", "Missed A3"]);
      await seen(dee, "Missed A3");
      await api(cyd, "POST", "/api/v1/statuses", { status: "After the gap 4" });
      await seen(dee, "After the gap 4");
      return [told, await shown("(Missed A|(After|Before) the gap )\\d")];
    },
    ([told, found]) =>
      same(told, [0, "epoch"]) &&
      same(found, ["After the gap 4", "Missed A3", "Missed A2", "Missed A1", "Before the gap 2", "Before the gap 1"]),
  );
  await check(
    "a gap of more than a page: the reader is told of new posts, and gets all of them",
    async () => {
      const texts = Array.from({ length: 30 }, (_, n) => `Missed B${n + 10}`);
      const told = await missed(texts);
      await dee.click(".new-bar");
      await seen(dee, "Missed B39");
      // As far down as what was there before.
      await dee.waitForFunction(
        () => (
          scrollBy(0, 400),
          [...document.querySelectorAll("main article.post")].some((one) =>
            one.textContent.includes("Before the gap 1"),
          )
        ),
      );
      return [told, await shown("(Missed [AB]|(After|Before) the gap )\\d+"), texts.reverse()];
    },
    ([told, found, texts]) =>
      same(told, [0, "epoch"]) &&
      same(found, [
        ...texts,
        "After the gap 4",
        "Missed A3",
        "Missed A2",
        "Missed A1",
        "Before the gap 2",
        "Before the gap 1",
      ]),
  );
  await dee.context().close();

  // Whoever is not logged in has no stream: the page looks again and again, and spares a server that says that it is asked too often.
  const stranger = await person(browser, "stranger");
  await stranger.clock.install();
  await stranger.addInitScript(() => {
    Object.assign(globalThis, { looks: [], under: 0 });
    const { fetch } = globalThis;
    globalThis.fetch = async (address, ...more) => {
      if (!String(address).includes("/timelines/public")) {
        return fetch(address, ...more);
      }
      globalThis.looks.push(new URL(address).search);
      globalThis.under++;
      try {
        const answer = await fetch(address, ...more);
        await answer.clone().text();
        return answer;
      } finally {
        globalThis.under--;
      }
    };
  });
  /** How often the page has looked while this many seconds went by, and something was done. */
  const looks = async (seconds, act = async () => {}) => {
    await stranger.evaluate(() => (globalThis.looks = []));
    await act();
    await stranger.clock.fastForward(seconds * 1000);
    await stranger.waitForFunction(() => globalThis.under === 0);
    await stranger.waitForTimeout(200);
    return stranger.evaluate(() => globalThis.looks.length);
  };
  await check(
    "a stranger sees on the landing page what is posted, within seconds",
    async () => {
      await open(stranger, "/");
      await api(cyd, "POST", "/api/v1/statuses", { status: "For everybody at the door" });
      const from = Date.now();
      await seen(stranger, "For everybody at the door");
      return [Date.now() - from, await stranger.evaluate(() => globalThis.looks.at(-1))];
    },
    ([millis, look]) => millis < 20_000 && /since_id=\d+/.test(look),
  );
  await check(
    "many at once come as well, each once",
    async () => {
      for (let i = 0; i < 60; i++) {
        await api(cyd, "POST", "/api/v1/statuses", { status: `At the door ${i + 10}.` });
      }
      await seen(stranger, "At the door 69.");
      await stranger.waitForFunction(
        () => (
          scrollBy(0, 500),
          [...document.querySelectorAll("main article.post")].some((one) =>
            one.textContent.includes("For everybody at the door"),
          )
        ),
      );
      return stranger.$$eval("main article.post", (all) =>
        all.map((one) => one.textContent.match(/At the door (\d+)\./)?.[1]).filter(Boolean),
      );
    },
    (found) =>
      same(
        found,
        Array.from({ length: 60 }, (_, i) => String(69 - i)),
      ),
  );
  await check(
    "a page that nobody sees does not look, and looks at once when somebody is back",
    async () => {
      const see = (state) =>
        stranger.evaluate(
          (state) => (
            Object.defineProperty(document, "visibilityState", { get: () => state, configurable: true }),
            document.dispatchEvent(new Event("visibilitychange"))
          ),
          state,
        );
      return [await looks(60, () => see("hidden")), await looks(0, () => see("visible"))];
    },
    (found) => same(found, [0, 1]),
  );
  await check(
    "it looks less often when little is left of what the server allows, and not before it may again",
    async () => {
      const left = (n) =>
        intercept(stranger, "**/api/v1/timelines/public?*", async (route) => {
          const response = await route.fetch();
          return route.fulfill({
            response,
            headers: { ...response.headers(), "x-ratelimit-limit": "300", "x-ratelimit-remaining": String(n) },
          });
        });
      const clear = () => stranger.unroute("**/api/v1/timelines/public?*");
      const found = [];
      await left(200);
      found.push(await looks(5), await looks(5));
      await clear();
      await left(100);
      found.push(await looks(5), await looks(5), await looks(10));
      await clear();
      await intercept(stranger, "**/api/v1/timelines/public?*", (route) =>
        route.fulfill({
          status: 429,
          contentType: "application/json",
          headers: { "Retry-After": "90" },
          body: '{"error":"Too many"}',
        }),
      );
      found.push(await looks(16), await looks(70));
      await clear();
      found.push(await looks(25), await looks(5));
      return found;
    },
    (found) => same(found, [1, 1, 1, 0, 1, 1, 0, 1, 1]),
  );
  await check(
    "an address that is none is a page that says so and leads on, in the language of whoever asks",
    async () => {
      const answer = await stranger.goto(`${url}/nothing/here`);
      await stranger.waitForSelector("html.ready");
      const words = await stranger.textContent("main");
      const links = await stranger.$$eval("main a.button", (all) => all.map((one) => one.getAttribute("href")));
      const plain = await browser.newContext({ javaScriptEnabled: false, locale: "zh-CN" });
      const page = await plain.newPage();
      const chinese = await page.goto(`${url}/nothing/here`);
      const read = await page.textContent("main");
      await plain.close();
      return [
        answer.status(),
        words.includes("There is nothing here") && words.includes("The address may be wrong"),
        links,
        chinese.status(),
        read.includes("这里什么都没有"),
      ];
    },
    (found) => same(found, [404, true, ["/", "/search"], 404, true]),
  );
  await check(
    "axe on an address that is none",
    () => flaws(stranger),
    (found) => same(found, []),
  );
  await check(
    "no errors in the pages",
    () => troubles,
    (found) => same(found, []),
  );
  await browser.close();
});
