"""What a sentence reckons counts as said where it is right; a day by a rule of its source is put to the check."""

from dataclasses import replace
from datetime import date

import pytest

from agent.checking.claim_comparison import compare_texts
from agent.reasoner import SynthesisInput
from agent.replies.unit_checks import UnitChecks
from domain.answers import Question
from tests.fakes.agent import MEMBER, a_passage, an_analysis, an_evidence

RULE = "The restore drill takes place on the first Thursday of each quarter."
ONCE = "The restore drill took place on Thursday, 2 July 2026."
ASKED = "When is the next restore drill?"


def checks(source: str, today: date | None = date(2026, 11, 27)) -> UnitChecks:
    evidence = (an_evidence(a_passage(source)),)
    return UnitChecks(
        SynthesisInput(Question(ASKED, MEMBER), replace(an_analysis(ASKED), asked_on=today), (), evidence)
    )


@pytest.mark.parametrize("day", ["Thursday, 2027-01-07", "7 January 2027", "Thursday, 7 January 2027"])
def test_the_next_day_by_a_rule_is_put_to_the_check(day: str) -> None:
    found = checks(RULE).checked(f"The next restore drill is on {day} [1].")
    assert found is not None
    assert found.comparison is not None
    assert found.comparison.verdict == "disagrees", "it is shown only where the check clears it"


@pytest.mark.parametrize(
    ("rule", "day"),
    [
        ("on the last Friday of the month", "25 December 2026"),
        ("on the second Monday of every month", "14 December 2026"),
        ("every Tuesday", "Tuesday, 2026-12-01"),
        ("on Tuesdays", "2026-12-01"),
    ],
)
def test_rules_name_a_day_of_the_week(rule: str, day: str) -> None:
    found = checks(f"The restore drill takes place {rule}.").checked(f"The next restore drill is on {day} [1].")
    assert found is not None


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("A report is due 15 working days after the complaint came in.", "The report is due on Friday, 2026-12-18"),
        ("A report is due 15 working days after the complaint came in.", "Day one is 2026-11-30, the end 2026-12-18"),
        ("A report is due within 4 weeks.", "The report is due on Friday, 25 December 2026"),
        ("A wrench is calibrated every 6 months.", "The wrench is calibrated again on 27 May 2027"),
        ("Übertragene Tage verfallen am 31.03. des Folgejahres.", "Übertragene Tage verfallen am 31.03. (2027)"),
    ],
)
def test_a_day_at_the_end_of_a_span_or_the_year_of_one_is_put_to_the_check(source: str, said: str) -> None:
    found = checks(source).checked(f"{said} [1].")
    assert found is not None
    assert found.comparison is not None
    assert found.comparison.verdict != "agrees"


@pytest.mark.parametrize(
    ("source", "said", "today"),
    [
        ("A report is due 15 working days after the complaint.", "It is due on 2026-12-21 [1].", date(2026, 11, 27)),
        ("A report is due 15 working days after the complaint.", "It is due on 2026-12-18 [1].", date(2026, 12, 1)),
        ("Days that are carried over expire in March.", "They expire on 31 March 2027 [1].", date(2026, 11, 27)),
        (ONCE, "The next restore drill is on 7 January 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill is on Friday, 7 January 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill is on 7 January 2027 [1].", None),
        (RULE, "The next restore drill is in January 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill is on 14 January 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill is on 4 February 2027 [1].", date(2026, 11, 27)),
        ("The drill is held every March.", "The next drill is on 14 March 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill is on 31 February 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill with 12 engineers is on 7 January 2027 [1].", date(2026, 11, 27)),
    ],
)
def test_any_other_day_that_no_source_says_is_left_out(source: str, said: str, today: date | None) -> None:
    assert checks(source, today).checked(said) is None


def test_what_day_it_is_the_check_judges() -> None:
    said = "As of 2026-11-27, the restore drill takes place on the first Thursday of each quarter [1]."
    found = checks(RULE).checked(said)
    assert found is not None
    assert found.comparison is not None
    assert found.comparison.verdict == "disagrees"
    assert checks(RULE, None).checked(said) is None
    assert checks(RULE).checked("The passages do not say whether the drill is moved after 2026-11-27.") is not None


PRICES = "Tickets cost 12 euros for adults and 7 euros for children"


@pytest.mark.parametrize(
    ("worked_out", "verdict"),
    [
        (f"{PRICES}, a difference of 5 euros.", "agrees"),
        (f"{PRICES}, together 19 euros.", "agrees"),
        (f"{PRICES}, a difference of 6 euros.", "disagrees"),
        (f"{PRICES}, a difference of 5 minutes.", "disagrees"),
        ("An adult pays 5 euros more than a child.", "disagrees"),
        ("Tickets cost 12 euros for adults and 9 euros for children, a difference of 3 euros.", "disagrees"),
    ],
)
def test_an_amount_may_be_worked_out_of_two_that_stand_beside_it(worked_out: str, verdict: str) -> None:
    assert compare_texts(worked_out, [f"{PRICES}."]).verdict == verdict


RATES = "A week pays €400, a public holiday €90 more, a call-out €75 at night and €40 by day."


@pytest.mark.parametrize(
    ("worked_out", "verdict"),
    [
        ("A week with a public holiday and two call-outs pays €400 + €90 + 2 × €75 = €640.", "agrees"),
        ("A week with a public holiday and two call-outs pays €400 + €90 + 2 × €75 = €565.", "disagrees"),
        ("A week with a public holiday and a call-out pays €530 in all: €400, €90 and €40.", "agrees"),
        ("A week with a public holiday and a call-out pays €530: €400, €90 and €40.", "disagrees"),
        ("A week with a public holiday and a call-out pays €495 in all: €400, €90 and €40.", "disagrees"),
    ],
)
def test_an_amount_may_be_worked_out_of_several_where_the_sentence_says_so(worked_out: str, verdict: str) -> None:
    found = compare_texts(worked_out, [RATES])
    assert (found.verdict == "disagrees") == (verdict == "disagrees"), found


def test_an_amount_may_be_worked_out_of_two_passages() -> None:
    sources = ["A day ticket costs 12 euros.", "A swim of two hours costs 7.50 euros."]
    claim = "A day ticket costs 12 euros and a swim of two hours 7.50 euros, a difference of 4.50 euros."
    assert compare_texts(claim, sources).differences == ()
    assert compare_texts(claim, sources[:1]).verdict == "disagrees"


RECKONED_RIGHTLY = [
    (
        "Trial takes 90 minutes and the exam 2 hours, together 210 minutes.",
        "The trial takes 90 minutes. The exam takes 2 hours.",
    ),
    ("Notice is 4 weeks and leave 20 days, together 48 days.", "Notice is 4 weeks. Leave is 20 days."),
    ("The difference between €58 and €29 is €29.", "Plans cost €29 and €58."),
    ("Members get 10 % off: €200 minus 10 % is €180.", "The pass costs €200. Members get 10 % off."),
    ("A reminder costs 5 € after 30 days.", "A reminder costs 5 € 30 days after the invoice."),
    (
        "Ada Byron's extension is 4711.",
        "| Department | Name | Extension |\n|---|---|---|\n| Platform | Ada Byron | 4711 |",
    ),
    (
        "All together they pay €5.50 + €5.50 + €3.00 + €0.00 + €4.00 = €18.00.",
        "A ticket costs €5.50, €4.00 reduced and €3.00 for children; small children are free.",
    ),
    (
        "One week costs €400 + €90 + 2 × €75 + €40 = €680.",
        "A week pays €400, a holiday €90, a call-out €75 at night and €40 by day.",
    ),
    (
        "In total you get €400 + €90 + €75 + €75 + €40 = €680.",
        "A week pays €400, a holiday €90, a call-out €75 at night and €40 by day.",
    ),
    (
        "Japan needs about 400 more gateways: it breaks even at about 2,300 gateways and had 1,900.",
        "Japan had 1,900 gateways. It breaks even at about 2,300 gateways.",
    ),
    (
        "Japan needs about 400 more gateways: 2,300 − 1,900 = 400.",
        "Japan had 1,900 gateways. It breaks even at about 2,300 gateways.",
    ),
    ("SMS and voice calls cost €2,891 + €1,122 = €4,013 in total.", "SMS cost €2,891. Voice calls cost €1,122."),
    (
        "Altogether you can claim €29 + €58 + €29 − €23 = €93 for the trip.",
        "The allowance is €58 a day and €29 for departure or return. €23 is deducted for dinner.",
    ),
    (
        "A commercial event pays the full price of 200 € a day plus 19 % VAT, so 200 € + 38 € = 238 € with tax.",
        "A day costs 200 €. Commercial events pay the full price plus 19 % VAT.",
    ),
    (
        "Last admission is at 21:00, as last admission is 60 minutes before the closing time of 22:00.",
        "It closes at 22:00. Last admission is 60 minutes before closing time.",
    ),
    (
        "The water has to be left 20 minutes before closing time, so today at 22:00 − 20 minutes = 21:40.",
        "It closes at 22:00. The water has to be left 20 minutes before closing time.",
    ),
    (
        "All together the cards cost 24.00 € (adults from 18) + 15.00 € (partner card) = 39.00 € per year.",
        "A card costs 24.00 € for adults from 18, a partner card 15.00 €.",
    ),
    (
        "Tickets cost 12 euros for adults and 7 euros for children, a difference of 5 euros.",
        "Tickets cost 12 euros for adults and 7 euros for children.",
    ),
]
RECKONED_RIGHTLY += [
    (
        "There and back, that is 92 km (2 × 46 km) × 0,38 € = 34,96 €.",
        "Privates Auto: 0,38 € je km. Von Haldenau nach Osterlohe sind es 46 km. Poolfahrzeuge: 2.",
    ),
    (
        "Das kostet 24 Stunden × 138 € = 3.312 €, dazu 3 × 45 € = 135 €, zusammen 3.447 €.",
        "24 Stunden. Inbetriebnehmer: 138 € pro Stunde. Werkzeugpauschale: 45 € je Tag, 3 Tage.",
    ),
    (
        "Mit LüCare Plus sind es 24 Stunden × 138 € = 3.312 € und 3.312 € − 10 % = 2.980,80 €.",
        "24 Stunden zu 138 €. LüCare Plus: 10 % Nachlass.",
    ),
    (
        "Das sind 3.312 €; 10 % Nachlass auf die Arbeitsstunden sind 331,20 €; 3.312 € − 331,20 € = 2.980,80 €.",
        "Die Arbeitsstunden kosten 3.312 €. Nachlass auf Arbeitsstunden: 10 %.",
    ),
    ("Two lanes cost 2 × 1.5 hours × €12.00 = €36.00.", "2 lanes cost €12.00 an hour each, for 1.5 hours."),
    ("Half of the pass is €200 ÷ 2 = €100.", "The pass costs €200, for 2 people."),
]
RECKONED_WRONGLY = [
    ("The training takes 2 hours × 3 hours = 6 hours.", "The training takes 2 hours, the exam 3 hours."),
    ("It takes 30 minutes × 2 hours = 60 minutes.", "Trials take 30 minutes, exams 2 hours."),
    ("Delivery takes 5 people × 3 days = 15 days.", "It takes 5 people. Delivery takes 3 days."),
    (
        "Backups are kept for 10 days; of 40 servers, 25 % are backed up.",
        "Backups are kept for 30 days; of 40 servers, 25 %",
    ),
    (
        "Of 40 employees, 25 % work remotely, and the office has 10 rooms.",
        "40 employees, 25 % work remotely. 12 rooms.",
    ),
    (
        "Children get 50 % off the ticket of 12 euros and seniors pay 6 euros.",
        "Tickets: 12 euros. Children 50 % off. Seniors 9 euros.",
    ),
    ("The pass costs €200, members get 10 % off and pay €20.", "The pass costs €200. Members get 10 % off."),
    ("Two lanes cost 2 × 1.5 hours × €12.00 = €38.00.", "2 lanes cost €12.00 an hour each, for 1.5 hours."),
    ("Two lanes take 2 × €12.00 = 24 minutes.", "2 lanes cost €12.00 an hour."),
    ("Two halves take 2 × 30 minutes = 60 hours.", "A half takes 30 minutes. There are 2."),
    ("The trip is 92 km (2 × 47 km) long.", "From Haldenau it is 47 km. There are 2 ways."),
    ("The trip costs 92 km × 0,38 € = 34,96 €.", "Cars: 0,38 € per km. It is 46 km."),
    (
        "Trial takes 90 minutes and the exam 2 hours, together 92 minutes.",
        "The trial takes 90 minutes. The exam takes 2 hours.",
    ),
    ("Notice is 4 weeks and leave 20 days, together 24 days.", "Notice is 4 weeks. Leave is 20 days."),
    ("Disk A has 500 MB and disk B 2 GB, together 502 GB.", "Disk A has 500 MB. Disk B has 2 GB."),
    ("€58 − €29 = €87.", "Plans cost €29 and €58. Setup costs €120."),
    ("€29 + €58 + €120 = €149.", "Plans cost €29 and €58. Setup costs €120."),
    ("€29 + €58 = €0.", "Plans cost €29 and €58."),
    ("The difference between €58 and €29 is €87.", "Plans cost €29 and €58."),
    ("A trial costs €0 + nothing, and the standard plan costs €29.", "The standard plan costs €29."),
    ("Members get 10 % off, so they pay €220 in total instead of €200.", "The pass costs €200. Members get 10 % off."),
    (
        "The premium plan costs €58 before tax, the standard one €29, and the business plan costs €87.",
        "The premium plan costs €58 before tax. The standard plan costs €29.",
    ),
    (
        "Lunch takes 30 minutes and starts at 09:30, after support opens at 09:00.",
        "Lunch takes 30 minutes. Support opens at 09:00.",
    ),
    ("Notice is 30 days and leave is 20 days, after 10 days of probation.", "Notice is 30 days. Leave is 20 days."),
    (
        "Team A has 4 people, team B has 6 people, and 2 people left before May.",
        "Team A has 4 people. Team B has 6 people.",
    ),
    ("Backups: 30 weeks", "| What | Kept | Unit |\n|---|---|---|\n| Backups | 30 | days |\n| Logs | 12 | months |"),
    ("The reminder costs 30 € after the invoice.", "A reminder costs 5 € 30 days after the invoice."),
]


@pytest.mark.parametrize(("claim", "source"), RECKONED_RIGHTLY)
def test_what_is_reckoned_rightly_is_said(claim: str, source: str) -> None:
    found = compare_texts(claim, [source])
    assert found.verdict != "disagrees", found


@pytest.mark.parametrize(("claim", "source"), RECKONED_WRONGLY)
def test_what_is_reckoned_wrongly_or_not_at_all_is_not_said(claim: str, source: str) -> None:
    assert compare_texts(claim, [source]).verdict == "disagrees"


def test_a_day_beyond_the_calendar_is_left_out() -> None:
    assert checks("A report is due within 15 working days.").checked("It is valid until 9999-12-31 [1].") is None
