/**
 * The frame of the web client: what the first load of a page costs, and what stands between the page and the server - the service worker, its page for when there is no connection, and pushed notifications.
 * The browser comes by a proxy of this script, which can be closed, and which can answer as another version of the server.
 *
 * Usage: node frame.mjs HOST:PORT ANN BOB PASSWORD    two users who have signed up
 */
import { createECDH, randomBytes } from "node:crypto";
import { createServer, request as ask } from "node:http";
import { launch } from "./browser.mjs";
import { check, run, same, soon } from "./checks.mjs";
import { load, logIn } from "./load.mjs";

const [host, annName, bobName, password] = process.argv.slice(2);
const REQUESTS_MAX = 20;
const BYTES_MAX = 80 * 1024; // compressed, with their headers
const SHIFT_MAX = 0.05;
const PARTS_MAX = 5; // so many times more where the build has not joined the scripts
const POSTS = 20;

/** The server as a browser reaches it, and what is put in the place of its answers: a function of a body by path. */
function proxy() {
  const edits = new Map();
  const server = createServer((from, to) => {
    const [hostname, port] = host.split(":");
    const headers = { ...from.headers };
    const edit = edits.get(new URL(from.url, "http://x").pathname);
    edit && delete headers["accept-encoding"];
    edit && delete headers["if-none-match"];
    const asked = ask({ hostname, port, path: from.url, method: from.method, headers }, async (answer) => {
      if (!edit) {
        to.writeHead(answer.statusCode, answer.headers);
        answer.pipe(to);
        return;
      }
      const body = edit((await answer.toArray()).join(""));
      const changed = { ...answer.headers, "content-length": Buffer.byteLength(body), "cache-control": "no-store" };
      delete changed.etag;
      to.writeHead(answer.statusCode, changed);
      to.end(body);
    });
    asked.on("error", () => to.destroy());
    to.on("close", () => asked.destroy());
    from.pipe(asked);
  });
  const listen = (port) => new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    edits,
    begin: async () => (await listen(0), server.address().port),
    end: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
    again: listen,
  };
}

/** What a script of the page asks, with its session. */
const call = (page, method, path, body) =>
  page.evaluate(
    async ([method, path, body]) => {
      const headers = { "X-Fanfare-Page": "1", "Content-Type": "application/json" };
      const answer = await fetch(path, { method, headers, body });
      return { status: answer.status, said: await answer.json() };
    },
    [method, path, body && JSON.stringify(body)],
  );

/** The paths of the answers in each of the browser's caches, by the name of the cache; nothing while a worker begins: to look into a cache that it deletes makes the cache anew. */
const cached = (page) =>
  page.evaluate(async () => {
    const found = {};
    const worker = await navigator.serviceWorker.getRegistration();
    if (worker && (worker.installing || worker.waiting || worker.active?.state !== "activated")) {
      return found;
    }
    for (const name of await caches.keys()) {
      found[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
    }
    return found;
  });

const registrations = (page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

run(async () => {
  const through = proxy();
  const port = await through.begin();
  const url = `http://127.0.0.1:${port}`;
  const browser = await launch();

  const bobs = await browser.newContext({ storageState: await logIn(browser, `http://${host}`, bobName, password) });
  const bob = await bobs.newPage();
  await bob.goto(`http://${host}/`);
  const { id: bobId } = (await call(bob, "GET", "/api/v1/session")).said.account;
  const state = await logIn(browser, url, annName, password);
  const context = await browser.newContext({ storageState: state, locale: "en-US", colorScheme: "dark" });
  const ann = await context.newPage();
  const troubles = [];
  ann.on("pageerror", (error) => troubles.push(error.message));
  await ann.goto(`${url}/`);
  await ann.waitForSelector("html.ready");
  await call(ann, "POST", `/api/v1/accounts/${bobId}/follow`);
  let last = null;
  for (let n = 0; n < POSTS; n++) {
    const status = `Post ${n} of somebody who writes more than fits into one line of a window of a usual width, each time.`;
    last = (await call(bob, "POST", "/api/v1/statuses", { status })).said;
  }
  await soon(
    "ann's home has bob's posts",
    () => call(ann, "GET", `/api/v1/timelines/home?limit=${POSTS}`),
    ({ said }) => said.length >= POSTS,
  );
  // A page begins its stream ten seconds before now, by a Date header of whole seconds: younger posts would come once more, on the stream.
  await soon(
    "streams that begin now have none of bob's posts",
    async () => Date.parse((await fetch(url)).headers.get("Date")),
    (date) => date > Date.parse(last.created_at) + 12_000,
  );

  // What a page costs.
  const joined = !(await (await fetch(`${url}/login`)).text()).includes("/dom.js");
  const parts = joined ? 1 : PARTS_MAX;
  for (const [name, path, who] of [
    ["home", "/", state],
    ["landing page", "/", undefined],
    ["profile", `/@${bobName}`, undefined],
    ["post", `/@${bobName}/${last.id}`, undefined],
    ["articles", "/articles", undefined],
  ]) {
    const cost = await load(browser, url + path, { state: who });
    const told = { ...cost, all: cost.all.map(({ url, bytes }) => `${bytes} ${url}`) };
    await check(
      `the ${name} takes few requests`,
      () => told,
      ({ requests }) => requests <= REQUESTS_MAX * parts,
    );
    await check(
      `the ${name} takes few bytes`,
      () => told,
      ({ bytes }) => bytes > 1000 && bytes <= BYTES_MAX * parts,
    );
    await check(
      `nothing of the ${name} moves when its scripts begin`,
      () => told,
      ({ shift }) => shift <= SHIFT_MAX,
    );
  }

  // What is installed.
  const devtools = await context.newCDPSession(ann);
  await check(
    "a browser can install the client",
    async () => [
      (await devtools.send("Page.getAppManifest")).errors,
      (await devtools.send("Page.getInstallabilityErrors")).installabilityErrors.map(({ errorId }) => errorId),
    ],
    // A window without a history of its own, as each of these has, installs nothing.
    ([manifest, others]) => manifest.length === 0 && others.every((one) => one === "in-incognito"),
  );

  // The service worker, and what it keeps.
  const prefix = "fanfare::";
  const stranger = await (await browser.newContext({ locale: "en-US" })).newPage();
  await stranger.goto(`${url}/`);
  await stranger.waitForSelector("html.ready");
  await check(
    "a stranger has no service worker",
    () => registrations(stranger),
    (n) => n === 0,
  );
  const version = /\/web\/([0-9a-f]+)\/main\.js/.exec(await ann.content())[1];
  await ann.evaluate(async () => {
    await caches.open("fanfare::000000000000");
    await caches.open("another program");
  });
  await soon(
    "the service worker keeps its page and that page's files alone",
    () => cached(ann),
    (found) =>
      found[prefix + version]?.length > 3 &&
      found[prefix + version].every((path) => path === "/offline" || path.startsWith(`/web/${version}/`)),
  );
  // As if the server had been upgraded: the script of the worker is another.
  through.edits.set("/sw.js", (script) => script.replaceAll(prefix + version, `${prefix}111111111111`));
  await ann.reload();
  await soon(
    "the worker of another version takes the place of the one before, and forgets what that kept",
    () => cached(ann),
    (found) => same(Object.keys(found).sort(), ["another program", `${prefix}111111111111`]),
  );
  through.edits.clear();
  await ann.reload();
  await soon(
    "and goes with it",
    () => cached(ann),
    (found) => same(Object.keys(found).sort(), ["another program", prefix + version]),
  );
  for (const path of ["/", `/@${bobName}`, "/notifications", "/settings"]) {
    await ann.goto(url + path);
    await ann.waitForSelector("html.ready");
  }
  await check(
    "it keeps no answer of the API and no page of a user",
    async () => Object.values(await cached(ann)).flat(),
    (paths) => paths.length > 3 && paths.every((path) => path === "/offline" || path.startsWith("/web/")),
  );

  // Without a connection.
  await through.end();
  await ann.goto(`${url}/notifications`);
  await check(
    "without a connection there is a page that says so",
    () => ann.textContent("section:not([hidden]) h1"),
    (title) => title === "No connection",
  );
  await check(
    "in the reader's theme",
    () => ann.evaluate(() => getComputedStyle(document.body).backgroundColor),
    (colour) => Math.max(...colour.match(/\d+/g).map(Number)) < 80,
  );
  await ann.evaluate(() => localStorage.setItem("fanfare.language", "zh"));
  await ann.click("section:not([hidden]) a");
  await check(
    "and language",
    () => ann.textContent("section:not([hidden]) h1"),
    (title) => title === "没有网络连接",
  );
  await ann.evaluate(() => localStorage.removeItem("fanfare.language"));
  await through.again(port);
  await check("when the server answers again, the page comes by itself", () => ann.waitForSelector("html.ready"));

  // Pushed notifications.
  const keys = createECDH("prime256v1");
  const subscription = {
    endpoint: `https://push.example.org/${annName}`,
    keys: {
      p256dh: keys.generateKeys("base64url"),
      auth: randomBytes(16).toString("base64url"),
    },
  };
  await context.grantPermissions(["notifications"]);
  await ann.addInitScript((subscription) => {
    // A push service is on the internet: what the browser would make with it.
    const made = {
      endpoint: subscription.endpoint,
      toJSON: () => subscription,
      unsubscribe: async () => (localStorage.removeItem("subscribed"), true),
    };
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      localStorage.setItem("subscribed", applicationServerKey);
      return made;
    };
    PushManager.prototype.getSubscription = async () => (localStorage.getItem("subscribed") ? made : null);
    globalThis.requests = 0;
    Notification.requestPermission = async () => (globalThis.requests++, "granted");
  }, subscription);
  await ann.goto(`${url}/settings`);
  await ann.waitForSelector(".push input[name=push]");
  await check(
    "nobody is asked for notifications before wanting them",
    () => ann.evaluate(() => globalThis.requests),
    (n) => n === 0,
  );
  const shown = () => call(ann, "GET", "/api/v1/push/subscription");
  await check("there is no subscription", shown, ({ status }) => status === 404);
  await ann.check(".push input[name=push]");
  await soon(
    "the switch subscribes this session",
    shown,
    ({ status, said }) =>
      status === 200 && said.endpoint === subscription.endpoint && said.standard && said.alerts.mention,
  );
  await check(
    "with the key of the server",
    async () => [await ann.evaluate(() => localStorage.getItem("subscribed")), (await shown()).said.server_key],
    ([used, key]) => used === key && key.length > 80,
  );
  await ann.uncheck(".push input[name=reblog]");
  await soon("a kind can be left out", shown, ({ said }) => said.alerts.reblog === false && said.alerts.mention);
  await ann.selectOption(".push select", "followed");
  await soon("and who is pushed", shown, ({ said }) => said.policy === "followed");
  await ann.reload();
  await ann.waitForSelector(".push input[name=push]");
  await check(
    "the page shows what is chosen",
    () => Promise.all(["push", "mention", "reblog"].map((name) => ann.isChecked(`.push input[name=${name}]`))),
    (chosen) => same(chosen, [true, true, false]),
  );
  await ann.uncheck(".push input[name=push]");
  await soon("the switch ends it", shown, ({ status }) => status === 404);
  through.edits.set("/api/v2/instance", (body) => body.replace(/"public_key":"[^"]+"/, '"public_key":""'));
  await ann.reload();
  await ann.waitForSelector("section.card[aria-label=Notifications]");
  await check(
    "where the server pushes nothing there is no switch",
    () => ann.locator(".push").count(),
    (n) => n === 0,
  );
  through.edits.clear();

  // As the browser hands it to the worker, decrypted.
  const mention = (await call(bob, "POST", "/api/v1/statuses", { status: `@${annName} look at <b>this</b>` })).said;
  let notified = null;
  await soon(
    "ann is notified",
    async () =>
      (notified = (await call(ann, "GET", "/api/v1/notifications")).said.find((one) => one.type === "mention")),
    (one) => one?.status.id === mention.id,
  );
  const registered = new Promise((resolve) =>
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [one] }) => one && resolve(one)),
  );
  await devtools.send("ServiceWorker.enable");
  const { registrationId } = await registered;
  const worker = context.serviceWorkers().at(-1);
  await worker.evaluate(() => {
    const { registration } = globalThis;
    const show = registration.showNotification.bind(registration);
    globalThis.shows = 0;
    registration.showNotification = async (...all) => {
      await show(...all);
      globalThis.shows++;
    };
  });
  let pushes = 0;
  // Chromium loses a notification whose list is read while it is being shown: 5 of 60.
  const deliver = async (data) => {
    await devtools.send("ServiceWorker.deliverPushMessage", { origin: `${url}/`, registrationId, data });
    pushes++;
    await soon(
      "the worker shows what is pushed",
      () => worker.evaluate(() => globalThis.shows),
      (shows) => shows === pushes,
    );
  };
  const notices = () =>
    ann.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body, tag }) => [
        title,
        body,
        tag,
      ]),
    );
  await deliver(
    JSON.stringify({
      access_token: "",
      notification_id: Number(notified.id),
      notification_type: "mention",
      icon: `${url}/web/x/icon-192.png`,
      title: "You were mentioned by Bob",
      body: "look at <b>this</b>",
    }),
  );
  await soon("a pushed notification is shown as plain text", notices, (all) =>
    same(all, [["You were mentioned by Bob", "look at <b>this</b>", notified.id]]),
  );
  await ann.goto(`${url}/`);
  await ann.waitForSelector("html.ready");
  await ann.waitForSelector(".loading-line", { state: "detached" });
  await worker.evaluate(async () => {
    // Without a click of a person the browser lets no script raise a window.
    await globalThis.open((await globalThis.registration.getNotifications())[0]).catch(() => {});
  });
  await check("a click on it opens the post in the page that is open", () =>
    ann.waitForURL(`${url}/@${bobName}/${mention.id}`),
  );
  await check("and closes it", notices, (all) => all.length === 0);
  await deliver("no JSON");
  await soon(
    "a message that cannot be read is shown without words",
    notices,
    (all) => all.length === 1 && all[0][1] === "",
  );

  // A part of another version, in a browser that has none yet.
  const { pathname } = new URL(await stranger.getAttribute("script[type=module]", "src"), url);
  const settings = pathname.replace("main.js", "settings.js");
  through.edits.set(settings, () => 'import { gone } from "./main.js"; gone();');
  await stranger.click("nav.rail a[href='/settings']");
  await check("a part that goes with another version of the server says so", () =>
    stranger.waitForSelector("main :text('There is a new version of this page.')"),
  );
  through.edits.clear();
  await stranger.click("main button:has-text('Try again')");
  await check("and is loaded with the page", () => stranger.waitForSelector(".settings select"));

  // The end.
  through.edits.set("/sw.js", (script) => script.replace('"on":true', '"on":false'));
  await ann.goto(`${url}/`);
  await soon(
    "a server without a service worker ends those that browsers have",
    async () => [await registrations(ann), Object.keys(await cached(ann))],
    ([n, names]) => n === 0 && same(names, ["another program"]),
  );
  through.edits.clear();
  await ann.goto(`${url}/settings`);
  await soon(
    "it comes back",
    () => registrations(ann),
    (n) => n === 1,
  );
  await ann.click("section.card[aria-label=Sessions] button:has-text('Log out')");
  await ann.waitForSelector(".hero");
  await soon(
    "at log-out the worker and all that it keeps and shows is gone",
    async () => [await registrations(ann), Object.keys(await cached(ann))],
    ([n, names]) => n === 0 && same(names, ["another program"]),
  );
  await ann.click("a.rail-login[href='/login']");
  await ann.fill("#f-username", annName);
  await ann.fill("#f-password", password);
  await ann.press("#f-password", "Enter");
  await soon(
    "and there again when somebody logs in on the same page",
    async () => [await registrations(ann), (await cached(ann))[prefix + version]],
    ([n, paths]) => n === 1 && paths?.includes("/offline"),
  );
  await check(
    "no script failed",
    () => troubles,
    (found) => same(found, []),
  );
  await browser.close();
  await through.end();
});
