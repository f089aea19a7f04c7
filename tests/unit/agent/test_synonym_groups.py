import pytest

from agent.retrieval.synonym_groups import MAX_GROUPS, read_synonyms
from domain.errors import Misconfigured


def test_each_line_is_a_group() -> None:
    found = read_synonyms("- [vacation, annual  leave, Urlaub]\n- [SSO, single sign-on, SSO]\n", "words.yaml")
    assert found.groups == (("vacation", "annual leave", "Urlaub"), ("SSO", "single sign-on"))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "words.yaml has no list of synonyms"),
        ("vacation: leave", "words.yaml has no list of synonyms"),
        ("- [vacation]", "Group 1 of words.yaml is no list of two words or more"),
        ("- [a, b]\n- [c, '']", "Group 2 of words.yaml is no list of two words or more"),
        ("- [a, 5]", "Group 1 of words.yaml is no list of two words or more"),
        ("- [a, b", "words.yaml is not YAML that can be read"),
        ("- [a, b]\n" * (MAX_GROUPS + 1), "words.yaml has no list of synonyms"),
    ],
)
def test_what_is_not_of_the_form_is_named(text: str, named: str) -> None:
    with pytest.raises(Misconfigured) as refused:
        read_synonyms(text, "words.yaml")
    assert refused.value.what == named
