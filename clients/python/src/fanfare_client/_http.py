"""Requests to one server: arguments, retries, rate limits, bounds."""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import re
import time
import uuid
import zlib
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Iterator, List, Optional, Tuple, Union
from urllib.parse import quote, urlencode

import httpx

from .errors import ApiError, FanfareError, NetworkError, ProtocolError, UsageError
from .operations import OPERATIONS
from .page import AsyncPage

Ticket = Callable[[], Union[str, Awaitable[str]]]
Progress = Callable[[int, int], None]

EXPORT_BYTES = 1 << 30
ERROR_BYTES = 1 << 16
CHUNK = 1 << 16
IDLE = 45.0


def is_temporary(status: int) -> bool:
    return status in (408, 425, 429) or status >= 500


def jitter(most: float) -> float:
    """A random wait between half of ``most`` and ``most``."""
    return most * (0.5 + random.random() / 2)


def positive(**values: Any) -> None:
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
            raise UsageError(f"{name} must be a number above 0.")


def unreachable(cause: BaseException) -> NetworkError:
    silent = isinstance(cause, httpx.ReadTimeout)
    reason = str(cause) or type(cause).__name__
    failure = NetworkError("The server does not answer." if silent else f"The server cannot be reached: {reason}")
    failure.__cause__ = cause
    failure.unsent = isinstance(cause, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    return failure


class Http:
    """Sends requests to one server; on one event loop."""

    def __init__(
        self,
        address: str,
        token: Optional[str] = None,
        ticket: Optional[Ticket] = None,
        timeout: float = 30.0,
        retries: int = 4,
        max_wait: float = 60.0,
        max_answer_bytes: int = 1 << 24,
        **options: Any,
    ) -> None:
        try:
            url = httpx.URL(address)
        except (httpx.InvalidURL, TypeError) as cause:
            raise UsageError(f"{address!r} is no address: write https://HOST or http://HOST:PORT.") from cause
        if url.scheme not in ("http", "https") or not url.host or url.userinfo or url.query or url.fragment:
            raise UsageError(f"{url.copy_with(userinfo=b'')} is no address: write https://HOST or http://HOST:PORT.")
        if token is not None and (not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]+", token)):
            raise UsageError("The access token is empty or has a character that no token has.")
        positive(timeout=timeout, max_wait=max_wait, max_answer_bytes=max_answer_bytes)
        self.base = str(url).rstrip("/")
        self.ticket = ticket
        self._token = token
        self._timeout = timeout
        if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
            raise UsageError("retries must be a whole number, 0 for none.")
        self._retries = retries
        self._max_wait = max_wait
        self._max_answer_bytes = max_answer_bytes
        self._resets: Dict[str, float] = {}
        self._client = httpx.AsyncClient(
            follow_redirects=False,  # the token would go elsewhere
            timeout=httpx.Timeout(IDLE, connect=10.0, pool=None),
            limits=httpx.Limits(max_connections=100, max_keepalive_connections=20),
            **options,
        )

    @property
    def has_token(self) -> bool:
        return self._token is not None

    async def close(self) -> None:
        await self._client.aclose()

    async def send(self, method: str, path: str, with_token: bool = True, **parts: Any) -> httpx.Response:
        """One request. The caller closes the response."""
        headers = dict(parts.pop("headers", {}))
        if with_token and self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        request = self._client.build_request(method, self.base + path, headers=headers, **parts)
        try:
            return await self._client.send(request, stream=True)
        except (httpx.TransportError, httpx.DecodingError, OSError) as cause:
            raise unreachable(cause) from cause

    async def call(
        self,
        name: str,
        values: Dict[str, Any],
        idempotency_key: Optional[str] = None,
        on_progress: Optional[Progress] = None,
        next_query: Optional[str] = None,
    ) -> Any:
        """An operation by its name in the table; values that are None are left out."""
        method, template, flags = OPERATIONS[name]
        path, body = build(name, method, template, values, next_query)
        headers = {"Accept-Encoding": "gzip"}
        if "k" in flags:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        tries = 0
        while True:
            tries += 1
            held = self._resets.get(name, 0.0) - time.time()
            if held > self._max_wait:
                raise ApiError(name, 429, {"error": "The rate limit is used up."}, math.ceil(held))
            if held > 0:
                await asyncio.sleep(held)
            safe = "k" in flags or "s" in flags
            failure: FanfareError
            try:
                answer, query = await self._once(name, method, flags, path, headers, body, on_progress)
                if "l" in flags and isinstance(answer, list):
                    return AsyncPage(answer, query, lambda q: self.call(name, values, next_query=q))
                return answer
            except ApiError as refused:
                failure, safe = refused, is_temporary(refused.status) and (safe or refused.status == 429)
            except NetworkError as cut:
                failure, safe = cut, safe or cut.unsent
            wait = getattr(failure, "retry_after", None) or jitter(min(0.5 * 2 ** (tries - 1), 16.0))
            if not safe or tries > self._retries or wait > self._max_wait:
                raise failure
            await asyncio.sleep(wait)

    async def _once(self, name: str, method: str, flags: str, path: str, headers: Dict[str, str], body: Any, on_progress: Optional[Progress]) -> Tuple[Any, Optional[str]]:
        lasting = isinstance(body, Multipart) or "b" in flags
        parts: Dict[str, Any] = {"headers": headers}
        if isinstance(body, Multipart):
            parts["headers"] = {**headers, "Content-Type": body.type, "Content-Length": str(body.size)}
            parts["content"] = body.chunks(on_progress)
        elif body is not None:
            parts["headers"] = {**headers, "Content-Type": "application/json"}
            parts["content"] = body
        try:
            return await asyncio.wait_for(self._exchange(name, method, flags, path, parts), None if lasting else self._timeout)
        except asyncio.TimeoutError as late:
            raise NetworkError(f"{name} has no answer in {self._timeout:g} s.") from late

    async def _exchange(self, name: str, method: str, flags: str, path: str, parts: Dict[str, Any]) -> Tuple[Any, Optional[str]]:
        response = await self.send(method, path, **parts)
        try:
            if response.headers.get("X-RateLimit-Remaining") == "0":
                self._resets[name] = moment(response.headers.get("X-RateLimit-Reset", ""))
            if not response.is_success:
                raise await refusal(name, response)
            raw = await whole(response, EXPORT_BYTES if "b" in flags else self._max_answer_bytes)
        finally:
            await response.aclose()
        if "b" in flags:
            return raw, None
        if "t" in flags:
            return raw.decode("utf-8", "replace"), None
        try:
            answer = json.loads(raw)
        except (ValueError, RecursionError) as cause:
            raise ProtocolError(f"The answer to {name} is no JSON.") from cause
        # Only the query of the next address is used: the token stays here, whatever the server names.
        link = re.search(r'<[^<>?]*\?([^<>]*)>\s*;\s*rel="?next', response.headers.get("Link", ""))
        return answer, link[1] if link else None


def moment(text: str) -> float:
    """Unix time of an RFC 3339 text; 0 when it is none."""
    from datetime import datetime

    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except ValueError:
        return 0.0


def retry_after(response: httpx.Response) -> Optional[int]:
    """Seconds of ``Retry-After``; a date, which some proxies write, is left to the usual pause."""
    text = response.headers.get("Retry-After", "")
    return int(text) or None if re.fullmatch(r"\d{1,9}", text) else None


class Decoder:
    """Decodes the chunks of a body, which may be gzip: all that is in a chunk, at once, in pieces of a limited size."""

    def __init__(self, response: httpx.Response) -> None:
        coding = response.headers.get("Content-Encoding", "identity").lower()
        if coding not in ("identity", "gzip"):
            raise ProtocolError(f"The answer has a coding that was not requested: {coding}.")
        self._inflate = zlib.decompressobj(31) if coding == "gzip" else None

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        if self._inflate is None:
            yield chunk
            return
        while chunk:
            if self._inflate.eof:
                self._inflate = zlib.decompressobj(31)  # for another member
            try:
                piece = self._inflate.decompress(chunk, CHUNK)
            except zlib.error as cause:
                raise ProtocolError("The answer is no gzip.") from cause
            chunk = self._inflate.unconsumed_tail or self._inflate.unused_data
            yield piece


async def whole(response: httpx.Response, most: int) -> bytes:
    """The whole body, decoded, but no more than ``most`` bytes."""
    decoder = Decoder(response)
    body = bytearray()
    try:
        async for chunk in response.aiter_raw():
            for piece in decoder.pieces(chunk):
                body += piece
                if len(body) > most:
                    raise ProtocolError(f"The answer has more than {most} bytes.")
    except (httpx.TransportError, OSError) as cause:
        raise unreachable(cause) from cause
    return bytes(body)


async def refusal(operation: str, response: httpx.Response) -> FanfareError:
    """The error of an answer that has an error status."""
    if 300 <= response.status_code < 400:
        return ProtocolError("The server redirects to another address. Create the client with that address.")
    body: Any = {}
    try:
        body = json.loads(await whole(response, ERROR_BYTES))
    except (ValueError, RecursionError, FanfareError):
        pass  # A proxy answers in HTML. The status says enough.
    return ApiError(operation, response.status_code, body if isinstance(body, dict) else {}, retry_after(response))


def build(name: str, method: str, template: str, values: Dict[str, Any], next_query: Optional[str]) -> Tuple[str, Any]:
    """Puts the arguments where they belong: into the path, the query, JSON, or a form when there are files."""
    rest = {key: value for key, value in values.items() if value is not None}

    def put(match: "re.Match[str]") -> str:
        value = rest.pop(match[1], None)
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value in ("", ".", ".."):
            raise UsageError(f"{name} needs {match[1]}: a text that is not empty.")
        return quote(str(value), safe="")

    path = re.sub(r"\{(\w+)\}", put, template)
    fields: List[Tuple[str, Any]] = []
    flatten(name, rest, "", fields)
    if method == "GET":
        query = next_query if next_query is not None else urlencode(fields)
        return path + (f"?{query}" if query else ""), None
    if any(is_file(key, value) for key, value in fields):
        return path, Multipart(fields)
    return path, json.dumps(rest, allow_nan=False).encode() if rest else None


FILES = ("file", "thumbnail", "avatar", "header")


def is_file(key: str, value: Any) -> bool:
    return isinstance(value, (bytes, bytearray, os.PathLike)) or hasattr(value, "read") or (key in FILES and isinstance(value, str))


def flatten(name: str, value: Any, key: str, into: List[Tuple[str, Any]]) -> None:
    """Names of a form, such as ``id[]`` and ``source[privacy]``; refuses values that no request can have."""
    if isinstance(value, dict):
        for inner, one in value.items():
            flatten(name, one, f"{key}[{inner}]" if key else str(inner), into)
    elif isinstance(value, (list, tuple)):
        for at, one in enumerate(value):
            flatten(name, one, f"{key}[{at}]" if isinstance(one, dict) else f"{key}[]", into)
    elif isinstance(value, bool):
        into.append((key, "true" if value else "false"))
    elif value is None:
        into.append((key, ""))
    elif isinstance(value, float) and not math.isfinite(value):
        raise UsageError(f"{key} of {name} cannot be {value}.")
    elif isinstance(value, (str, int, float)) or is_file(key, value):
        into.append((key, value))
    else:
        raise UsageError(f"{key} of {name} cannot be a {type(value).__name__}.")


class Multipart:
    """A form with files, which are read while they are sent. A path or an open file can be sent again."""

    def __init__(self, fields: List[Tuple[str, Any]]) -> None:
        boundary = f"fanfare-{uuid.uuid4()}"
        self.type = f"multipart/form-data; boundary={boundary}"
        self._parts: List[Tuple[bytes, Any]] = []
        self.size = 0
        for key, value in fields:
            head = f'--{boundary}\r\nContent-Disposition: form-data; name="{escaped(key)}"'
            source: Any = str(value).encode()
            if is_file(key, value):
                source = bytes(value) if isinstance(value, bytearray) else value
                file_name = os.path.basename(str(getattr(value, "name", value if isinstance(value, (str, os.PathLike)) else "file")))
                head += f'; filename="{escaped(file_name)}"\r\nContent-Type: application/octet-stream'
            self._add(f"{head}\r\n\r\n".encode(), source)
        self._add(f"--{boundary}--\r\n".encode(), None)

    def _add(self, head: bytes, source: Any) -> None:
        if source is None:
            length = -2
        elif isinstance(source, bytes):
            length = len(source)
        elif hasattr(source, "read"):
            length = source.seek(0, os.SEEK_END)
        else:
            try:
                length = os.path.getsize(source)
            except OSError as cause:
                raise UsageError(f"The file cannot be read: {cause}") from cause
        self.size += len(head) + length + 2
        self._parts.append((head, source))

    async def chunks(self, on_progress: Optional[Progress]) -> AsyncIterator[bytes]:
        sent = 0
        for chunk in self._bytes():
            yield chunk
            sent += len(chunk)
            if on_progress is not None:
                on_progress(sent, self.size)

    def _bytes(self) -> Any:
        for head, source in self._parts:
            yield head
            if source is None:
                return
            if isinstance(source, bytes):
                for at in range(0, len(source), CHUNK):
                    yield source[at : at + CHUNK]
            elif hasattr(source, "read"):
                source.seek(0)
                yield from iter(lambda: source.read(CHUNK), b"")
            else:
                with open(source, "rb") as file:
                    yield from iter(lambda: file.read(CHUNK), b"")
            yield b"\r\n"


def escaped(text: str) -> str:
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
