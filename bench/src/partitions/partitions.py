#!/usr/bin/env python3
"""Simulates an event log in N partitions that relays merge into one order (docs/adr/0084), and checks the order.

Each partition gives its records rising times by the clock of its master. A message has the time up to which it is
whole, its promise; a partition without records sends promises alone, its ticks. A relay shows a record when no
partition can still send an earlier one. Discrete, seeded, without servers. Usage: partitions.py [SEEDS]
"""

import bisect
import collections
import heapq
import math
import random
import sys

MS = 1000  # Microseconds are the unit of all times.
SECOND = 1000 * MS
FAIL_EVERY = SECOND // 2  # some partition
EVENTS_A_SECOND = 1000  # Of all partitions together, by a power law: some have few.
RELAYS = 3
CLIENTS = 12
COUNTS = (1, 4, 16, 64)  # of partitions
BROKEN = ("out of order", "twice", "lost silently")
RULES = ("the watermark", "the wait of a new master", "the gap records", "the read of missed records")

# One of a partition. tip: None, or of a gap the time of the last record before it that was not lost. at: when it was made.
Record = collections.namedtuple("Record", "time partition tip at")


class World:
    """The queue of what happens next, and the random numbers."""

    def __init__(self, partitions, tick, seed, seconds, faults=False, without=""):
        self.random, self.queue, self.now, self.number = random.Random(seed), [], 0, 0
        self.tick, self.faults, self.without, self.end = tick, faults, without, seconds * SECOND
        self.skew = 5 * MS if faults else 1 * MS
        self.accepted, self.messages, self.failovers = [], 0, 0
        self.partitions = [Partition(self, number) for number in range(partitions)]
        self.relays = [Relay(self, 30 if faults and number == 0 else 1) for number in range(RELAYS)]
        self.clients = [Client(self) for _ in range(CLIENTS)]

    def later(self, delay, action, *words):
        self.number += 1  # Of two at the same time the first goes first.
        heapq.heappush(self.queue, (self.now + int(delay), self.number, action, words))

    def run(self):
        weights = [(partition.number + 1) ** -0.8 for partition in self.partitions]
        for partition, weight in zip(self.partitions, weights):
            partition.start(EVENTS_A_SECOND * weight / sum(weights))
        for client in self.clients:
            client.connect()
        stop = self.end + (4 * SECOND if self.faults else self.tick)  # For what is on its way, and for the slow relay.
        while self.queue and self.queue[0][0] < stop:
            self.now, _, action, words = heapq.heappop(self.queue)
            action(*words)
        return self


class Partition:
    """The log of one partition at its present master."""

    def __init__(self, world, number):
        self.world, self.number, self.records, self.promise, self.up = world, number, [], 0, True
        self.offset = world.random.randint(-world.skew, world.skew)

    def start(self, rate):
        world = self.world
        world.later(world.random.expovariate(rate / SECOND), self.make, rate)
        world.later(world.random.uniform(0, world.tick), self.beat)
        if world.faults:
            self.later_fail()

    def make(self, rate):
        world = self.world
        if self.up:
            self.append(self.clock(), None)
        idle = world.random.uniform(0, SECOND) if world.faults and world.random.random() < 0.003 else 0
        if world.now < world.end:
            world.later(world.random.expovariate(rate / SECOND) + idle, self.make, rate)

    def clock(self):
        return max(self.world.now + self.offset, self.promise + 1)

    def append(self, time, tip):
        before, record = self.tip(), Record(time, self.number, tip, self.world.now)
        self.records.append(record)
        self.world.accepted.append(record)
        self.publish(before, [record], time)

    def tip(self):
        return self.records[-1].time if self.records else 0

    def beat(self):
        """Publishes a tick when the last promise is as old as a tick."""
        age = self.world.now + self.offset - self.promise
        if self.up and age >= self.world.tick:
            self.publish(self.tip(), [], self.clock())
            age = 0
        self.world.later(max(1, self.world.tick - max(0, age)), self.beat)

    def publish(self, before, records, promise):
        self.promise = promise
        for relay in self.world.relays:
            relay.send(self.number, before, records, promise)

    def later_fail(self):
        pause = self.world.random.expovariate(1 / FAIL_EVERY) * len(self.world.partitions)
        if self.world.now + pause < self.world.end:
            self.world.later(pause, self.fail)

    def fail(self):
        """The master ends with the records that its replica does not have yet."""
        world = self.world
        if self.up:
            self.up = False
            world.failovers += 1
            replicated = world.now - world.random.randint(0, 50 * MS)
            self.records = [record for record in self.records if record.at <= replicated]
            # Then its clock is above every promise of the former master, whatever both clocks show.
            wait = 0 if world.without == RULES[1] else 2 * world.skew
            world.later(world.random.randint(1, world.random.choice((3, 400))) * MS + wait, self.replace)
        self.later_fail()

    def replace(self):
        """The replica has another clock. Its first record says up to where the former records are whole."""
        self.offset = self.world.random.randint(-self.world.skew, self.world.skew)
        self.promise, self.up = self.tip(), True
        if self.world.without != RULES[2]:
            self.append(self.clock(), self.tip())

    def answer(self, relay, after):
        """What a relay reads from the log after it has missed something."""
        if self.up:
            at = bisect.bisect_right(self.records, after, key=lambda record: record.time)
            relay.send(self.number, after, self.records[at:], self.promise, True)
        else:
            self.world.later(20 * MS, self.answer, relay, after)


class Relay:
    """Merges the partitions for its clients."""

    def __init__(self, world, slowness):
        self.world, self.slowness, self.clients, self.pending, self.shown, self.waits = world, slowness, [], [], [], []
        count = len(world.partitions)
        self.last, self.promises, self.asking, self.free = [0] * count, [0] * count, [False] * count, [0] * count

    def delay(self):
        return self.slowness * (0.2 * MS + self.world.random.expovariate(1 / (0.3 * MS)))

    def send(self, partition, before, records, promise, is_answer=False):
        """A message on its way, behind the one before it; one of 200 is lost where there are faults."""
        self.world.messages += 1
        if self.world.faults and not is_answer and self.world.random.random() < 0.005:
            return
        at = self.free[partition] = max(self.free[partition], self.world.now + int(self.delay()))
        self.world.later(at - self.world.now, self.receive, partition, before, records, promise, is_answer)

    def receive(self, partition, before, records, promise, is_answer):
        self.asking[partition] &= not is_answer
        if before > self.last[partition] and self.world.without != RULES[3]:
            if not self.asking[partition]:
                self.asking[partition] = True
                self.world.later(self.delay(), self.world.partitions[partition].answer, self, self.last[partition])
            return
        for record in records:
            if record.time > self.last[partition]:
                self.last[partition] = record.time
                heapq.heappush(self.pending, (record.time, partition, self.world.now, record))
        self.promises[partition] = max(self.promises[partition], promise)
        self.show()

    def show(self):
        watermark = math.inf if self.world.without == RULES[0] else min(self.promises)
        while self.pending and self.pending[0][0] <= watermark:
            _, _, came, record = heapq.heappop(self.pending)
            self.shown.append(record)
            self.waits.append(self.world.now - came)
            for client in self.clients:
                client.take(record)


class Client:
    """Reads all records, and goes on at another relay after the one that it has seen last."""

    def __init__(self, world):
        self.world, self.seen, self.cursor, self.resumed = world, [], (0, 0), (0, 0)

    def connect(self):
        self.relay = self.world.random.choice(self.world.relays)
        self.resumed = self.cursor
        for record in self.relay.shown:
            self.take(record)
        self.relay.clients.append(self)
        if self.world.faults and self.world.now < self.world.end:
            self.world.later(self.world.random.expovariate(1 / SECOND), self.leave)

    def leave(self):
        self.relay.clients.remove(self)
        self.world.later(self.world.random.uniform(0, 200 * MS), self.connect)

    def take(self, record):
        if record[:2] > self.resumed:
            self.seen.append(record)
            self.cursor = record[:2]


def faults_of(world):
    """How many records break each promise, over all clients: out of order, twice, lost without a gap."""
    found = dict.fromkeys(BROKEN, 0)
    for client in world.clients:
        found["out of order"] += sum(one[:2] > other[:2] for one, other in zip(client.seen, client.seen[1:]))
        seen = set(client.seen)
        found["twice"] += len(client.seen) - len(seen)
        gaps = [record for record in seen if record.tip is not None]
        for one in world.accepted:
            if one not in seen and not any(gap[1] == one[1] and gap.tip < one.time < gap.time for gap in gaps):
                found["lost silently"] += 1
    return found


def sums_of(count, seeds, without=""):
    sums = collections.Counter()
    for seed in range(seeds):
        world = World(count, 20 * MS, seed, 8, True, without).run()
        sums.update(faults_of(world), failovers=world.failovers, records=len(world.accepted))
        for client in world.clients:
            sums.update(seen=len(client.seen), gaps=sum(record.tip is not None for record in client.seen))
    return sums


def check(seeds):
    print(f"{seeds} seeds, 8 s each: failovers that lose up to 50 ms, clocks that differ by up to 10 ms, lost messages,")
    print("idle partitions, a slow relay, clients that go on at another relay")
    names = ("failovers", "records", "seen", "gaps", "out of order", "twice", "lost silently")
    print("partitions  " + "  ".join(f"{name:>13}" for name in names))
    for count in COUNTS:
        sums = sums_of(count, seeds)
        print(f"{count:>10}  " + "  ".join(f"{sums[name]:>13,}" for name in names))
        if any(sums[name] for name in BROKEN):
            sys.exit("partitions: a promise is broken")
    print("\nThe same with one rule left out, 4 partitions: records that break a promise")
    for rule in RULES:
        sums = sums_of(4, seeds, rule)
        print(f"without {rule:<24}  " + ",  ".join(f"{sums[name]:>9,} {name}" for name in BROKEN))
        if not any(sums[name] for name in BROKEN):
            sys.exit("partitions: the checks do not notice that " + rule + " is left out")


def latency():
    print(f"\nWait in a relay for the watermark, ms; {EVENTS_A_SECOND} records/s in all, clocks within 2 ms, no faults")
    print("partitions    tick   p50 wait   p99 wait   messages/s to each relay   cursor   vector of partitions")
    for count in COUNTS:
        for tick in (5, 20, 100):
            world = World(count, tick * MS, 1, 10).run()
            waits = sorted(wait / MS for relay in world.relays for wait in relay.waits)
            p50, p99 = (waits[int(share * (len(waits) - 1))] for share in (0.5, 0.99))
            rate = world.messages / RELAYS / (world.now / SECOND)
            cursor, vector = len(f"{2**51:x}-{count - 1:x}"), count * len("9f3a61c2-123456789,")
            print(f"{count:>10}  {tick:>6}  {p50:>9.1f}  {p99:>9.1f}  {rate:>25,.0f}  {cursor:>5} B  {vector:>18,} B")


if __name__ == "__main__":
    check(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
    latency()
