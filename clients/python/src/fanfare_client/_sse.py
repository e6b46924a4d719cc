"""Reads blocks out of the bytes of an event stream (WHATWG HTML, section 9.2.6). Lines end with LF or CR LF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, List, Optional

from .errors import ProtocolError


@dataclass
class Block:
    id: Optional[str] = None
    name: str = ""
    data: str = ""
    retry: Optional[int] = None


class SseParser:
    """``most`` is the number of bytes of a block."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._rest: List[bytes] = []
        self._size = 0
        self._block = Block()

    def push(self, chunk: bytes) -> Iterator[Block]:
        """The blocks that end in this chunk. An incomplete one waits for the next chunk; a cut drops it."""
        *lines, rest = chunk.split(b"\n")
        for piece in lines:
            self._count(piece)
            self._rest.append(piece)
            line = b"".join(self._rest)
            self._rest = []
            if line.endswith(b"\r"):
                line = line[:-1]
            if line:
                self._line(line.decode("utf-8", "replace"))
                continue
            block, self._block, self._size = self._block, Block(), 0
            yield block
        if rest:
            self._count(rest)
            self._rest.append(rest)

    def _count(self, piece: bytes) -> None:
        self._size += len(piece) + 1
        if self._size > self._most:
            raise ProtocolError(f"The stream has a block of more than {self._most} bytes.")

    def _line(self, line: str) -> None:
        field, _, value = line.partition(":")
        if value.startswith(" "):
            value = value[1:]
        block = self._block
        if field == "data":
            block.data += ("\n" if block.data else "") + value
        elif field == "event":
            block.name = value
        elif field == "id":
            block.id = value
        elif field == "retry" and value.isascii() and value.isdigit() and len(value) <= 9:
            block.retry = int(value)
