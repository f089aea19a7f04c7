"""JSON objects found in replies of models, whole, wrapped and cut."""

import json

from hypothesis import given
from hypothesis import strategies as st

from agent.providers.json_replies import object_of

WORDS = st.text(max_size=12)
SCALARS = (
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | WORDS
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=12
)
OBJECTS = st.dictionaries(WORDS, VALUES, min_size=1, max_size=5)
PROSE = st.text(st.characters(exclude_characters="{}`"), max_size=40)
INDENT = st.sampled_from([None, 0, 2])


@given(OBJECTS, PROSE, PROSE, INDENT, st.booleans())
def test_an_object_is_found_as_it_is(
    value: dict[str, object], before: str, after: str, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert object_of(f"{before}{text}{after}") == value
    assert object_of(f"{before}\n```json\n{text}\n```\n{after}") == value


@given(OBJECTS, st.data())
def test_a_cut_object_is_a_part_of_the_whole(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value)
    found = object_of(text[: data.draw(st.integers(0, len(text)))])
    assert found is None or is_part(found, value)


@given(OBJECTS)
def test_needless_commas_do_not_matter(value: dict[str, object]) -> None:
    text = json.dumps(value, indent=1)
    lines = [f"{line}," if line.strip() and following.strip() in CLOSING else line for line, following in pairs(text)]
    assert object_of("\n".join(lines)) == value


CLOSING = {"}", "]", "},", "],"}


def pairs(text: str) -> list[tuple[str, str]]:
    lines = text.split("\n")
    return list(zip(lines, [*lines[1:], ""], strict=True))


@given(st.text(st.sampled_from('{}[]":,\\`\n ab1tnf-'), max_size=60) | st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    found = object_of(text)
    assert found is None or json.loads(json.dumps(found)) == found


def is_part(part: object, whole: object) -> bool:
    """Whether `part` is `whole` with an end missing: members of the last object, elements of the last list."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return list(part) == list(whole)[: len(part)] and all(is_part(part[key], whole[key]) for key in part)
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(map(is_part, part, whole))
    return type(part) is type(whole) and part == whole
