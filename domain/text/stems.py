"""Which part of a word its English stem surely keeps.

Snowball's English stemmer (Porter2, https://snowballstem.org/algorithms/english/stemmer.html) takes endings off in
steps and sometimes puts a few letters in their place. So a stem is a beginning of the word, and perhaps one of
`REPLACEMENTS`; what is gone are endings of the steps, the last step's first. From that follows, without knowing the
rest of a word, which part of a piece of it the stem still shows.
"""

from dataclasses import dataclass
from functools import lru_cache

REPLACEMENTS = ("", "e", "i", "l", "le", "ie", "y")
"""What a stem may end with in place of what it lost."""

# what each step takes off, as it stands in the word, in the order in which it stands there: the last step first.
# `ct<al`: after one of these letters only. `iz>`: of an ending whose last letters the second step from below has put
# there, as in organ-iz-ation, which becomes organ-ize. The sixth line is one of two equal letters.
_PARTIAL = "ab> anc> at> abl> enc> ib> ibl> iv> iz>"
_ENDINGS = f"""
    e l<l
    al ance ence er ic able ible ant ement ment ent ism ate iti ity ous ive ize st<ion ational {_PARTIAL}
    cn<al t<ional l<ize l<iz> c<ate c<at> c<iti c<ity ful ness ative ativ>
    n<al cglb<i cglb<y li ly e<r z<ation t<ion t<ional t<or l<ism lv<iti lv<ity b<iliti b<ility ness g<ist
    i y
    b<b d<d f<f g<g m<m n<n p<p r<r t<t
    d ed dly dli edly edli ing ingly ingli ying
    s es d ed ies
"""
_SECOND = 3
"""Where the endings of the second step are."""


@dataclass(frozen=True, slots=True)
class _Ending:
    """What a step takes off."""

    letters: str
    after: str
    """Letters of which one must stand before it; empty: any letter may."""
    following: int
    """From which step on the endings behind it are."""


def _ending(written: str, step: int) -> _Ending:
    after, _, letters = written.rpartition("<")
    return _Ending(letters.rstrip(">"), after, _SECOND if ">" in letters else step + 1)


_STEPS = tuple(
    tuple(_ending(written, step) for written in line.split()) for step, line in enumerate(_ENDINGS.strip().splitlines())
)


@lru_cache(maxsize=10_000)
def cuts(piece: str) -> tuple[int, ...]:
    """Where the stem of a word that contains `piece` may break off within it: places 0 to len(piece) - 1, ascending.

    0: the stem may show nothing of the piece. piece: folded letters and digits.
    """
    places = [place for place in range(1, len(piece)) if _begins_ending(piece[place:], 0, piece[place - 1])]
    return (0, *places) if _within_ending(piece) else tuple(places)


def _begins_ending(letters: str, step: int, before: str) -> bool:
    """Whether what the steps from `step` on take off may begin with `letters`. before: the letter before them."""
    return not letters or any(
        _goes_on(letters, ending.letters, ending.following)
        for endings in _STEPS[step:]
        for ending in endings
        if not ending.after or before in ending.after
    )


def _within_ending(letters: str) -> bool:
    """Whether `letters` may be the inside of what is taken off, from any place of an ending on."""
    return any(
        _goes_on(letters, ending.letters[start:], ending.following)
        for endings in _STEPS
        for ending in endings
        for start in range(len(ending.letters))
    )


def _goes_on(letters: str, ending: str, following: int) -> bool:
    """Whether `letters` may begin with an ending, or the rest of one, and go on with those of the following steps."""
    if ending.startswith(letters):
        return True
    return letters.startswith(ending) and _begins_ending(letters[len(ending) :], following, ending[-1])
