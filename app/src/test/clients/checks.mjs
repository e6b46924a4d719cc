/** What the scripts that run in node share: each failing check is printed with its call and answer. */

import { crc32, deflateSync } from "node:zlib";

const PATIENCE = 15_000; // ms, for what reaches others through the queue
let checks = 0;
let failed = 0;

function report(call, answer) {
  failed++;
  console.log(
    `FAILED  ${call}\n  answer: ${answer instanceof Error ? answer : JSON.stringify(answer)?.slice(0, 2000)}`,
  );
}

/**
 * The call answers, and what it answers is right; the answer, undefined when there was none.
 *
 * @template T
 * @param {string} call
 * @param {() => T | Promise<T>} ask
 * @param {(answer: T) => unknown} [holds]
 * @returns {Promise<T>}
 */
export async function check(call, ask, holds = () => true) {
  checks++;
  let answer;
  try {
    answer = await ask();
    if (!holds(answer)) {
      report(call, answer);
    }
  } catch (cause) {
    report(call, cause);
  }
  return answer;
}

/**
 * check, after some time.
 *
 * @template T
 * @param {string} call
 * @param {() => T | Promise<T>} ask
 * @param {(answer: T) => unknown} [holds]
 * @returns {Promise<T>}
 */
export async function soon(call, ask, holds) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    try {
      if (holds(await ask())) {
        break;
      }
    } catch {
      // Asked again.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return check(call, ask, holds);
}

/** The call fails with an error for which this holds. */
export async function refused(call, ask, holds) {
  checks++;
  try {
    report(call, await ask());
  } catch (cause) {
    if (!holds(cause)) {
      report(call, cause);
    }
  }
}

/** What a stream says, kept until it is asked for: {event, id, payload}. */
export class Heard {
  events = [];

  add(event, id, payload) {
    this.events.push({ event, id, payload });
  }

  count(event, id) {
    return this.events.filter((one) => one.event === event && one.id === id).length;
  }

  /** The first event for which this holds; fails with everything that was heard when none comes before patience ends. */
  async first(holds) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const found = this.events.find(holds);
      if (found) {
        return found;
      }
      if (Date.now() > end) {
        throw new Error(`heard only ${JSON.stringify(this.events).slice(0, 2000)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  hears(event, id) {
    return this.first((one) => one.event === event && one.id === id);
  }
}

/**
 * What must hold for a viewer's own stream and for public ones, all opened by somebody who follows the author.
 *
 * @param post makes a status of a text and a visibility; answers its id
 * @param edit gives the status of an id another text
 * @param remove takes the status of an id back
 * @param name of the viewer
 * @param own what the viewer's own stream says
 * @param others what the public streams say, by name; all of them tell public statuses with the tag
 */
export async function streams(post, edit, remove, tag, name, own, others) {
  const all = { user: own, ...others };
  const everybody = (event, id) => Promise.all(Object.values(all).map((one) => one.hears(event, id)));
  // A subscription has no answer, so it is spoken to until it is heard.
  await soon(
    "streams are open",
    () => post(`Is anybody there? #${tag}`, "public"),
    () => Object.values(all).every((one) => one.events.length > 0),
  );

  const id = await post(`Live, with "quotes", #${tag}`, "public");
  const heard = await check("a public status on every stream", () => everybody("update", id));
  await check(
    "a streamed status is whole",
    () => heard[0].payload,
    (it) => it.content.includes("Live") && it.account.id && it.tags[0].name === tag,
  );
  await edit(id, `Better, #${tag}`);
  const edited = await check("its edit on every stream", () => everybody("status.update", id));
  await check(
    "a streamed edit is whole",
    () => edited[0].payload,
    (it) => it.content.includes("Better") && it.account.id && it.tags[0].name === tag,
  );
  await remove(id);
  await check("its delete on every stream, with the bare id", () => everybody("delete", id));

  const secret = await post(`For followers #${tag}`, "private");
  const last = await post(`The last one #${tag}`, "public");
  await check("what comes later, on every stream", () => everybody("update", last));
  await check(
    "a private status on the user's own stream",
    () => own.count("update", secret),
    (times) => times === 1,
  );
  for (const [stream, other] of Object.entries(others)) {
    await check(
      `no private status on ${stream}`,
      () => other.count("update", secret),
      (times) => times === 0,
    );
  }
  const mention = await post(`Hello @${name}`, "public");
  const told = (one) => one.event === "notification" && one.payload.status?.id === mention;
  await check(
    "a notification on the user's own stream",
    () => own.first(told),
    (it) => it.payload.type === "mention" && it.payload.account.id,
  );
  await check(
    "no notification on the others",
    () => Object.values(others).flatMap((one) => one.events.filter(({ event }) => event === "notification")),
    (found) => same(found, []),
  );
  await check(
    "every event once",
    () =>
      Object.values(all).map((one) => [
        one.count("update", id),
        one.count("status.update", id),
        one.count("delete", id),
        one.count("update", last),
      ]),
    (counts) => counts.flat().every((times) => times === 1),
  );
  await check(
    "no errors on the streams",
    () => Object.values(all).flatMap((one) => one.events.filter(({ event }) => event === "error")),
    (errors) => same(errors, []),
  );
}

/** Runs the script and ends the process; what a failed check should have given may be missing further on. */
export async function run(script) {
  try {
    await script();
  } catch (cause) {
    checks++;
    report("the rest of the script", cause);
  }
  console.log(`${checks} checks, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

export const ids = (things) => things.map((thing) => thing.id);

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Each would call ran() where it is taken for what it looks like; short enough for a name. */
export const PAYLOADS = [
  "<script>ran()</script>",
  "<img src=x onerror=ran()>",
  "<svg onload=ran()>",
  '"><svg onload=ran()>',
  "'><svg onload=ran()>",
  '" autofocus onfocus=ran() x="',
  "</title><svg onload=ran()>",
  "</style><svg onload=ran()>",
  "<!--><svg onload=ran()>",
  "<a href=javascript:ran()>x</a>",
  "&lt;svg onload=ran()&gt;",
  "&#60;svg onload=ran()&#62;",
  "<iframe srcdoc=<svg/onload=ran",
  "javascript:ran()//",
  'http://a/"onclick=ran()//',
  "http://a/<svg/onload=ran()>",
  "#a<svg/onload=ran()>",
  "@x<svg/onload=ran()>",
  "<svg\u2028onload=ran()>",
  "\u202e<svg onload=ran()>",
  "{{constructor.x('ran()')()}}",
];

/** Does something on a page, and waits until the server has answered the request to an address with this end that comes of it. */
export async function answered(page, end, act) {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() !== "GET" && response.url().endsWith(end)),
    act(),
  ]);
  // What it answers is drawn, so that the next click meets what stays.
  await answer.finished();
  await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done)))));
  return answer;
}

/** A black picture, as the bytes of a PNG. */
export function picturePng(width, height) {
  const chunk = (type, body) => {
    const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(body.length, 0);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc((1 + 3 * width) * height))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
