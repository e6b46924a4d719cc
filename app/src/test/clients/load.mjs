/**
 * What the first load of a page costs: requests, bytes, moved content, and times. Imported by frame.mjs; by itself it prints the medians of several loads of each page in turn.
 *
 * Usage: node load.mjs LOADS URL...    URL: "name=http://HOST:PORT/path"; "name:USER:PASSWORD=..." logs in to our web client there, "name:FILE=..." takes a storage state of Playwright. The environment variable THROTTLED slows network and processor, LIST prints each request
 */
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const QUIET = 1500; // ms without a request, after which a page has loaded
const PATIENCE = 60_000; // ms
const SLOW = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750, offline: false }; // ms, bytes a second: 1.6 and 0.75 Mbit/s
const SLOWER = 4; // times that a slowed processor takes

const median = (all) => all.sort((one, other) => one - other)[all.length >> 1];

/** Loads a page in a browser that has nothing of it yet. `state` is of a context that is logged in. */
export async function load(browser, address, { state, throttled = false } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: "en-US",
    storageState: state,
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: false });
  if (throttled) {
    await devtools.send("Network.emulateNetworkConditions", SLOW);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  }
  const requests = new Map();
  let busy = Date.now();
  devtools.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    busy = Date.now();
    if (request.url.startsWith("http")) {
      requests.set(requestId, { url: request.url, type, bytes: 0 });
    }
  });
  // Of an image that the page has already.
  devtools.on("Network.responseReceived", ({ requestId, response }) => {
    response.fromDiskCache && requests.delete(requestId);
  });
  devtools.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    busy = Date.now();
    requests.has(requestId) && (requests.get(requestId).bytes += encodedDataLength);
  });
  // What has ended tells of its header as well.
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    busy = Date.now();
    requests.has(requestId) && (requests.get(requestId).bytes = encodedDataLength);
  });
  await page.addInitScript(() => {
    const seen = (globalThis.seen = { shift: 0, moved: [], largest: 0 });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (!hadRecentInput) {
          seen.shift += value;
          seen.moved.push(
            ...sources.map(
              ({ node, previousRect: a, currentRect: b }) =>
                `${node?.nodeName}.${node?.className ?? ""} ${[a, b].map((r) => [r.x, r.y, r.width, r.height].map(Math.round)).join(" -> ")}`,
            ),
          );
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
    new PerformanceObserver((list) => (seen.largest = list.getEntries().at(-1).startTime)).observe({
      type: "largest-contentful-paint",
      buffered: true,
    });
  });
  const end = Date.now() + PATIENCE;
  await page.goto(address, { waitUntil: "load", timeout: PATIENCE });
  while (Date.now() - busy < QUIET && Date.now() < end) {
    await page.waitForTimeout(50);
  }
  const times = await page.evaluate(() => ({
    ...globalThis.seen,
    painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    asked:
      performance.getEntriesByType("resource").find(({ name }) => new URL(name).pathname.startsWith("/api/"))
        ?.startTime ?? 0,
  }));
  await context.close();
  const all = [...requests.values()];
  return { ...times, requests: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), all };
}

async function compare(times, ...pages) {
  const browser = await launch();
  const named = [];
  for (const page of pages) {
    const [who, address] = [page.slice(0, page.indexOf("=")), page.slice(page.indexOf("=") + 1)];
    const [name, user, password] = who.split(":");
    named.push({
      name,
      address,
      state: password ? await logIn(browser, new URL(address).origin, user, password) : user,
      loads: [],
    });
  }
  for (let i = 0; i < times; i++) {
    for (const one of named) {
      one.loads.push(await load(browser, one.address, { state: one.state, throttled: Boolean(process.env.THROTTLED) }));
    }
  }
  for (const { name, loads } of named) {
    const of = (key) => median(loads.map((one) => one[key]));
    console.log(
      `${name}: ${of("requests")} requests, ${(of("bytes") / 1000).toFixed(1)} KB, shift ${of("shift").toFixed(3)}, first paint ${Math.round(of("painted"))} ms, largest ${Math.round(of("largest"))} ms, first request of the API ${Math.round(of("asked"))} ms`,
    );
    if (process.env.LIST) {
      loads[0].all.forEach(({ url, bytes }) => console.log(`  ${bytes} ${url}`));
      loads[0].moved.forEach((moved) => console.log(`  moved ${moved}`));
    }
  }
  await browser.close();
}

/** The state of a browser in which somebody has logged in. */
export async function logIn(browser, origin, name, password) {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  await page.goto(`${origin}/login`);
  await page.fill("#f-username", name);
  await page.fill("#f-password", password);
  await page.press("#f-password", "Enter");
  await page.waitForSelector(".write textarea");
  const state = await context.storageState();
  await context.close();
  return state;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await compare(Number(process.argv[2]), ...process.argv.slice(3));
}
