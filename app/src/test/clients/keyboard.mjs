/**
 * One person uses the web client with the keyboard alone, from the landing page to the log-out: Tab, Enter, Space, arrows, Escape and the shortcuts that the page lists. After each step the focus is on
 * something that can be seen and is marked, and never lost to the body of the page. Somebody else has posted what there is to read.
 *
 * Usage: node keyboard.mjs HOST:PORT ANN BOB PASSWORD    two users who have signed up, of whom only the name of Ann is used
 */
import { intercept, launch } from "./browser.mjs";
import { answered, check, run, same } from "./checks.mjs";

const [host, annName, , password] = process.argv.slice(2);
const url = `http://${host}`;
const name = `key_${annName}`.slice(0, 30);
const TABS_MAX = 150; // before what is looked for must have been reached
const SETTLED = 3_000; // ms that an action may take to give the focus back

const troubles = [];
const unmarked = new Set();

async function api(token, method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: body && JSON.stringify(body),
  });
  const said = await answer.json();
  return answer.ok ? said : Promise.reject(new Error(`${path}: ${JSON.stringify(said)}`));
}

/** Within the page: what is wrong with where the focus is, empty for nothing. */
function fault() {
  const at = document.activeElement;
  const what = at?.outerHTML.replaceAll(/\s+/g, " ").slice(0, 120);
  if (!at || at === document.body || at === document.documentElement) {
    return "the focus is lost";
  }
  const box = at.getBoundingClientRect();
  // A heading that begins a page is where a reader is, not what a reader can use; the first one of the home is for screen readers alone.
  if (at.matches("h1.visually-hidden, main")) {
    return "";
  }
  if (box.bottom <= 0 || box.top >= innerHeight || box.width === 0) {
    return `out of sight: ${what}`;
  }
  const marked = ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
  // A field without a frame is marked by a line below it.
  if (!marked(getComputedStyle(at)) && !(at.matches(".compose-text") && getComputedStyle(at).boxShadow !== "none")) {
    return `not marked: ${what}`;
  }
  // Some part of it lies above everything else.
  const [left, top, right, bottom] = [
    Math.max(box.left, 0),
    Math.max(box.top, 0),
    Math.min(box.right, innerWidth),
    Math.min(box.bottom, innerHeight),
  ];
  const points = [
    [0.5, 0.5],
    [0.1, 0.1],
    [0.9, 0.9],
    [0.1, 0.9],
    [0.9, 0.1],
  ].map(([x, y]) => document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y));
  return points.some((one) => one && (at.contains(one) || one.contains(at) || at.labels?.[0]?.contains(one)))
    ? ""
    : `covered: ${what}`;
}

run(async () => {
  const writer = `writer_${annName}`.slice(0, 30);
  const token = (
    await api(null, "POST", "/api/v1/accounts", {
      username: writer,
      email: `${writer}@example.org`,
      password,
      agreement: true,
    })
  ).access_token;
  const me = await api(token, "GET", "/api/v1/accounts/verify_credentials");
  const article = `Keys 0 ${annName}`;
  for (let i = 0; i < 8; i++) {
    await api(token, "POST", "/api/v1/articles", { title: `Keys ${i} ${annName}`, groups: ["keys"] });
  }
  for (let i = 0; i < 6; i++) {
    await api(token, "POST", "/api/v1/statuses", {
      status: `Something to read ${i}`,
      visibility: "public",
      language: "en",
    });
  }
  await api(token, "POST", "/api/v1/statuses", {
    status: "Which key?",
    visibility: "public",
    language: "en",
    poll: { options: ["Tab", "Enter"], expires_in: 3600 },
  });

  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-US" });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on(
    "console",
    (said) =>
      said.type() === "error" && !/Failed to load resource|ERR_/.test(said.text()) && troubles.push(said.text()),
  );

  const key = (...keys) => keys.reduce((before, one) => before.then(() => page.keyboard.press(one)), Promise.resolve());
  const type = (text) => page.keyboard.type(text);
  const there = (selector) => page.waitForSelector(selector);
  const away = (selector) => page.waitForSelector(selector, { state: "detached" });
  const at = (selector) => page.waitForFunction((selector) => document.activeElement?.matches(selector), selector);
  const post = (text) => `main article.post:has-text(${JSON.stringify(text)})`;

  /** Goes on with Tab, or back, until the focus is on what is looked for; everything on the way is marked. */
  async function tab(selector, { text = "", back = false } = {}) {
    for (let i = 0; i < TABS_MAX; i++) {
      await key(back ? "Shift+Tab" : "Tab");
      const [found, wrong] = await page.evaluate(
        `(${fault}, [(${(selector, text) => document.activeElement !== document.body && document.activeElement.matches(selector) && document.activeElement.textContent.includes(text)})(${JSON.stringify(selector)}, ${JSON.stringify(text)}), (${fault})()])`,
      );
      // After the last one comes the window of the browser.
      if (wrong && wrong !== "the focus is lost") {
        unmarked.add(`${await page.evaluate(() => location.pathname)}: ${wrong}`);
      }
      if (found) {
        return;
      }
    }
    throw new Error(`Tab does not reach ${selector} ${text}`);
  }

  /** A step, after which the focus is somewhere, and stays there. */
  function step(name, act) {
    return check(
      `by keyboard: ${name}`,
      async () => {
        await act();
        const end = Date.now() + SETTLED;
        let wrong = await page.evaluate(fault);
        while (wrong && Date.now() < end) {
          await page.waitForTimeout(50);
          wrong = await page.evaluate(fault);
        }
        return wrong;
      },
      (wrong) => wrong === "",
    );
  }

  await page.goto(`${url}/`);
  await there("html.ready");
  await there(".hero + .landing-title + * article.post, .timeline article.post");
  await check(
    "by keyboard: the first Tab leads past the links",
    async () => {
      await key("Tab");
      return page.evaluate(
        () => document.activeElement.matches("a.skip") && document.activeElement.getBoundingClientRect().top >= 0,
      );
    },
    Boolean,
  );
  await step("past them, to the page", async () => {
    await key("Enter");
    await at("main");
  });
  await step("from the landing page to the form to sign up", async () => {
    await tab(".hero a.primary");
    await key("Enter");
    await at("#f-username");
  });
  await step("a name that is taken is said beside its field", async () => {
    await type(annName);
    await key("Tab");
    await type(`${name}@example.org`);
    await key("Tab");
    await type(password);
    await key("Enter");
    await at("#f-username[aria-invalid=true]");
  });
  await step("sign up", async () => {
    await key("Control+a");
    await type(name);
    await tab("form button.primary");
    await key("Enter");
    await there(".write textarea");
  });
  await step("the list of shortcuts, and back", async () => {
    await key("?");
    await there("dialog .keys");
    await key("Escape");
    await away("dialog");
  });
  await step("search for somebody", async () => {
    await key("/");
    await at("main [name=q]");
    await type(me.username);
    await key("Enter");
    await there(`main .person .follow`);
  });
  await step("follow", async () => {
    await tab("main .person .follow");
    await key("Space");
    await there("main .person .follow[aria-pressed=true]:enabled");
    await at(".follow");
  });
  await step("unfollow and follow again", async () => {
    await key("Enter");
    await there("main .person .follow[aria-pressed=false]:enabled");
    await at(".follow");
    await key("Enter");
    await there("main .person .follow[aria-pressed=true]:enabled");
    await at(".follow");
  });
  await step("the profile of somebody", async () => {
    await tab("main .person .author", { back: true });
    await key("Enter");
    await there(".profile-actions .follow[aria-pressed=true]");
  });
  await step("a note about somebody, by the menu", async () => {
    await tab(".profile-actions button[aria-haspopup=menu]");
    await key("Enter");
    await at("[role=menuitem]");
    for (let i = 0; i < 12 && !(await page.evaluate(() => /note/i.test(document.activeElement.textContent))); i++) {
      await key("ArrowDown");
    }
    await key("Enter");
    await at("dialog textarea");
    await type("Types well");
    await tab("dialog .button.primary");
    await key("Enter");
    await there(".note:has-text('Types well')");
    await away("dialog");
  });
  await step("home", async () => {
    await key("g", "h");
    await there(`.write textarea`);
    await there(post("Something to read 5"));
  });
  await step("write at the top of the home, with a warning", async () => {
    await tab(".write textarea");
    await type("Behind a warning");
    await tab(".write .cw");
    await key("Space");
    await at(".write .compose-warning");
    await type("Keys ahead");
    await tab(".write button.primary");
    await key("Enter");
    await there(post("Keys ahead"));
  });
  await step("write in a sheet", async () => {
    await key("Tab");
    await page.evaluate(() => document.activeElement.blur?.call(document.activeElement)); // a letter is none in a field
    await key("j");
    await key("n");
    await at("dialog textarea");
    await type("Written in a sheet");
    await key("Control+Enter");
    await away("dialog");
    await there(post("Written in a sheet"));
  });
  await step("to the first post, and to the next one", async () => {
    await page.evaluate(() => scrollTo(0, 0));
    await key("k", "k", "k", "k", "k", "k", "k", "k");
    await at("article.post");
    await key("j");
    await at("article.post");
  });
  const reach = async (text) => {
    for (const way of ["k", "j"]) {
      for (let i = 0; i < 24; i++) {
        if (
          await page.evaluate(
            (text) =>
              document.activeElement.matches("article.post") && document.activeElement.textContent.includes(text),
            text,
          )
        ) {
          return;
        }
        await key(way);
      }
    }
    throw new Error(`no ${text}`);
  };
  await step("open what is behind a warning", async () => {
    await reach("Keys ahead");
    await tab("article.post summary");
    await key("Enter");
    await there(`${post("Keys ahead")} details[open]`);
  });
  await step("like, and take it back", async () => {
    await reach("Something to read 5");
    await key("l");
    await there(`${post("Something to read 5")} .action.like.on`);
    await page.waitForFunction(() => document.activeElement.matches("article.post"));
    await key("l");
    await there(`${post("Something to read 5")} .action.like:not(.on)`);
    await key("l");
    await there(`${post("Something to read 5")} .action.like.on`);
  });
  await step("boost, by the menu", async () => {
    await key("b");
    await at("[role=menuitem]");
    await answered(page, "/reblog", () => key("Enter"));
    await there(`${post("Something to read 5")} .action.boost.on`);
  });
  await step("a menu stays when its post is drawn again meanwhile", async () => {
    await reach("Something to read 3");
    let release;
    let sent = false;
    const held = new Promise((resolve) => (release = resolve));
    await intercept(page, "**/favourite", async (route) => ((sent = true), await held, route.continue()));
    await key("l", "b");
    for (const end = Date.now() + 20_000; !sent && Date.now() < end;) {
      await page.waitForTimeout(20);
    }
    if (!sent) {
      throw new Error("no like was sent");
    }
    await at("[role=menuitem]");
    await key("ArrowDown");
    await at("[role=menuitem]:last-child");
    await page.evaluate(() => (document.activeElement.before_ = true));
    release();
    await page.waitForFunction(
      () => document.activeElement.matches("[role=menuitem]:last-child") && !document.activeElement.before_,
    );
    await page.unroute("**/favourite");
    await key("Escape");
    await at(".action.boost");
  });
  await step(
    "a menu opens for a post that something new pushes out of sight, and closes when it is scrolled away",
    async () => {
      await reach("Something to read 3");
      await page.evaluate(() => {
        const above = document.createElement("div");
        above.id = "above";
        above.style.height = `${2 * innerHeight}px`;
        document.activeElement.closest(".group").before(above);
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "b", bubbles: true }));
      });
      await at("[role=menuitem]");
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await at(".action.boost");
      await away("[role=menu]");
      await page.evaluate(() => document.getElementById("above").remove());
      await page.evaluate(() => document.activeElement.scrollIntoView({ block: "nearest" }));
    },
  );
  await step("bookmark", async () => {
    await reach("Something to read 5");
    await key("s");
    await there(`${post("Something to read 5")} .action.bookmark.on`);
  });
  await step("reply", async () => {
    await key("r");
    await at("dialog textarea");
    await type("A reply by keyboard");
    await tab("dialog .compose-bar button.primary");
    await key("Enter");
    await away("dialog");
  });
  await step("quote", async () => {
    await reach("Something to read 4");
    await key("b");
    await at("[role=menuitem]");
    await key("ArrowDown");
    await key("Enter");
    await at("dialog textarea");
    await type("A quote by keyboard");
    await key("Control+Enter");
    await away("dialog");
    await key("g", "h");
    await there(post("A quote by keyboard"));
    await key("j");
  });
  await step("vote in a poll", async () => {
    await reach("Which key?");
    await tab(".poll input");
    await key("ArrowDown");
    await tab(".poll button");
    await key("Enter");
    await there(`${post("Which key?")} .poll .mine`);
  });
  await step("open a thread", async () => {
    await reach("Something to read 5");
    await key("Enter");
    await there(".post.focus");
    await there(post("A reply by keyboard"));
  });
  await step("who liked it", async () => {
    await tab(".figures button");
    await key("Enter");
    await there("dialog .person");
    await key("Escape");
    await away("dialog");
  });
  await step("edit an answer of one's own", async () => {
    await key("j");
    await reach("A reply by keyboard");
    await tab("button.action.more");
    await key("Enter");
    await at("[role=menuitem]");
    for (let i = 0; i < 12 && !(await page.evaluate(() => document.activeElement.textContent === "Edit")); i++) {
      await key("ArrowDown");
    }
    await key("Enter");
    await at("dialog textarea");
    await type(" indeed");
    await key("Control+Enter");
    await away("dialog");
    await there(post("by keyboard indeed"));
  });
  await step("delete it", async () => {
    await reach("A reply by keyboard");
    await tab("button.action.more");
    await key("Enter");
    await at("[role=menuitem]");
    for (let i = 0; i < 12 && !(await page.evaluate(() => document.activeElement.textContent === "Delete")); i++) {
      await key("ArrowDown");
    }
    await key("Enter");
    await page.waitForSelector(post("A reply by keyboard"), { state: "hidden" });
    await key("z");
    await there(post("A reply by keyboard"));
    await away(".toast-action");
    await tab("button.action.more");
    await key("Enter");
    await at("[role=menuitem]");
    for (let i = 0; i < 12 && !(await page.evaluate(() => document.activeElement.textContent === "Delete")); i++) {
      await key("ArrowDown");
    }
    await key("Enter");
    await away(post("A reply by keyboard"));
  });
  await step("notifications", async () => {
    await key("g", "n");
    await page.waitForURL(`${url}/notifications`);
    await away(".loading-line");
  });
  await step("articles, and a vote", async () => {
    await key("g", "a");
    await there(post(article));
    await key("j");
    await reach(article);
    await tab(".action.vote");
    await key("Space");
    await there(`${post(article)} .action.vote.on`);
    await at(".action.vote");
  });
  await step("an article of one's own", async () => {
    await tab(".view-head button.primary", { back: true });
    await key("Enter");
    await at("dialog [name=title], dialog button");
    await tab("dialog [name=title]", {
      back: !(await page.evaluate(() => document.activeElement.matches("button"))),
    }).catch(() => {});
    await type("By keyboard alone");
    await tab("dialog .button.primary");
    await key("Enter");
    await away("dialog");
    await there(post("By keyboard alone"));
  });
  await step("a hashtag is followed", async () => {
    await key("/");
    await at("main [name=q]");
    await type("#keys");
    await key("Enter");
    await there("main .found .chip, main .found .end-line, main .found article");
    await page.goto(`${url}/tags/keys`);
    await there("html.ready .view-head .follow");
    await tab(".view-head .follow");
    await key("Enter");
    await there(".view-head .follow[aria-pressed=true]");
    await at(".follow");
  });
  await step("settings: another name", async () => {
    await tab("nav.rail a[href='/settings']");
    await key("Enter");
    await there("[name=display_name]");
    await tab("[name=display_name]");
    await type("Keys Only");
    await tab(".settings form button.primary");
    await key("Enter");
    await there(".toast:has-text('Saved')");
    await there("[name=display_name]");
  });
  await step("settings: the dark theme", async () => {
    await tab("[name=theme], .settings select:has(option[value=dark])");
    await key("ArrowDown", "ArrowDown");
    await page.waitForFunction(
      () => document.documentElement.dataset.theme !== undefined || localStorage.getItem("fanfare.theme"),
    );
  });
  await step("log out", async () => {
    await tab(".settings .card .row.end button", { text: "Log out" });
    await key("Enter");
    await there(".hero");
  });
  await step("log in again", async () => {
    await tab(".hero a[href='/login']");
    await key("Enter");
    await at("#f-username");
    await type(name);
    await key("Tab");
    await type("wrong password");
    await tab("form button.primary");
    await key("Enter");
    await there(".problem[role=alert]:not([hidden])");
  });
  await step("with the right password", async () => {
    await tab("#f-password", { back: true });
    await key("Control+a");
    await type(password);
    await key("Enter");
    await there(".write textarea");
  });
  await check(
    "everything that Tab led to can be seen and is marked",
    () => [...unmarked],
    (found) => same(found, []),
  );
  await check(
    "no errors in the pages",
    () => troubles,
    (found) => same(found, []),
  );
  await browser.close();
});
