"""Whom a document is for: nobody else learns that it exists."""

from pathlib import Path

import pytest

from tests.command import Kb, rows, write

ADA, BOB = "ada@example.com", "bob@example.com"
SALARY = "# Salaries\n\nThe salary of the director is one hundred thousand florins a year.\n"
LUNCH = "# Lunch\n\nLunch is served at noon in the orangery.\n"
QUESTION = "What is the salary of the director?"

OTHERS = {"nobody in particular": (), "somebody else": ("--as", BOB), "an outsider": ("--as", "ada@example.org")}


def filled(kb: Kb, folder: Path) -> Kb:
    """Two sources: lunch for everyone, salaries for Ada alone. Only example.com is the company's."""
    kb = kb.having(EMAIL_DOMAINS="example.com")
    write(folder / "open", lunch=LUNCH)
    write(folder / "closed", salaries=SALARY)
    assert kb("index", str(folder / "open")).code == 0
    assert kb("index", str(folder / "closed"), "--audience", "Ada@Example.com").code == 0
    return kb


@pytest.fixture
def private(kb: Kb, tmp_path: Path) -> Kb:
    """An index to change."""
    return filled(kb, tmp_path)


@pytest.fixture(scope="module")
def unchanged(shared: Kb, tmp_path_factory: pytest.TempPathFactory) -> Kb:
    """An index to search."""
    return filled(shared, tmp_path_factory.mktemp("private"))


def test_only_the_named_person_finds_it(unchanged: Kb) -> None:
    answer = unchanged("ask", QUESTION, "--as", "ADA@example.com", "--json").json
    assert answer["status"] == "answered"
    assert "hundred thousand florins" in answer["answer"]
    for options in OTHERS.values():
        done = unchanged("ask", QUESTION, *options, "--json", "--show-sources", "--trace")
        assert done.json["status"] in {"not_found", "declined"}, options
        assert "florins" not in done.out + done.err
        assert "Salaries" not in done.out + done.err


@pytest.mark.parametrize("method", ["hybrid", "dense", "lexical"])
@pytest.mark.parametrize("who", OTHERS)
def test_others_find_it_by_no_way_of_searching(unchanged: Kb, method: str, who: str) -> None:
    for query in ("salary director florins", "lunch"):
        done = unchanged("search", query, "--method", method, "--neighbours", "5", "--json", *OTHERS[who])
        assert "salaries" not in (done.out + done.err).lower()
        assert "florins" not in done.out + done.err


def test_counts_and_what_was_searched_do_not_tell_of_it(unchanged: Kb) -> None:
    ada = unchanged("ask", "Where do zebras graze?", "--as", ADA)
    others = {who: unchanged("ask", "Where do zebras graze?", *options) for who, options in OTHERS.items()}
    assert "Searched 2 documents" in ada.out
    assert "Searched 1 document," in others["somebody else"].out
    assert "Nothing that is indexed is public." in others["an outsider"].err


def test_not_allowed_and_not_there_read_the_same(private: Kb) -> None:
    asked = ("ask", QUESTION, "--source", "closed", "--as", BOB)
    hidden = private(*asked)
    private("sources", "remove", "closed", "--yes")
    gone = private(*asked)
    assert (hidden.code, hidden.out) == (gone.code, gone.out)


def test_by_its_id_it_is_not_found_either(unchanged: Kb) -> None:
    (own,) = unchanged("search", "salary", "--method", "lexical", "--json", "--as", ADA).json["results"]
    done = unchanged("search", "salary", "--document", own["document_id"], "--json")
    assert (done.code, done.json) == (3, {"results": []})


def test_a_narrower_audience_holds_at_once_and_for_what_cannot_be_read_any_more(private: Kb, tmp_path: Path) -> None:
    folder = write(tmp_path / "plans", merger="# Merger\n\nThe merger with the brewery is planned for May.\n")
    write(folder, broken="# Brewery\n\nThe brewery costs a million.\n")
    private("index", str(folder))
    assert len(private("search", "brewery", "--method", "lexical", "--json").json["results"]) == 2
    (folder / "broken.md").write_bytes(b"\xff\xfe\0 encrypted since")

    report = private("index", str(folder), "--audience", ADA, "--json").report
    assert (report["described"], len(report["skipped"]), report["embedded"]) == (1, 1, 0)
    assert private("search", "brewery", "--method", "lexical", "--json").json["results"] == []
    for_ada = private("search", "brewery", "--method", "lexical", "--json", "--as", ADA).json["results"]
    assert sorted(each["path"] for each in for_ada) == ["broken.md", "merger.md"], "the new audience alone"


def test_another_audience_makes_no_missing_document_go(private: Kb, tmp_path: Path) -> None:
    folder = write(tmp_path / "plans", **{f"plan{n}": f"# Plan {n}\n\nPlan {n} is for May.\n" for n in range(30)})
    private("index", str(folder))
    for number in range(22):
        (folder / f"plan{number}.md").unlink()
    report = private("index", str(folder), "--audience", ADA, "--json").report
    assert (report["held_back"], report["hidden"]) == (22, 0)
    report = private("reindex", "--source", "plans", "--json").report
    assert (report["held_back"], report["hidden"], report["purged"]) == (22, 0, 0)


def test_a_narrower_audience_holds_even_when_the_folder_is_away(private: Kb, tmp_path: Path) -> None:
    folder = write(tmp_path / "plans", merger="# Merger\n\nThe merger with the brewery is planned for May.\n")
    private("index", str(folder))
    url = private.env["KB_AGENT_DATABASE_URL"]
    rows(url, """UPDATE sources SET options = options || '{"audience": []}' WHERE name = 'plans' RETURNING 1""")
    folder.rename(tmp_path / "away")
    assert private("reindex", "--source", "plans").code == 2
    assert private("search", "brewery", "--method", "lexical", "--json", "--as", ADA).json["results"] == []


def test_a_wider_audience_shows_it_to_the_others(private: Kb, tmp_path: Path) -> None:
    assert private("index", str(tmp_path / "closed"), "--json").report["unchanged"] == 1, "without a word it stays"
    assert private("ask", QUESTION, "--as", BOB).code == 3
    report = private("index", str(tmp_path / "closed"), "--audience", ADA, "--audience", BOB, "--json").report
    assert (report["described"], report["embedded"]) == (1, 0)
    assert private("ask", QUESTION, "--as", BOB).code == 0
    assert private("ask", QUESTION).code == 3
    private("index", str(tmp_path / "closed"), "--audience", "everyone")
    assert private("ask", QUESTION).code == 0


def test_two_people_with_the_same_text_do_not_share_it(private: Kb, tmp_path: Path) -> None:
    """Equal texts share a vector when they are indexed; they share nothing when they are searched."""
    write(tmp_path / "bobs", salaries=SALARY)
    report = private("index", str(tmp_path / "bobs"), "--audience", BOB, "--json").report
    assert (report["added"], report["embedded"]) == (1, 0)
    for email, source in ((ADA, "closed"), (BOB, "bobs")):
        (only,) = private("search", "salary", "--method", "lexical", "--json", "--as", email).json["results"]
        assert source in only["url"]
