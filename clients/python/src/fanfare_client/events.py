"""The events of streams."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

from .types import Notification, Status


class Delete(TypedDict):
    id: str
    account_id: str
    deleted: bool


class FollowChange(TypedDict):
    account_id: str
    target_account_id: str
    created_at: str


class Vote(TypedDict):
    id: str
    account_id: str
    votes: int
    score: int


#: Events that this client cannot get: ``from``, ``to``, ``reason`` (expired, epoch, future, invalid), ``missed``; an unknown number is None.
Gap = TypedDict("Gap", {"from": "Optional[int]", "to": "Optional[int]", "reason": str, "missed": "Optional[int]"})

#: The first event of each connection.
Hello = TypedDict(
    "Hello", {"stream": str, "conn": str, "epoch": str, "tip": int, "floor": int, "resumed": bool, "from": int}
)


@dataclass(frozen=True)
class StatusEvent:
    """A new status, or a whole status after an edit."""

    type: Literal["status", "edit"]
    data: Status
    id: Optional[str] = None


@dataclass(frozen=True)
class DeleteEvent:
    type: Literal["delete"]
    data: Delete
    id: Optional[str] = None


@dataclass(frozen=True)
class FollowEvent:
    type: Literal["follow", "unfollow"]
    data: FollowChange
    id: Optional[str] = None


@dataclass(frozen=True)
class NotificationEvent:
    type: Literal["notification"]
    data: Notification
    id: Optional[str] = None


@dataclass(frozen=True)
class VoteEvent:
    type: Literal["vote"]
    data: Vote
    id: Optional[str] = None


@dataclass(frozen=True)
class GapEvent:
    type: Literal["gap"]
    data: Gap
    id: Optional[str] = None


@dataclass(frozen=True)
class HelloEvent:
    type: Literal["hello"]
    data: Hello
    id: Optional[str] = None


@dataclass(frozen=True)
class ControlEvent:
    """``limit`` counts what max_rate has left out; ``warning`` says how far a slow reader is behind."""

    type: Literal["limit", "warning"]
    data: Dict[str, Any]
    id: Optional[str] = None


Event = Union[
    StatusEvent, DeleteEvent, FollowEvent, NotificationEvent, VoteEvent, GapEvent, HelloEvent, ControlEvent
]

KINDS: Dict[str, Any] = {
    "status": StatusEvent,
    "edit": StatusEvent,
    "delete": DeleteEvent,
    "follow": FollowEvent,
    "unfollow": FollowEvent,
    "notification": NotificationEvent,
    "vote": VoteEvent,
    "gap": GapEvent,
    "hello": HelloEvent,
    "limit": ControlEvent,
    "warning": ControlEvent,
}


@dataclass
class Batch:
    """Events that were received together. Store the cursor with their effects, and start again ``after(cursor)``."""

    events: List[Event] = field(default_factory=list)
    #: The position after the last event; empty before the first ``hello`` with an id.
    cursor: str = ""
