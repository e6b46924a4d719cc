// The minified file in Chromium, on a page of another origin: calls, an upload with progress, a stream through a cut, tickets.
// It takes playwright-core from app/target/clients, where .ci/run installs it, or from the folder TESTS_PLAYWRIGHT.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import test from "node:test";
import { person } from "./oracle.mjs";
import { freePort, Proxy, Server } from "./server.mjs";

const library = readFileSync(new URL("../typescript/dist/fanfare.min.js", import.meta.url));
const packages = process.env.TESTS_PLAYWRIGHT ?? new URL("../../app/target/clients/", import.meta.url).pathname;
const { chromium } = createRequire(`${packages}/`)("playwright-core");

/** Runs in the page. */
async function use({ url, token, withTicket }) {
  const { Fanfare } = await import("/fanfare.min.js");
  const fanfare = new Fanfare(url, { token });
  const ticket = async () => (await fanfare.createStreamingTicket()).ticket;
  const retries = [];
  const { streams } = withTicket ? new Fanfare(url, { ticket }) : fanfare;
  const stream = streams
    .filter()
    .track("page")
    .partition(0, 1)
    .fields("content")
    .open({ onRetry: (error) => retries.push(error.name) });
  const seen = [];
  for await (const { events, cursor } of stream) {
    for (const event of events) {
      if (event.type === "hello" && seen.length === 0) {
        await fanfare.createStatus({ status: "page one" });
      } else if (event.type === "status") {
        seen.push([event.data.content, cursor === event.id, "account" in event.data]);
        if (seen.length === 1) {
          await globalThis.cutConnections();
          await fanfare.createStatus({ status: "page two" });
        }
      }
    }
    if (seen.length === 2) {
      break;
    }
  }
  const wave = new Uint8Array(400_044);
  const text = (at, letters) => [...letters].forEach((letter, n) => (wave[at + n] = letter.charCodeAt(0)));
  const number = (at, value) => new DataView(wave.buffer).setUint32(at, value, true);
  text(0, "RIFF");
  number(4, 400_036);
  text(8, "WAVEfmt ");
  number(16, 16);
  number(20, 0x00010001); // PCM, one channel
  number(24, 8000);
  number(28, 8000);
  number(32, 0x00080001); // bytes of a sample, bits
  text(36, "data");
  number(40, 400_000);
  const progress = [];
  const media = await fanfare.uploadMedia(new Blob([wave], { type: "audio/wav" }), {
    description: "silence",
    onProgress: (sent, total) => progress.push([sent, total]),
  });
  const walked = [];
  for await (const status of fanfare.showPublic({ limit: 1 })) {
    walked.push(status.id);
  }
  const refused = await fanfare.createStatus({ status: "" }).catch((error) => error.message);
  const elsewhere = new Fanfare(globalThis.location.origin, { token }); // the server of this page, which redirects
  const redirected = await elsewhere.uploadMedia(new Blob(["x"])).catch((error) => `${error.name}: ${error.message}`);
  return { seen, retries, media, progress, walked: walked.length, refused, redirected };
}

test("the minified file works in a page of another origin", async (t) => {
  const server = await Server.start();
  const proxy = await Proxy.start(server.port);
  const port = await freePort();
  const pages = http.createServer((request, response) => {
    if (request.url === "/api/v2/media") {
      response.writeHead(307, { Location: "/moved" }).end();
      return;
    }
    if (request.url === "/moved") {
      response.end('{"id":"1","url":"/1"}');
      return;
    }
    const script = request.url === "/fanfare.min.js";
    response.setHeader("Content-Type", script ? "text/javascript" : "text/html");
    response.end(script ? library : "<!doctype html><title>page</title>");
  });
  await new Promise((resolve) => pages.listen(port, "127.0.0.1", resolve));
  const options = { executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage"] };
  const browser = await chromium.launch(options);
  try {
    for (const withTicket of [false, true]) {
      await t.test(withTicket ? "with tickets" : "with a token", async () => {
        const { token } = await person(server, withTicket ? "ticket" : "token");
        const page = await browser.newPage();
        await page.exposeFunction("cutConnections", () => proxy.cut());
        await page.goto(`http://localhost:${port}/`);
        const found = await page.evaluate(use, { url: proxy.url, token, withTicket });
        assert.deepEqual(
          found.seen.map(([content, , whole]) => [content, whole]),
          [
            ["<p>page one</p>", false],
            ["<p>page two</p>", false],
          ],
        );
        assert.ok(found.retries.includes("NetworkError"), "the cut was noticed");
        assert.equal(found.media.description, "silence");
        assert.ok(found.progress.length >= 1);
        assert.equal(found.progress.at(-1)[0], found.progress.at(-1)[1]);
        assert.ok(found.progress.at(-1)[1] > 400_000);
        assert.equal(found.walked, withTicket ? 4 : 2);
        assert.match(found.refused, /can't be blank/);
        assert.match(found.redirected, /^ProtocolError: The server redirects/);
        await page.close();
      });
    }
  } finally {
    await browser.close();
    pages.close();
    await proxy.stop();
    await server.stop();
  }
});
