import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ApiError, Fanfare, NetworkError, ProtocolError, UsageError } from "fanfare-client";
import { Admin } from "fanfare-client/admin";
import { answer, fake } from "./fake.mjs";

const TOKEN = "secret-token";
const client = (server, options) => new Fanfare(server.url, { token: TOKEN, ...options });
const openapi = readFileSync(new URL("../../../api/src/main/resources/openapi.yaml", import.meta.url), "utf8");

test("a call puts its arguments into path, query and JSON", async (t) => {
  const server = await fake(t, (request, socket) => socket.write(answer(200, [])));
  const fanfare = client(server);
  await fanfare.listAccounts({ id: ["1", "2"] });
  await fanfare.showTag({ tag: "a b/ü", limit: 5, local: true });
  await fanfare.followAccount({ id: "7", languages: ["en"], notify: true });
  const [accounts, tag, follow] = server.requests;
  assert.equal(accounts.line, "GET /api/v1/accounts?id%5B%5D=1&id%5B%5D=2 HTTP/1.1");
  assert.equal(tag.line, "GET /api/v1/timelines/tag/a%20b%2F%C3%BC?limit=5&local=true HTTP/1.1");
  assert.equal(follow.line, "POST /api/v1/accounts/7/follow HTTP/1.1");
  assert.deepEqual(JSON.parse(follow.body), { languages: ["en"], notify: true });
  assert.equal(follow.header("authorization"), `Bearer ${TOKEN}`);
});

test("every call is an operation of openapi.yaml, at its path", async (t) => {
  const server = await fake(t, (request, socket) => socket.write(answer(200, [])));
  const fanfare = client(server);
  const admin = new Admin(fanfare);
  const calls = [Fanfare, Admin].flatMap((of) => Object.keys(of.prototype));
  assert.ok(calls.length > 180, `${calls.length} calls`);
  assert.ok(Object.keys(Admin.prototype).length > 20, "calls of moderators");
  for (const name of calls) {
    const before = openapi.slice(0, openapi.search(new RegExp(`operationId: ${name}$`, "m")));
    const path = [...before.matchAll(/^ {2}(\/\S*):$/gm)].at(-1)[1];
    const method = [...before.matchAll(/^ {4}(get|put|post|delete|patch):$/gm)].at(-1)[1];
    const owner = name in admin ? admin : fanfare;
    await owner[name]({ id: "1", name: "1", tag: "1", warning: "1", held: "1" }).catch((error) =>
      assert.ok(error instanceof ProtocolError),
    );
    const [sent, target] = server.requests.at(-1).line.split(" ");
    assert.equal(sent.toLowerCase(), method, name);
    assert.equal(target.split("?")[0], path.replace(/\{\w+\}/g, "1"), name);
  }
});

test("a failed post is repeated with the same Idempotency-Key, others are not", async (t) => {
  const server = await fake(t, (request, socket, n) =>
    n % 2 ? socket.destroy() : socket.write(answer(200, { id: "1" })),
  );
  const fanfare = client(server);
  await fanfare.createStatus({ status: "Hello" });
  assert.equal(server.requests.length, 2);
  assert.match(server.requests[0].header("idempotency-key"), /^[0-9a-f-]{36}$/);
  assert.equal(server.requests[1].header("idempotency-key"), server.requests[0].header("idempotency-key"));
  await assert.rejects(fanfare.createList({ title: "List" }), NetworkError);
  assert.equal(server.requests.length, 3);
  await fanfare.listLists();
  await assert.rejects(fanfare.clearNotifications(), NetworkError); // a repetition would delete what has arrived in between
  assert.equal(server.requests.length, 5);
});

test("a post without a key is repeated after 429 only", async (t) => {
  const statuses = [429, 200, 503];
  const server = await fake(t, (request, socket, n) =>
    socket.write(answer(statuses[n - 1], {}, { "Retry-After": "1" })),
  );
  const fanfare = client(server);
  const begin = Date.now();
  await fanfare.createList({ title: "List" });
  assert.ok(Date.now() - begin > 950, "Retry-After is obeyed");
  await assert.rejects(fanfare.createList({ title: "List" }), { status: 503 });
  assert.equal(server.requests.length, 3);
});

test("a pause above maxWait is an error at once, with the server's sentence", async (t) => {
  const server = await fake(t, (request, socket) =>
    socket.write(answer(429, { error: "Wait." }, { "Retry-After": "3600" })),
  );
  await assert.rejects(client(server).showHome(), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.message, "Wait. (showHome: 429)");
    assert.equal(error.retryAfter, 3600);
    return true;
  });
  assert.equal(server.requests.length, 1);
});

test("after the last request of a period, the next one of this operation waits for the next period", async (t) => {
  const reset = () => new Date(Date.now() + 800).toISOString();
  const server = await fake(t, (request, socket, n) =>
    socket.write(answer(200, [], n === 1 ? { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset() } : {})),
  );
  const fanfare = client(server);
  const begin = Date.now();
  await fanfare.listLists();
  await fanfare.listFilters();
  assert.ok(Date.now() - begin < 700, "another operation does not wait");
  await fanfare.listLists();
  assert.ok(Date.now() - begin > 750, "the same operation waits");
});

test("an error has the server's sentence and details", async (t) => {
  const details = { text: [{ error: "ERR_BLANK", description: "can't be blank" }] };
  const server = await fake(t, (request, socket) =>
    socket.write(answer(422, { error: "Validation failed.", details })),
  );
  await assert.rejects(client(server).createStatus({ status: "" }), {
    name: "ApiError",
    status: 422,
    operation: "createStatus",
    details,
  });
});

test("a walk reads all pages at the address of the client, whatever Link names", async (t) => {
  const server = await fake(t, (request, socket, n) => {
    const link = `<http://elsewhere.invalid/api/v1/x?max_id=${n}&limit=2>; rel="next", <http://elsewhere.invalid/p?min_id=1>; rel="prev"`;
    socket.write(answer(200, [{ id: `${n}a` }, { id: `${n}b` }], n < 3 ? { Link: link } : {}));
  });
  const seen = [];
  for await (const { id } of client(server).showHome({ limit: 2 })) {
    seen.push(id);
  }
  assert.deepEqual(seen, ["1a", "1b", "2a", "2b", "3a", "3b"]);
  assert.equal(server.requests[2].line, "GET /api/v1/timelines/home?max_id=2&limit=2 HTTP/1.1");
  const page = await client(server).showHome();
  assert.equal(page.length, 2);
  assert.equal(await page.nextPage(), null);
});

test("a walk whose next page is the same page ends with an error", async (t) => {
  const server = await fake(t, (request, socket) =>
    socket.write(answer(200, [{}], { Link: '<http://x/?max_id=1>; rel="next"' })),
  );
  const walk = async () => {
    for await (const entry of client(server).showHome()) {
      assert.ok(entry);
    }
  };
  await assert.rejects(walk, ProtocolError);
});

test("a redirect is not followed, so that the token goes nowhere else", async (t) => {
  const thief = await fake(t, (request, socket) => socket.write(answer(200, [])));
  const server = await fake(t, (request, socket) => socket.write(answer(302, "", { Location: `${thief.url}/steal` })));
  await assert.rejects(client(server).showHome(), ProtocolError);
  await assert.rejects(client(server).streams.firehose().open().next(), ProtocolError);
  assert.equal(thief.requests.length, 0);
});

test("an answer that does not end is an error", async (t) => {
  const server = await fake(t, (request, socket) => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const more = () => socket.writable && socket.write(`10000\r\n${" ".repeat(65536)}\r\n`, more);
    more();
  });
  await assert.rejects(client(server, { maxAnswerBytes: 1 << 20 }).showHome(), {
    name: "ProtocolError",
    message: /1048576 bytes/,
  });
});

test("an answer that comes byte by byte is an error after the time-out", async (t) => {
  const server = await fake(t, (request, socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n");
    const timer = setInterval(() => socket.write(" "), 50);
    socket.on("close", () => clearInterval(timer));
  });
  await assert.rejects(client(server, { timeout: 400, retries: 0 }).showHome(), {
    name: "NetworkError",
    message: /in time/,
  });
});

test("a head of one megabyte is an error", async (t) => {
  const server = await fake(t, (request, socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(1 << 20)}\r\n\r\n{}`),
  );
  await assert.rejects(client(server, { retries: 0 }).showHome(), NetworkError);
});

test("an answer that is no JSON is an error", async (t) => {
  const server = await fake(t, (request, socket) => socket.write(answer(200, "<html>")));
  await assert.rejects(client(server).showHome(), {
    name: "ProtocolError",
    message: "The answer to showHome is no JSON.",
  });
});

test("an upload reports its progress and sends a form", async (t) => {
  const server = await fake(t, (request, socket) => socket.write(answer(200, { id: "1", url: "http://x/1" })));
  const seen = [];
  const file = new File([new Uint8Array(200_000)], 'a"b.png', { type: "image/png" });
  // The fake server reads no chunked body: it answers the head.
  await client(server).uploadMedia(file, { description: "dot", onProgress: (sent, total) => seen.push([sent, total]) });
  assert.ok(seen.length > 1);
  const [sent, total] = seen.at(-1);
  assert.equal(sent, total);
  assert.ok(total > 200_000 && total < 201_000);
  assert.match(server.requests[0].header("content-type"), /^multipart\/form-data; boundary=/);
});

test("an aborted call ends at once", async (t) => {
  const server = await fake(t, () => {});
  const stop = new AbortController();
  const call = client(server).showHome({}, { signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(call, { name: "NetworkError", message: "showHome was aborted." });
});

test("bad arguments get a sentence and send nothing", async (t) => {
  const server = await fake(t, (request, socket) => socket.write(answer(200, {})));
  for (const address of ["", "social.example", "ftp://x", "http://user:pw@x", "http://x/?q=1"]) {
    assert.throws(() => new Fanfare(address), UsageError, address);
  }
  for (const options of [
    { token: "" },
    { token: "a b" },
    { token: "a\nb" },
    { timeout: 0 },
    { maxWait: -1 },
    { maxAnswerBytes: "x" },
  ]) {
    assert.throws(() => new Fanfare(server.url, options), UsageError, JSON.stringify(options));
  }
  const fanfare = client(server);
  for (const bad of [
    () => fanfare.showStatus(),
    () => fanfare.showStatus({ id: "" }),
    () => fanfare.showStatus({ id: ".." }),
    () => fanfare.showStatus({ id: {} }),
    () => fanfare.showStatus(null),
    () => fanfare.showHome({ limit: NaN }),
    () => fanfare.showHome({ limit: () => 1 }),
    () => fanfare.showHome({}, { idempotencyKey: "k" }),
    () => fanfare.uploadMedia("path.png"),
  ]) {
    await assert.rejects(bad, (error) => error instanceof UsageError && /\.$/.test(error.message), String(bad));
  }
  assert.equal(server.requests.length, 0);
});

test("no error and no printed client shows the token", async (t) => {
  const { inspect } = await import("node:util");
  const server = await fake(t, (request, socket) => socket.destroy());
  const fanfare = client(server, { retries: 0 });
  const error = await fanfare.showHome().catch((cause) => cause);
  const shown = inspect([error, fanfare, fanfare.streams.home(), fanfare.streams.home().open()], {
    depth: 9,
    showHidden: true,
  });
  assert.ok(!shown.includes(TOKEN), shown);
});
