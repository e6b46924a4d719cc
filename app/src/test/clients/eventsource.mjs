/**
 * Drives EventSource through the native streams: what it hears, and that it misses nothing and repeats nothing when its connection breaks. Node's own when node has one, and else
 * that of a page in Chromium.
 *
 * Usage: node [--experimental-eventsource] eventsource.mjs HOST:PORT ANN BOB PASSWORD    two users who have signed up
 */
import http from "node:http";
import net from "node:net";
import { check, Heard, refused, run, same, soon } from "./checks.mjs";

const [host, annName, bobName, password] = process.argv.slice(2);
const url = `http://${host}`;
const NAMES = ["hello", "status", "delete", "follow", "gap", "disconnect"];
const LOST = 20; // statuses that are posted while nobody listens

/** A wire to the server that can be cut, and that can put a token into the first request of a connection, as a proxy can that knows its user. */
class Wire {
  pairs = new Set();
  bearer = "";

  async lay() {
    const [name, port] = host.split(":");
    this.server = net.createServer((near) => {
      const far = net.connect(Number(port), name);
      const pair = [near, far];
      this.pairs.add(pair);
      if (this.bearer) {
        near.once("data", (head) => {
          far.write(head.toString("latin1").replace("\r\n", `\r\nAuthorization: Bearer ${this.bearer}\r\n`), "latin1");
          near.pipe(far);
        });
      } else {
        near.pipe(far);
      }
      far.pipe(near);
      pair.forEach((end) => end.on("error", () => {}).on("close", () => this.pairs.delete(pair)));
    });
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  cut() {
    [...this.pairs].flat().forEach((end) => end.destroy());
  }
}

async function call(method, path, token, body) {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  return answer.ok ? answer.json() : Promise.reject(new Error(`${answer.status} ${await answer.text()}`));
}

async function logIn(username) {
  const app = await call("POST", "/api/v1/apps", null, {
    client_name: "conformance",
    redirect_uris: "urn:ietf:wg:oauth:2.0:oob",
    scopes: "read write follow",
  });
  const { client_id, client_secret } = app;
  return (
    await call("POST", "/oauth/token", null, {
      grant_type: "password",
      client_id,
      client_secret,
      username,
      password,
      scope: "read write follow",
    })
  ).access_token;
}

/** EventSources in this process. */
class Here {
  async open(address, heard) {
    const source = new EventSource(address);
    for (const name of NAMES) {
      source.addEventListener(name, ({ data, lastEventId }) => heard.tell(name, data, lastEventId));
    }
    source.onmessage = ({ data }) => heard.tell("error", JSON.stringify({ data }), "");
    return { isClosed: async () => source.readyState === EventSource.CLOSED, close: async () => source.close() };
  }

  /** One that comes back by itself: no cookies here, so the wire says who it is. */
  async openForGood(wire, near, token, heard) {
    wire.bearer = token;
    return this.open(`${near}/api/v1/streaming/firehose`, heard);
  }
}

/** EventSources in a page of a browser, which comes from another origin than the streams. */
class InChromium {
  heard = [];

  async start() {
    const { chromium } = await import("playwright-core");
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    // Without a sandbox, since CI may be root; and without what a browser looks for on the Internet.
    const args = [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ];
    const browser = await chromium.launch({ executablePath, args });
    const site = http.createServer((request, answer) =>
      answer.setHeader("Content-Type", "text/html").end("<title>a page</title>"),
    );
    await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
    this.page = await browser.newPage();
    await this.page.exposeFunction("tell", (number, name, data, lastEventId) =>
      this.heard[number].tell(name, data, lastEventId),
    );
    await this.page.goto(`http://127.0.0.1:${site.address().port}/`);
    return browser.version();
  }

  async open(address, heard) {
    const number = this.heard.push(heard) - 1;
    const source = await this.page.evaluateHandle(
      ([address, names, number]) => {
        const source = new EventSource(address);
        for (const name of names) {
          source.addEventListener(name, ({ data, lastEventId }) => globalThis.tell(number, name, data, lastEventId));
        }
        source.onmessage = ({ data }) => globalThis.tell(number, "error", JSON.stringify({ data }), "");
        return source;
      },
      [address, NAMES, number],
    );
    return {
      isClosed: () => source.evaluate((it) => it.readyState === EventSource.CLOSED),
      close: () => source.evaluate((it) => it.close()),
    };
  }

  /** One that comes back by itself: on a page of the server's own, with the cookie of its ticket. */
  async openForGood(wire, near, token, heard) {
    await this.page.goto(`${near}/docs`);
    const ticket = await this.page.evaluate(async (token) => {
      const answer = await fetch("/api/v1/streaming/tickets", {
        method: "POST",
        headers: { Authorization: `Bearer ${token}` },
      });
      return (await answer.json()).ticket;
    }, token);
    return this.open(`${near}/api/v1/streaming/firehose?ticket=${ticket}`, heard);
  }
}

class Named extends Heard {
  tell(name, data, lastEventId) {
    const payload = { ...JSON.parse(data), lastEventId };
    this.add(name, payload.id, payload);
  }
}

run(async () => {
  const ann = await check(
    "log in",
    () => logIn(annName),
    (token) => token,
  );
  const bob = await check(
    "log in by address",
    () => logIn(`${bobName}@example.org`),
    (token) => token,
  );
  const post = async (text) => (await call("POST", "/api/v1/statuses", ann, { status: text, visibility: "public" })).id;
  const wire = new Wire();
  const near = await check("a wire that can be cut", () => wire.lay());
  const sources = globalThis.EventSource ? new Here() : new InChromium();
  if (sources instanceof InChromium) {
    await check(
      "a page in Chromium",
      () => sources.start(),
      (version) => version,
    );
  }
  const listen = async (address) => {
    const heard = new Named();
    return [await sources.open(address, heard), heard];
  };

  const ticket = async () => (await call("POST", "/api/v1/streaming/tickets", bob)).ticket;
  const used = await check("a ticket", ticket, (it) => it.length >= 24);
  const [source, heard] = await listen(`${near}/api/v1/streaming/firehose?ticket=${used}`);
  const hello = await check(
    "hello",
    () => heard.first((one) => one.event === "hello"),
    (it) => it.payload.stream === "firehose" && it.payload.resumed === false,
  );
  const first = await post("Live");
  await check(
    "status",
    () => heard.hears("status", first),
    (it) => it.payload.content.includes("Live") && it.payload.lastEventId.startsWith(`${hello.payload.epoch}-`),
  );
  await call("DELETE", `/api/v1/statuses/${first}`, ann);
  const removed = await check(
    "delete",
    () => heard.hears("delete", first),
    (it) => it.payload.deleted && !("text" in it.payload),
  );

  // A ticket opens one stream: with its connection gone, EventSource is told 401 and ends; the page takes a new ticket and says where it was.
  wire.cut();
  await soon(
    "a used ticket ends it",
    () => source.isClosed(),
    (closed) => closed,
  );
  const missed = await post("While nobody listened");
  const [again, later] = await listen(
    `${near}/api/v1/streaming/firehose?ticket=${await ticket()}&last_event_id=${removed.payload.lastEventId}`,
  );
  await check(
    "hello with a new ticket",
    () => later.first((one) => one.event === "hello"),
    (it) => it.payload.resumed === true,
  );
  await check("what was missed", () => later.hears("status", missed));
  await check(
    "nothing twice",
    () => later.count("delete", first) + later.count("status", first),
    (times) => times === 0,
  );
  await again.close();

  // Where the same address is good again EventSource comes back by itself, with Last-Event-ID.
  const all = new Named();
  const steady = await sources.openForGood(wire, near, bob, all);
  await check("hello with a token", () => all.first((one) => one.event === "hello"));
  const posted = [await post("Before the cut")];
  await check("before the cut", () => all.hears("status", posted[0]));
  wire.cut();
  for (let number = 0; number < LOST; number++) {
    posted.push(await post(`number ${number}`));
  }
  await check("what was posted meanwhile", () => all.hears("status", posted[LOST]));
  await check(
    "hello when it came back",
    () => all.events.filter((one) => one.event === "hello"),
    (hellos) =>
      hellos.length === 2 && hellos[1].payload.resumed === true && hellos[1].payload.epoch === hello.payload.epoch,
  );
  posted.push(await post("After the cut"));
  await check("live again", () => all.hears("status", posted[LOST + 1]));
  // The order is that of the log: two posts that follow each other on two connections may lie there the other way round.
  const told = () => all.events.filter((one) => one.event === "status" && posted.includes(one.id));
  await check(
    "everything once",
    () => told().map((one) => one.id),
    (ids) => same([...ids].sort(), [...posted].sort()),
  );
  await check(
    "in order",
    () => told().map((one) => Number(one.payload.lastEventId.split("-")[1])),
    (seqs) => seqs.every((seq, at) => at === 0 || seq > seqs[at - 1]),
  );
  await check(
    "no gap, no error, no end",
    () => all.events.filter((one) => ["gap", "error", "disconnect"].includes(one.event)),
    (found) => same(found, []),
  );
  await steady.close();

  await refused(
    "a token in the address",
    () => call("GET", `/api/v1/streaming/firehose?access_token=${bob}`),
    (error) => error.message.startsWith("401"),
  );
  await refused(
    "a stream without a token",
    () => call("GET", "/api/v1/streaming/firehose"),
    (error) => error.message.startsWith("401"),
  );
});
