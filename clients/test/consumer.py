"""The consumer of the oracle: appends each batch, with its cursor, as one line to a file, and resumes from the last line."""

import asyncio
import json
import logging
import os
import re
import signal
import sys
import time

from fanfare_client import AsyncFanfare, Fanfare

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
logging.getLogger("httpx").setLevel(logging.WARNING)
PATH, KIND, SLOW = os.environ["FILE"], os.environ["KIND"], float(os.environ.get("SLOW", 0)) / 1000
text = open(PATH, "rb").read() if os.path.exists(PATH) else b""
whole = text[: text.rfind(b"\n") + 1]
if text != whole:
    os.truncate(PATH, len(whole))
last = json.loads(whole.splitlines()[-1])["cursor"] if whole else None


def builder(fanfare):
    streams = fanfare.streams
    return (streams.filter().track("oracle") if KIND == "filter" else getattr(streams, KIND)()).after(last)


def keep(cursor, events):
    with open(PATH, "a") as file:
        file.write(json.dumps({"cursor": cursor, "events": events}) + "\n")


def keep_batch(batch):
    keep(batch.cursor, [[e.type, e.id, e.data if e.type == "gap" else e.data.get("id")] for e in batch.events])


def min_id():
    return re.search(r'.*"status", [^,]*, "(\d+)"', whole.decode(), re.DOTALL)[1]


async def with_asyncio():
    async with AsyncFanfare(os.environ["FANFARE_URL"], os.environ["FANFARE_TOKEN"]) as fanfare:

        async def fill(_):
            keep(last, [["status", None, status["id"]] async for status in stream.fill_gap(min_id())])

        stream = builder(fanfare).open(on_gap=fill)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: asyncio.ensure_future(stream.close()))
        async for batch in stream:
            keep_batch(batch)
            await asyncio.sleep(SLOW)


def with_threads():
    def fill(_):
        keep(last, [["status", None, status["id"]] for status in stream.fill_gap(min_id())])

    with Fanfare(os.environ["FANFARE_URL"], os.environ["FANFARE_TOKEN"]) as fanfare:
        with builder(fanfare).open(on_gap=fill) as stream:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
            for batch in stream:
                keep_batch(batch)
                time.sleep(SLOW)


if os.environ.get("ASYNC"):
    asyncio.run(with_asyncio())
else:
    with_threads()
