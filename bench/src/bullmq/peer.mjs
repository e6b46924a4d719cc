// One process of BullMQ, a worker or the producer, for `fanfare bench queue`: reads one command a line, answers each with
// one line. Started by BullMqQueue.java, with the role as its argument.
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { Queue, Worker } from "bullmq";

const QUEUE = "bench";
const CONCURRENCY = Number(process.env.BULLMQ_CONCURRENCY);
const BULK = Number(process.env.BULLMQ_BULK);

/** Calls of addBulk under way at once. */
const UNDER_WAY = 4;

// BullMQ asks for the null of a worker's connection.
const connect = () => new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null });

/** Microseconds of CLOCK_MONOTONIC, which Java's System.nanoTime reads too. */
function micros() {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1e6 + Math.trunc(nanos / 1e3);
}

function worker() {
  let running = null;
  let settled = 0;
  let waited = [];
  const run = async (job) => {
    if (job.data.due > 0) {
      waited.push(micros() - job.data.due);
    }
  };
  return {
    async start() {
      running = new Worker(QUEUE, run, {
        connection: connect(),
        concurrency: CONCURRENCY,
        removeOnComplete: { count: 0 },
      });
      // Comes when Redis has taken the job's end.
      running.on("completed", () => settled++);
      running.on("failed", (job, error) => console.error("failed:", error));
      running.on("error", (error) => console.error("error:", error));
      await running.waitUntilReady();
    },
    async stop() {
      const connection = running.opts.connection;
      await running.close();
      connection.disconnect();
      running = null;
    },
    async settled() {
      return settled;
    },
    async waited() {
      const all = waited.join(" ");
      waited = [];
      return all;
    },
  };
}

function producer() {
  const queue = new Queue(QUEUE, { connection: connect() });
  const jobs = (count, due) => Array.from({ length: count }, () => ({ name: "noop", data: { due } }));
  return {
    async hold() {
      await queue.pause();
    },
    async resume() {
      await queue.resume();
    },
    async add(text) {
      let left = Number(text);
      const lane = async () => {
        while (left > 0) {
          const count = Math.min(left, BULK);
          left -= count;
          await queue.addBulk(jobs(count, 0));
        }
      };
      await Promise.all(Array.from({ length: UNDER_WAY }, lane));
    },
    // Open loop: each millisecond or so, all that have become due, however long those before take.
    async pace(text, perSecondText) {
      const [count, perSecond] = [Number(text), Number(perSecondText)];
      const begin = micros();
      const calls = [];
      let added = 0;
      while (added < count) {
        const due = Math.min(count, 1 + Math.trunc(((micros() - begin) * perSecond) / 1e6));
        if (due > added) {
          const bulk = [];
          for (; added < due; added++) {
            bulk.push({ name: "noop", data: { due: begin + Math.trunc((added / perSecond) * 1e6) } });
          }
          calls.push(queue.addBulk(bulk));
        }
        await new Promise((wake) => setTimeout(wake, 1));
      }
      await Promise.all(calls);
    },
  };
}

const commands = process.argv[2] === "worker" ? worker() : producer();
const manifest = new URL("node_modules/bullmq/package.json", import.meta.url);
console.log("ready " + JSON.parse(readFileSync(manifest)).version);
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...args] = line.split(" ");
  console.log((await commands[name](...args)) ?? "done");
}
process.exit(0);
