"""What a top-level definition looks like, by language. Modest: what is not recognised is only not split there."""

import re

_NAME = r"(?P<name>[\w$.:?!-]+)"
_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|abstract|final|static|sealed|open|data|override|partial|async|unsafe"
    r"|inline|suspend|virtual|case|implicit|lazy|mutating|fileprivate|readonly|export|default|declare)\s+)*"
)


def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


_SCRIPT = _pattern(
    rf"{_MODIFIERS}(?:(?:function\s*\*?|class|interface|enum|type|namespace|module)\s+(?P<name>[\w$]+)"
    r"|(?:const|let|var)\s+(?P<value>[\w$]+)[^=]{0,100}=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>|class\b))"
)
_CURLY = _pattern(
    rf"[ ]{{0,4}}{_MODIFIERS}(?:class|interface|enum|record|struct|trait|object|protocol|extension|actor|namespace"
    rf"|fun|func|function|def|annotation\s+class|companion\s+object)\s+(?:<[^>]{{0,80}}>\s*)?{_NAME}"
)
_C = _pattern(
    r"(?:(?:class|struct|union|enum(?:\s+class)?|namespace)\s+(?P<name>\w+)\s*(?:[:{]|$)"
    r"|(?:template\s*<[^>]{0,100}>\s*)?[A-Za-z_][\w:<>,*& ]{0,120}?[\s*&](?P<function>[\w:~]+)\s*\([^;{]*(?:\{|$))"
)
PATTERNS = {
    "Python": _pattern(rf"(?:async\s+)?(?:def|class)\s+{_NAME}"),
    **dict.fromkeys(("JavaScript", "TypeScript", "TSX", "JSX", "Vue"), _SCRIPT),
    **dict.fromkeys(("Java", "C#", "Kotlin", "Scala", "Swift", "PHP", "Groovy", "Dart"), _CURLY),
    **dict.fromkeys(("C", "C++", "Objective-C", "Objective-C++"), _C),
    "Go": _pattern(r"(?:func\s+(?:\([^)]{0,100}\)\s*)?(?P<name>\w+)|type\s+(?P<type>\w+))"),
    "Rust": _pattern(
        r"(?:pub(?:\([^)]{0,40}\))?\s+)?(?:(?:async|unsafe|const|extern(?:\s+\"\w+\")?)\s+)*"
        r"(?:(?:fn|struct|enum|trait|mod|union|type|macro_rules!)\s+(?P<name>\w+)"
        r"|impl(?:<[^>]{0,100}>)?\s+(?P<impl>[^{]{1,120}?)\s*(?:\{|where|$))"
    ),
    "Ruby": _pattern(rf"(?:class|module|def)\s+{_NAME}"),
    "Bash": _pattern(r"(?:function\s+(?P<name>[\w:.-]+)|(?P<plain>[\w:.-]+)\s*\(\s*\))"),
    "PowerShell": _pattern(r"(?i:function|class|filter)\s+(?P<name>[\w:-]+)"),
    "Perl": _pattern(r"(?:sub|package)\s+(?P<name>[\w:]+)"),
    "Lua": _pattern(r"(?:local\s+)?function\s+(?P<name>[\w.:]+)"),
    "Elixir": _pattern(r"(?:defmodule|defprotocol|defimpl)\s+(?P<name>[\w.]+)"),
    "Julia": _pattern(r"(?:function|struct|mutable\s+struct|module|macro)\s+(?P<name>[\w.!]+)"),
    "Terraform": _pattern(
        r"(?:resource|data|module|variable|output|provider|locals|terraform)\b\s*(?P<name>[^{]{0,120})\{"
    ),
    "Protocol Buffer": _pattern(r"(?:message|service|enum)\s+(?P<name>\w+)"),
    "GraphQL": _pattern(
        r"(?:extend\s+)?(?:type|input|enum|interface|union|scalar|query|mutation|fragment)\s+(?P<name>\w+)"
    ),
    "Makefile": _pattern(r"(?P<name>[\w./%-]+)\s*:(?![=:])"),
    "SQL": _pattern(
        r"(?i:create)\s+(?i:or\s+replace\s+)?(?:(?i:temporary|temp|unique|materialized)\s+)?"
        r"(?i:table|view|function|procedure|index|trigger|type|schema|policy|role)\s+(?i:if\s+not\s+exists\s+)?(?P<name>[\w.\"]+)"
    ),
}
