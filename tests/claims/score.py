"""How many turned sentences the comparison of claims catches, and how many true paraphrases it leaves unmarked.

python -m tests.claims.score [--misses]    prints the tables; --misses: also the pairs of the development sets
python -m tests.claims.score --write       writes them into docs/decisions/claim-comparison.md, and the pairs of the
                                           held-out sets that are missed into docs/decisions/claim-misses.md

The held-out and the unseen sets are only counted: none of their pairs was read to change a rule. The unseen ones were
written by somebody who knew the documents and no rule, after all other sets.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.checking.claim_comparison import Verdict, compare_texts
from agent.checking.support import unbacked
from tests.fakes.agent import a_passage

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "decisions" / "claim-comparison.md"
MISSES = PAGE.with_name("claim-misses.md")
BEGIN, END = "<!-- scores: written by python -m tests.claims.score --write -->", "<!-- scores end -->"
SETS = ("development", "own", "held_out", "unseen")
"""What the rules were made from, by others and by who made them, and the two that they were only counted on; a set that
is not written yet has no file."""
LANGUAGES = ("english", "german")

TURNED = (
    *("negation", "modality", "quantifier", "comparison", "order", "antonym", "roles"),
    *("number", "date", "code", "domain", "condition", "added"),
)
"""What is turned in a sentence that is false by its source."""


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A passage and a sentence that cites it. kind: `paraphrase`, which is true, or one of TURNED."""

    id: str
    kind: str
    document: str
    source: str
    claim: str

    def verdict(self) -> Verdict:
        """How the product shows the sentence: what must stand in the source and does not is never shown."""
        title = Path(self.document).stem.replace("-", " ")
        if unbacked(self.claim, [a_passage(self.source, title=title)]):
            return "disagrees"
        return compare_texts(self.claim, [self.source], [title]).verdict


@dataclass(frozen=True, slots=True)
class ClaimScore:
    """Of one kind of pair: how many there are, are marked (doubtful or withheld), are withheld."""

    pairs: int
    marked: int
    withheld: int


def there() -> list[tuple[str, str]]:
    """The sets and languages that have a file."""
    return [(name, language) for name in SETS for language in LANGUAGES if _file(name, language).exists()]


def _file(name: str, language: str) -> Path:
    return HERE / f"{name}_{language}.jsonl"


def pairs(name: str, language: str) -> list[SentencePair]:
    """The pairs of a set."""
    lines = _file(name, language).read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [SentencePair(row["id"], row["class"], row["document"], row["source"], row["claim"]) for row in rows]


def scores(found: Iterable[SentencePair]) -> dict[str, ClaimScore]:
    """By kind."""
    verdicts: dict[str, list[Verdict]] = {}
    for each in found:
        verdicts.setdefault(each.kind, []).append(each.verdict())
    return {
        kind: ClaimScore(len(given), sum(one != "agrees" for one in given), given.count("disagrees"))
        for kind, given in verdicts.items()
    }


def turned(found: dict[str, ClaimScore]) -> ClaimScore:
    """All kinds of turned sentences together."""
    rows = [found[kind] for kind in TURNED if kind in found]
    return ClaimScore(sum(r.pairs for r in rows), sum(r.marked for r in rows), sum(r.withheld for r in rows))


def table() -> str:
    """A Markdown table: a row for each kind, a column for each set and language."""
    columns = {each: scores(pairs(*each)) for each in there()}
    names = [f"{language}, {name.replace('_', ' ')}" for name, language in columns]
    lines = [f"| kind | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    lines += [f"| {kind} | {' | '.join(_caught(each.get(kind)) for each in columns.values())} |" for kind in TURNED]
    lines.append(f"| **turned sentences caught** | {' | '.join(_caught(turned(each)) for each in columns.values())} |")
    lines.append(f"| of them withheld | {' | '.join(_withheld(turned(each)) for each in columns.values())} |")
    true = [each["paraphrase"] for each in columns.values()]
    lines.append(f"| **true paraphrases left unmarked** | {' | '.join(map(_unmarked, true))} |")
    lines.append(f"| of the others withheld | {' | '.join(_withheld(each) for each in true)} |")
    return "\n".join(lines)


def _caught(score: ClaimScore | None) -> str:
    return f"{score.marked} of {score.pairs} ({score.marked / score.pairs:.0%})" if score and score.pairs else "none"


def _withheld(score: ClaimScore) -> str:
    return f"{score.withheld} of {score.pairs}"


def _unmarked(score: ClaimScore) -> str:
    left = score.pairs - score.marked
    return f"{left} of {score.pairs} ({left / score.pairs:.0%})"


def page_with(text: str) -> str:
    """The page with the tables in their place."""
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"


_PLAIN = str.maketrans({"|": "&#124;", "`": "", "[": "(", "]": ")"})
"""What would be a mark of the page in a sentence."""


def misses() -> str:
    """A page of the pairs of the held-out sets that are missed, to be written without being read."""
    rows = [
        f"| {pair.id} | {pair.kind} | {verdict} | {pair.claim.translate(_PLAIN)} |"
        for language in LANGUAGES
        for pair in pairs("held_out", language)
        if ((verdict := pair.verdict()) == "agrees") != (pair.kind == "paraphrase")
    ]
    return "\n".join([_MISSES_HEAD, *rows, ""])


_MISSES_HEAD = """# What the comparison of claims misses

The pairs of the held-out sets ([A claim beside its source](claim-comparison.md)) that are shown as supported though
they are turned, and the true paraphrases that get a mark. The passages stand in `held_out_english.jsonl` and
`held_out_german.jsonl` in `tests/claims`. This page is written by `python -m tests.claims.score --write`; who changes
the rules does not read it, or the sets are no longer held out.

| pair | kind | verdict | sentence |
|---|---|---|---|"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="print the pairs of the development sets that are missed")
    parser.add_argument("--write", action="store_true", help="write the pages")
    given = parser.parse_args(arguments)
    if given.write:
        PAGE.write_text(page_with(table()), "utf-8")
        MISSES.write_text(misses(), "utf-8")
    else:
        print(table())
    for each in (pair for language in LANGUAGES for pair in pairs("development", language)) if given.misses else ():
        if (each.verdict() == "agrees") != (each.kind == "paraphrase"):
            print(f"\n{each.id} {each.kind}\n  {each.source}\n  {each.claim}", file=sys.stderr)


if __name__ == "__main__":
    main()
