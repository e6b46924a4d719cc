"""Servers that misbehave: each handler writes the bytes of an answer itself. They run on a thread of their own."""

import asyncio
import json
import re
import threading
import zlib


class Request:
    def __init__(self, head, body):
        self.head, self.body = head, body
        self.line = head.split("\r\n")[0]

    def header(self, name):
        found = re.search(rf"^{name}: (.*?)\r?$", self.head, re.IGNORECASE | re.MULTILINE)
        return found and found[1]

    def query(self, name):
        from urllib.parse import parse_qs, urlsplit

        return parse_qs(urlsplit(self.line.split(" ")[1]).query).get(name, [None])[0]


class Fake:
    """``handler(request, writer, n)`` is a coroutine that answers the n-th request; ``requests`` keeps them all."""

    def __init__(self, handler):
        self.requests, self.handler, self.writers = [], handler, set()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = self._run(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 24))
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(10)

    async def _serve(self, reader, writer):
        self.writers.add(writer)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin1")
                length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
                body = await reader.readexactly(int(length[1])) if length else b""
                request = Request(head, body.decode("latin1"))
                self.requests.append(request)
                await self.handler(request, writer, len(self.requests))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.writers.discard(writer)
            writer.close()

    def cut(self):
        async def abort():
            for writer in list(self.writers):
                writer.transport.abort()

        self._run(abort())

    def close(self):
        self.cut()
        self.server.close()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()


def answer(status, body="", **headers):
    text = body if isinstance(body, str) else json.dumps(body)
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} Some\r\nContent-Length: {len(text.encode())}\r\n{lines}\r\n{text}".encode()


STREAM = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
COMPRESSED = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n"
GAP = 'event: gap\ndata: {"from":3,"to":90,"reason":"expired","missed":88}\n\n'


def hello(identifier=None, conn="c1"):
    head = f"id: {identifier}\n" if identifier else ""
    data = {"stream": "firehose", "conn": conn, "epoch": "5f3a9c01", "tip": 9, "floor": 1, "resumed": True, "from": 1}
    return f":\n{head}event: hello\ndata: {json.dumps(data)}\n\n"


def status(seq, identifier=None):
    return f'id: 5f3a9c01-{seq}\nevent: status\ndata: {{"id":"{identifier or 1000 + seq}"}}\n\n'


class Gzip:
    """A stream as a server compresses it: each text can be read as soon as its bytes have come."""

    def __init__(self):
        self._deflate = zlib.compressobj(wbits=31)

    def flushed(self, text):
        return self._deflate.compress(text.encode()) + self._deflate.flush(zlib.Z_SYNC_FLUSH)

    def end(self):
        return self._deflate.flush()


def always(data):
    """A handler that gives each request the same answer."""

    async def handler(_request, writer, _n):
        writer.write(data if isinstance(data, bytes) else data.encode())

    return handler


def by_number(choose):
    """A handler whose answer depends on the number of the request; None cuts."""

    async def handler(_request, writer, n):
        data = choose(n)
        if data is None:
            writer.transport.abort()
        else:
            writer.write(data if isinstance(data, bytes) else data.encode())

    return handler
