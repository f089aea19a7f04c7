"""Words are found by what they say, as fast as they are looked up, and as one by one."""

import re
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.checking.lexicon import Language, lexicon
from agent.checking.readings import read
from agent.checking.vocabulary import OPPOSITE, Vocabulary, relation
from domain.text.sentences import sentences
from tests.claims.score import pairs


@pytest.mark.parametrize("language", ["english", "german"])
def test_a_look_up_finds_what_comparing_each_word_with_each_finds(language: Language) -> None:
    for pair in pairs("development", language)[::9]:
        source = [read(pair.source[start:end], language) for start, end in sentences(pair.source)]
        vocabulary = Vocabulary(source)
        for word in read(pair.claim, language).words:
            kinds = {id(other): relation(word, other) for each in source for other in each.words}
            found = vocabulary.found(word)
            assert found.opposite == {key for key, kind in kinds.items() if kind == OPPOSITE}
            assert found.same == {key for key, kind in kinds.items() if kind not in {0, OPPOSITE}}


ROWS = {
    language: tomllib.loads(files("agent.checking").joinpath("words", f"{language}.toml").read_text("utf-8"))["phrases"]
    for language in ("english", "german")
}


def one_by_one(text: str, language: Language) -> str:
    """The text with every phrase tried."""
    for source, to in ROWS[language]:
        text = re.sub(rf"\b(?:{source})(?!\w)", to, text, flags=re.IGNORECASE)
    return text


@pytest.mark.parametrize("language", ["english", "german"])
def test_phrases_are_replaced_as_if_each_pattern_were_tried(language: Language) -> None:
    phrases = lexicon(language).phrases
    for pair in pairs("development", language)[::3]:
        assert phrases.replaced(pair.claim) == one_by_one(pair.claim, language)


@given(st.data())
def test_each_phrase_is_found_wherever_its_pattern_matches(data: st.DataObject) -> None:
    language: Language = data.draw(st.sampled_from(("english", "german")))
    source = data.draw(st.sampled_from([row[0] for row in ROWS[language]]))
    said = data.draw(st.from_regex(re.compile(rf"\b(?:{source})(?!\w)", re.IGNORECASE)))
    phrases = lexicon(language).phrases
    assert phrases.replaced(f"We {said}, then.") == one_by_one(f"We {said}, then.", language)
