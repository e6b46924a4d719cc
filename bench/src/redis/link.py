"""Connections to Redis, and redis-servers of their own, for the scripts in this folder."""

import contextlib
import socket
import subprocess
import tempfile
import time

WRITE = 100  # commands of one write
START_SECONDS = 20


class Link:
    """One connection that sends commands together and reads their replies."""

    def __init__(self, address):
        """@param address path of a Unix socket, or a port of the loopback address"""
        if isinstance(address, int):
            self.socket = socket.create_connection(("127.0.0.1", address))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(address)
        self.replies = self.socket.makefile("rb", 1 << 20)

    def send(self, *commands):
        for at in range(0, len(commands), WRITE):
            part = commands[at : at + WRITE]
            self.socket.sendall(b"".join(map(self.encode, part)))
            yield from [self.read() for _ in part]

    def all(self, *commands):
        return list(self.send(*commands))

    def one(self, *words):
        return self.all(words)[0]

    @staticmethod
    def encode(command):
        parts = [str(part).encode() for part in command]
        return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)

    def read(self):
        line = self.replies.readline()
        kind, value = line[:1], line[1:-2]
        if kind == b"-":
            raise RuntimeError(value.decode())
        if kind == b":":
            return int(value)
        if line == b"$-1\r\n":
            return None
        if kind == b"$":
            return self.replies.read(int(value) + 2)[:-2].decode()
        if kind == b"*":
            return [self.read() for _ in range(int(value))]
        return value.decode()

    def info(self, *command):
        """The fields of INFO or CLUSTER INFO."""
        lines = self.one(*command).split("\r\n")
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def processor(self):
        """Seconds of user and system time so far."""
        fields = self.info("INFO", "cpu")
        return float(fields["used_cpu_user"]) + float(fields["used_cpu_sys"])

    def version(self):
        fields = self.info("INFO", "everything")
        return f"Redis {fields['redis_version']}, {fields['mem_allocator']}"


def until(condition, what):
    """Waits until it holds, START_SECONDS at most."""
    end = time.monotonic() + START_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)


def connect(address, process):
    link = []

    def connected():
        if process.poll() is not None:
            raise RuntimeError(f"redis-server ended at its start; is {address} in use?")
        with contextlib.suppress(OSError):
            link.append(Link(address))
        return link

    until(connected, f"no redis-server at {address}")
    return link[0]


@contextlib.contextmanager
def servers(binary, addresses, *arguments):
    """Redis-servers in temporary folders, and a link to each. They save no file of their own accord."""
    with contextlib.ExitStack() as stack:
        links = []
        for address in addresses:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            at = ["--port", "0", "--unixsocket", address] if isinstance(address, str) else ["--port", str(address)]
            command = [binary, *at, "--bind", "127.0.0.1", "--save", "", "--dir", folder, *arguments]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
            links.append(connect(address, process))
        yield links


@contextlib.contextmanager
def cluster(binary, port, masters, *arguments):
    """A cluster of masters with equal parts of the slots; their ports, and their ports of the cluster bus, follow each
    other from the port on."""
    ports = [port + number for number in range(masters)]
    with contextlib.ExitStack() as stack:
        links = []
        for one in ports:
            options = ("--cluster-enabled", "yes", "--cluster-port", str(one + masters), *arguments)
            links += stack.enter_context(servers(binary, [one], *options))
        for number, link in enumerate(links):
            link.one("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            first, last = 16384 * number // masters, 16384 * (number + 1) // masters - 1
            link.one("CLUSTER", "ADDSLOTSRANGE", first, last)
            links[0].one("CLUSTER", "MEET", "127.0.0.1", ports[number], ports[number] + masters)
        until(lambda: all(is_complete(link, masters) for link in links), "the cluster is not complete")
        yield links


def is_complete(link, masters):
    fields = link.info("CLUSTER", "INFO")
    return fields["cluster_state"] == "ok" and fields["cluster_size"] == str(masters)


def owner(links, key):
    """The link to the master that has the slot of a key, in a cluster as it was made."""
    return links[(links[0].one("CLUSTER", "KEYSLOT", key) * len(links)) // 16384]
