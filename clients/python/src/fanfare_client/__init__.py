"""A client of Fanfare servers: typed calls, and streams that resume by themselves."""

from .client import AsyncFanfare, Fanfare
from .errors import ApiError, FanfareError, NetworkError, ProtocolError, UsageError
from .events import Batch, Event
from .page import AsyncPage, Page
from .stream import AsyncStream, Stream
from .streams import StreamBuilder, Streams

__version__ = "0.2.0"

__all__ = [
    "ApiError",
    "AsyncFanfare",
    "AsyncPage",
    "AsyncStream",
    "Batch",
    "Event",
    "Fanfare",
    "FanfareError",
    "NetworkError",
    "Page",
    "ProtocolError",
    "Stream",
    "StreamBuilder",
    "Streams",
    "UsageError",
]
