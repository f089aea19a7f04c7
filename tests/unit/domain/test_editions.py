"""Which edition of itself a document says that it replaces."""

from datetime import UTC, datetime

import pytest

from domain.text.editions import Edition, Opening, replaced_edition, replaced_editions, replacing_titles


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("This version replaces version 2 of February 2024, which remains online.", Edition("2", 2024, 2)),
        ("In force since May. It replaces version 2.", Edition("2")),
        ("This policy supersedes the edition of 2023.", Edition("", 2023)),
        ("Diese Fassung ersetzt die Fassung 4.1 vom März 2025.", Edition("4.1", 2025, 3)),
        ("Sie ersetzt Version 2.", Edition("2")),
        ("Valid from 1 March 2026. Replaces the 2025 price list.", Edition("", 2025)),
        ("Ersetzt die Preisliste 2025.", Edition("", 2025)),
        ("Valid for all workshops. It takes the place of the 2025 list.", Edition("", 2025)),
        ("This page applies from 1 January 2026 and replaces the 2024 leave policy.", Edition("", 2024)),
        ("Diese Richtlinie gilt ab dem 01.01.2025 und ersetzt die Fassung vom 01.03.2023.", Edition("", 2023, 3)),
        ("This page supersedes the version of 2025-11-30.", Edition("", 2025, 11)),
        ("This version replaces the version dated 1 March 2026.", Edition("", 2026, 3)),
        ("Diese Fassung ersetzt die Fassung vom 1. März 2026.", Edition("", 2026, 3)),
        ("It applies to the X200. The new lamp is bright and replaces version 3.", None),
        ("Redpanda replaces the 2025 broker.", None),
        ("This version replaces version 2 of the handbook.", None),
        ("This version replaces the old rules.", None),
        ("This version replaces the version.", None),
        ("Redpanda replaces version 2 of RabbitMQ.", None),
        ("Redpanda replaces version 2.", None),
        ("Version 2 is replaced by this version.", None),
    ],
)
def test_what_a_text_says(text: str, said: Edition | None) -> None:
    assert replaced_edition(text) == said


def opening(name: str, title: str, text: str = "", headings: str = "", dated: str = "", source: str = "s") -> Opening:
    when = datetime.fromisoformat(dated).replace(tzinfo=UTC) if dated else None
    return Opening(name, source, title, headings, text, when)


NEW = opening("new", "Leave policy", "Version 3. This version replaces version 2 of February 2024.", dated="2026-01-05")


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (opening("old", "Leave policy (2024)", headings="Leave policy, version 2"), True),
        (opening("old", "Leave policy, version 2"), True),
        (opening("old", "Leave policy v2"), True),
        (opening("old", "LEAVE POLICY", "Version 2, in force since March."), True),
        (opening("old", "Leave policy", dated="2024-02-01"), True),
        (opening("old", "Leave policy, version 1", dated="2024-02-01"), False),
        (opening("old", "Leave policy", dated="2024-03-01"), False),
        (opening("old", "Leave policy"), False),
        (opening("old", "Sick leave policy, version 2"), False),
        (opening("old", "Leave policy, version 2", source="another"), False),
    ],
)
def test_which_document_that_is(other: Opening, found: bool) -> None:
    assert replaced_editions([NEW], [NEW, other]) == ({("new", "old")} if found else set())


def test_of_two_that_may_be_meant_none_is() -> None:
    both = [opening(name, "Leave policy", dated="2024-02-01") for name in ("one", "other")]
    assert replaced_editions([NEW], [NEW, *both]) == set()


def test_a_year_alone_is_any_month_of_it() -> None:
    new = opening("new", "Leave policy", "It replaces the edition of 2023.")
    old = opening("old", "Leave policy", dated="2023-07-01")
    assert replaced_editions([new], [new, old]) == {("new", "old")}


@pytest.mark.parametrize(
    ("text", "title", "edition"),
    [
        ("Superseded by the Expense policy of March 2026.", "Expense policy", Edition("", 2026, 3)),
        ("Valid from May. Superseded by the Printer guide.", "Printer guide", Edition()),
        ("This page was replaced by Travel rules (2026).", "Travel rules", Edition()),
        ("Ersetzt durch die Reisekostenrichtlinie vom März 2026.", "Reisekostenrichtlinie", Edition("", 2026, 3)),
        ("Sie wurde abgelöst durch die Reiserichtlinie.", "Reiserichtlinie", Edition()),
        ('> Superseded on 1 March 2026 by "Tickets 2026". Kept for the auditors.', "Tickets 2026", Edition()),
        ("Ersetzt am 1. März 2026 durch „Preisliste 2026“.", "Preisliste 2026", Edition()),
        ("The old printer was replaced by the new one.", "", Edition()),
        ("The pump was replaced on 1 March 2026 by the new one.", "", Edition()),
        ("RabbitMQ was superseded by Redpanda.", "", Edition()),
        ("Es gilt das Arbeitszeitgesetz.", "", Edition()),
        ("Ask for the current version of the form.", "", Edition()),
    ],
)
def test_by_what_a_text_says_that_it_is_replaced(text: str, title: str, edition: Edition) -> None:
    assert replacing_titles(text) == (((title,), edition) if title else None)


@pytest.mark.parametrize(
    ("text", "titles", "edition"),
    [
        ("Superseded by the page Shifts of April 2026.", ("page Shifts", "Shifts"), Edition("", 2026, 4)),
        ("Replaced by the policy “Travel abroad”.", ("policy Travel abroad", "Travel abroad"), Edition()),
        ("Ersetzt durch die Seite: Reisen von März 2026.", ("Seite Reisen", "Reisen"), Edition("", 2026, 3)),
        ("Superseded, see the document 'Travel'.", ("document Travel", "Travel"), Edition()),
        ("Obsolete. Please see Travel rules.", ("Travel rules",), Edition()),
        ("Veraltet, siehe Reisen.", ("Reisen",), Edition()),
        ("Only for the record. The version in force is: Leave policy.", ("Leave policy",), Edition()),
        ("Current version: Travel of 2026-03-01.", ("Travel",), Edition("", 2026, 3)),
        ('Nur zur Ansicht. Es gilt die aktuelle Seite "Urlaub".', ("Seite Urlaub", "Urlaub"), Edition()),
        ("Nicht mehr verwenden! Nachfolgerin: Preisliste 2025.", ("Preisliste 2025",), Edition()),
    ],
)
def test_a_word_for_a_document_may_belong_to_its_title(text: str, titles: tuple[str, ...], edition: Edition) -> None:
    assert replacing_titles(text) == (titles, edition)


@pytest.mark.parametrize("title", ["Shifts", "Page shifts"])
def test_the_document_is_found_with_that_word_and_without(title: str) -> None:
    old, new = opening("old", "Home office", "Superseded by the page Shifts."), opening("new", title)
    assert replaced_editions([old], [old, new]) == {("new", "old")}


def test_where_the_named_place_is_no_document_the_other_edition_counts() -> None:
    old = opening("old", "Tickets 2025", "Superseded. See the archive for what was valid before.")
    assert replaced_editions([old], [old, opening("new", "Tickets 2026")]) == {("new", "old")}


@pytest.mark.parametrize(
    ("others", "found"),
    [
        ([opening("new", "Expense policy")], True),
        ([opening("new", "Expense Policy 2026", dated="2026-03-09")], True),
        ([opening("new", "Expense policy", dated="2025-03-09")], False),
        ([opening("new", "Travel policy", dated="2026-03-09")], False),
        ([opening("new", "Expense policy", source="another")], False),
        ([opening("new", "Expense policy"), opening("newer", "Expense policy")], False),
        ([], False),
    ],
)
def test_by_which_document_another_is_replaced(others: list[Opening], found: bool) -> None:
    old = opening("old", "Expense policy 2023", "Superseded by the Expense policy of March 2026.", dated="2023-01-01")
    assert replaced_editions([old], [old, *others]) == ({("new", "old")} if found else set())


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Tickets 2025 (superseded)", ""),
        ("[OBSOLETE] Tickets 2025", ""),
        ("Veraltet: Tickets 2025", ""),
        ("Tickets 2025 – no longer valid", ""),
        ("Tickets 2025", "> Superseded on 1 March 2026. Kept for the auditors."),
        ("Tickets 2025", "This page is no longer valid."),
        ("Tickets 2025 (valid until 31.12.2025)", "Not valid any more since 1 January 2026."),
        ("Tickets 2025", "Status: superseded\n\nAdult: 18 pounds"),
        ("Tickets 2025", "**Nicht mehr gültig.** Adult: 18 pounds"),
        ("Tickets 2025", "Superseded on 1 March 2026 by 'Tickets 2026'."),
    ],
)
def test_one_that_counts_no_longer_is_replaced_by_the_one_that_does(title: str, text: str) -> None:
    old, new = opening("old", title, text), opening("new", "Tickets 2026")
    assert replaced_editions([old], [old, new]) == {("new", "old")}


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Tickets 2025", "The obsolete printer is in the cellar."),
        ("Tickets 2025", "Lost passes are replaced for £5."),
        ("Tickets 2025", "Adult 18 pounds. Coupons are no longer valid."),
        ("Obsolete tickets", ""),
        ("Tickets 2025", "Status: accepted"),
        ("Tickets 2025", "Coupons are not valid any more."),
        ("Tickets 2025", "Previous edition: Not applicable\nAdult: 18 pounds"),
        ("Tickets 2025", "Archived: after 90 days"),
    ],
)
def test_one_that_speaks_of_other_things_still_counts(title: str, text: str) -> None:
    old, new = opening("old", title, text), opening("new", "Tickets 2026")
    assert not old.counts_no_longer
    assert replaced_editions([old], [old, new]) == set()


def test_a_year_may_stand_in_the_title() -> None:
    new, old = opening("new", "Tickets 2026", "Replaces the 2025 price list."), opening("old", "Tickets 2025")
    assert replaced_editions([new], [new, old, opening("older", "Tickets 2024")]) == {("new", "old")}


@pytest.mark.parametrize(
    ("title", "text", "other"),
    [
        ("Angebote erstellen", "So erstellst du ein Angebot. Es gilt die aktuelle Preisliste.", "Preisliste"),
        ("Build images", "Current version: Python 3.12.", "Python"),
        ("RabbitMQ", "It is our message broker for orders. Its successor is Kafka.", "Kafka"),
        ("Vertriebsleitung", "Leitung: Bernd Kurz\nNachfolger: Anna Berg", "Anna Berg"),
        ("Travel", "Aktuelle Seite: Startseite", "Startseite"),
        ("Audit report (from Deloitte 2024)", "Status: archived", "Audit report (from KPMG 2024)"),
        ("Sprint review (of 3 March 2026)", "Status: archived", "Sprint review (of 17 March 2026)"),
    ],
)
def test_a_page_that_names_another_is_not_replaced_by_it(title: str, text: str, other: str) -> None:
    page = opening("page", title, text)
    assert replaced_editions([page], [page, opening("other", other)]) == set()


@pytest.mark.parametrize(
    ("title", "text", "other"),
    [
        (
            "Urlaubsrichtlinie (Fassung vom 01.03.2023)",
            "Status: abgelöst\n\nEs gilt die aktuelle Seite „Urlaub“.",
            "Urlaub",
        ),
        ("Preisliste 2024 (gültig bis 31.12.2024)", "Nachfolgerin: Preisliste 2025.", "Preisliste 2025"),
        ("Preisliste 2024", "Nicht mehr für neue Angebote verwenden!", "Preisliste 2025"),
        ("Leave policy (version of 2 May 2024)", "Current version: Leave policy.", "Leave policy"),
    ],
)
def test_a_page_may_say_which_one_counts(title: str, text: str, other: str) -> None:
    page = opening("page", title, text)
    assert replaced_editions([page], [page, opening("other", other)]) == {("other", "page")}
