#!/usr/bin/python3
"""Measures the processor time that redis-server takes to copy an event to each of many subscribers of one channel.

    docs/benchmarks/bus-copies.py [--redis BINARY] [--port N] [--seconds N] [--rounds N] [--rate N]

It starts a redis-server of its own on the loopback address, without an append-only file. One connection publishes messages of 485 bytes, one at a
time, at a fixed rate; others subscribe to the channel and drop what they get, all in one process. Rounds of every number
of subscribers are taken in turn. Processor time is that of INFO cpu.
"""

import argparse
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time

SUBSCRIBERS = (0, 1, 10, 50, 200)
MESSAGE = b"x" * 485
PUBLISH = b"*3\r\n$8\r\nSPUBLISH\r\n$3\r\nbus\r\n$%d\r\n%s\r\n" % (len(MESSAGE), MESSAGE)


def connect(port):
    link = socket.create_connection(("127.0.0.1", port))
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def call(link, *words):
    link.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
    return link.recv(1 << 16)


def processor_seconds(link):
    fields = dict(line.split(":") for line in call(link, b"INFO", b"cpu").decode().splitlines() if ":" in line)
    return float(fields["used_cpu_sys"]) + float(fields["used_cpu_user"])


def drop(port, number):
    """A process that subscribes so often and reads until Redis ends; it prints a line when all have subscribed."""
    selector = selectors.DefaultSelector()
    for _ in range(number):
        link = connect(port)
        call(link, b"SSUBSCRIBE", b"bus")
        selector.register(link, selectors.EVENT_READ)
    print("subscribed", flush=True)
    while True:
        for key, _ in selector.select():
            if not key.fileobj.recv(1 << 16):
                return


def measure(port, number, rate, seconds):
    """Microseconds of Redis a message."""
    readers = subprocess.Popen([sys.executable, __file__, "--drop", str(port), str(number)], stdout=subprocess.PIPE)
    try:
        readers.stdout.readline()
        link, info = connect(port), connect(port)
        before, begin = processor_seconds(info), time.monotonic()
        for sent in range(rate * seconds):
            time.sleep(max(0.0, begin + sent / rate - time.monotonic()))
            link.sendall(PUBLISH)
            if link.recv(64) != b":%d\r\n" % number:
                sys.exit(f"bus-copies: a message did not reach {number} subscribers")
        return (processor_seconds(info) - before) / (rate * seconds) * 1e6
    finally:
        readers.kill()
        readers.wait()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--redis", default="redis-server")
    options.add_argument("--port", type=int, default=7999)
    options.add_argument("--seconds", type=int, default=5)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--rate", type=int, default=1000)
    options.add_argument("--drop", nargs=2, help=argparse.SUPPRESS)
    options = options.parse_args()
    if options.drop:
        return drop(*map(int, options.drop))
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [options.redis, "--port", str(options.port), "--bind", "127.0.0.1", "--save", "", "--dir", folder], stdout=subprocess.DEVNULL
        )
        try:
            for _ in range(100):
                try:
                    connect(options.port).close()
                    break
                except OSError:
                    time.sleep(0.1)
            if server.poll() is not None:
                sys.exit(f"bus-copies: {options.redis} ended at its start; is port {options.port} in use?")
            rounds = [[measure(options.port, number, options.rate, options.seconds) for number in SUBSCRIBERS] for _ in range(options.rounds)]
        finally:
            server.terminate()
            server.wait()
    medians = [statistics.median(column) for column in zip(*rounds)]
    print(f"{options.rate} messages/s of {len(MESSAGE)} bytes, median of {options.rounds} rounds of {options.seconds} s")
    print("subscribers   redis us a message")
    for number, micros in zip(SUBSCRIBERS, medians):
        print(f"{number:11}   {micros:18.1f}")
    print(f"a copy takes {(medians[-1] - medians[1]) / (SUBSCRIBERS[-1] - SUBSCRIBERS[1]):.2f} us of Redis")


if __name__ == "__main__":
    main()
