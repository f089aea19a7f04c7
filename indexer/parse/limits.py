"""How much one file may cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """What parsing one file may use up; beyond it the file is refused, and beyond those of the text cut short, with a
    note at its end.

    memory_bytes: address space of the parsing process.
    cpu_seconds: processor time for one file.
    wall_seconds: time on the clock for one file.
    input_bytes: size of the file itself.
    expansion_ratio: unpacked over packed size of one member of a ZIP format, counted from 1 MiB unpacked.
    unpacked_bytes: size of all members of a ZIP format together.
    pages: pages of a paged format; the text is cut there.
    table_rows: rows of one table; the text is cut there.
    nodes: nodes of a document in Atlassian's format; also what an object that contains itself is stopped by.
    nesting: levels of elements, lists and quotes inside each other.
    output_characters: all text handed out, the headings counted again for every block below them; the text is
        cut there.
    """

    memory_bytes: int = 1 << 30
    cpu_seconds: int = 30
    wall_seconds: float = 60.0
    input_bytes: int = 25_000_000
    expansion_ratio: int = 100
    unpacked_bytes: int = 200_000_000
    pages: int = 2_000
    table_rows: int = 50_000
    nodes: int = 500_000
    nesting: int = 200
    output_characters: int = 5_000_000
