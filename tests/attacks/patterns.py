"""Patterns and questions that are made to be worked at without end."""

from collections.abc import Mapping

_PATTERNS = (
    # nested and ambiguous repetitions
    *(r"(a+)+$", r"(a|a)*b timeout", r"(.*)*x", r"((((.*)*)*)*)timeout", r"(timeout|time|.*){20}z", r"(x+x+)+y"),
    *(
        r"(?i)(t.*i.*m.*e.*){12}",
        r"(\pL{1,30}){1,30}",
        r"\bt\w{0,300}\w{0,300}\w{0,300}$",
        r"^(([a-z])+.)+[A-Z]([a-z])+$",
    ),
    *(r"(.*?,){20}P", r"(?:a?){50}a{50}", r"(?:(?:a*)*)*b", r"(a|aa)+$", r"([a-zA-Z]+)*timeout$", r"\s+$|^\s+|(\s+)+x"),
    # larger than they look
    *("(" * 200 + "time" + ")" * 200, "|".join(["timeout"] * 60), r"(a{1,1000}){1,1000}", r"((a{100}){100}){100}"),
    *(r"\pL{1000}", r"[[:alpha:]]{1000}[[:alpha:]]{1000}", r".{0,1000}.{0,1000}timeout", r"(?i)" * 100 + "timeout"),
    *("(?:" * 128, "[" + "a-z" * 160 + "]", "." * 512, "(?P<n>" + "a" * 500 + ")", "time" * 128),
    # none, or another language's
    *("(", "a" * 513, r"(?=a)", r"(?<=a)b", "[z-a]", "a**", "\ud800", r"\1", "(?R)", r"\Qtime", "[", "*", "a{1001}"),
    *(r"\x{110000}", r"\C", r"(?P<n>a)(?P<n>b)", "(?#", "\x00", "\u202e", "a\\"),
)
_QUESTIONS = (
    *("timeout " + "a" * 1_500, "a " * 900, '"' * 1_500, "in document " * 100, "(" * 1_000 + ")" * 900, "#" * 1_500),
    *("source:" * 200, "not " * 400 + "a", "who is the owner of " * 70, "ä́" * 700, "1." * 700, "\u200b" * 1_500),
    *("and what about " * 90, "AND OR NOT " * 90, "after 2024-01-01 " * 90, "PROJ-1 " * 200, "https://a." * 150),
)

PATTERNS: Mapping[str, str] = {f"{len(each)} of {ascii(each)[:60]}": each for each in _PATTERNS}
QUESTIONS: Mapping[str, str] = {**PATTERNS, **{f"{len(each)} of {ascii(each)[:60]}": each for each in _QUESTIONS}}
