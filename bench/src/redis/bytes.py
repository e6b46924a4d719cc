#!/usr/bin/env python3
"""Bytes of a status and of a follow in Redis, and what commands on a set of follows cost in each encoding.

A status is a HASH of author and text, as one posted to everybody without anything else. Of the sorted sets of
followers, those of up to zset-max-listpack-entries are listpacks, longer ones skiplists.

Starts a redis-server of its own on a Unix socket, without files. Usage: bytes.py [REDIS_SERVER]
"""

import random
import statistics
import sys
import tempfile

from link import servers

STATUSES = 100_000
LENGTHS = (80, 100, 120, 128, 140, 160, 200, 280, 500)
SHARDS = 16
FIRST = 1_780_000_000_000_000  # an id of 53 bits, as of an account, an edge or a status

SETS = 400
SIZES = (64, 127, 255, 511)
ENCODINGS = {"listpack": 512, "skiplist": 0}
ROUNDS = 5
CHANGES = 10  # follows and unfollows of each set in a round
RELATIONS = 40  # accounts of a page
PAGE = 500  # followers that one job of a fan-out reads


def used(link):
    return int(link.info("INFO", "memory")["used_memory"])


def status_key(number):
    return f"status:{{{number % SHARDS}}}:{FIRST + number * 1024 + number % SHARDS}"


def per_status(link, command):
    """Bytes by the difference of all memory, and of the server's own reckoning for one."""
    link.one("FLUSHALL")
    before = used(link)
    link.all(*(command(number) for number in range(STATUSES)))
    return (used(link) - before) / STATUSES, int(link.one("MEMORY", "USAGE", status_key(1), "SAMPLES", 0))


def statuses(link):
    print(f"{STATUSES:,} statuses in ASCII       used_memory each   MEMORY USAGE")
    for length in LENGTHS:
        text = "x" * length
        both = per_status(
            link, lambda n, text=text: ("HSET", status_key(n), "uid", FIRST - n % 5000, "text", text)
        )
        print(f"  {length:4} characters              {both[0]:7.1f} = text + {both[0] - length:3.0f}   {both[1]:7}")
    text = "x" * 140
    both = per_status(link, lambda n: ("HSET", status_key(n), "u", FIRST - n % 5000, "t", text))
    print(f"   140, fields of one letter   {both[0]:7.1f} = text + {both[0] - 140:3.0f}   {both[1]:7}")
    both = per_status(link, lambda n: ("SET", status_key(n), text))
    print(f"   140, the text as a STRING   {both[0]:7.1f} = text + {both[0] - 140:3.0f}   {both[1]:7}")
    link.one("FLUSHALL")


class Sets:
    """Sorted sets of one size and encoding."""

    def __init__(self, link, size, encoding):
        self.link, self.size = link, size
        self.name = f"{size} {encoding}"
        self.keys = [f"{size}:{encoding}:{number}" for number in range(SETS)]
        link.one("CONFIG", "SET", "zset-max-listpack-entries", ENCODINGS[encoding])
        before = used(link)
        for number, key in enumerate(self.keys):
            entries = [part for at in range(size) for part in (self.edge(at), self.member(number, at))]
            link.one("ZADD", key, *entries)
        self.bytes = (used(link) - before) / SETS / size
        if link.one("OBJECT", "ENCODING", self.keys[0]) != encoding:
            raise RuntimeError(f"{self.name} has another encoding")
        self.costs = {}

    @staticmethod
    def edge(at):
        return FIRST + at * 4099

    @staticmethod
    def member(number, at):
        return FIRST + number * 7919 + at * 1_048_583

    def drawn(self, number):
        return self.member(number, random.randrange(self.size))

    def relations(self, number):
        """Half of them follow."""
        return [self.drawn(number) if at % 2 else at for at in range(RELATIONS)]

    def measure(self):
        # Room for one more than there are: no listpack becomes a skiplist.
        self.link.one("CONFIG", "SET", "zset-max-listpack-entries", 512)
        for _ in range(CHANGES):
            self.time("follow", lambda n: ("ZADD", self.keys[n], self.edge(self.size), n))
            self.time("unfollow", lambda n: ("ZREM", self.keys[n], n))
        for _ in range(CHANGES // 2):
            self.time("ZSCORE", lambda n: ("ZSCORE", self.keys[n], self.drawn(n)))
            self.time(f"{RELATIONS} relations", lambda n: ("ZMSCORE", self.keys[n], *self.relations(n)))
            middle = f"({self.edge(self.size // 2)}"
            page = ("BYSCORE", "REV", "LIMIT", 0, RELATIONS, "WITHSCORES")
            self.time("page", lambda n, middle=middle: ("ZRANGE", self.keys[n], middle, "-inf", *page))
            rest = ("BYSCORE", "LIMIT", 0, PAGE, "WITHSCORES")
            self.time("fan-out", lambda n: ("ZRANGE", self.keys[n], "(0", "+inf", *rest))

    def time(self, what, command):
        commands = [command(number) for number in random.sample(range(SETS), SETS)]
        before = self.link.processor()
        self.link.all(*commands)
        self.costs.setdefault(what, []).append((self.link.processor() - before) / SETS * 1e6)


def follows(link):
    sets = [Sets(link, size, encoding) for size in SIZES for encoding in ENCODINGS]
    for _ in range(ROUNDS):
        for one in sets:
            one.measure()
    print(f"sorted sets of follows, {SETS} of each; bytes an entry, us of Redis a command")
    print(f"{'':14}{'bytes':>10}" + "".join(f"{what:>14}" for what in sets[0].costs))
    for one in sets:
        costs = "".join(f"{statistics.median(taken):14.2f}" for taken in one.costs.values())
        print(f"{one.name:14}{one.bytes:10.1f}{costs}")


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else "redis-server"
    with tempfile.TemporaryDirectory() as folder:
        address = f"{folder}/socket"
        with servers(binary, [address], "--hash-max-listpack-value", "2048") as (link,):
            print(link.version())
            statuses(link)
            follows(link)


if __name__ == "__main__":
    main()
