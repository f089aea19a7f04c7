"""Requests that are not Slack's."""

from collections.abc import Mapping

from tests.fakes.slack.http_mode import Forged, signature

SECRET, NOW = "8f742231b10e8888abcd99yyyzzz85a5", 1_531_420_618
BODY = b"token=x&command=%2Fkb"
RIGHT = signature(SECRET, str(NOW), BODY)
LARGEST = 1_000_000


def at(timestamp: str) -> Forged:
    """Signed by who knows the secret, with a time stamp that does not hold."""
    return Forged(timestamp=timestamp)


FORGED: Mapping[str, tuple[int, Forged]] = {
    name: (401, forged)
    for name, forged in {
        "another secret": Forged(secret="another"),
        "no signature": Forged(signature=None),
        "an empty signature": Forged(signature=""),
        "the version alone": Forged(signature="v0="),
        "a signature cut short": Forged(signature=RIGHT[:-1]),
        "a signature with more": Forged(signature=RIGHT + "0"),
        "capital letters": Forged(signature=RIGHT.upper()),
        "no version": Forged(signature=RIGHT.removeprefix("v0=")),
        "another version": Forged(signature="v1=" + RIGHT[3:]),
        "another body": Forged(signature=RIGHT, body=BODY + b" "),
        "the body of a replay": Forged(signature=RIGHT, body=b"token=x&command=%2Fother"),
        "a signature of another time": Forged(signature=signature(SECRET, str(NOW + 1), BODY)),
        "zeros": Forged(signature="v0=" + "0" * 64),
        "no ASCII": Forged(signature="v0=\u00e9\u00e9"),
        "no time stamp": Forged(timestamp=None),
        "an empty time stamp": at(""),
        "words": at("now"),
        "a fraction": at(f"{NOW}.5"),
        "a minus": at(f"-{NOW}"),
        "a plus": at(f"+{NOW}"),
        "an exponent": at("1e9"),
        "a number of 16": at("0x5b48"),
        "parted digits": at("1_531_420_618"),
        "digits of Arabic": at("\u0661\u0665\u0663\u0661\u0664\u0662\u0660\u0666\u0661\u0668"),
        "small digits": at("\u00b9\u00b2\u00b3"),
        "a long time stamp": at("9" * 5_000),
        "zero": at("0"),
        "an old one": at(str(NOW - 301)),
        "a future one": at(str(NOW + 301)),
    }.items()
} | {
    "too large": (413, Forged(body=b" " * (LARGEST + 1))),
    "too large, not signed": (413, Forged(signature=None, body=b" " * (LARGEST + 1))),
}
