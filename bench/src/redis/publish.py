#!/usr/bin/env python3
"""Redis' processor time per event of the log, published with PUBLISH and with SPUBLISH (docs/adr/0073).

    bench/src/redis/publish.py [--redis BINARY] [--port N] [--seconds N] [--rounds N] [--masters N,...]

Starts clusters on the loopback address, without files. One connection calls append.lua, from the sources of the
service, at a fixed rate; another, at the same master, subscribes to the channel as a relay does and reads every
message. Rounds with PUBLISH, with SPUBLISH and without events are taken in turn. Processor time is that of INFO cpu,
less that of the round without events.
"""

import argparse
import pathlib
import re
import statistics
import sys
import threading
import time

from link import Link, cluster, owner, until

LUA = pathlib.Path(__file__).resolve().parents[3] / "common/src/main/resources/lua"
CHANNEL = "{bus}:events"
LINE = 400  # characters of an event, which with its subject is as long as one of docs/benchmarks/sizing.md
BATCH = 8  # events of a batch, as in Appender.java
LOADS = ((1, 1000), (64, 50))  # events of a call, calls a second: a post alone, and posts that come together
EPOCH_MILLIS = 1_704_067_200_000  # of ids
WAYS = ("PUBLISH", "SPUBLISH")


def script(way):
    """The script of the service, without the check of rights that the service puts before it."""
    text = (LUA / "append.lua").read_text(encoding="utf-8")
    text = re.sub(r"--#include (\w+)", lambda name: (LUA / f"lib/{name[1]}.lua").read_text(encoding="utf-8"), text)
    if text.count("'SPUBLISH'") != 2:
        sys.exit("publish: append.lua does not publish in the way that this script knows")
    return text.replace("'SPUBLISH'", f"'{way}'")


class Reader(threading.Thread):
    """Counts the messages of the channel, however they are published."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.link, self.messages = Link(port), 0
        self.link.all(("SUBSCRIBE", CHANNEL), ("SSUBSCRIBE", CHANNEL))
        self.start()

    def run(self):
        while True:
            self.link.read()
            self.messages += 1


class Log:
    """Appends new statuses to the log of a cluster."""

    def __init__(self, link):
        self.link, self.status = link, (int(time.time() * 1000) - EPOCH_MILLIS) << 12
        self.scripts = {way: link.one("SCRIPT", "LOAD", script(way)) for way in WAYS}

    def append(self, way, events):
        statuses = range(self.status, self.status + events)
        self.status += events
        hour = ((self.status >> 12) + EPOCH_MILLIS) // 3_600_000
        lines = [f"s|{status}|376000000000000|0|public|{{}}\t".ljust(LINE, "x") for status in statuses]
        batches = ["\n".join(lines[at : at + BATCH]) for at in range(0, events, BATCH)]
        keys = ["{bus}:" + name for name in ("seq", "epoch", "floor", "log", "batches", "told-from", f"told:{hour}")]
        bounds = [CHANNEL, "0123abcd", 100_000, 256 << 20, 345_600_000, 21_600_000, ""]
        call = [*bounds, "s" * events, BATCH, "", 1, len(keys), events, *batches, *statuses]
        seqs = self.link.one("EVALSHA", self.scripts[way], len(keys), *keys, *call)
        if len(seqs) != events or 0 in seqs:
            sys.exit("publish: an event was not appended")
        return 2 * len(batches)


def measure(links, log, reader, way, load, seconds):
    """Seconds of each master, and messages on the cluster bus that copy an event, of one round; no way = no events."""
    events, rate = load
    expected, before = reader.messages, [(link.processor(), copies(link)) for link in links]
    begin = time.monotonic()
    for call in range(rate * seconds if way else 0):
        time.sleep(max(0.0, begin + call / rate - time.monotonic()))
        expected += log.append(way, events)
    time.sleep(max(0.0, begin + seconds - time.monotonic()))
    until(lambda: reader.messages >= expected, "a message has not reached the subscriber")
    after = [(link.processor(), copies(link)) for link in links]
    return [tuple(b - a for a, b in zip(*pair)) for pair in zip(before, after)]


def copies(link):
    fields = link.info("CLUSTER", "INFO")
    return sum(int(fields.get(f"cluster_stats_messages_{name}_sent", 0)) for name in ("publish", "publishshard"))


def rounds_of(masters, options):
    with cluster(options.redis, options.port, masters) as links:
        home = owner(links, CHANNEL)
        log, reader = Log(home), Reader(home.socket.getpeername()[1])
        for way in WAYS:
            measure(links, log, reader, way, LOADS[0], 1)
        found = {}
        for _ in range(options.rounds):
            quiet = measure(links, log, reader, None, LOADS[0], options.seconds)
            for load in LOADS:
                for way in WAYS:
                    used = measure(links, log, reader, way, load, options.seconds)
                    count = load[0] * load[1] * options.seconds
                    micros = [(one[0] - idle[0]) / count * 1e6 for one, idle in zip(used, quiet)]
                    sent = sum(one[1] for one in used) / count
                    mine = micros[links.index(home)]
                    row = (sum(micros), mine, (sum(micros) - mine) / max(1, masters - 1), sent)
                    found.setdefault((load[0], way), []).append(row)
        return home.version(), {key: [statistics.median(each) for each in zip(*rows)] for key, rows in found.items()}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--redis", default="redis-server")
    options.add_argument("--port", type=int, default=7900)
    options.add_argument("--seconds", type=int, default=2)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--masters", type=lambda text: [int(each) for each in text.split(",")], default=[1, 3, 6])
    options = options.parse_args()
    print(f"Redis' processor us an event; medians of {options.rounds} rounds of {options.seconds} s in turn")
    print("events a call  masters  by        all masters  the owner of {bus}  each other one  copies on the bus")
    found = {}
    for masters in options.masters:
        version, rows = rounds_of(masters, options)
        found.update({(events, masters, way): row for (events, way), row in rows.items()})
    for (events, masters, way), (all_of, mine, other, sent) in sorted(found.items()):
        print(f"{events:>13}  {masters:>7}  {way:<8}  {all_of:>11.1f}  {mine:>18.1f}  {other:>14.1f}  {sent:>17.2f}")
    print(f"{version}; 1 event a call at {LOADS[0][1]} calls/s, {LOADS[1][0]} at {LOADS[1][1]}; {LINE} characters an event")


if __name__ == "__main__":
    main()
