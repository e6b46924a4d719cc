// What the tests of all libraries share: people, consumers that are killed and started again, and the judgement.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Fanfare } from "../typescript/dist/esm/index.js";
import { until } from "./server.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const python = process.env.TESTS_PYTHON ?? "/usr/bin/python3";
const source = process.env.PYTHONPATH ?? join(here, "../python/src");

/** The libraries, and ways to use them; `TESTS_LANGUAGES` selects some. */
export const LANGUAGES = Object.fromEntries(
  Object.entries({
    typescript: { run: [process.execPath, join(here, "consumer.mjs")] },
    python: { run: [python, join(here, "consumer.py")], env: { PYTHONPATH: source } },
    asyncio: { run: [python, join(here, "consumer.py")], env: { PYTHONPATH: source, ASYNC: "1" } },
  }).filter(([name]) => (process.env.TESTS_LANGUAGES ?? name).split(",").includes(name)),
);

export const BOTS = {
  typescript: { run: [process.execPath, join(here, "../typescript/examples/bot.mjs")] },
  python: { run: [python, join(here, "../python/examples/bot.py")], env: { PYTHONPATH: source } },
};

export const newFolder = () => mkdtempSync(join(process.env.TESTS_DATA ?? tmpdir(), "fanfare-clients-"));

/** Signs up, and answers the token and a client that outlasts a restart of the server. */
export async function person(server, username) {
  const account = { username, email: `${username}@example.org`, password: "correct horse battery", agreement: true };
  const { access_token: token } = await new Fanfare(server.url).createAccount(account);
  return { token, client: new Fanfare(server.url, { token, retries: 20 }) };
}

/** A program of the library that can be killed and started again. */
export class Program {
  #process = null;
  output = "";

  constructor({ run, env, cwd }, more) {
    this.command = run;
    this.cwd = cwd;
    this.env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env, ...more };
    this.start();
  }

  start() {
    const [command, ...options] = this.command;
    this.#process = spawn(command, options, { cwd: this.cwd, env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    for (const out of [this.#process.stdout, this.#process.stderr]) {
      out.on("data", (text) => (this.output = (this.output + text).slice(-10_000)));
    }
    this.ended = new Promise((resolve) => this.#process.once("exit", (code, signal) => resolve(code ?? signal)));
  }

  signal(name) {
    this.#process.kill(name);
  }

  async restart() {
    this.signal("SIGKILL");
    await this.ended;
    this.start();
  }

  /** Ends it as a supervisor does; answers its exit status. */
  async stop() {
    this.signal("SIGTERM");
    const late = setTimeout(() => this.signal("SIGKILL"), 10_000);
    const status = await this.ended;
    clearTimeout(late);
    return status;
  }
}

/** The whole lines of a consumer's file. */
export function kept(file) {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export const has = (file, id) => existsSync(file) && readFileSync(file, "utf8").includes(`"${id}"`);

export const received = (sentence, program, holds, millis) =>
  until(sentence, holds, millis).catch((late) => {
    throw new Error(`${late.message}\n${program.output}`);
  });

/** Compares with the truth: `posts` is id -> {edits, deleted}. Answers sentences about all that is wrong. */
export function judge(lines, posts) {
  const wrong = [];
  const seen = { status: new Map(), edit: new Map(), delete: new Map() };
  let seq = -1n;
  for (const [type, id, subject] of lines.flatMap((line) => line.events)) {
    if (type === "gap") {
      wrong.push(`a gap: ${JSON.stringify(subject)}`);
    }
    if (id && type !== "hello") {
      const next = BigInt(id.split("-")[1]);
      if (next <= seq) {
        wrong.push(`${type} ${id} comes after seq ${seq}`);
      }
      seq = next;
    }
    seen[type]?.set(subject, (seen[type].get(subject) ?? 0) + 1);
  }
  for (const [id, { edits, deleted }] of posts) {
    const statuses = seen.status.get(id) ?? 0;
    if (statuses > 1 || (statuses === 0 && !deleted)) {
      wrong.push(`status ${id} came ${statuses} times`);
    }
    const edited = seen.edit.get(id) ?? 0;
    if (edited > edits || (edited < edits && !deleted)) {
      wrong.push(`${edits} edits of ${id} came ${edited} times`);
    }
    if ((seen.delete.get(id) ?? 0) !== (deleted ? 1 : 0)) {
      wrong.push(`the delete of ${id} came ${seen.delete.get(id) ?? 0} times`);
    }
  }
  return wrong;
}
