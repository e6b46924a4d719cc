"""Builders that select a stream."""

from __future__ import annotations

import math
import re
from datetime import datetime
from typing import Any, Callable, Dict, Generic, Optional, Tuple, TypeVar, Union

from .errors import UsageError

S = TypeVar("S")
PUBLIC = ("firehose", "sample", "filter")
ANY = (*PUBLIC, "home")
FILTER = ("filter",)
#: West, south, east, north in degrees. West is greater than east for a box over the date line.
Box = Tuple[float, float, float, float]
#: Parameters that belong to the start and the form of a stream, and not to its filter.
OF_THE_STREAM = ("last_event_id", "since", "count", "max_rate", "votes")


class StreamBuilder(Generic[S]):
    """Selects a stream. It is immutable: each method returns a new builder. Without a start the stream begins now."""

    def __init__(self, opened: Callable[..., S], kind: str, parameters: Optional[Dict[str, str]] = None) -> None:
        self._opened = opened
        self.kind = kind
        self.parameters = dict(parameters or {})

    # The server checks the values. The builder refuses only values that the server would misread.
    def _with(self, name: str, value: Any, kinds: Tuple[str, ...] = FILTER) -> "StreamBuilder[S]":
        if self.kind not in kinds:
            raise UsageError(f"{name} belongs to {'() and '.join(kinds)}() and not to {self.kind}().")
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if not text.strip():
            raise UsageError(f"{name} is empty.")
        return StreamBuilder(self._opened, self.kind, {**self.parameters, name: text})

    def _more(self, name: str, values: Any, kinds: Tuple[str, ...] = FILTER) -> "StreamBuilder[S]":
        former = self.parameters.get(name)
        return self._with(name, ",".join(([former] if former else []) + [str(value) for value in values]), kinds)

    def _list(self, name: str, values: Tuple[str, ...], kinds: Tuple[str, ...] = FILTER) -> "StreamBuilder[S]":
        if not values or not all(isinstance(v, str) and v.strip() and not re.search("[,，]", v) for v in values):
            raise UsageError(f"{name} takes texts without commas that are not empty, one an argument.")
        return self._more(name, values, kinds)

    def follow(self, *accounts: str) -> "StreamBuilder[S]":
        """Account ids and user names: their statuses, answers to them and reposts of them."""
        return self._list("follow", accounts)

    def mentions(self, on: bool = True) -> "StreamBuilder[S]":
        """``follow`` also matches statuses that name one of its accounts."""
        return self._with("mentions", on)

    def track(self, *phrases: str) -> "StreamBuilder[S]":
        """Phrases; all words of at least one of them must occur."""
        return self._list("track", phrases)

    def locations(self, *boxes: Box) -> "StreamBuilder[S]":
        """Boxes in which a status was written."""
        for box in boxes or (None,):
            numbers = isinstance(box, (tuple, list)) and len(box) == 4 and all(isinstance(n, (int, float)) and math.isfinite(n) for n in box)
            if not numbers:
                raise UsageError("locations takes boxes, each of four numbers: (west, south, east, north).")
        return self._more("locations", [number for box in boxes for number in box])

    def combine(self, how: str) -> "StreamBuilder[S]":
        """Whether one of follow, track and locations must match (``or``, the default), or all that are given (``and``)."""
        return self._with("combine", how)

    def exclude(self, *phrases: str) -> "StreamBuilder[S]":
        """Phrases, none of which may occur."""
        return self._list("exclude", phrases)

    def language(self, *languages: str) -> "StreamBuilder[S]":
        """Languages, one of which the status must have."""
        return self._list("language", languages)

    def reposts(self, which: str) -> "StreamBuilder[S]":
        """Of a repost, which text is matched: ``include``, ``comment`` or ``exclude``."""
        return self._with("reposts", which)

    def filter_level(self, level: str) -> "StreamBuilder[S]":
        """``low`` leaves out statuses with many names and hashtags, ``medium`` also answers."""
        return self._with("filter_level", level)

    def fold(self, how: str) -> "StreamBuilder[S]":
        """``zh``: traditional and simplified Chinese characters match each other."""
        return self._with("fold", how)

    def explain(self, on: bool = True) -> "StreamBuilder[S]":
        """Each status has the field ``matched``: the terms of the filter that it matches."""
        return self._with("explain", on)

    def rate(self, percent: float) -> "StreamBuilder[S]":
        """Percent of the statuses (sample) or of the matches (filter), above 0 to 100."""
        return self._with("rate", percent, ("filter", "sample"))

    def seed(self, seed: str) -> "StreamBuilder[S]":
        """Names another part of the same size."""
        return self._with("seed", seed, ("filter", "sample"))

    def partition(self, index: int, count: int) -> "StreamBuilder[S]":
        """One of ``count`` parts of the stream, by the author, so that several readers share it; ``index`` begins at 0."""
        return self._with("partition", f"{index}/{count}", PUBLIC)

    def fields(self, *names: str) -> "StreamBuilder[S]":
        """The only fields of each status that are sent, such as ``content``; ``id`` always is."""
        return self._list("fields", names, PUBLIC)

    def with_(self, whose: str) -> "StreamBuilder[S]":
        """Statuses of yours and of those that you follow (``followings``), or yours alone (``user``)."""
        return self._with("with", whose, ("home",))

    def replies(self, which: str) -> "StreamBuilder[S]":
        """Which answers of those that you follow: ``all`` or ``followed``."""
        return self._with("replies", which, ("home",))

    def votes(self, on: bool = True) -> "StreamBuilder[S]":
        """Also sends ``vote`` events."""
        return self._with("votes", on, ANY)

    def max_rate(self, events: int) -> "StreamBuilder[S]":
        """Events of a second that you want at most; ``limit`` events count the others."""
        return self._with("max_rate", events, ANY)

    def after(self, cursor: Optional[str]) -> "StreamBuilder[S]":
        """Begins after this cursor, which a batch had; without one (None or empty) it begins now."""
        if not cursor:
            return self
        if not isinstance(cursor, str) or not re.fullmatch(r"([0-9a-f]{8}-)?[0-9]{1,19}(-end)?", cursor):
            raise UsageError("A cursor is what a batch had as its cursor, such as 5f3a9c01-42.")
        return self._with("last_event_id", cursor, ANY)

    def since(self, time: Union[datetime, str]) -> "StreamBuilder[S]":
        """Begins with the events of this moment. A cursor has precedence."""
        return self._with("since", int(time.timestamp() * 1000) if isinstance(time, datetime) else time, ANY)

    def count(self, events: int) -> "StreamBuilder[S]":
        """Begins with the last events that the stream has; with a negative number it ends after them."""
        return self._with("count", events, ANY)

    def open(self, on_retry: Any = None, on_gap: Any = None, max_event_bytes: int = 1 << 22, silence: float = 45.0) -> S:
        """Opens the stream: iterate over its batches. Nothing is sent before the first batch is awaited.

        ``on_retry(error, wait, attempt)`` is called before each pause of a reconnect, with seconds. ``on_gap(gap)`` is
        called before the batch with this gap is handed over. ``max_event_bytes`` bounds a block.
        A connection without a byte for ``silence`` seconds, or without a whole event for four times as long, counts as
        cut.
        """
        self.filter_parameters()
        return self._opened(self, on_retry, on_gap, max_event_bytes, silence)

    def filter_parameters(self) -> Dict[str, str]:
        """The parameters that another filter can replace while the stream is open."""
        if self.kind == "filter" and not any(self.parameters.get(name) for name in ("follow", "track", "locations")):
            raise UsageError("A filter needs follow, track or locations.")
        return {name: value for name, value in self.parameters.items() if name not in OF_THE_STREAM}


class Streams(Generic[S]):
    """The streams of a server."""

    def __init__(self, opened: Callable[..., S]) -> None:
        self._opened = opened

    def firehose(self) -> StreamBuilder[S]:
        """All public events: statuses with comments and answers, edits, deletes, follows."""
        return StreamBuilder(self._opened, "firehose")

    def sample(self, percent: float = 1) -> StreamBuilder[S]:
        """A part of all public statuses, in percent; the same for all clients."""
        return StreamBuilder(self._opened, "sample").rate(percent)

    def filter(self) -> StreamBuilder[S]:
        """Public statuses that match: add ``track``, ``follow`` or ``locations``."""
        return StreamBuilder(self._opened, "filter")

    def home(self) -> StreamBuilder[S]:
        """Your home and your notifications."""
        return StreamBuilder(self._opened, "home")
