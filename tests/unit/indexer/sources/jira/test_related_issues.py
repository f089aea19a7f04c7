"""Which other issues the text of an issue may name."""

import pytest

from domain.access import NOBODY, Acl, account, group
from indexer.sources.jira.related_issues import all_may_read, related_issues, without_others

A, B, C = account("j", "a"), account("j", "b"), group("j", "c")


@pytest.mark.parametrize(
    ("host", "other", "certain"),
    [
        (Acl.any_of(A), Acl.any_of(A), True),
        (Acl.any_of(A), Acl.any_of(A, B), True),
        (Acl.any_of(A, B), Acl.any_of(A), False),
        (Acl.any_of(A), Acl.any_of(A).and_also(Acl.any_of(B)), False),
        (Acl.any_of(A).and_also(Acl.any_of(B)), Acl.any_of(A), True),
        (Acl.any_of(A).and_also(Acl.any_of(B)), Acl.any_of(B, C).and_also(Acl.any_of(A)), True),
        (Acl.any_of(A), NOBODY, False),
        (Acl.any_of(A), Acl.any_of(C), False),
    ],
)
def test_it_is_certain_where_every_clause_is_met_by_a_narrower_one(host: Acl, other: Acl, certain: bool) -> None:
    assert all_may_read(host, other) is certain


FIELDS = {
    "issuelinks": [
        {"id": "5", "type": {}, "outwardIssue": {"id": "10", "key": "K-1"}},
        {"id": "6", "type": {}, "inwardIssue": {"id": "11", "key": "K-2"}},
    ],
    "subtasks": [{"id": "12", "key": "K-3"}],
    "parent": {"id": "13", "key": "K-4"},
    "customfield_1": "K-5",
    "summary": "It",
}


def test_all_ways_to_name_another_issue_are_known() -> None:
    found = {each.key: each.mark for each in related_issues(FIELDS, "customfield_1")}
    assert found == {"K-1": "i10", "K-2": "i11", "K-3": "i12", "K-4": "i13", "K-5": "eK-5"}
    assert [each.key for each in related_issues(FIELDS, "")] == ["K-1", "K-2", "K-3", "K-4"]
    assert list(related_issues({"issuelinks": None, "parent": None, "customfield_1": None}, "customfield_1")) == []


def test_what_is_not_among_the_parts_is_not_in_the_fields() -> None:
    every = {each.mark for each in related_issues(FIELDS, "customfield_1")}
    assert without_others(FIELDS, "customfield_1", every) == FIELDS
    for mark, key in (("i10", "K-1"), ("i11", "K-2"), ("i12", "K-3"), ("i13", "K-4"), ("eK-5", "K-5")):
        left = str(without_others(FIELDS, "customfield_1", every - {mark}))
        assert key not in left
        assert sum(each in left for each in ("K-1", "K-2", "K-3", "K-4", "K-5")) == 4
    assert without_others(FIELDS, "customfield_1", ())["summary"] == "It"
