"""The clients of a server, for threads and for asyncio."""

from __future__ import annotations

import asyncio
import threading
import weakref
from typing import Any, Coroutine, Dict, Optional, TypeVar

from ._http import Http, Progress, Ticket
from .errors import FanfareError, UsageError
from .operations import AsyncCalls, Calls
from .page import AsyncPage, Page
from .stream import AsyncStream, Stream
from .streams import Streams
from .types import MediaAttachment, Upload

T = TypeVar("T")
READY_MAX = 300.0


class AsyncFanfare(AsyncCalls):
    """A client of one server for asyncio. Its methods are the operations of the API; ``streams`` has the streams.

    ``address`` is that of the server, such as ``https://social.example``. ``token`` is sent as ``Authorization:
    Bearer``. ``ticket()`` is called before each connection of a stream; its result is sent in place of the token.
    ``timeout`` are the seconds for one try of a call, ``retries`` how often a safe call is repeated, ``max_wait`` those of the longest pause before a retry,
    ``max_answer_bytes`` bounds an answer. Other options are those of ``httpx.AsyncClient``, such as ``verify``.
    """

    def __init__(self, address: str, token: Optional[str] = None, *, ticket: Optional[Ticket] = None, **options: Any) -> None:
        self._http = Http(address, token, ticket, **options)
        self._opened: "weakref.WeakSet[AsyncStream]" = weakref.WeakSet()
        self.streams: Streams[AsyncStream] = Streams(self._open)

    def _open(self, *given: Any) -> AsyncStream:
        stream = AsyncStream(self._http, *given)
        self._opened.add(stream)
        return stream

    async def _call(self, name: str, values: Dict[str, Any], idempotency_key: Optional[str] = None) -> Any:
        return await self._http.call(name, values, idempotency_key)

    async def upload_media(
        self,
        file: Upload,
        *,
        description: Optional[str] = None,
        focus: Optional[str] = None,
        thumbnail: Optional[Upload] = None,
        on_progress: Optional[Progress] = None,
        wait: bool = True,
    ) -> MediaAttachment:
        """Uploads a file (its path, its bytes, or an open file), and waits until it can be posted."""
        values = {"file": file, "description": description, "focus": focus, "thumbnail": thumbnail}
        media = await self._http.call("createMedia", values, on_progress=on_progress)
        waited, step = 0.0, 0.5
        while wait and not media["url"]:
            if waited > READY_MAX:
                raise FanfareError(f"The picture {media['id']} is not ready yet: call show_media later.")
            await asyncio.sleep(step)
            waited, step = waited + step, min(step * 2, 5.0)
            media = await self.show_media(media["id"])
        return media

    async def close(self) -> None:
        """Closes all connections, those of open streams too."""
        for stream in list(self._opened):
            await stream.close()
        await self._http.close()

    async def __aenter__(self) -> "AsyncFanfare":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


class Fanfare(Calls):
    """A client of one server for threads. Its methods are the operations of the API; ``streams`` has the streams.

    The arguments are those of ``AsyncFanfare``. Requests run on a thread of the client, so that every thread may use
    it. ``ticket`` and ``on_progress`` are called on that thread, and must not use the client.
    """

    def __init__(self, address: str, token: Optional[str] = None, *, ticket: Optional[Ticket] = None, **options: Any) -> None:
        self._async = AsyncFanfare(address, token, ticket=ticket, **options)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fanfare-client", daemon=True)
        self._thread.start()
        self._closed = False
        self.streams: Streams[Stream] = Streams(lambda *given: Stream(self._async._open(*given), self._run))

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if self._closed or threading.current_thread() is self._thread:
            coroutine.close()
            raise UsageError("The client is closed." if self._closed else "A callback of the client must not use it.")
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # such as after Ctrl-C
            raise

    def _call(self, name: str, values: Dict[str, Any], idempotency_key: Optional[str] = None) -> Any:
        answer = self._run(self._async._call(name, values, idempotency_key))
        return Page(answer, self._run) if isinstance(answer, AsyncPage) else answer

    def upload_media(self, file: Upload, **options: Any) -> MediaAttachment:
        """As ``AsyncFanfare.upload_media``."""
        return self._run(self._async.upload_media(file, **options))

    def close(self) -> None:
        """Closes all connections, those of open streams too, and ends the thread."""
        if not self._closed:
            self._run(self._async.close())
            self._closed = True
            asyncio.run_coroutine_threadsafe(self._loop.shutdown_asyncgens(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def __enter__(self) -> "Fanfare":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
