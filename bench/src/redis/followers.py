#!/usr/bin/env python3
"""Redis' processor time per delivery with three layouts of an author's followers (docs/adr/0077).

set      one sorted set: pages of 1000 ids are read, and each home gets an RPUSHX, 100 commands a write
pages    the same ids in sorted sets of 1000
shards   a sorted set in the shard of the followers: one script a shard and page reads it and pushes

Starts a redis-server of its own on a Unix socket, without files. Usage: followers.py [REDIS_SERVER]
"""

import random
import statistics
import sys
import tempfile

from link import servers

SHARDS = 16
PAGE = 1000
ENTRIES = 200  # of each home, before a round
READERS = 100_000
ROUNDS = 5
CASES = ((20, 500), (403, 50), (10_000, 2), (100_000, 1))  # followers of an author, authors

PUSH = """
local followers = redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[2])
local long = {}
for i = 1, #followers do
  if redis.call('RPUSHX', ARGV[3] .. followers[i], unpack(ARGV, 4)) > 1000 then
    long[#long + 1] = followers[i]
  end
end
return { #followers, long }
"""


def shard(account):
    return account % SHARDS


def home(account):
    return f"home:{{{shard(int(account))}}}:{account}"


class Layouts:
    """Pushes posts of an author to all followers, with each layout."""

    def __init__(self, link, followers):
        self.link, self.followers = link, followers
        self.script = link.all(("SCRIPT", "LOAD", PUSH))[0]

    def arrange(self, author, accounts):
        for at in range(0, len(accounts), PAGE):
            page = accounts[at : at + PAGE]
            members = [part for account in page for part in (account, account)]
            self.link.all(
                ("ZADD", f"followers:{author}", *members), ("ZADD", f"followers:{author}:{at // PAGE}", *members)
            )
        self.link.all(
            *(("ZADD", f"followers:{{{shard(account)}}}:{author}", account, account) for account in accounts)
        )

    def push(self, followers, posts):
        self.link.all(*(("RPUSHX", home(account), *posts) for account in followers))

    def set(self, author, posts):
        for at in range(0, self.followers, PAGE):
            self.push(self.link.all(("ZRANGE", f"followers:{author}", at, at + PAGE - 1))[0], posts)

    def pages(self, author, posts):
        for page in range((self.followers + PAGE - 1) // PAGE):
            self.push(self.link.all(("ZRANGE", f"followers:{author}:{page}", 0, -1))[0], posts)

    def shards(self, author, posts):
        at = 0
        left = range(SHARDS)
        while left:
            replies = self.link.all(*(self.script_of(number, author, at, posts) for number in left))
            left = [number for number, (read, _) in zip(left, replies) if read == PAGE]
            at += PAGE

    def script_of(self, number, author, at, posts):
        key = f"followers:{{{number}}}:{author}"
        return ("EVALSHA", self.script, 1, key, at, at + PAGE - 1, f"home:{{{number}}}:", *posts)


def measure(link, followers, authors, seed):
    chance = random.Random(seed)
    readers = [376_000_000_000_000 + number for number in range(max(followers, READERS // 5))]
    entries = [376_666_000_000_000 + number for number in range(ENTRIES)]
    link.all(("FLUSHALL",))
    link.all(*(("RPUSH", home(reader), "f0/0", *entries) for reader in readers))
    layouts = Layouts(link, followers)
    for author in range(authors):
        layouts.arrange(author, chance.sample(readers, followers))
    for together in (1, 10):
        posts = [376_777_000_000_000 + number for number in range(together)]
        costs = {"set": [], "pages": [], "shards": []}
        for _ in range(ROUNDS):
            for name, taken in costs.items():
                link.all(*(("LTRIM", home(reader), 0, ENTRIES) for reader in readers))
                before = link.processor()
                for author in range(authors):
                    getattr(layouts, name)(author, posts)
                taken.append((link.processor() - before) * 1e6 / (authors * followers * together))
        found = ", ".join(f"{name} {statistics.median(taken):.2f}" for name, taken in costs.items())
        print(f"{followers:>7} followers, {together:>2} posts together: {found} us a delivery", flush=True)


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else "redis-server"
    with tempfile.TemporaryDirectory() as folder, servers(binary, [folder + "/redis.sock"]) as (link,):
        for followers, authors in CASES:
            measure(link, followers, authors, seed=1)


main()
