import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, Fanfare, NetworkError, ProtocolError, UsageError } from "fanfare-client";
import { answer, COMPRESSED, fake, gzip, hello, status, STREAM } from "./fake.mjs";

const TOKEN = "secret-token";
const client = (server, options) => new Fanfare(server.url, { token: TOKEN, ...options });

/** Takes batches until `enough` of the events holds, and closes the stream. */
async function take(stream, enough) {
  const events = [];
  const cursors = [];
  for await (const batch of stream) {
    events.push(...batch.events);
    cursors.push(batch.cursor);
    if (enough(events, cursors)) {
      break;
    }
  }
  return { events, cursors };
}

const ids = (events) => events.filter(({ type }) => type === "status").map(({ data }) => data.id);
const query = (request) => new URL(request.line.split(" ")[1], "http://x").searchParams;

test("events are typed, and a batch has the cursor after its last event", async (t) => {
  const text =
    hello("5f3a9c01-1") +
    status(2, 7) +
    'id: 5f3a9c01-3\nevent: status.update\ndata: {"id":"7"}\n\n' +
    'id: 5f3a9c01-4\nevent: delete\ndata: {"id":"7","account_id":"1","deleted":true}\n\n' +
    'event: vote\ndata: {"id":"9","account_id":"1","votes":2,"score":3}\n\n' +
    'id: 5f3a9c01-5\nevent: invented\ndata: {"later":"version"}\n\n' +
    "id: 5f3a9c01-6\n\n";
  const server = await fake(t, (request, socket) => socket.write(STREAM + text));
  const stream = client(server).streams.firehose().open();
  const { value } = await stream.next();
  assert.deepEqual(
    value.events.map(({ type, id }) => [type, id]),
    [
      ["hello", "5f3a9c01-1"],
      ["status", "5f3a9c01-2"],
      ["edit", "5f3a9c01-3"],
      ["delete", "5f3a9c01-4"],
      ["vote", undefined],
    ],
  );
  assert.equal(value.cursor, "5f3a9c01-6");
  await stream.close();
});

test("a heartbeat hands over a cursor without events", async (t) => {
  const server = await fake(t, (request, socket) => {
    socket.write(STREAM + hello("5f3a9c01-1"));
    setTimeout(() => socket.write("id: 5f3a9c01-9\n\n"), 100);
  });
  const { cursors } = await take(client(server).streams.firehose().open(), (_, { length }) => length === 2);
  assert.deepEqual(cursors, ["5f3a9c01-1", "5f3a9c01-9"]);
});

test("a cut in the middle of an event drops that event, and the next connection resumes before it", async (t) => {
  const server = await fake(t, (request, socket, n) =>
    n === 1
      ? socket.end(STREAM + hello("5f3a9c01-1") + status(2) + status(3).slice(0, -5))
      : socket.write(STREAM + hello("5f3a9c01-2") + status(3)),
  );
  const retries = [];
  const onRetry = (error, wait, attempt) => retries.push([error.name, wait <= 250, attempt]);
  const { events } = await take(client(server).streams.firehose().open({ onRetry }), (seen) => ids(seen).length === 2);
  assert.deepEqual(ids(events), ["1002", "1003"]);
  assert.equal(query(server.requests[0]).get("last_event_id"), null);
  assert.equal(query(server.requests[1]).get("last_event_id"), "5f3a9c01-2");
  assert.deepEqual(retries, [["NetworkError", true, 1]]);
});

test("each compressed event is handed over before the server sends another", async (t) => {
  let next;
  const server = await fake(t, async (request, socket) => {
    const flushed = gzip();
    socket.write(COMPRESSED);
    socket.write(await flushed(hello("5f3a9c01-1")));
    let seq = 2;
    next = async () => socket.write(await flushed(status(seq++)));
  });
  const events = [];
  for await (const batch of client(server).streams.firehose().open()) {
    assert.equal(batch.events.length, 1);
    events.push(...batch.events);
    if (events.length === 5) {
      break;
    }
    await next();
  }
  assert.match(server.requests[0].header("accept-encoding"), /gzip/);
  assert.deepEqual(ids(events), ["1002", "1003", "1004", "1005"]);
});

test("broken gzip, and an end in its middle, resume after the last event", async (t) => {
  const server = await fake(t, async (request, socket, n) => {
    const flushed = gzip();
    socket.write(COMPRESSED);
    socket.write(await flushed(hello(`5f3a9c01-${n}`) + status(n + 1)));
    if (n === 1) {
      await delay(100); // zlib drops what a chunk has before its broken part
      socket.write(Buffer.alloc(40, 0xff));
    } else if (n === 2) {
      socket.end((await flushed(status(4))).subarray(0, -9));
    }
  });
  const retries = [];
  const stream = client(server).streams.firehose();
  const { events } = await take(
    stream.open({ onRetry: ({ name }) => retries.push(name) }),
    (seen) => ids(seen).length === 3,
  );
  assert.deepEqual(ids(events), ["1002", "1003", "1004"]);
  assert.deepEqual(retries, ["NetworkError", "NetworkError"]);
  assert.deepEqual(
    server.requests.map((request) => query(request).get("last_event_id")),
    [null, "5f3a9c01-2", "5f3a9c01-3"],
  );
});

test("what a server repeats is dropped, but not what follows a gap with the reason future", async (t) => {
  const gap = 'event: gap\ndata: {"from":null,"to":null,"reason":"future","missed":null}\n\n';
  const server = await fake(t, (request, socket, n) =>
    n === 1
      ? socket.end(STREAM + hello("5f3a9c01-5") + status(6) + status(7))
      : socket.write(STREAM + hello("5f3a9c01-5") + status(6) + status(7) + status(8) + gap + status(2) + status(3)),
  );
  const { events, cursors } = await take(client(server).streams.firehose().open(), (seen) => ids(seen).length >= 5);
  assert.deepEqual(ids(events), ["1006", "1007", "1008", "1002", "1003"]);
  assert.equal(cursors.at(-1), "5f3a9c01-3");
});

test("a gap is an event, and onGap is awaited before it is handed over", async (t) => {
  const gap = 'event: gap\ndata: {"from":3,"to":90,"reason":"expired","missed":88}\n\n';
  const server = await fake(t, (request, socket) => socket.write(STREAM + hello() + gap + status(91)));
  const order = [];
  const onGap = async ({ missed }) => {
    await delay(50);
    order.push(missed);
  };
  const { events } = await take(
    client(server).streams.firehose().after("5f3a9c01-2").open({ onGap }),
    (seen) => seen.length > 2,
  );
  order.push("batch");
  assert.deepEqual(order, [88, "batch"]);
  assert.deepEqual(
    events.map(({ type }) => type),
    ["hello", "gap", "status"],
  );
});

test("a gap waits until the events before it are handled, and its callback is no silence", async (t) => {
  const gap = 'event: gap\ndata: {"from":3,"to":90,"reason":"expired","missed":88}\n\n';
  const server = await fake(t, (request, socket) => socket.write(STREAM + hello() + status(2) + gap + status(91)));
  const order = [];
  const onGap = async () => {
    order.push("onGap");
    await delay(1000);
  };
  const stream = client(server)
    .streams.firehose()
    .open({ onGap, silence: 200, onRetry: ({ message }) => order.push(message) });
  for await (const { events } of stream) {
    order.push(...events.map(({ type, data }) => (type === "status" ? data.id : type)));
    if (events.length && order.at(-1) === "1091") {
      stream.next().catch(() => {}); // reads on, so that the watchdog judges the time of onGap
      await delay(100);
      break;
    }
  }
  assert.deepEqual(order, ["hello", "1002", "onGap", "gap", "1091"]);
});

test("close in onGap ends the iteration without another batch or gap", async (t) => {
  const gap = 'event: gap\ndata: {"from":3,"to":90,"reason":"expired","missed":88}\n\n';
  const server = await fake(t, (request, socket) => socket.write(STREAM + hello() + gap + status(91) + gap));
  let gaps = 0;
  const onGap = async () => {
    gaps++;
    await stream.close();
  };
  const stream = client(server).streams.firehose().open({ onGap });
  const { events } = await take(stream, () => false);
  assert.deepEqual(
    events.map(({ type }) => type),
    ["hello"],
  );
  assert.equal(gaps, 1);
  assert.equal(server.requests.length, 1);
});

test("an error of onGap ends the iteration with it", async (t) => {
  const gap = 'event: gap\ndata: {"from":3,"to":90,"reason":"expired","missed":88}\n\n';
  const server = await fake(t, (request, socket) => socket.write(STREAM + hello() + gap));
  const onGap = () => {
    throw new RangeError("mine");
  };
  await assert.rejects(
    take(client(server).streams.firehose().open({ onGap }), () => false),
    RangeError,
  );
  assert.equal(server.requests.length, 1);
});

test("final answers end the stream with the server's sentence", async (t) => {
  for (const code of [400, 401, 403, 404, 405, 406, 410, 413, 414, 415, 416, 422, 451]) {
    const server = await fake(t, (request, socket) => socket.write(answer(code, { error: "No.", param: "track" })));
    const next = client(server).streams.firehose().open().next();
    await assert.rejects(next, { name: "ApiError", status: code, message: `No. (stream: ${code})`, param: "track" });
    assert.equal(server.requests.length, 1, String(code));
  }
});

test("temporary answers are tried again, after Retry-After when there is one", async (t) => {
  for (const code of [408, 425, 429, 500, 502, 503, 504]) {
    const server = await fake(t, (request, socket, n) =>
      socket.write(n === 1 ? answer(code, "<html>", { "Retry-After": "1" }) : STREAM + hello("5f3a9c01-1")),
    );
    const waits = [];
    const stream = client(server)
      .streams.firehose()
      .open({ onRetry: (error, wait) => waits.push([error.status, wait]) });
    await stream.next();
    await stream.close();
    assert.deepEqual(waits, [[code, 1000]]);
  }
});

test("a status without Retry-After waits for at least 2.5 s", async (t) => {
  const server = await fake(t, (request, socket) => socket.write(answer(503, "")));
  let waited;
  const stream = client(server)
    .streams.firehose()
    .open({
      onRetry: (error, wait) => {
        waited = wait;
        stream.close();
      },
    });
  assert.equal((await stream.next()).done, true);
  assert.ok(waited >= 2500 && waited <= 5000, String(waited));
});

test("the server's disconnect ends, replaces or reconnects by its code and its retry", async (t) => {
  const bye = (code) => `retry: 70\nevent: disconnect\ndata: {"code":${code},"message":"Bye."}\n\n`;
  const run = async (code) => {
    const server = await fake(t, (request, socket, n) =>
      socket.write(STREAM + hello(`5f3a9c01-${n}`) + (n === 1 ? bye(code) : "")),
    );
    const waits = [];
    const stream = client(server)
      .streams.firehose()
      .open({ onRetry: (error, wait) => waits.push(wait) });
    await stream.next();
    const second = await stream.next().catch((error) => error);
    await stream.close();
    return { second, waits };
  };
  for (const code of [1, 3, 4, 6, 10, 12]) {
    const { second, waits } = await run(code);
    assert.deepEqual([second.done, waits], [false, [70]], String(code));
  }
  assert.match((await run(7)).second.message, /^The server ended the stream: Bye/);
  assert.equal((await run(9)).second.done, true);
});

test("204 ends a stream without an error", async (t) => {
  const server = await fake(t, (request, socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n"));
  const stream = client(server).streams.firehose().count(-3).after("5f3a9c01-7-end").open();
  assert.equal((await stream.next()).done, true);
  assert.equal(query(server.requests[0]).get("last_event_id"), "5f3a9c01-7-end");
  assert.equal(query(server.requests[0]).get("count"), "-3");
});

test("a page of another server is an error at once", async (t) => {
  const server = await fake(t, (request, socket) =>
    socket.write(answer(200, "<html>", { "Content-Type": "text/html" })),
  );
  await assert.rejects(client(server).streams.firehose().open().next(), { name: "ProtocolError" });
});

test("streams that break the rules three times end with an error", async (t) => {
  const cases = {
    "data that is no JSON": "event: status\ndata: {oops\n\n",
    "data that is a list": "event: status\ndata: []\n\n",
    "data that is null": "event: gap\ndata: null\n\n",
    "a status without id": 'id: 5f3a9c01-2\nevent: status\ndata: {"id":{}}\n\n',
    "an id that is no position": "id: nonsense\n\n",
    "a line without end": `data: ${"x".repeat(70_000)}`,
    "an event of many lines": "data: y\n".repeat(20_000),
  };
  for (const [name, text] of Object.entries(cases)) {
    const server = await fake(t, (request, socket) => socket.write(STREAM + hello("5f3a9c01-1") + text));
    const read = async () => {
      for await (const batch of client(server).streams.firehose().open({ maxEventBytes: 65_536 })) {
        assert.ok(batch);
      }
    };
    await assert.rejects(read, ProtocolError, name);
    assert.equal(server.requests.length, 3, name);
  }
});

test("an endless line needs bounded memory", async (t) => {
  let sent = 0;
  const server = await fake(t, (request, socket) => {
    socket.write(STREAM + hello("5f3a9c01-1") + "data: ");
    const more = () => {
      sent += 65_536;
      return socket.writable && socket.write("z".repeat(65_536), more);
    };
    more();
  });
  const before = process.memoryUsage().rss;
  await assert.rejects(
    take(client(server).streams.firehose().open(), () => false),
    ProtocolError,
  );
  assert.ok(sent < 64 << 20, `${sent} bytes were sent`);
  assert.ok(process.memoryUsage().rss - before < 200 << 20, `${process.memoryUsage().rss - before} bytes were taken`);
});

test("a consumer that does not read makes the server wait", async (t) => {
  let sent = 0;
  const server = await fake(t, (request, socket) => {
    socket.write(STREAM + hello("5f3a9c01-1"));
    let seq = 2;
    const more = () => {
      const text = Array.from({ length: 500 }, () => status(seq++)).join("");
      sent += text.length;
      return socket.writable && socket.write(text, more);
    };
    more();
  });
  const stream = client(server).streams.firehose().open();
  const { value } = await stream.next();
  await delay(1000);
  assert.ok(sent < 24 << 20, `${sent} bytes were sent to a consumer that reads none`);
  assert.ok(value.events.length <= 500);
  const { events } = await take(stream, (seen) => seen.length > 20_000);
  const seen = ids([...value.events, ...events]).map(Number);
  assert.deepEqual(
    seen,
    seen.map((_, at) => 1002 + at),
  );
});

test("a silent connection counts as cut, and so does one without whole events", async (t) => {
  const server = await fake(t, (request, socket, n) => {
    socket.write(STREAM + hello(`5f3a9c01-${n}`));
    const timer = n === 2 && setInterval(() => socket.write("x"), 50);
    socket.on("close", () => clearInterval(timer));
  });
  const reasons = [];
  const stream = client(server)
    .streams.firehose()
    .open({ silence: 600, onRetry: ({ message }) => reasons.push(message) });
  await take(stream, (_, cursors) => cursors.length === 3);
  assert.deepEqual(reasons, ["The server is silent.", "The server sends no whole event."]);
});

test("a server that accepts and never answers counts as cut", async (t) => {
  const server = await fake(t, (request, socket, n) => n > 1 && socket.write(STREAM + hello("5f3a9c01-1")));
  const reasons = [];
  const stream = client(server)
    .streams.firehose()
    .open({ silence: 600, onRetry: ({ message }) => reasons.push(message) });
  await take(stream, () => true);
  assert.deepEqual(reasons, ["The server does not answer."]);
});

test("a filter is a form of a POST, and change replaces it on the open stream and later", async (t) => {
  const server = await fake(t, (request, socket) => {
    if (request.line.startsWith("PUT")) {
      socket.end(answer(200, { conn: "c1" }, { Connection: "close" }));
      return;
    }
    socket.write(STREAM + hello("5f3a9c01-1"));
  });
  const fanfare = client(server);
  const filter = fanfare.streams.filter().track("good morning", "hello").follow("8").language("en").rate(50).maxRate(3);
  const stream = filter.open();
  await stream.next();
  assert.match(server.requests[0].line, /^POST \/api\/v1\/streaming\/filter\?max_rate=3 /);
  assert.equal(server.requests[0].body, "track=good+morning%2Chello&follow=8&language=en&rate=50");
  await stream.change(fanfare.streams.filter().track("other"));
  const put = server.requests.find(({ line }) => line.startsWith("PUT"));
  assert.equal(put.line, "PUT /api/v1/streaming/connections/c1/filter HTTP/1.1");
  assert.equal(put.body, "track=other");
  server.sockets.forEach((socket) => socket.destroy());
  await stream.next();
  assert.equal(server.requests.at(-1).body, "track=other");
  assert.equal(query(server.requests.at(-1)).get("max_rate"), "3", "what is no part of the filter stays");
  await stream.close();
});

test("change reconnects with the new filter when the server does not know the connection", async (t) => {
  const server = await fake(t, (request, socket) =>
    request.line.startsWith("PUT")
      ? socket.end(answer(404, { error: "Record not found" }, { Connection: "close" }))
      : socket.write(STREAM + hello("5f3a9c01-1")),
  );
  const fanfare = client(server);
  const stream = fanfare.streams.filter().track("one").open();
  await stream.next();
  const next = stream.next();
  await stream.change(fanfare.streams.filter().track("two"));
  await next;
  assert.equal(server.requests.at(-1).body, "track=two");
  assert.equal(query(server.requests.at(-1)).get("last_event_id"), "5f3a9c01-1");
  await stream.close();
});

test("a ticket takes the place of the token, and each connection gets its own", async (t) => {
  const server = await fake(t, (request, socket) => socket.end(STREAM + hello("5f3a9c01-1")));
  let tickets = 0;
  const ticket = async () => `t${++tickets}`;
  const stream = new Fanfare(server.url, { ticket }).streams.filter().track("a").open();
  await stream.next();
  await stream.next();
  await stream.close();
  assert.deepEqual(
    server.requests.slice(0, 2).map((request) => [query(request).get("ticket"), request.header("authorization")]),
    [
      ["t1", undefined],
      ["t2", undefined],
    ],
  );
});

test("a client that has only tickets changes its filter by a new connection", async (t) => {
  const server = await fake(t, (request, socket) => socket.write(STREAM + hello("5f3a9c01-1")));
  let tickets = 0;
  const { streams } = new Fanfare(server.url, { ticket: () => `t${++tickets}` });
  const stream = streams.filter().track("one").open();
  await stream.next();
  const next = stream.next();
  await stream.change(streams.filter().track("two"));
  await next;
  await stream.close();
  assert.deepEqual(
    server.requests.map((request) => [request.line.split(" ")[0], query(request).get("ticket"), request.body]),
    [
      ["POST", "t1", "track=one"],
      ["POST", "t2", "track=two"],
    ],
  );
});

test("a ticket that cannot be had is tried again", async (t) => {
  const server = await fake(t, (request, socket) => socket.write(STREAM + hello("5f3a9c01-1")));
  let tries = 0;
  const ticket = () => {
    if (++tries < 3) {
      throw new Error("no ticket");
    }
    return "t";
  };
  const stream = new Fanfare(server.url, { ticket }).streams.firehose().open();
  await stream.next();
  await stream.close();
  assert.equal(tries, 3);
});

test("close waits until the connection is closed, from outside, from the loop and twice", async (t) => {
  const streaming = new Set();
  const server = await fake(t, (request, socket) => {
    streaming.add(socket);
    socket.on("close", () => streaming.delete(socket));
    socket.write(STREAM + hello("5f3a9c01-1"));
  });
  const fanfare = client(server);
  const outside = fanfare.streams.firehose().open();
  await outside.next();
  const pending = outside.next();
  await outside.close();
  await outside.close();
  assert.equal((await pending).done, true);
  assert.equal((await outside.next()).done, true);
  const inside = fanfare.streams.firehose().open();
  let batches = 0;
  for await (const batch of inside) {
    assert.ok(batch);
    batches++;
    await inside.close();
  }
  assert.equal(batches, 1);
  await fanfare.streams.firehose().open().close();
  for (let waits = 0; streaming.size > 0 && waits < 100; waits++) {
    await delay(20);
  }
  assert.equal(streaming.size, 0);
  assert.equal(server.requests.length, 2);
});

test("fillGap walks forward over REST, and the stream does not repeat what was filled", async (t) => {
  const gap = 'event: gap\ndata: {"from":3,"to":90,"reason":"expired","missed":88}\n\n';
  const pages = [[{ id: "12" }, { id: "11" }], [{ id: "13" }], []];
  const server = await fake(t, (request, socket) =>
    request.line.includes("/timelines/")
      ? socket.write(answer(200, pages.shift()))
      : socket.write(STREAM + hello() + gap + status(91, 13) + status(92, 14)),
  );
  const filled = [];
  const stream = client(server)
    .streams.home()
    .after("5f3a9c01-2")
    .open({
      async onGap() {
        for await (const { id } of stream.fillGap({ minId: "10" })) {
          filled.push(id);
        }
      },
    });
  const { events } = await take(stream, (seen) => seen.length > 2);
  assert.deepEqual(filled, ["11", "12", "13"]);
  assert.deepEqual(ids(events), ["14"]);
  const walks = server.requests.filter(({ line }) => line.includes("timelines"));
  assert.deepEqual(
    walks.map((request) => query(request).get("min_id")),
    ["10", "12", "13"],
  );
  assert.match(walks[0].line, /home/);
});

test("fillGap begins before the last gap, also while the batch of the gap is handled", async (t) => {
  const gap = 'event: gap\ndata: {"from":3,"to":90,"reason":"expired","missed":88}\n\n';
  const server = await fake(t, (request, socket) =>
    socket.write(
      request.line.includes("/timelines/")
        ? answer(200, query(request).get("min_id") === "1002" ? [{ id: "1050" }] : [])
        : STREAM + hello() + status(2) + gap + status(91),
    ),
  );
  const filled = [];
  const stream = client(server).streams.home().open();
  for await (const { events } of stream) {
    if (events.some(({ type }) => type === "gap")) {
      assert.deepEqual(ids(events), ["1091"]);
      for await (const { id } of stream.fillGap()) {
        filled.push(id);
      }
      break;
    }
  }
  assert.deepEqual(filled, ["1050"]);
});

test("bad arguments of a stream get a sentence and send nothing", async (t) => {
  const server = await fake(t, () => {});
  const { streams } = client(server);
  const bad = [
    () => streams.filter().open(),
    () => streams.filter().track().open(),
    () => streams.filter().track(""),
    () => streams.filter().track("a,b"),
    () => streams.filter().track("a，b"),
    () => streams.filter().locations([1, 2, 3]),
    () => streams.filter().locations([1, 2, 3, NaN]),
    () => streams.firehose().track("a"),
    () => streams.home().rate(3),
    () => streams.home().partition(0, 2),
    () => streams.firehose().fields("content,account"),
    () => streams.filter().replies("all"),
    () => streams.firehose().after("nonsense"),
    () => streams.firehose().open({ maxEventBytes: 0 }),
    () => streams.firehose().open({ silence: -1 }),
  ];
  for (const call of bad) {
    assert.throws(call, (error) => error instanceof UsageError && /\.$/.test(error.message), String(call));
  }
  const stream = streams.firehose().open();
  await assert.rejects(stream.change(streams.filter().track("a")), UsageError);
  await assert.rejects(stream.fillGap().next(), UsageError);
  await stream.close();
  assert.equal(server.requests.length, 0);
  assert.ok(ApiError.prototype instanceof Error && NetworkError.prototype instanceof Error);
});

test("a builder is immutable", () => {
  const filter = new Fanfare("http://127.0.0.1:1").streams.filter().track("a");
  filter.track("b").follow("1");
  assert.deepEqual(filter.parameters, { track: "a" });
  const part = filter.partition(1, 4).fields("content").fields("account");
  assert.deepEqual(part.parameters, { track: "a", partition: "1/4", fields: "content,account" });
});
