"""`kb sources add`, `check` and `kb reindex` over Confluence and Jira, as an operator meets them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import Done, Kb, connected, wait_for
from tests.fakes.atlassian import Company, Fault, LocalAtlassian, storage
from tests.flows.atlassian.adding import TOKEN, add_source, add_sources
from tests.flows.atlassian.company_sync import company_at
from tests.flows.atlassian.handful import sized

PAGES, ISSUES = 14, 3
WRONG = 2


@pytest.fixture
def company() -> Iterator[tuple[LocalAtlassian, Company]]:
    with company_at("cloud", sized(pages=PAGES, issues=ISSUES)) as running:
        yield running


@pytest.fixture
def at(company: tuple[LocalAtlassian, Company]) -> LocalAtlassian:
    return company[0]


@pytest.fixture
def operator(kb: Kb, at: LocalAtlassian) -> Kb:
    """The command with the service account's token."""
    return replace(kb, env={**kb.env, TOKEN: at.service.secret})


@pytest.fixture
def read(operator: Kb, at: LocalAtlassian) -> Kb:
    """The same with both sources read."""
    add_sources(operator, at)
    assert operator("reindex", "--json").code == 0
    return operator


def impatient(operator: Kb) -> Kb:
    """The command that soon gives up a request which fails. A busy machine may keep any request waiting for a second:
    it is for runs in which that is no matter."""
    return operator.having(ATLASSIAN_PATIENCE="6")


def refused(done: Done) -> str:
    """What is said on an error, with what to do about it."""
    assert done.code == WRONG, done.out + done.err
    assert "Traceback" not in done.err
    return done.out + done.err


# adding and checking


@pytest.mark.parametrize("kind", ["confluence", "jira"])
def test_a_site_in_order_is_added_checked_and_listed(operator: Kb, at: LocalAtlassian, kind: str) -> None:
    added = add_source(operator, at, kind)
    assert added.code == 0, added.err
    name = "wiki" if kind == "confluence" else "desk"
    assert added.out.endswith(f"Added. Read it now: kb reindex --source {name}\n")
    assert "Knowledge Bot" in operator("sources", "check", name).out
    assert f"last run: never; readers as {kind.title()} says" in operator("sources", "list").out
    assert at.service.secret not in operator("sources", "list", "--json").out


def test_adding_tells_in_json_what_was_looked_at(operator: Kb, at: LocalAtlassian) -> None:
    done = add_source(operator, at, "jira", "--json", "--project", "NOPE")
    assert (done.code, done.json["done"], done.json["findings"][-1]["level"]) == (WRONG, "nothing", "error")
    done = add_source(operator, at, "jira", "--json")
    assert (done.code, done.json["source"], done.json["done"]) == (0, "desk", "added")
    assert done.json["findings"][0]["what"].startswith("Jira answers")


def test_nothing_listens_there(operator: Kb) -> None:
    where = ("--url", "http://127.0.0.1:9", "--token-env", TOKEN, "--name", "wiki")
    said = refused(impatient(operator)("sources", "add", "confluence", *where))
    assert "gave no good answer" in said
    assert "wiki was not added" in said
    assert "--unchecked" in said
    assert operator("sources", "list", "--json").json["sources"] == []


def test_a_web_page_answers_that_is_no_atlassian(operator: Kb, at: LocalAtlassian) -> None:
    at.fail("", Fault.login_page(), times=None)
    for kind in ("confluence", "jira"):
        said = refused(add_source(operator, at, kind))
        assert "with a web page" in said
        assert "Check the URL and the token." in said


def test_a_wrong_token_an_expired_one_and_none(operator: Kb, at: LocalAtlassian) -> None:
    wrong = replace(operator, env={**operator.env, TOKEN: "another"})
    assert "refuses the token" in refused(add_source(wrong, at, "jira"))
    add_sources(operator, at)
    at.service.state = "expired"
    for name in ("wiki", "desk"):
        done = operator("reindex", "--source", name)
        assert "refuses the token" in refused(done)
        assert "Make a new token" in done.err
    at.service.state = "active"
    none = replace(operator, env={name: value for name, value in operator.env.items() if name != TOKEN})
    done = none("reindex", "--source", "wiki")
    assert "The token of wiki is not there" in refused(done)
    assert f"Set {TOKEN} where this command and kb serve run." in done.err
    runs = operator("runs", "--json").json["runs"]
    assert [run["state"] for run in runs] == ["failed"] * 3
    assert sum("The token of wiki is not there" in run["reason"] for run in runs) == 1


def test_a_token_instead_of_the_name_of_a_variable(operator: Kb, at: LocalAtlassian) -> None:
    secret = "ATATT3x-secret"
    done = operator("sources", "add", "jira", "--name", "desk", "--url", at.jira, "--token-env", secret)
    assert "the name of an environment variable, not the secret itself" in refused(done)


def test_an_account_without_permissions(operator: Kb, at: LocalAtlassian) -> None:
    stranger = at.login(at.world.add_user("Mallory", licensed=False))
    given = replace(operator, env={**operator.env, TOKEN: stranger.secret})
    where = ("--flavour", "cloud", "--email", at.basic(stranger)[0], "--token-env", TOKEN)
    wiki = given("sources", "add", "confluence", "--name", "wiki", "--url", at.confluence_cloud, *where)
    assert "FAILED" in refused(wiki)
    desk = given("sources", "add", "jira", "--name", "desk", "--url", at.jira_cloud, *where)
    assert "Give the account Browse Projects" in refused(desk)


def test_a_space_and_a_project_that_are_not_there(operator: Kb, at: LocalAtlassian) -> None:
    assert "correct --space" in refused(add_source(operator, at, "confluence", "--space", "NOPE"))
    assert "no project NOPE" in refused(add_source(operator, at, "jira", "--project", "NOPE"))
    assert add_source(operator, at, "confluence", "--space", "NOPE", "--unchecked").code == 0
    assert "shows no space NOPE" in refused(operator("reindex", "--source", "wiki"))


def test_options_are_replaced_and_the_index_stays(read: Kb, at: LocalAtlassian) -> None:
    again = add_source(read, at, "confluence")
    assert "It is given other options with --replace." in refused(again)
    done = add_source(read, at, "confluence", "--replace", "--organisation-group", "confluence-users")
    assert (done.code, done.out.endswith("Changed. Read it now: kb reindex --source wiki\n")) == (0, True)
    (wiki,) = (each for each in read("sources", "list", "--json").json["sources"] if each["name"] == "wiki")
    assert wiki["options"]["organisation_groups"] == ["confluence-users"]
    assert wiki["documents"] == PAGES + 1
    report = read("reindex", "--source", "wiki", "--json").report
    assert (report["added"], report["embedded"], report["readdressed"]) == (0, 0, PAGES + 1)
    other = read("sources", "add", "jira", "--name", "wiki", "--url", at.jira, "--token-env", TOKEN, "--replace")
    assert "There is no source wiki of Jira" in refused(other)
    assert "There is no source new of Jira" in refused(
        read("sources", "add", "jira", "--name", "new", "--url", at.jira, "--token-env", TOKEN, "--replace")
    )


# reading


def test_a_dry_run_names_what_would_become_of_documents(
    read: Kb, at: LocalAtlassian, company: tuple[LocalAtlassian, Company], url: str
) -> None:
    pages, ann = company[1].pages, company[1].people[0]
    at.world.edit(pages[0], storage("changed"), by=ann)
    at.world.restrict(pages[1], ann)
    at.world.trash(pages[2])
    at.world.move(pages[3], pages[4])
    space = company[1].spaces[0]
    for number in range(22):
        at.world.add_page(space, f"Brand new {number:02}", storage(f"lark {number}"), by=ann)
    with connected(url) as connection:
        before = connection.execute("SELECT count(*), sum(acl_id) FROM documents").fetchone()
        done = read("reindex", "--source", "wiki", "--dry-run")
        assert connection.execute("SELECT count(*), sum(acl_id) FROM documents").fetchone() == before
    assert done.out.count("  new: ") == 20
    assert "  … and 2 more; --json lists them all\n" in done.out
    assert "  changed: ENG/Engineering Home/Page 0\n" in done.out
    assert "  moved, or with another title or other readers: ENG/Engineering Home/Page 1\n" in done.out
    assert "  would be hidden: ENG/Engineering Home/Page 2\n" in done.out
    names = read("reindex", "--source", "wiki", "--dry-run", "--json").report["names"]
    assert len(names["added"]) == 22
    assert names["hidden"] == ["ENG/Engineering Home/Page 2"]
    assert sorted(names["described"]) == ["ENG/Engineering Home/Page 1", "ENG/Engineering Home/Page 4/Page 3"]


def test_since_and_document_read_no_more_than_they_say(
    read: Kb, at: LocalAtlassian, company: tuple[LocalAtlassian, Company]
) -> None:
    pages, issues, ann = company[1].pages, company[1].issues, company[1].people[0]
    at.world.advance(days=10)
    moment = at.world.now
    at.world.edit(pages[0], storage("a heron has come"), by=ann)
    at.world.say(issues[0], "an otter has come", by=ann)
    at.world.trash(pages[5])
    for name in ("wiki", "desk"):
        report = read("reindex", "--source", name, "--since", moment.isoformat(), "--json").report
        assert (report["changed"], report["hidden"], report["complete"]) == (1, 0, False), name
        assert report["listed"] < 4

    at.world.edit(pages[1], storage("a walrus has come"), by=ann)
    at.world.edit(pages[2], storage("a seal has come"), by=ann)
    found = read("search", "walrus 1", "--method", "lexical", "--as", ann.email, "--json").json["results"]
    document = next(each["document_id"] for each in found if each["path"].endswith("Page 1"))
    at.forget_calls()
    (report,) = (
        each for each in read("reindex", "--document", document, "--json").json["runs"] if each["source"] == "wiki"
    )
    assert (report["listed"], report["changed"], report["hidden"]) == (1, 1, 0)
    assert not at.calls(rf"/pages/{pages[2].id}$")


@pytest.mark.slow
def test_a_run_shows_all_that_is_kept_of_it(
    read: Kb, at: LocalAtlassian, company: tuple[LocalAtlassian, Company]
) -> None:
    pages, ann = company[1].pages, company[1].people[0]
    at.world.edit(pages[0], storage("changed"), by=ann)
    at.world.restrict(pages[1], ann)
    at.world.trash(pages[2])
    at.world.edit(pages[3], storage("never read"), by=ann)
    at.fail(f"/pages/{pages[3].id}$", Fault.error(500), times=None)
    at.fail(r"/space.*/permission", Fault.forbidden(), times=None)
    done = impatient(read)("reindex", "--source", "wiki")
    assert done.code == 1
    newest = read("runs", "--json").json["runs"][0]["id"]
    said = read("runs", str(newest)).out
    assert f"wiki: {PAGES} documents in" in said
    for part in ("1 changed", "1 hidden", "1 failed", "gave no good answer"):
        assert part in said, said
    assert "failed, tried again by the next run: ENG/Engineering Home/Page 3 (" in said
    assert "permissions not read, so that nobody finds it: ENG/" in said
    assert "documents got other readers" in said
    assert "requests made to the source" in said
    assert "all that the source has was listed; missing: page:" in said
    assert "time: indexing " in said
    assert ", permissions " in said
    assert "model: hash-model/64\n" in said
    assert "tokens read" in said


def test_the_status_tells_how_old_permissions_are(read: Kb, url: str) -> None:
    fresh = read("status").out
    assert "; permissions 0 minutes old\n" in fresh
    with connected(url) as connection:
        connection.execute("UPDATE sources SET permissions_at = now() - interval '3 hours' WHERE name = 'wiki'")
        connection.execute(
            "UPDATE sources SET permissions_at = now() - interval '7 hours', permissions_until = now() - interval '1 h'"
            " WHERE name = 'desk'"
        )
    said = read("status").out
    assert "permissions 3.0 h old, and hidden from 6 h on. See: kb schedule" in said
    assert "hidden: its permissions are 7.0 h old, more than 6 h. Read them anew: kb reindex --source desk" in said
    states = {each["name"]: each["permissions"] for each in read("status", "--json").json["sources"]}
    assert {name: each["state"] for name, each in states.items()} == {"wiki": "late", "desk": "hidden"}
    assert states["wiki"]["hours"] == pytest.approx(3, abs=0.1)
    assert read.having(ACL_ALERT_AGE="4")("status", "--json").json["sources"][1]["permissions"]["state"] == "fresh"


def test_permissions_that_were_never_read(operator: Kb, at: LocalAtlassian, docs: object) -> None:
    add_sources(operator, at)
    operator("sources", "add", "files", "--name", "files", "--path", str(docs))
    operator("reindex", "--source", "files")
    found = {each["name"]: each for each in operator("status", "--json").json["sources"]}
    assert found["wiki"]["permissions"] == {"at": None, "until": None, "hours": None, "state": "hidden"}
    assert "permissions" not in found["files"]


def test_ctrl_c_and_a_second_reindex(
    operator: Kb, at: LocalAtlassian, kb_process: Callable[..., object], company: tuple[LocalAtlassian, Company]
) -> None:
    """See also tests/faults/test_atlassian_kill.py."""
    add_sources(operator, at)
    at.fail(f"/pages/{company[1].pages[7].id}$", Fault.slow(3600), times=None)
    process = operator.having(ATLASSIAN_PATIENCE="600").start("reindex")
    try:
        wait_for(lambda: bool(at.calls(f"/pages/{company[1].pages[7].id}$")))
        second = operator("reindex", "--source", "wiki")
        assert second.code == 1
        assert "is being indexed by another process" in second.err
        assert "kb runs shows it" in second.err
        process.interrupt()
        done = process.end()
    finally:
        process.close()
    assert (done.code, done.out) == (130, "")
    at.heal()
    assert operator("reindex", "--json").code == 0


def test_one_document_is_read_by_its_number_key_or_address(read: Kb, at: LocalAtlassian) -> None:
    page = next(each for each in at.world.pages.values() if each.status == "current" and each.kind == "page")
    issue = next(iter(at.world.issues.values()))
    found = read("search", page.title, "--as", at.world.users[page.author].email, "--json").json["results"]
    address = next((each["url"] for each in found if page.id in each["url"]), f"{at.confluence_cloud}/pages/{page.id}")
    for said, source in ((page.id, "wiki"), (f"page:{page.id}", "wiki"), (address, "wiki"), (issue.key, "desk")):
        done = read("reindex", "--document", said, "--json")
        assert done.code == 0, (said, done.err)
        assert (done.report["source"], done.report["listed"], done.report["failed"]) == (source, 1, []), said
    new = at.world.add_issue(at.world.projects[issue.project], "The otter", by=at.world.users[issue.reporter])
    assert read("reindex", "--document", new.key, "--json").report["added"] == 1
    for said in ("NOPE-404", "424242424242", "https://elsewhere.example/x", "http://[::1"):
        unknown = read("reindex", "--document", said, "--json")
        assert unknown.code == WRONG
        assert unknown.json["error"]["what"] == f"No source has a document {said}"
    assert read("reindex", "--document", "", "--json").json["error"]["what"] == "--document names no document"


def test_several_documents_of_one_name_are_named_with_their_sources(operator: Kb, docs: Path, tmp_path: Path) -> None:
    (docs / "a.md").write_text("One.")
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("Two.")
    for folder in (docs, other):
        assert operator("index", str(folder), "--json").code == 0
    done = operator("reindex", "--document", "a.md", "--json")
    assert done.code == WRONG
    assert done.json["error"]["what"] == "a.md means 2 documents"
    assert {"docs: a.md", "other: a.md"} <= {
        each.partition(" (")[0] for each in done.json["error"]["why"].removesuffix(".").split("; ")
    }
    ((name, *_),) = [each.partition(":") for each in done.json["error"]["why"].split("; ")][:1]
    assert operator("reindex", "--document", "a.md", "--source", name, "--json").report["unchanged"] == 1


def test_the_server_is_quoted_and_the_operators_account_is_not_masked(read: Kb, at: LocalAtlassian) -> None:
    email = at.basic()[0]
    secret = "ghp_" + "Zx81" * 9
    at.fail("/rest/api/", Fault.error(403, f"User {email} lacks scope; token {secret}"), None)
    at.fail("/wiki/api/", Fault.error(403, f"User {email} lacks scope; token {secret}"), None)
    shown = read("sources", "check", "wiki")
    assert "with status 403: User " in shown.out
    assert email in shown.out
    assert secret not in shown.out + shown.err
    read("reindex", "--source", "wiki")
    assert "status 403" in read("runs", "--json").out or "status 403" in read("sources", "check", "wiki", "--json").out


def test_what_failed_says_what_the_server_said(read: Kb, at: LocalAtlassian) -> None:
    page = next(each for each in at.world.pages.values() if each.status == "current" and each.kind == "page")
    at.world.edit(page, storage("Anew."), by=at.world.users[page.author])
    at.fail(rf"/pages/{page.id}$", Fault.error(503, "Down for maintenance until noon"), None)
    impatient(read)("reindex", "--source", "wiki", "--json")
    ((_, reason),) = read("runs", "--json").json["runs"][0]["report"]["failed"]
    assert "status 503: Down for maintenance until noon" in reason
