"""How much one file may cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """What parsing one file may use up; beyond it the file is refused, and beyond those of the text cut short, with a
    note at its end."""

    memory_bytes: int = 1 << 30
    """Address space of the parsing process."""
    cpu_seconds: int = 30
    """Processor time for one file."""
    wall_seconds: float = 60.0
    """Time on the clock for one file."""
    input_bytes: int = 25_000_000
    """Size of the file itself."""
    expansion_ratio: int = 100
    """Unpacked over packed size of one member of a ZIP format, counted from 1 MiB unpacked."""
    unpacked_bytes: int = 200_000_000
    """Size of all members of a ZIP format together."""
    pages: int = 2_000
    """Of a paged format; the text is cut there."""
    table_rows: int = 50_000
    """Of one table; the text is cut there."""
    nodes: int = 500_000
    """Of a document in Atlassian's format; also what an object that contains itself is stopped by."""
    nesting: int = 200
    """Levels of elements, lists and quotes inside each other."""
    output_characters: int = 5_000_000
    """All text, the headings counted again for every block below them; the text is cut there."""
