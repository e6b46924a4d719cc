// Answers each public status with the word "hello", once, through crashes of itself and of the server.
import { readFile, rename, writeFile } from "node:fs/promises";
import { Fanfare } from "fanfare-client";

const { FANFARE_URL, FANFARE_TOKEN, CURSOR = "bot.cursor" } = process.env;
const fanfare = new Fanfare(FANFARE_URL, { token: FANFARE_TOKEN, retries: 10 });
const cursor = await readFile(CURSOR, "utf8").catch(() => "");
const stream = fanfare.streams.filter().track("hello").after(cursor).open();

for await (const batch of stream) {
  for (const { type, data } of batch.events) {
    if (type === "status") {
      const answer = { status: `@${data.account.acct} Welcome!`, in_reply_to_id: data.id };
      await fanfare.createStatus(answer, { idempotencyKey: `welcome-${data.id}` }).catch((error) => {
        if (error.status !== 404) throw error; // deleted meanwhile
      });
    }
  }
  await writeFile(`${CURSOR}.new`, batch.cursor);
  await rename(`${CURSOR}.new`, CURSOR);
}
