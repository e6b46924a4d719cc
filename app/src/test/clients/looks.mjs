/**
 * Eight pages of the web client as they look: a picture of each is compared with the one that is kept. Times and the drawn avatars, which differ with each run, are left out.
 * The pictures have one font, DejaVu Sans, whatever else the machine has. Another version of Chromium may draw letters otherwise: the kept pictures name theirs.
 *
 * Usage: node looks.mjs HOST:PORT KEPT MADE [keep]    a server without accounts, with limits.enabled=false; KEPT: folder of the kept pictures; MADE: for those of this run, and for what differs, in red; keep: writes into KEPT instead of comparing
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { check, run, same, soon } from "./checks.mjs";

const [host, kept, made, keep] = process.argv.slice(2);
const url = `http://${host}`;
const PASSWORD = "correct horse battery";
const PATIENCE = 30_000; // ms
const SHADE = 24; // of 255, by which a colour of a pixel may differ
const TOLERANCE = 0.001; // so large a part of the pixels may differ by more
const FONT = "DejaVu Sans";
const FONTS = "/usr/share/fonts/truetype/dejavu"; // Debian's fonts-dejavu-core, unchanged since 2016
const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 360, height: 740 };
/** Glyphs at whole pixels, without what the machine's settings and screen do to them. */
const PLAIN_TEXT = ["--font-render-hinting=none", "--disable-lcd-text", "--disable-font-subpixel-positioning"];
/** What is not the same at each run. */
const CHANGING = `
  time, .figures:not(.familiar) > span { font-size: 0 !important; }
  .avatar { visibility: hidden !important; }
  * { caret-color: transparent !important; }
`;

async function call(token, method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: body && JSON.stringify(body),
  });
  const said = await answer.json();
  return answer.ok ? said : Promise.reject(new Error(`${path}: ${JSON.stringify(said)}`));
}

async function signUp(name, display_name, note) {
  const { access_token: token } = await call(null, "POST", "/api/v1/accounts", {
    username: name,
    email: `${name}@example.org`,
    password: PASSWORD,
    agreement: true,
  });
  const { id } = await call(token, "PATCH", "/api/v1/accounts/update_credentials", { display_name, note });
  return { id, token, say: (status, more = {}) => call(token, "POST", "/api/v1/statuses", { status, ...more }) };
}

/** People, and posts of the kinds that the pages show, one after the other. */
async function fill() {
  const ann = await signUp("ann", "Ann Archer", "Bows, arrows and a #garden.");
  const bob = await signUp("bob", "Bob Baker", "Bread, every day.");
  const cyd = await signUp("cyd", "", "");
  await call(ann.token, "POST", `/api/v1/accounts/${bob.id}/follow`);
  await call(ann.token, "POST", `/api/v1/accounts/${cyd.id}/follow`);
  await call(cyd.token, "POST", `/api/v1/accounts/${ann.id}/follow`);
  const first = await ann.say("The first tomatoes of the #garden are red.");
  const answer = await bob.say("@ann Bring some, there is fresh bread.", { in_reply_to_id: first.id });
  await ann.say("@bob At seven?", { in_reply_to_id: answer.id });
  await bob.say(`A long recipe\n${"Fold, and let it rest.\n".repeat(20)}`);
  await bob.say("Not for everybody", { spoiler_text: "Flour on the floor" });
  await bob.say("Which one next?", { poll: { options: ["Rye", "Sourdough"], expires_in: 86_400 } });
  await cyd.say("Hello @ann");
  for (const one of [bob, cyd]) {
    await call(one.token, "POST", `/api/v1/statuses/${first.id}/favourite`);
  }
  await call(cyd.token, "POST", `/api/v1/statuses/${first.id}/reblog`);
  return { first };
}

/** Each page: its window and theme, who looks (ann where nobody is named), its path, what it has when it is whole, and what is done before the picture. */
const PAGES = [
  { name: "landing", as: "stranger", size: WIDE, theme: "light", path: () => "/", ready: ".hero" },
  { name: "sign-up", as: "stranger", size: NARROW, theme: "dark", path: () => "/signup", ready: "#f-password" },
  { name: "home", size: WIDE, theme: "dark", path: () => "/", ready: ".poll input" },
  { name: "thread", size: NARROW, theme: "light", path: ({ first }) => `/@ann/${first.id}`, ready: ".post.focus" },
  { name: "profile", size: NARROW, theme: "dark", path: () => "/@bob", ready: ".text.folded" },
  {
    name: "notifications",
    size: NARROW,
    theme: "light",
    path: () => "/notifications",
    ready: ".notification-favourite",
  },
  {
    name: "writing",
    size: WIDE,
    theme: "light",
    path: () => "/@ann",
    ready: ".write-button",
    async act(page) {
      await page.click(".write-button");
      await page.click("dialog .poll-button");
      await page.fill("dialog .compose-text", "Tomatoes or beans?");
    },
  },
  { name: "settings", size: WIDE, theme: "dark", path: () => "/settings", ready: ".sessions li" },
];

/** How many pixels of two pictures differ, and a picture of them; runs in a page. */
async function differing([one, other, shade]) {
  const pixels = async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return { canvas, context, data: context.getImageData(0, 0, image.width, image.height) };
  };
  const [before, now] = [await pixels(one), await pixels(other)];
  if (before.canvas.width !== now.canvas.width || before.canvas.height !== now.canvas.height) {
    return { part: 1, picture: other };
  }
  const [a, b] = [before.data.data, now.data.data];
  let n = 0;
  for (let at = 0; at < a.length; at += 4) {
    if ([0, 1, 2].some((colour) => Math.abs(a[at + colour] - b[at + colour]) > shade)) {
      n++;
      b.set([255, 0, 0, 255], at);
    }
  }
  now.context.putImageData(now.data, 0, 0);
  const bytes = new Uint8Array(await (await now.canvas.convertToBlob()).arrayBuffer());
  return { part: (4 * n) / a.length, picture: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
}

run(async () => {
  mkdirSync(made, { recursive: true });
  process.env.FONTCONFIG_FILE = join(made, "fonts.conf");
  writeFileSync(
    process.env.FONTCONFIG_FILE,
    `<fontconfig><dir>${FONTS}</dir><cachedir>${join(made, "fonts")}</cachedir><match target="pattern"><edit name="family" mode="assign" binding="strong"><string>${FONT}</string></edit></match></fontconfig>`,
  );
  const data = await fill();
  const browser = await launch(PLAIN_TEXT);
  const compared = await browser.newPage();
  const version = browser.version();
  const versionFile = join(kept, "chromium");
  const madeWith = keep || !existsSync(versionFile) ? version : readFileSync(versionFile, "utf8").trim();
  let session;
  for (const { name, as = "ann", size, theme, path, ready, act } of PAGES) {
    const context = await browser.newContext({
      viewport: size,
      colorScheme: theme,
      locale: "en-US",
      storageState: as === "ann" ? session : undefined,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    if (as === "ann" && !session) {
      await page.goto(`${url}/login`);
      await page.fill("#f-username", "ann");
      await page.fill("#f-password", PASSWORD);
      await page.press("#f-password", "Enter");
      await page.waitForSelector(".write textarea");
      session = await context.storageState();
    }
    await page.goto(url + path(data));
    await page.waitForSelector("html.ready");
    await page.locator(ready).first().waitFor({ state: "attached" });
    await page.locator(".loading-line").first().waitFor({ state: "detached" });
    await act?.(page);
    // The policy of the page allows no style but the server's; one that a script makes is none of the page.
    await page.evaluate((rules) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      document.adoptedStyleSheets = [sheet];
    }, CHANGING);
    const photograph = () => page.screenshot({ path: join(made, `${name}.png`), animations: "disabled" });
    if (name === "landing") {
      const devtools = await context.newCDPSession(page);
      await check(
        `the pictures have ${FONT} alone, of ${FONTS}`,
        async () => {
          await devtools.send("DOM.enable");
          await devtools.send("CSS.enable");
          const { root } = await devtools.send("DOM.getDocument");
          const { nodeId } = await devtools.send("DOM.querySelector", { nodeId: root.nodeId, selector: "h1" });
          const { fonts } = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
          return fonts.map(({ familyName }) => familyName);
        },
        (names) => same(names, [FONT]),
      );
    }
    if (keep) {
      await soon(
        `${name} is still`,
        async () => (await photograph()).equals(await photograph()),
        (still) => still,
      );
      writeFileSync(join(kept, `${name}.png`), await photograph());
    } else {
      await soon(
        `${name} looks as in ${name}.png, made with Chromium ${madeWith}; this is ${version}`,
        async () => {
          const before = readFileSync(join(kept, `${name}.png`)).toString("base64");
          const now = (await photograph()).toString("base64");
          const { part, picture } = await compared.evaluate(differing, [before, now, SHADE]);
          part > TOLERANCE && writeFileSync(join(made, `${name}-differs.png`), Buffer.from(picture, "base64"));
          return { part };
        },
        ({ part }) => part <= TOLERANCE,
      );
    }
    await context.close();
  }
  keep && writeFileSync(versionFile, `${version}\n`);
  await browser.close();
});
