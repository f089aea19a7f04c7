"""A typed client of kb-agent's HTTP API, sync (KbClient) and async (AsyncKbClient)."""

from .async_client import AsyncKbClient
from .client import KbClient
from .errors import ApiError, ApiProblem, NothingThere, NotInTime, NotPermitted, NotReached, NotValid, TooManyRequests
from .events import Accepted, Advance, Began, Event, Finished, Restart, SourcesFound, Spoken
from .replies import AskedQuestion, FullReply, NearDocument, PassageFound, PassagesFound, ReplyOutcome, ReplySource

__all__ = [
    "Accepted",
    "Advance",
    "ApiError",
    "ApiProblem",
    "AskedQuestion",
    "AsyncKbClient",
    "Began",
    "Event",
    "Finished",
    "FullReply",
    "KbClient",
    "NearDocument",
    "NotInTime",
    "NotPermitted",
    "NotReached",
    "NotValid",
    "NothingThere",
    "PassageFound",
    "PassagesFound",
    "ReplyOutcome",
    "ReplySource",
    "Restart",
    "SourcesFound",
    "Spoken",
    "TooManyRequests",
]
