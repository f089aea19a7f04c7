"""What a top-level definition looks like, by language. Modest: what is not recognised is only not split there."""

from domain.patterns import LinearRegex

_NAME = r"(?P<name>[\w$.:?!-]+)"
_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|abstract|final|static|sealed|open|data|override|partial|async|unsafe"
    r"|inline|suspend|virtual|case|implicit|lazy|mutating|fileprivate|readonly|export|default|declare)\s+)*"
)


_SCRIPT = LinearRegex(
    rf"{_MODIFIERS}(?:(?:function\s*\*?|class|interface|enum|type|namespace|module)\s+(?P<name>[\w$]+)"
    r"|(?:const|let|var)\s+(?P<value>[\w$]+)[^=]{0,100}=\s*(?:async\s*)?(?:(?:function|class)(?:\W|$)|\(|[\w$]+\s*=>))"
)
_CURLY = LinearRegex(
    rf"[ ]{{0,4}}{_MODIFIERS}(?:class|interface|enum|record|struct|trait|object|protocol|extension|actor|namespace"
    rf"|fun|func|function|def|annotation\s+class|companion\s+object)\s+(?:<[^>]{{0,80}}>\s*)?{_NAME}"
)
_C = LinearRegex(
    r"(?:(?:class|struct|union|enum(?:\s+class)?|namespace)\s+(?P<name>\w+)\s*(?:[:{]|$)"
    r"|(?:template\s*<[^>]{0,100}>\s*)?[A-Za-z_][\w:<>,*& ]{0,120}?[\s*&](?P<function>[\w:~]+)\s*\([^;{]*(?:\{|$))"
)
PATTERNS = {
    "Python": LinearRegex(rf"(?:async\s+)?(?:def|class)\s+{_NAME}"),
    **dict.fromkeys(("JavaScript", "TypeScript", "TSX", "JSX", "Vue"), _SCRIPT),
    **dict.fromkeys(("Java", "C#", "Kotlin", "Scala", "Swift", "PHP", "Groovy", "Dart"), _CURLY),
    **dict.fromkeys(("C", "C++", "Objective-C", "Objective-C++"), _C),
    "Go": LinearRegex(r"(?:func\s+(?:\([^)]{0,100}\)\s*)?(?P<name>\w+)|type\s+(?P<type>\w+))"),
    "Rust": LinearRegex(
        r"(?:pub(?:\([^)]{0,40}\))?\s+)?(?:(?:async|unsafe|const|extern(?:\s+\"\w+\")?)\s+)*"
        r"(?:(?:fn|struct|enum|trait|mod|union|type|macro_rules!)\s+(?P<name>\w+)"
        r"|impl(?:<[^>]{0,100}>)?\s+(?P<impl>[^{]{1,120}?)\s*(?:\{|where|$))"
    ),
    "Ruby": LinearRegex(rf"(?:class|module|def)\s+{_NAME}"),
    "Bash": LinearRegex(r"(?:function\s+(?P<name>[\w:.-]+)|(?P<plain>[\w:.-]+)\s*\(\s*\))"),
    "PowerShell": LinearRegex(r"(?i:function|class|filter)\s+(?P<name>[\w:-]+)"),
    "Perl": LinearRegex(r"(?:sub|package)\s+(?P<name>[\w:]+)"),
    "Lua": LinearRegex(r"(?:local\s+)?function\s+(?P<name>[\w.:]+)"),
    "Elixir": LinearRegex(r"(?:defmodule|defprotocol|defimpl)\s+(?P<name>[\w.]+)"),
    "Julia": LinearRegex(r"(?:function|struct|mutable\s+struct|module|macro)\s+(?P<name>[\w.!]+)"),
    "Terraform": LinearRegex(
        r"(?:resource|data|module|variable|output|provider|locals|terraform)(?P<name>(?:[^\w{][^{]{0,119})?)\{"
    ),
    "Protocol Buffer": LinearRegex(r"(?:message|service|enum)\s+(?P<name>\w+)"),
    "GraphQL": LinearRegex(
        r"(?:extend\s+)?(?:type|input|enum|interface|union|scalar|query|mutation|fragment)\s+(?P<name>\w+)"
    ),
    "Makefile": LinearRegex(r"(?P<name>[\w./%-]+)\s*:", after=r"[^=:]|\Z"),
    "SQL": LinearRegex(
        r"(?i:create)\s+(?i:or\s+replace\s+)?(?:(?i:temporary|temp|unique|materialized)\s+)?"
        r"(?i:table|view|function|procedure|index|trigger|type|schema|policy|role)\s+(?i:if\s+not\s+exists\s+)?(?P<name>[\w.\"]+)"
    ),
}
