#!/usr/bin/env python3
"""How long a slot with one large key blocks both masters while it moves, in a cluster of Redis (docs/adr/0077).

    bench/src/redis/move.py [--redis BINARY] [--port N] [--rounds N] [--sizes N,...]

Starts two masters on the loopback address, with and without an append-only file. The key is a sorted set of followers.
Its slot moves back and forth by MIGRATE, as redis-cli does it, while one connection at each master sends a PING every
millisecond. The longest wait for an answer is taken at both, beside the longest in as long a time without a move.
"""

import argparse
import statistics
import sys
import threading
import time

from link import Link, cluster, owner

KEY = "followers:{7}:376000000000000"
PAGE = 1000
FIRST = 376_000_000_000_000
STEP = 4099  # between ids of accounts and of edges, which are not dense
TIMEOUT = 60_000  # ms, as of redis-cli --cluster reshard


class Pinger(threading.Thread):
    """Remembers the longest wait for an answer, in seconds, until it is stopped."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.link, self.longest, self.ended = Link(port), 0.0, False
        self.start()

    def run(self):
        while not self.ended:
            begin = time.monotonic()
            self.link.one("PING")
            self.longest = max(self.longest, time.monotonic() - begin)
            time.sleep(0.001)

    def stop(self):
        self.ended = True
        self.join()
        return self.longest * 1e3


def port_of(link):
    return link.socket.getpeername()[1]


def longest_while(links, action):
    """Milliseconds of the action, and of the longest wait at each of the two masters."""
    pingers = [Pinger(port_of(link)) for link in links]
    time.sleep(0.05)
    begin = time.monotonic()
    action()
    millis = (time.monotonic() - begin) * 1e3
    time.sleep(0.05)
    return (millis, *(pinger.stop() for pinger in pingers))


def move(source, target):
    """Moves the slot of the key. Milliseconds of MIGRATE, of the longest waits, and of both processors."""
    slot = source.one("CLUSTER", "KEYSLOT", KEY)
    ids = [link.one("CLUSTER", "MYID") for link in (source, target)]
    members = source.one("ZCARD", KEY)
    target.one("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
    source.one("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
    keys = source.one("CLUSTER", "GETKEYSINSLOT", slot, 10)
    migrate = ("MIGRATE", "127.0.0.1", port_of(target), "", 0, TIMEOUT, "KEYS", *keys)
    before = [link.processor() for link in (source, target)]
    found = longest_while((source, target), lambda: source.one(*migrate))
    used = [(link.processor() - was) * 1e3 for link, was in zip((source, target), before)]
    for link in (target, source):
        link.one("CLUSTER", "SETSLOT", slot, "NODE", ids[1])
    if target.one("ZCARD", KEY) != members or source.one("CLUSTER", "COUNTKEYSINSLOT", slot) != 0:
        sys.exit("move: the key has not arrived as it was")
    return (*found, *used)


def measure(links, members, rounds):
    source = owner(links, KEY)
    target = links[1 - links.index(source)]
    for at in range(0, members, PAGE):
        page = range(at, min(members, at + PAGE))
        source.one("ZADD", KEY, *(FIRST + STEP * number for account in page for number in (account, account)))
    used = source.one("MEMORY", "USAGE", KEY, "SAMPLES", 0)
    found = []
    for _ in range(rounds):
        found.append(move(source, target))
        source, target = target, source
    median = [statistics.median(each) for each in zip(*found)]
    quiet = max(longest_while(links, lambda: time.sleep(median[0] / 1e3))[1:])
    return (used / 1e6, *median, quiet)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--redis", default="redis-server")
    options.add_argument("--port", type=int, default=7900)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--sizes", type=lambda text: [int(each) for each in text.split(",")], default=[100_000, 1_000_000])
    options = options.parse_args()
    print(f"one slot with one sorted set, moved between two masters; medians of {options.rounds} moves, ms")
    print("                                                  longest wait                             processor")
    print("followers   append-only file      MB   MIGRATE   at the source   at the target   no move   source   target")
    for members in options.sizes:
        for file in ("no", "yes"):
            with cluster(options.redis, options.port, 2, "--appendonly", file) as links:
                megabytes, took, source, target, *processors, quiet = measure(links, members, options.rounds)
                version = links[0].version()
            when = "no" if file == "no" else "every second"
            waits = f"{source:>14,.0f}  {target:>14,.0f}  {quiet:>8,.0f}  {processors[0]:>7,.0f}  {processors[1]:>7,.0f}"
            print(f"{members:>9,}   {when:>16}  {megabytes:>6.1f}  {took:>8,.0f}  {waits}", flush=True)
    print(version)


if __name__ == "__main__":
    main()
