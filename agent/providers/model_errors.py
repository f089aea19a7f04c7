"""Failures of a request that the wrappers around a model tell apart from those of its server."""

from domain.errors import Refused, Transient


class AskOtherwise(Transient):
    """The server is there, but cannot do with the request as it is; the next one will be made otherwise."""

    def __init__(self, what: str, *, why: str = "") -> None:
        super().__init__(what, why=why, next_step="ask again: the request will be made otherwise", retry_after=0.0)


class CircuitOpen(Transient):
    """The model's server failed so often that it is left alone for a while; no request was made."""


class BudgetSpent(Transient):
    """This question has used up its requests to the model; no request was made, and none will be."""


class TimeSpent(BudgetSpent):
    """This question has used up its time for the model; no request was made, and none will be."""


class Late(Transient):
    """A request took all of the time that it had."""


class CutOff(Refused):
    """The reply is longer than the request allows; the pieces before are its beginning, which ends anywhere."""
