#!/usr/bin/python3
"""Writes the costs from which `fanfare size` reckons, from the results of the benchmarks in this folder.

    docs/benchmarks/costs.py [--check]

With --check it writes nothing, and exits with 1 when the resource differs from the results. A cost is measured when it
is a figure of a run, or the quotient or difference of two; it is reckoned when an assumption is in it, which is named.
"""

import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESOURCE = ROOT / "app/src/main/resources/io/fanfare/app/size/costs.json"
COSTS = []


def result(name):
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def figure(name, key):
    return result(name)["figures"][key]


def micros(name, contestant, process):
    """Processor microseconds of a process for each unit of work, the median of the rounds."""
    (found,) = (one for one in result(name)["contestants"] if one["name"] == contestant)
    return statistics.median(one["cpu-seconds"][process] / one["units"] * 1e6 for one in found["rounds"])


def text(name, pattern):
    """The one number that the pattern finds; the same number at several places is one."""
    found = set(re.findall(pattern, (ROOT / name).read_text(encoding="utf-8")))
    if len(found) != 1:
        sys.exit(f"costs: {name} has {len(found)} numbers for {pattern}")
    return float(found.pop().replace(",", ""))


def cost(name, unit, value, source, what, reckoned=""):
    """@param reckoned the assumption in it; empty = it is measured"""
    entry = {"name": name, "value": float(f"{value:.4g}"), "unit": unit, "from": source, "what": what}
    COSTS.append({**entry, "basis": "reckoned" if reckoned else "measured", "reason": reckoned})


BENCHES = "docs/benchmarks/"
ALONE = BENCHES + "post-alone.json"
PAGES = BENCHES + "home-posts-socket.txt"
SIZES = "docs/benchmarks/sizing.md"
HISTORY = "docs/benchmarks/history.md"
PAGE_ROW = r"fanfare: GET home, 20 statuses, [\d.]+ KB +[\d,]+ +"


def per_follower(process):
    return (figure(ALONE, f"followers-400-{process}-us") - figure(ALONE, f"followers-0-{process}-us")) / 400


def size(row):
    """The figure of the larger of the two data sets."""
    return text(SIZES, rf"\| {re.escape(row)} \| [^|]+ \| ([\d,.]+)")


for role in ("api", "worker", "redis"):
    cost(f"post.{role}", "us", figure(ALONE, f"followers-0-{role}-us"), ALONE, "a post without followers, of 20/s")
for role in ("worker", "redis"):
    cost(f"delivery.{role}", "us", per_follower(role), ALONE, "a delivery: of 400 followers less of none")
cost("page.api", "us", text(PAGES, PAGE_ROW + r"([\d.]+) "), PAGES, "a page of a home with 20 statuses, at saturation")
cost("page.redis", "us", text(PAGES, PAGE_ROW + r"[\d.]+ +\d+% +([\d.]+) "), PAGES, "the same page")
cost("stream.second", "us", micros(BENCHES + "stream-idle.json", "fanfare", "server"), BENCHES + "stream-idle.json", "an open stream for a second, with its heartbeats")
cost("stream.delivery", "us", micros(BENCHES + "stream-sparse.json", "fanfare", "server"), BENCHES + "stream-sparse.json", "an event sent to a stream, in a write of its own")
cost("stream.event", "us", micros(BENCHES + "stream-latency.json", "fanfare", "server"), BENCHES + "stream-latency.json", "an event in each event loop with streams, of 1000/s")
cost("job.worker", "us", micros(BENCHES + "queue.json", "produced: fanfare, 1 process", "workers"), BENCHES + "queue.json", "a job that does nothing")
cost("job.redis", "us", micros(BENCHES + "queue.json", "produced: fanfare, 1 process", "redis"), BENCHES + "queue.json", "the same job, enqueued by itself")
cost("bus.event", "us", micros(BENCHES + "stream-latency.json", "fanfare", "redis"), BENCHES + "stream-latency.json", "an event of the log, sent to one event loop, of 1000/s")
cost("bus.copy", "us", text(BENCHES + "bus-copies.txt", r"a copy takes ([\d.]+) us"), BENCHES + "bus-copies.txt", "the same event for each further event loop, of 1000/s")
cost("author.delivery", "us", text(HISTORY, r"100,000 followers reached: .*\| [\d,]+ ms, [\d,]+ ms \| (\d+) ms") * 1000 / 100_000, HISTORY, "a follower of an author with 100,000: time, not processor")

cost("process.memory", "bytes", text(SIZES, r"resident memory of the process of `up` \| \d+ MB \| (\d+) MB") * 1e6, SIZES, "resident memory of a process", "a process of all roles: one of a single role takes less")
cost("stream.memory", "bytes", figure(BENCHES + "stream-idle.json", "fanfare-bytes"), BENCHES + "stream-idle.json", "an open stream, without buffers of the kernel")
cost("account.redis", "bytes", size("an account (`user`, `login`, `tokens`, its places in `{names}` and `{directory}`)"), SIZES, "an account with a log-in and a token")
cost("follow.redis", "bytes", size("a follow, both sides (`followers`, `following`)"), SIZES, "a follow, both sides")
cost("status.redis", "bytes", size("a post (`status`)"), SIZES, "a status of at most 200 characters")
cost("place.redis", "bytes", size("its places in profile and outbox"), SIZES, "its places in profile and outbox, of one or two posts")
cost("entry.redis", "bytes", figure(BENCHES + "fanout-jemalloc.json", "bytes-per-home-entry"), BENCHES + "fanout-jemalloc.json", "an entry of a home")
cost("event.redis", "bytes", size("an event of the log, with its subject (`{bus}:*`)"), SIZES, "an event of the log, with its subject")
cost("subject.redis", "bytes", 80, "config/fanfare.yaml", "its subject, which stays longer", "an estimate in the description of stream.log-age")
cost("key.redis", "bytes", size("an Idempotency-Key, for an hour"), SIZES, "an Idempotency-Key, for an hour")
cost("server.redis", "bytes", 5e6, SIZES, "a redis-server besides its keys", "used memory less the sum of the families, at 200 accounts")
cost("redis.load", "bytes/s", text(SIZES, r"([\d.]+) MB of Redis' memory a second") * 1e6, SIZES, "memory of Redis that a start loads")

cost("file.disk", "bytes", size("the same after `BGREWRITEAOF`") / size("used memory of Redis"), SIZES, "append-only file after a rewrite, for a byte of memory")
cost("archive.disk", "bytes", text(BENCHES + "archive.txt", r"(\d+) bytes of the database each"), BENCHES + "archive.txt", "an archived status in SQLite")
cost("search.disk", "bytes", text("docs/operate/search.md", r"status takes some \d+ to (\d+) bytes"), "docs/operate/search.md", "a status in a search index", "an upper bound for long texts; short ones took 83 to 88")
cost("picture.disk", "bytes", 1, "docs/operate/media.md", "a byte of a picture as it is sent", "it is stored in about the same size")
cost("page.network", "bytes", text(PAGES, r"GET home, 20 statuses, ([\d.]+) KB") * 1000, PAGES, "a page of a home, not compressed")
cost("stream.network", "bytes", text(BENCHES + "stream-sparse.txt", r"fanfare: due .* (\d+) bytes each"), BENCHES + "stream-sparse.txt", "an event sent to a stream")

made = json.dumps({"costs": COSTS}, indent=2) + "\n"
if sys.argv[1:] == ["--check"]:
    if not RESOURCE.exists() or RESOURCE.read_text(encoding="utf-8") != made:
        sys.exit(f"costs: {RESOURCE.relative_to(ROOT)} differs from the results: run docs/benchmarks/costs.py and commit what it writes.")
elif sys.argv[1:]:
    sys.exit(__doc__)
else:
    RESOURCE.parent.mkdir(parents=True, exist_ok=True)
    RESOURCE.write_text(made, encoding="utf-8")
