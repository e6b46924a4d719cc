/**
 * A reader with a long home scrolls through it in Chromium, on a processor slowed four times, while posts arrive: how long the page is busy at a time, and that its memory stays bounded. Only the
 * bounds of the page are checks, since times depend on the machine; the figures are printed as a line of JSON for each phase.
 *
 * Usage: node scroll.mjs HOST:PORT [POSTS] [RATE] [SECONDS] [trace | profile]    a new server with limits.enabled=false and feeds.home-max of POSTS or more; seconds of each phase; trace prints what
 * the page's main thread did in each, profile also the scripts' functions, which slows it further
 */
import { intercept, launch } from "./browser.mjs";
import { check, run, soon } from "./checks.mjs";
import { table, trace } from "./trace.mjs";

const [host, posts = "10000", rate = "50", seconds = "30", traced = ""] = process.argv.slice(2);
const url = `http://${host}`;
const SLOWED = 4;
const AUTHORS = 20;
const AT_ONCE = 8;
const PASSWORD = "correct horse battery";
const WORDS =
  "engine loom queue sunflower relay spanning tree ship harbour compiler pattern number leaf river cloud".split(" ");

/** What a list keeps on the page, and what the first page of a reload may add before it is cut. */
const CARDS_MAX = 150;
/** Elements and texts of a card, about 60, and the rest of the page; detached ones that wait for the collector are not counted, since it runs before. */
const NODES_MAX = CARDS_MAX * 75 + 3000;
const HEAP_MAX = 60 << 20;
/** How far the home is behind the stream, in milliseconds. */
const HOME_LATE = 3000;
/** Pages that a slow machine may owe. */
const PRESSED_MAX = 3;

async function call(token, method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: body && JSON.stringify(body),
  });
  const said = await answer.json();
  return answer.ok ? said : Promise.reject(new Error(`${path}: ${JSON.stringify(said)}`));
}

async function signUp(name) {
  const { access_token } = await call(null, "POST", "/api/v1/accounts", {
    username: name,
    email: `${name}@example.org`,
    password: PASSWORD,
    agreement: true,
  });
  return { token: access_token, id: (await call(access_token, "GET", "/api/v1/accounts/verify_credentials")).id };
}

let written = 0;

/** Posts as people write them: one to forty words, some with a tag, a name or an address. */
function post(author) {
  const n = written++;
  const words = Array.from({ length: 1 + ((n * 7) % 40) }, (_, i) => WORDS[(n + i * 3) % WORDS.length]).join(" ");
  const more = ["", " #nature", " @scroller", " https://example.org/a/long/path"][n % 4];
  return call(author.token, "POST", "/api/v1/statuses", { status: `${n}: ${words}${more}`, language: "en" });
}

run(async () => {
  const reader = await signUp("scroller");
  const authors = [];
  for (let i = 0; i < AUTHORS; i++) {
    authors.push(await signUp(`author_${i}`));
  }
  await call(reader.token, "POST", "/api/v1/accounts/follow", { id: authors.map(({ id }) => id) });
  const total = Number(posts);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (written < total) {
        await post(authors[written % AUTHORS]);
      }
    }),
  );
  const newest = await post(authors[0]);
  await soon(
    "the newest post is in the home",
    () => call(reader.token, "GET", "/api/v1/timelines/home?limit=1"),
    ([first]) => first?.id >= newest.id,
  );

  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-US" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  await page.addInitScript(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) =>
      list.getEntries().forEach((task) => globalThis.tasks.push(Math.round(task.duration))),
    ).observe({ type: "longtask", buffered: true });
  });
  await page.goto(`${url}/login`);
  await page.fill("#f-username", "scroller");
  await page.fill("#f-password", PASSWORD);
  await page.press("#f-password", "Enter");
  await page.waitForSelector(".write textarea");
  await page.waitForSelector("article.post");
  await page.waitForTimeout(2000);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });

  /** One post after the other falls due by the clock; what is late is sent at once. */
  let going = true;
  let began = performance.now();
  let rated = Number(rate);
  let before = 0;
  let arrived = 0;
  const slow = (to) => ([began, before, rated] = [performance.now(), arrived, to]);
  const flying = new Set();
  const failed = [];
  const arrivals = (async () => {
    while (going) {
      const due = before + ((performance.now() - began) / 1000) * rated;
      while (arrived < due && flying.size < AT_ONCE * 4) {
        const one = post(authors[arrived++ % AUTHORS])
          .catch((refused) => failed.push(refused.message))
          .finally(() => flying.delete(one));
        flying.add(one);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await Promise.all(flying);
  })();

  async function figures() {
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    const of = (name) => metrics.find((one) => one.name === name).value;
    const cards = await page.evaluate(() => document.querySelectorAll("article.post").length);
    return {
      cards,
      nodes: of("Nodes"),
      listeners: of("JSEventListeners"),
      heapMB: +(of("JSHeapUsedSize") / 1e6).toFixed(1),
      busy: of("TaskDuration"),
    };
  }

  async function phase(name, step, length = Number(seconds)) {
    const before = await figures();
    await page.evaluate(() => (globalThis.tasks = []));
    const ended = traced ? await trace(browser, page, { profile: traced === "profile" }) : null;
    const started = performance.now();
    const first = arrived;
    let steps = 0;
    while (performance.now() - started < length * 1000) {
      await step(steps++);
    }
    const took = (performance.now() - started) / 1000;
    const tasks = (await page.evaluate(() => globalThis.tasks)).sort((one, other) => other - one);
    const found = await ended?.();
    const after = await figures();
    found && console.log(table(found));
    console.log(
      JSON.stringify({
        phase: name,
        seconds: +took.toFixed(0),
        rate: +((arrived - first) / took).toFixed(1),
        steps,
        over50ms: tasks.length,
        longestMs: tasks.slice(0, 5),
        processorOver50ms: found?.longProcessor,
        busyPercent: +((100 * (after.busy - before.busy)) / took).toFixed(0),
        cards: after.cards,
        nodes: after.nodes,
        listeners: after.listeners,
        heapMB: after.heapMB,
        y: await page.evaluate(() => Math.round(scrollY)),
      }),
    );
    for (const [what, bound] of [
      ["cards", CARDS_MAX],
      ["nodes", NODES_MAX],
      ["heapMB", HEAP_MAX / 1e6],
    ]) {
      await check(
        `${what} of the page after ${name}`,
        () => after[what],
        (found) => found <= bound,
      );
    }
  }

  /** Of the home between the newest and the oldest post of the page, what the page lacks; what has just been posted may still be on its way. */
  async function missing() {
    const shown = (await page.$$eval("article.post", (all) => all.map((one) => one.dataset.id)))
      .map(BigInt)
      .sort((one, other) => (one < other ? 1 : -1));
    const newest = shown[0];
    const oldest = shown.at(-1);
    const lacking = [];
    const settled = Date.now() - 5000;
    for (let next = newest + 1n; next > oldest;) {
      const some = await call(reader.token, "GET", `/api/v1/timelines/home?limit=40&max_id=${next}`);
      lacking.push(
        ...some
          .filter(
            ({ id, created_at }) =>
              BigInt(id) > oldest && Date.parse(created_at) < settled && !shown.includes(BigInt(id)),
          )
          .map(({ id }) => id),
      );
      next = some.length > 0 ? BigInt(some.at(-1).id) : 0n;
    }
    return lacking;
  }

  /** Where the post in the middle of the window has gone after some scrolling; null when it is not there any more, or at the top, where what arrives pushes it down. */
  const middle = () =>
    page.evaluate(() => {
      globalThis.watched = document.elementFromPoint(640, 430)?.closest("article.post") ?? globalThis.watched;
      return scrollY < 200 ? null : (globalThis.watched?.getBoundingClientRect().top ?? null);
    });
  const moved = () =>
    page.evaluate(() => (globalThis.watched?.isConnected ? globalThis.watched.getBoundingClientRect().top : null));
  const jumps = [];

  await page.mouse.move(640, 500);
  const wheel = async (by) => {
    await page.mouse.wheel(0, by);
    await page.waitForTimeout(80);
  };
  await phase("reading at the top", () => page.waitForTimeout(200));
  await phase("scrolling down", async () => {
    const before = await middle();
    await wheel(400);
    const after = await moved();
    // Several turns of the wheel may be taken at once.
    if (before !== null && (after === null || after - before > 200 || after - before < -2000)) {
      jumps.push([before, after]);
    }
  });
  await check(
    "nothing jumps while pages come and others go",
    () => jumps,
    (all) => all.length === 0,
  );
  /** A page that did not come stands there with a button, and waits for its reader. */
  let again = 0;
  await check(
    "the list is as long as it becomes",
    async () => {
      // Short of it, nothing of the list is cut and no bound says anything.
      let cards = 0;
      for (let tries = 0; cards < CARDS_MAX && tries < 1500; tries++) {
        await wheel(1200);
        again += await page.evaluate(() => {
          const button = document.querySelector(".list-end button");
          if (!button || button.dataset.pressed) {
            return 0;
          }
          button.dataset.pressed = "once";
          button.click();
          return 1;
        });
        cards = await page.evaluate(() => document.querySelectorAll("article.post").length);
      }
      return cards;
    },
    (cards) => cards >= CARDS_MAX,
  );
  await check(
    "nearly every page comes at once",
    () => again,
    (pressed) => pressed <= PRESSED_MAX,
  );
  await phase("scrolling up and down", (n) => wheel(n % 40 < 20 ? -400 : 400));
  await check("no post is missing after scrolling", missing, (all) => all.length === 0);
  await phase("resting further down", () => page.waitForTimeout(200));
  // The stream is ahead of the home, as when workers are behind: every third post comes late.
  await intercept(page, "**/api/v1/timelines/home*", async (route) => {
    const answer = await route.fetch();
    const some = await answer.json();
    await route.fulfill({
      response: answer,
      json: some.filter(
        ({ created_at }) => Date.parse(created_at) % 3 > 0 || Date.parse(created_at) < Date.now() - HOME_LATE,
      ),
    });
  });
  await check("the bar brings the newest", async () => {
    await page.click(".new-bar");
    await page.waitForFunction(() => scrollY === 0 && document.querySelectorAll("article.post").length > 0);
  });
  await phase("at the top again", () => page.waitForTimeout(200));
  await page.unroute("**/api/v1/timelines/home*");
  await check("no post is missing at the top", missing, (all) => all.length === 0);
  slow(1);
  await check("few that arrive come in by themselves", async () => {
    const { id } = await soon(
      "the rush is over",
      () => call(reader.token, "GET", "/api/v1/timelines/home?limit=1"),
      ([first]) => first,
    ).then(([first]) => first);
    await page.waitForFunction(
      (then) =>
        BigInt(document.querySelector("article.post")?.dataset.id ?? 0) > BigInt(then) &&
        document.querySelector(".new-bar").hidden,
      id,
    );
  });
  await phase("at the top, few arrive", () => page.waitForTimeout(200), Number(seconds) / 3);
  await check("no post is missing that came by itself", missing, (all) => all.length === 0);
  going = false;
  await arrivals;
  await check(
    "every post was taken",
    () => failed,
    (all) => all.length === 0,
  );
  await browser.close();
});
