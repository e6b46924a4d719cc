"""The errors of this library. No message contains a token."""

from typing import Any, Dict, List, Optional


class FanfareError(Exception):
    """The base of all errors of this library."""


class ApiError(FanfareError):
    """The server answers with an error status; the message is its sentence."""

    def __init__(self, operation: str, status: int, body: Dict[str, Any], retry_after: Optional[int] = None) -> None:
        sentence = body.get("error_description") or body.get("message") or body.get("error")
        if not isinstance(sentence, str) or not sentence:
            sentence = "The server gives no reason."
        super().__init__(f"{sentence} ({operation}: {status})")
        #: The operation that failed, such as ``createStatus``.
        self.operation = operation
        #: HTTP status.
        self.status = status
        #: By field, all that is wrong with it.
        self.details: Optional[Dict[str, List[Dict[str, str]]]] = body.get("details")
        #: The parameter of a stream that the server refuses.
        self.param: Optional[str] = body.get("param")
        #: Seconds that the server wants the client to wait.
        self.retry_after = retry_after


class NetworkError(FanfareError):
    """No answer came: no connection, a cut, or a time-out."""

    #: Whether nothing can have reached the server.
    unsent = False


class ProtocolError(FanfareError):
    """An answer breaks the rules: a wrong type, too many bytes, a redirect, malformed JSON."""


class UsageError(FanfareError, ValueError):
    """An argument cannot be right. Nothing was sent."""
