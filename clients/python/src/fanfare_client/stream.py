"""Streams that reconnect by themselves."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import re
import time
from dataclasses import dataclass
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Optional

import httpx

from ._http import Decoder, Http, is_temporary, jitter, positive, refusal, unreachable
from ._sse import Block, SseParser
from .errors import ApiError, FanfareError, NetworkError, ProtocolError, UsageError
from .events import KINDS, Batch, Event
from .streams import StreamBuilder
from .types import Status

LOG = logging.getLogger("fanfare_client")
EVENTS_MAX = 500
WAIT_MIN, WAIT_MAX = 0.05, 600.0
FILLED_MAX = 10_000
IDENTIFIER = re.compile(r"([0-9a-f]{8})-([0-9]{1,19})(-end)?")


class _Finished(Exception):
    """The server has sent everything that was requested."""


class _Final(Exception):
    """A final answer: a reconnect would not help."""

    def __init__(self, failure: FanfareError) -> None:
        super().__init__(str(failure))
        self.failure = failure


@dataclass
class Retry:
    """A pause before the next connection."""

    failure: FanfareError
    wait: float
    attempt: int


class AsyncStream:
    """A stream that reconnects by itself, right behind the last event. Iterate over its batches, and close it.

    While a batch is handled, nothing is read, so that a slow consumer needs no more memory.
    """

    def __init__(self, http: Http, builder: "StreamBuilder[Any]", on_retry: Any, on_gap: Any, max_event_bytes: int, silence: float) -> None:
        positive(max_event_bytes=max_event_bytes, silence=silence)
        self._http = http
        self._kind = builder.kind
        self._filter = builder.filter_parameters()
        self._own = {name: value for name, value in builder.parameters.items() if name not in self._filter}
        self._on_retry = on_retry
        self._on_gap = on_gap
        self._max_event_bytes = max_event_bytes
        self._silence = silence
        self._cursor = builder.parameters.get("last_event_id", "")
        self._epoch, self._seq = "", -1
        self._greeted = False
        self._conn = ""
        self._failures = self._refusals = self._broken = 0
        self._hint: Optional[float] = None
        self._newest = 0
        self._before_gap: Optional[int] = None
        self._filled: Dict[str, None] = {}
        self._ready: List[Batch] = []
        self._reading: Optional[AsyncIterator[List[Batch]]] = None
        self._changed = self._abandoned = False
        self._done = self._closed = False
        self._task: Optional["asyncio.Future[Any]"] = None
        self._note(self._cursor)

    def __aiter__(self) -> "AsyncStream":
        return self

    async def __anext__(self) -> Batch:
        while True:
            retry = await self.step()
            if retry is not None:
                if self._on_retry is not None:
                    await _awaited(self._on_retry(retry.failure, retry.wait, retry.attempt))
                await self.pause(retry.wait)
            elif self._closed or not self._ready:
                raise StopAsyncIteration
            else:
                for gap in self.gaps():
                    await _awaited(gap)
                if not self._closed:  # by on_gap
                    return self.taken()

    def gaps(self) -> Iterator[Any]:
        """Calls on_gap when a gap begins the batch that is handed over next."""
        for event in self._ready[0].events[:1]:
            if event.type == "gap":
                self._before_gap = self._newest
                if self._on_gap is not None:
                    yield self._on_gap(event.data)

    def taken(self) -> Batch:
        """Hands the next batch over, without statuses that were filled."""
        batch = self._ready.pop(0)
        statuses = [event.data["id"] for event in batch.events if event.type == "status"]
        self._newest = max([self._newest, *map(int, statuses)])
        if not self._filled.keys().isdisjoint(statuses):
            batch.events = [e for e in batch.events if e.type != "status" or e.data["id"] not in self._filled]
        return batch

    async def __aenter__(self) -> "AsyncStream":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection and waits for that. No batch is handed over afterwards."""
        self._done = self._closed = True
        task = self._task
        if task is not None and not task.done():
            task.cancel()
            await asyncio.wait([task])
        await self._disconnect()

    async def change(self, builder: "StreamBuilder[Any]") -> None:
        """Replaces the filter, on the open connection and on later ones. It applies from the next event on.

        A client that has only tickets reconnects with it.
        """
        if self._kind != "filter" or builder.kind != "filter":
            raise UsageError("Only a filter() can be changed, by another one.")
        conn, parameters = self._conn, builder.filter_parameters()
        replaced = False
        # A ticket opens a stream, but changes none.
        if self._http.has_token or self._http.ticket is None:
            answer = await self._http.send("PUT", f"/api/v1/streaming/connections/{conn or 'none'}/filter", data=parameters)
            try:
                if not answer.is_success and answer.status_code != 404:
                    raise await refusal("changeStreamingFilter", answer)
            finally:
                await answer.aclose()
            replaced = answer.is_success
        self._filter = parameters
        # Another process serves the stream, or it has just been cut: the next connection has the new filter.
        if not replaced or conn != self._conn:
            self._changed = True
            if self._task is not None and not self._task.done():
                self._task.cancel()
            else:
                await self._disconnect()

    async def fill_gap(self, min_id: Optional[str] = None) -> AsyncIterator[Status]:
        """Reads statuses that a gap has left out over REST, the oldest first.

        Of ``home`` it reads the home timeline, else the public one, which lacks answers to others and comments, and
        which no filter restricts. Deletes, edits, follows and notifications cannot be had. It begins after ``min_id``,
        or else after the newest status of this stream before its last gap.
        """
        last = min_id or str((self._newest if self._before_gap is None else self._before_gap) or "")
        if not re.fullmatch("[0-9]{1,16}", last):
            raise UsageError("fill_gap needs min_id: this stream has had no status.")
        name = "showHome" if self._kind == "home" else "showPublic"
        while True:
            page = await self._http.call(name, {"min_id": last, "limit": 80})
            for status in reversed(page):
                self._filled[status["id"]] = None
                if len(self._filled) > FILLED_MAX:
                    del self._filled[next(iter(self._filled))]
                yield status
            if not page or page[0]["id"] == last:
                return
            last = page[0]["id"]

    async def step(self) -> Optional[Retry]:
        """Reads until a batch is ready, or the stream ends, or a pause must be made, which is the answer.

        The batch stays until the consumer takes it, so that a cancelled consumer loses none.
        """
        while not self._ready and not self._done:
            if self._task is None or self._task.done():
                # A task of its own, so that close() and change() can end it.
                self._task = asyncio.ensure_future(self._read())
            elif not self._abandoned:
                raise UsageError("The stream is iterated twice at the same time.")
            retry = await self._result()
            if retry is not None:
                return retry
        return None

    async def _result(self) -> Optional[Retry]:
        """Waits for the task. It goes on when the consumer is cancelled, and the next call waits for it again."""
        task = self._task
        assert task is not None
        self._abandoned = False
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not task.cancelled():
                self._abandoned = True
                raise
            if self._changed and not self._done:
                return await self._lost(NetworkError("The filter has changed."))
            return None

    async def pause(self, wait: float) -> None:
        self._task = asyncio.ensure_future(asyncio.sleep(wait))
        self._changed = False
        await self._result()

    async def _read(self) -> Optional[Retry]:
        try:
            if self._reading is None:
                self._hint = None
                self._changed = False
                self._reading = self._connect()
            async for batches in self._reading:
                if batches:
                    self._ready = batches
                    return None
            failure: FanfareError = NetworkError("The server ended the connection.")
        except _Finished:
            self._done = True
            await self._disconnect()
            return None
        except _Final as final:
            self._done = True
            await self._disconnect()
            raise final.failure from final.failure.__cause__
        except FanfareError as cause:
            failure = cause
        except (httpx.TransportError, httpx.StreamError, OSError) as cause:
            failure = unreachable(cause)
        return await self._lost(failure)

    async def _lost(self, failure: FanfareError) -> Retry:
        await self._disconnect()
        self._broken = self._broken + 1 if isinstance(failure, ProtocolError) else 0
        if self._broken >= 3:
            self._done = True
            raise failure
        self._failures += 1
        self._refusals = self._refusals + 1 if isinstance(failure, ApiError) else 0
        most = min(5.0 * 2 ** min(self._refusals - 1, 10), 320.0) if self._refusals else min(0.25 * self._failures, 16.0)
        hint = 0.0 if self._changed else self._hint
        if hint is None:
            hint = getattr(failure, "retry_after", None) or jitter(most)
        wait = min(max(hint, WAIT_MIN), WAIT_MAX)
        LOG.info("stream reconnects wait=%.2f attempt=%d reason=%s", wait, self._failures, failure)
        return Retry(failure, wait, self._failures)

    async def _disconnect(self) -> None:
        self._conn = ""
        reading, self._reading = self._reading, None
        if reading is not None:
            await reading.aclose()  # type: ignore[attr-defined]

    async def _connect(self) -> AsyncIterator[List[Batch]]:
        """The batches of one connection, until it ends."""
        try:
            response = await asyncio.wait_for(self._open(), self._silence)
        except asyncio.TimeoutError as late:
            raise NetworkError("The server does not answer.") from late
        try:
            decoder = Decoder(response)
            parser = SseParser(self._max_event_bytes)
            quiet = 0.0
            waited = time.monotonic()
            async for chunk in response.aiter_raw():
                quiet += time.monotonic() - waited
                for piece in decoder.pieces(chunk):
                    batches: List[Batch] = []
                    failure: Optional[BaseException] = None
                    try:
                        for block in parser.push(piece):
                            quiet = 0.0
                            self._take(block, batches)
                    except (FanfareError, _Final, _Finished) as cause:
                        failure = cause
                    yield batches  # What came before a broken block is whole, and the cursor is behind it.
                    if failure is not None:
                        raise failure
                if quiet > 4 * self._silence:
                    raise NetworkError("The server sends no whole event.")
                waited = time.monotonic()
        except httpx.ReadTimeout as silent:
            raise NetworkError("The server is silent.") from silent
        finally:
            await response.aclose()

    async def _open(self) -> httpx.Response:
        """Sends the request, and judges the head of the answer."""
        ticket = self._http.ticket
        post = self._kind == "filter" and (self._http.has_token or ticket is not None)
        query = {**self._own, **({} if post else self._filter)}
        if self._cursor:
            query["last_event_id"] = self._cursor
        if ticket is not None:
            try:
                query["ticket"] = await _awaited(ticket())
            except FanfareError:
                raise
            except Exception as cause:
                raise NetworkError(f"ticket() has failed: {cause}") from cause
        timeout = httpx.Timeout(self._silence, connect=10.0, pool=None)
        parts: Dict[str, Any] = {"timeout": timeout, "params": query, "headers": {"Accept": "text/event-stream", "Accept-Encoding": "gzip"}}
        if post:
            parts["data"] = self._filter
        response = await self._http.send("POST" if post else "GET", f"/api/v1/streaming/{self._kind}", ticket is None, **parts)
        try:
            if response.status_code == 204:
                raise _Finished
            if response.status_code != 200:
                failure = await refusal("stream", response)
                raise failure if is_temporary(response.status_code) else _Final(failure)
            if not re.match(r"text/event-stream\b", response.headers.get("Content-Type", "")):
                wrong = ProtocolError("The answer is no event stream. Is this the address of a Fanfare server?")
                raise wrong if self._greeted else _Final(wrong)
        except BaseException:
            await response.aclose()
            raise
        return response

    def _take(self, block: Block, batches: List[Batch]) -> None:
        """Adds a block to the last batch, if it is new."""
        if block.retry is not None:
            self._hint = block.retry / 1000
        kind = "edit" if block.name == "status.update" else block.name
        data = None
        if block.data and (kind == "disconnect" or (kind in KINDS and block.name != "edit")):
            data = _object(block)  # a broken one does not move the cursor
        # The hello of a resumed stream has the cursor itself.
        if block.id is not None and not self._note(block.id) and kind != "hello":
            return
        if data is not None and kind == "disconnect":
            self._ended(data)
        elif data is not None:
            event: Event = KINDS[kind](kind, data, block.id or None)
            self._learn(event)
            # A gap begins a batch, so that what came before it is handed over before on_gap.
            if kind == "gap" or not batches or len(batches[-1].events) >= EVENTS_MAX:
                batches.append(Batch())
            batches[-1].events.append(event)
        if block.id and not batches:
            batches.append(Batch())
        if batches:
            batches[-1].cursor = self._cursor

    def _note(self, identifier: str) -> bool:
        """Moves the cursor to this id; answers whether it is a new one."""
        if not identifier:
            return True
        match = IDENTIFIER.fullmatch(identifier)
        if match is None:
            if self._greeted:
                raise ProtocolError("The stream has an id that is no position.")
            return True  # a cursor of the caller that is a seq alone
        epoch, seq = match[1], int(match[2])
        if epoch == self._epoch and seq <= self._seq and not match[3]:
            return False
        self._epoch, self._seq, self._cursor = epoch, seq, identifier
        return True

    def _learn(self, event: Event) -> None:
        """Notes what the event says of the stream."""
        if event.type == "hello":
            self._greeted = True
            self._conn = str(event.data.get("conn", ""))
            self._failures = self._refusals = 0
            return
        self._broken = 0
        if event.type == "gap" and event.data.get("reason") in ("future", "invalid"):
            self._epoch = ""  # the next id is the first one

    def _ended(self, body: Dict[str, Any]) -> None:
        reason = body.get("message") or body.get("reason") or body.get("code")
        failure = NetworkError(f"The server ended the stream: {reason}")
        if body.get("code") == 9:
            raise _Finished
        raise _Final(failure) if body.get("code") == 7 else failure


class Stream:
    """A stream that reconnects by itself, right behind the last event. Iterate over its batches, and close it.

    While a batch is handled, nothing is read, so that a slow consumer needs no more memory. ``close`` may be called
    from every thread, the iteration belongs to one.
    """

    def __init__(self, stream: AsyncStream, run: Callable[[Any], Any]) -> None:
        self._stream = stream
        self._run = run

    def __iter__(self) -> "Stream":
        return self

    def __next__(self) -> Batch:
        stream = self._stream
        while True:
            retry = self._run(stream.step())
            if retry is not None:
                if stream._on_retry is not None:
                    stream._on_retry(retry.failure, retry.wait, retry.attempt)
                self._run(stream.pause(retry.wait))
            elif stream._closed or not stream._ready:
                raise StopIteration
            else:
                for _ in stream.gaps():
                    pass
                if not stream._closed:  # by on_gap
                    return stream.taken()

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection and waits for that. No batch is handed over afterwards."""
        self._run(self._stream.close())

    def change(self, builder: "StreamBuilder[Any]") -> None:
        """Replaces the filter, on the open connection and on later ones. It applies from the next event on."""
        self._run(self._stream.change(builder))

    def fill_gap(self, min_id: Optional[str] = None) -> Any:
        """As ``AsyncStream.fill_gap``: statuses that a gap has left out, the oldest first."""
        statuses = self._stream.fill_gap(min_id)
        end = object()

        async def following() -> Any:
            async for status in statuses:
                return status
            return end

        while True:
            status = self._run(following())
            if status is end:
                return
            yield status


async def _awaited(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


def _object(block: Block) -> Any:
    try:
        data = json.loads(block.data)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise ProtocolError(f"The data of an event {block.name} is no object.")
    identifier = data.get("id")
    if block.name == "status" and not (isinstance(identifier, str) and re.fullmatch("[0-9]{1,19}", identifier)):
        raise ProtocolError("The stream has a status without an id.")
    return data
