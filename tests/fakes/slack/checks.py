"""The parts that rules for blocks are made of: each looks at a value and reports what Slack would say against it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Report:
    """What is wrong so far. surface: message, modal or home. markdown: characters of markdown blocks."""

    surface: str
    problems: list[str] = field(default_factory=list)
    block_ids: set[str] = field(default_factory=set)
    markdown: int = 0
    tables: int = 0

    def no(self, what: str, at: str) -> None:
        """Notes a problem. at: a JSON pointer."""
        self.problems.append(f"{what} [json-pointer:{at}]")


Check = Callable[[Any, str, Report], None]


def size(text: str) -> int:
    """As JavaScript counts, the strictest of the ways in which Slack may."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def string(most: int, least: int = 1) -> Check:
    """A string of a length."""

    def check(value: Any, at: str, report: Report) -> None:
        if not isinstance(value, str):
            report.no("must provide a string", at)
        elif size(value) > most:
            report.no(f"must be less than {most + 1} characters", at)
        elif len(value) < least:
            report.no(f"must be more than {least - 1} characters", at)

    return check


def url(most: int = 3000) -> Check:
    """An address that can be opened."""

    def check(value: Any, at: str, report: Report) -> None:
        string(most)(value, at, report)
        if isinstance(value, str) and value and not _opens(value):
            report.no("invalid url", at)

    return check


def _opens(value: str) -> bool:
    try:
        parts = urlsplit(value)
        return parts.scheme in {"http", "https", "mailto", "slack", "tel"} and bool(parts.netloc or parts.path)
    except ValueError:
        return False


def boolean(value: Any, at: str, report: Report) -> None:
    """True or false."""
    if not isinstance(value, bool):
        report.no("must provide a boolean", at)


def whole(value: Any, at: str, report: Report) -> None:
    """An integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        report.no("must provide an integer", at)


def between(least: int, most: int) -> Check:
    """An integer within limits."""

    def check(value: Any, at: str, report: Report) -> None:
        whole(value, at, report)
        if isinstance(value, int) and not least <= value <= most:
            report.no(f"must be from {least} to {most}", at)

    return check


def number(value: Any, at: str, report: Report) -> None:
    """A number, also as a string."""
    try:
        float(value)
    except (TypeError, ValueError):
        report.no("must provide a number", at)


def one_of(*values: str) -> Check:
    """One of some words."""

    def check(value: Any, at: str, report: Report) -> None:
        if value not in values:
            report.no(f"must be a valid enum value: {', '.join(values)}", at)

    return check


def items(check_item: Check, most: int, least: int = 1) -> Check:
    """A list, each item of which passes a check."""

    def check(value: Any, at: str, report: Report) -> None:
        if not isinstance(value, list):
            report.no("must provide an array", at)
            return
        if len(value) > most:
            report.no(f"no more than {most} items allowed", at)
        if len(value) < least:
            report.no(f"no fewer than {least} items allowed", at)
        for place, item in enumerate(value):
            check_item(item, f"{at}/{place}", report)

    return check


def shape(required: Mapping[str, Check] | None = None, **optional: Check) -> Check:
    """An object with these fields and no others; `type` is looked at elsewhere."""
    needed = dict(required or {})

    def check(value: Any, at: str, report: Report) -> None:
        if not isinstance(value, dict):
            report.no("must provide an object", at)
            return
        for name in needed.keys() - value.keys():
            report.no(f"missing required field: {name}", at)
        for name in value.keys() - needed.keys() - optional.keys() - {"type"}:
            report.no(f"invalid additional property: {name}", at)
        for name, check_field in (needed | optional).items():
            if name in value:
                check_field(value[name], f"{at}/{name}", report)

    return check


def typed(kinds: Mapping[str, Check]) -> Check:
    """An object whose `type` says which check it has to pass."""

    def check(value: Any, at: str, report: Report) -> None:
        if not isinstance(value, dict):
            report.no("must provide an object", at)
        elif "type" not in value:
            report.no("missing required field: type", at)
        elif not isinstance(value["type"], str) or value["type"] not in kinds:
            report.no(f"unsupported type: {value['type']}", f"{at}/type")
        else:
            kinds[value["type"]](value, at, report)

    return check


def plain(most: int, least: int = 1) -> Check:
    """A plain_text object."""
    return typed({"plain_text": shape({"text": string(most, least)}, emoji=boolean)})


def text(most: int, least: int = 1) -> Check:
    """A plain_text or mrkdwn object."""
    mrkdwn = shape({"text": string(most, least)}, verbatim=boolean)
    return typed({"plain_text": shape({"text": string(most, least)}, emoji=boolean), "mrkdwn": mrkdwn})


def anything(value: Any, at: str, report: Report) -> None:
    """No rule."""
