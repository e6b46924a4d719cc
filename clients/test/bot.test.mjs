// The bots of the READMEs survive kill -9 of themselves and of the server: each greeting gets one answer.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { BOTS, newFolder, person, Program } from "./oracle.mjs";
import { Server, until } from "./server.mjs";

const LINES_MAX = 25;

test("bots answer each greeting once, through kills", async (t) => {
  const server = await Server.start();
  const bots = [];
  try {
    const { client } = await person(server, "guest");
    for (const [name, language] of Object.entries(BOTS)) {
      const { token, client: own } = await person(server, `bot_${name}`);
      const cursor = join(newFolder(), "cursor");
      const program = new Program(language, { FANFARE_URL: server.url, FANFARE_TOKEN: token, CURSOR: cursor });
      const { id } = await own.verifyCredentials();
      bots.push({ name, program, cursor, id, own });
    }
    for (const { name, program, cursor } of bots) {
      await until(`${name} has begun: ${program.output}`, () => existsSync(cursor));
    }
    const greetings = [];
    for (let n = 0; n < 40; n++) {
      greetings.push((await client.createStatus({ status: `hello number ${n}` })).id);
      await delay(20);
      if (n % 12 === 7) {
        await Promise.all(bots.map(({ program }) => program.restart()));
      }
      if (n === 20) {
        await server.kill();
        await Promise.all(bots.map(({ program }) => program.restart())); // at a server that is away
        await server.run();
      }
    }
    for (const { name, program, id, own } of bots) {
      await t.test(`${name}, in ${LINES_MAX} lines at most`, async () => {
        let answered = [];
        await until(
          `${name} has answered all`,
          async () => {
            answered = [];
            for await (const status of own.listAccountStatuses({ id, limit: 80 })) {
              answered.push(status.in_reply_to_id);
            }
            return new Set(answered).size >= greetings.length;
          },
          60_000,
        ).catch((late) => assert.fail(`${late.message}: ${answered.length}\n${program.output}`));
        await delay(300); // an answer too many would come about now
        assert.deepEqual(answered.sort(), greetings.sort());
      });
    }
  } finally {
    for (const { program } of bots) {
      program.signal("SIGKILL");
    }
    await server.stop();
  }
});

test("the first programs of the READMEs receive their first event", async (t) => {
  const server = await Server.start();
  try {
    for (const [name, language] of Object.entries(BOTS)) {
      const readme = readFileSync(new URL(`../${name}/README.md`, import.meta.url), "utf8");
      const [, code] = /## The first event.*?```\w+\n(.*?)```/s.exec(readme);
      const program = code.replace("http://127.0.0.1:8080", server.url).replaceAll("ann", `ann_${name}`);
      const runs = { typescript: ["--input-type=module", "-e", program], python: ["-u", "-c", program] };
      const begin = performance.now();
      // The package refers to itself by its name, so that the program imports it as its users do.
      const first = new Program(
        { ...language, run: [language.run[0], ...runs[name]], cwd: new URL(`../${name}/`, import.meta.url) },
        {},
      );
      await until(`${name} prints the status`, () => first.output.includes("Hello"), 20_000).catch((late) => {
        throw new Error(`${late.message}\n${first.output}`);
      });
      t.diagnostic(`${name}: ${Math.round(performance.now() - begin)} ms from zero to the first event`);
      first.signal("SIGKILL");
      await first.ended;
    }
  } finally {
    await server.stop();
  }
});

test("the READMEs show the bots that are tested, and these are short", () => {
  const places = { typescript: "bot.mjs", python: "bot.py" };
  for (const [name, file] of Object.entries(places)) {
    const folder = new URL(`../${name}/`, import.meta.url);
    const code = readFileSync(new URL(`examples/${file}`, folder), "utf8");
    const readme = readFileSync(new URL("README.md", folder), "utf8");
    assert.ok(code.trim().split("\n").length <= LINES_MAX, `${file} has more than ${LINES_MAX} lines`);
    assert.ok(readme.includes(code.trim()), `${name}/README.md does not have ${file}, word by word`);
  }
});
