// Streams through kills, cuts and slow consumers: nothing is lost, nothing comes twice, gaps are named.
//   TESTS_FAULTS=200 node --test clients/test/oracle.test.mjs     is the long form; TESTS_SEED repeats a run
import assert from "node:assert/strict";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { has, judge, kept, LANGUAGES, newFolder, person, Program, received } from "./oracle.mjs";
import { Proxy, Server } from "./server.mjs";

const FAULTS = Number(process.env.TESTS_FAULTS ?? 16);
const SERVER_KILLS = Math.max(2, Math.floor(FAULTS / 20));
const SEED = Number(process.env.TESTS_SEED ?? Math.floor(Math.random() * 1e9));
const KINDS = { typescript: "filter", python: "home", asyncio: "firehose" };

/** mulberry32: a small generator that a seed repeats. */
function generator(seed) {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  };
}

let server;
let writer;
let reader;
const consumers = {};
const posts = new Map();

before(async () => {
  server = await Server.start();
  writer = await person(server, "writer");
  reader = await person(server, "reader");
  const { id } = await writer.client.verifyCredentials();
  await reader.client.followAccount({ id });
});

after(async () => {
  for (const { program, proxy } of Object.values(consumers)) {
    program.signal("SIGKILL");
    await proxy.stop();
  }
  await server?.stop();
});

/** Posts until it is stopped, with edits and deletes between; each answer is the truth. */
async function write(random, stopped) {
  const ids = [];
  for (let n = 0; !stopped(); n++) {
    const { id } = await writer.client.createStatus({ status: `oracle ${n}` });
    posts.set(id, { edits: 0, deleted: false });
    ids.push(id);
    const other = ids[random(ids.length)];
    const post = posts.get(other);
    if (n % 5 === 4 && !post.deleted && post.edits < 5) {
      await writer.client.editStatus({ id: other, status: `oracle ${n} edited` });
      post.edits++;
    }
    if (n % 7 === 6 && !post.deleted) {
      await writer.client.deleteStatus({ id: other }).catch((error) => {
        if (error.status !== 404) throw error; // a try before this one has deleted it
      });
      post.deleted = true;
    }
    await delay(20);
  }
}

async function inject(fault, { program, proxy }, random) {
  if (fault === "kill") {
    await program.restart();
  } else if (fault === "cut") {
    proxy.cut();
  } else if (fault === "refuse") {
    proxy.refuses = true;
    proxy.cut();
    await delay(200 + random(600));
    proxy.refuses = false;
  } else if (fault === "slow") {
    proxy.pace = 20_000;
    await delay(300 + random(600));
    proxy.pace = 0;
  } else {
    program.signal("SIGSTOP");
    await delay(300 + random(1000));
    program.signal("SIGCONT");
  }
}

test(`streams survive ${FAULTS} faults, ${SERVER_KILLS} of them kills of the server`, async (t) => {
  t.diagnostic(`TESTS_SEED=${SEED}`);
  const random = generator(SEED);
  const folder = newFolder();
  for (const [name, language] of Object.entries(LANGUAGES)) {
    const proxy = await Proxy.start(server.port);
    const file = join(folder, `${name}.jsonl`);
    const env = { FANFARE_URL: proxy.url, FANFARE_TOKEN: reader.token, FILE: file, KIND: KINDS[name], SLOW: "5" };
    consumers[name] = { proxy, file, program: new Program(language, env) };
  }
  for (const [name, { file, program }] of Object.entries(consumers)) {
    await received(`${name} has the hello`, program, () => kept(file).length > 0);
  }

  let stop = false;
  const writing = write(random, () => stop);
  const names = Object.keys(consumers);
  const every = Math.ceil(FAULTS / SERVER_KILLS);
  for (let n = 0; n < FAULTS; n++) {
    await delay(100 + random(500));
    if (n % every === every - 1) {
      await server.restart();
    } else {
      const fault = ["kill", "cut", "refuse", "slow", "stop", "kill"][random(6)];
      await inject(fault, consumers[names[random(names.length)]], random);
    }
  }
  stop = true;
  await writing;
  const { id } = await writer.client.createStatus({ status: "oracle: the end" });
  posts.set(id, { edits: 0, deleted: false });

  for (const [name, { file, program }] of Object.entries(consumers)) {
    await t.test(`${name} loses nothing and gets nothing twice`, async () => {
      await received(`${name} has the last status`, program, () => has(file, id), 60_000);
      assert.deepEqual(judge(kept(file), posts), []);
    });
    await t.test(`${name} closes its stream at a SIGTERM`, async () => {
      assert.equal(await program.stop(), 0, program.output);
    });
  }
  t.diagnostic(`${posts.size} statuses, ${names.length} consumers`);
});

test("consumers that were away for longer than the log name a gap and fill it", async (t) => {
  const small = await Server.start({ "stream.log-events": 100, "stream.ring-events": 100 });
  let programs = [];
  try {
    const { token, client } = await person(small, "writer");
    const folder = newFolder();
    programs = Object.entries(LANGUAGES).map(([name, language]) => {
      const file = join(folder, `${name}.jsonl`);
      const env = { FANFARE_URL: small.url, FANFARE_TOKEN: token, FILE: file, KIND: "home" };
      return { name, file, program: new Program(language, env) };
    });
    for (const { name, file, program } of programs) {
      await received(`${name} has the hello`, program, () => kept(file).length > 0);
    }
    const { id: first } = await client.createStatus({ status: "before" });
    for (const { name, file, program } of programs) {
      await received(`${name} has the first status`, program, () => has(file, first));
      await program.stop();
    }
    const ids = [];
    for (let n = 0; n < 300; n += 10) {
      const ten = Array.from({ length: 10 }, (_, at) => client.createStatus({ status: `missed ${n + at}` }));
      ids.push(...(await Promise.all(ten)).map(({ id }) => id));
    }
    for (const { name, file, program } of programs) {
      await t.test(name, async () => {
        program.start();
        const last = ids.reduce((one, other) => (BigInt(one) > BigInt(other) ? one : other));
        await received(`${name} has the last status`, program, () => has(file, last));
        await program.stop();
        const events = kept(file).flatMap((line) => line.events);
        const gaps = events.filter(([type]) => type === "gap");
        assert.equal(gaps.length, 1);
        assert.equal(gaps[0][2].reason, "expired");
        assert.ok(gaps[0][2].missed >= 100, JSON.stringify(gaps));
        const statuses = events.filter(([type]) => type === "status").map(([, , id]) => id);
        assert.equal(new Set(statuses).size, statuses.length, "a status came twice");
        assert.deepEqual(new Set(statuses), new Set([first, ...ids]));
      });
    }
  } finally {
    for (const { program } of programs) {
      program.signal("SIGKILL");
    }
    await small.stop();
  }
});
