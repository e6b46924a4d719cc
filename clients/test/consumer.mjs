// The consumer of the oracle: appends each batch, with its cursor, as one line to a file, and resumes from the last line.
import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Fanfare } from "../typescript/dist/esm/index.js";

const { FANFARE_URL, FANFARE_TOKEN, FILE, KIND, SLOW } = process.env;
const text = existsSync(FILE) ? readFileSync(FILE, "utf8") : "";
const whole = text.slice(0, text.lastIndexOf("\n") + 1);
if (text !== whole) {
  truncateSync(FILE, Buffer.byteLength(whole));
}
const last = whole.trimEnd().split("\n").at(-1);
const fanfare = new Fanfare(FANFARE_URL, { token: FANFARE_TOKEN });
const builder = KIND === "filter" ? fanfare.streams.filter().track("oracle") : fanfare.streams[KIND]();
const keep = (cursor, events) => appendFileSync(FILE, `${JSON.stringify({ cursor, events })}\n`);
const stream = builder.after(last && JSON.parse(last).cursor).open({
  onRetry: (error, wait, attempt) =>
    console.error(`${new Date().toISOString()} ${attempt}: ${error.message}; ${Math.round(wait)} ms`),
  async onGap() {
    const minId = /.*"status",[^,]*,"(\d+)"/s.exec(whole)?.[1];
    const filled = [];
    for await (const { id } of stream.fillGap({ minId })) {
      filled.push(["status", null, id]);
    }
    keep(last && JSON.parse(last).cursor, filled);
  },
});
process.once("SIGTERM", () => stream.close());
for await (const { cursor, events } of stream) {
  const kept = events.map(({ type, id, data }) => [type, id ?? null, type === "gap" ? data : (data.id ?? null)]);
  keep(cursor, kept);
  await delay(Number(SLOW ?? 0));
}
