"""A sentence beside its source: what differs is found, and what only says it otherwise is not."""

import pytest

from agent.checking.claim_comparison import LONGEST, compare_claim, compare_texts
from tests.fakes.agent import a_passage

SOURCE = """
Keepers must report a broken fence within 2 days to the duty vet. Nobody may enter the seal pool alone. The north gate
opens at 08:00 and closes at 18:30. Ada feeds the seals, Grace feeds the owls. Feeding starts after cleaning. Visitors
may take pictures, except in the owl house. The pump is switched off at night. Tickets cost 12 euros for adults and 7
euros for children. Call zoo.example/help or `fence --report` if ERR7731 appears on node7. The aviary is open
to members. The cage is locked at once and the alarm is armed after 10 minutes. The owls woke the visitors twice in May.
The report goes from the keeper to the vet. The kiosk is open from 09:00 to 17:00. 1. Open the valve.
2. Start the pump.
3. Read the gauge.
Guests may stay after closing time if a keeper agrees. The ferry takes 40 minutes at night and 25 minutes by day.
Every June the meadow is mown by hand and its hay is dried on racks behind the old barn.
"""


@pytest.mark.parametrize(
    "claim",
    [
        "A broken fence has to be reported to the duty vet within two days.",
        "Nobody is allowed to enter the seal pool alone.",
        "The north gate closes at 6:30 pm.",
        "The seals are fed by Ada.",
        "An adult's ticket costs 12 euros.",
        "At night the pump is turned off.",
        "If ERR7731 appears on node7, call `fence --report`.",
        "The cage is locked immediately, and the alarm is armed 10 minutes later.",
        "Read the gauge after you started the pump.",
        "At night the ferry takes 40 minutes.",
        "Guests may only stay after closing time if a keeper agrees.",
        "In June no machine cuts the meadow, as people mow it, and the hay dries on racks.",
    ],
)
def test_a_paraphrase_agrees(claim: str) -> None:
    assert compare_texts(claim, [SOURCE]).differences == ()


@pytest.mark.parametrize(
    ("claim", "difference"),
    [
        ("Keepers must not report a broken fence to the duty vet.", "modality"),
        ("Keepers may report a broken fence within 2 days to the duty vet.", "modality"),
        ("Keepers must report a broken fence within 3 days.", "number"),
        ("Everybody may enter the seal pool alone.", "quantifier"),
        ("The north gate closes at 19:30.", "time"),
        ("Grace feeds the seals, Ada feeds the owls.", "roles"),
        ("Feeding starts before cleaning.", "order"),
        ("The alarm is armed first and the cage is locked 10 minutes later.", "order"),
        ("Start the pump before you open the valve.", "order"),
        ("The pump is switched on at night.", "opposite"),
        ("Tickets cost 7 euros for adults.", "number of something else"),
        ("Call zoo.example/collect if ERR7731 appears.", "code"),
        ("Call for help if ERR7732 appears on node7.", "code"),
    ],
)
def test_what_is_turned_round_disagrees(claim: str, difference: str) -> None:
    found = compare_texts(claim, [SOURCE])
    assert found.verdict == "disagrees"
    assert any(each.startswith(difference) for each in found.differences), found.differences


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
    assert compare_texts(worked_out, [SOURCE]).verdict == verdict


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


@pytest.mark.parametrize("begins", ["", "Note: ", "In short, ", "As far as we know, ", "[a](https://x.example/a)"])
def test_what_stands_before_a_denial_does_not_excuse_it(begins: str) -> None:
    assert (
        compare_texts(f"{begins}The walrus is not fed at noon.", ["The walrus is fed at noon."]).verdict == "disagrees"
    )


@pytest.mark.parametrize(
    ("claim", "difference"),
    [
        ("Visitors may take pictures in the gift shop with a tripod and flash.", "not said"),
        ("The aviary is open to members only.", "quantifier: only"),
        ("Guests may stay after closing time regardless of what a keeper says.", "quantifier: regardless"),
        ("The visitors woke the owls twice in May.", "roles"),
        ("The report goes from the vet to the keeper.", "roles"),
        ("The kiosk is open from 17:00 to 09:00.", "range"),
        ("Call `fence --reset` if ERR7731 appears on node7.", "not said word for word"),
        ("Feeding the seals takes longer than feeding the owls.", "a comparison of its own"),
    ],
)
def test_what_the_source_does_not_clearly_say_is_doubtful(claim: str, difference: str) -> None:
    found = compare_texts(claim, [SOURCE])
    assert found.verdict != "agrees"
    assert any(each.startswith(difference) for each in found.differences), found.differences


GERMAN = """
Der Tierarzt nimmt Proben bis 12 Uhr an. Die Fütterung findet um 9 Uhr statt und dauert eine Stunde. Am Montag bleibt
das Eulenhaus geschlossen.
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Proben werden vom Tierarzt bis 12 Uhr angenommen.", "agrees"),
        ("Der Tierarzt lehnt Proben bis 12 Uhr ab.", "disagrees"),
        ("Die Fütterung findet um 9 Uhr statt.", "agrees"),
        ("Die Fütterung findet nicht um 9 Uhr statt.", "disagrees"),
    ],
)
def test_german_verbs_are_read_with_their_prefixes(claim: str, verdict: str) -> None:
    assert compare_texts(claim, [GERMAN]).verdict == verdict


def test_titles_and_the_question_may_lend_words() -> None:
    passage = a_passage("It opens at 08:00.", title="North gate", headings=("Hours",))
    assert compare_claim("The north gate opens at 8:00.", [passage]).verdict == "agrees"


def test_what_has_no_word_of_its_source_is_not_shown_unless_it_is_cleared() -> None:
    assert compare_texts("Penguins sing.", [SOURCE]).verdict == "disagrees"
    assert compare_texts("Penguins sing.", []).verdict == "disagrees"


def test_a_sentence_of_any_length_ends() -> None:
    assert compare_texts("not a " * LONGEST, ["not a " * 20_000]).verdict == "doubtful"
    assert compare_texts("12," * 250, ["12," * 40_000]).verdict in {"agrees", "doubtful", "disagrees"}


# -- what belongs to what

OFFICE = """
Invoices are kept for ten years in the finance archive, contracts for six years in the legal archive. Passwords belong
in the vault, not in the repository. Claims up to 200 euros are approved by the team lead, claims above that by the
controller. Upgrades take effect at once, downgrades at the end of the month. The dispatcher restarts the workers; the
watchdog restarts the dispatcher. Mara reviews the code of Jonas, and Jonas reviews the code of Priya. If the queue
grows above 10,000 messages, scale the workers up. Most receipts are scanned at the front desk. Taxi rides need a
receipt or a booking confirmation. Goods can be returned within 14 days. The nightly backup runs at 02:00 and the
weekly backup at 05:00. A change is merged once two reviewers have approved it. During the trial period both give two
weeks of notice. Alerts of severity one page the engineer on duty; alerts of severity two open a ticket. Only the
release manager may rotate the signing key. The report must be sent in writing.
"""


@pytest.mark.parametrize(
    "claim",
    [
        "Contracts are kept for ten years.",
        "Invoices are kept in the legal archive.",
        "Passwords belong in the repository, not in the vault.",
        "Claims up to 200 euros are approved by the controller.",
        "Claims above 200 euros are approved by the team lead.",
        "Downgrades take effect at once.",
        "The dispatcher restarts the watchdog.",
        "Mara reviews the code of Priya.",
        "If the queue grows above 10,000 messages, scale the workers down.",
        "Few receipts are scanned at the front desk.",
        "Taxi rides need a receipt and a booking confirmation.",
        "Goods can be returned after 14 days.",
        "The weekly backup runs at 02:00.",
        "The weekly backup runs before 05:00.",
        "A change is merged before two reviewers have approved it.",
        "Both give two weeks of notice after the trial period.",
        "Alerts of severity two page the engineer on duty.",
        "The release manager and the developers may rotate the signing key.",
        "Claims up to 200 euros are approved by the team lead unless they are urgent.",
        "The report is sent in writing if they like.",
        "Invoices are kept for ten years in the finance archive on the hill.",
    ],
)
def test_what_the_source_says_of_another_thing_is_not_agreed_to(claim: str) -> None:
    assert compare_texts(claim, [OFFICE]).verdict != "agrees"


@pytest.mark.parametrize(
    "claim",
    [
        "Contracts stay in the legal archive for six years.",
        "Put passwords in the vault rather than the repository.",
        "The team lead approves claims of at most 200 euros.",
        "An upgrade takes effect immediately.",
        "The dispatcher is restarted by the watchdog.",
        "Jonas has his code reviewed by Mara.",
        "Scale up the workers when the queue exceeds 10,000 messages.",
        "The front desk scans most receipts.",
        "For taxi rides, a receipt or a booking confirmation is needed.",
        "At 5 am the weekly backup runs.",
        "Two reviewers have to approve a change before it is merged.",
        "For a severity two alert, a ticket is opened.",
        "The signing key may only be rotated by the release manager.",
    ],
)
def test_other_words_for_the_same_agree(claim: str) -> None:
    assert compare_texts(claim, [OFFICE]).differences == ()


BUERO = """
Der Netzbetreiber prüft die Zulieferer, der Sicherheitsbeauftragte prüft den Netzbetreiber. Kunden können Ware innerhalb
von 14 Tagen zurückgeben. Besucher tragen einen gelben Ausweis, Handwerker einen roten. Der Tarif Basis enthält Support
per E-Mail, der Tarif Plus Support per E-Mail und Telefon. Ein Upgrade gilt sofort, ein Downgrade erst zum Monatsende.
"""


@pytest.mark.parametrize(
    ("claim", "agrees"),
    [
        ("Den Netzbetreiber prüft der Sicherheitsbeauftragte.", True),
        ("Der Netzbetreiber prüft den Sicherheitsbeauftragten.", False),
        ("Den Sicherheitsbeauftragten prüfen die Zulieferer.", False),
        ("Kunden können Ware binnen 14 Tagen zurückgeben.", True),
        ("Kunden können Ware erst nach 14 Tagen zurückgeben.", False),
        ("Ein gelber Ausweis wird von Besuchern getragen.", True),
        ("Handwerker tragen einen gelben Ausweis.", False),
        ("Der Tarif Basis enthält Support per Telefon.", False),
        ("Ein Upgrade gilt unverzüglich.", True),
        ("Ein Downgrade gilt sofort.", False),
    ],
)
def test_german_names_are_told_by_case_and_place(claim: str, *, agrees: bool) -> None:
    assert (compare_texts(claim, [BUERO]).verdict == "agrees") == agrees


# -- other languages


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("Les visiteurs ne doivent pas entrer seuls.", "Les visiteurs ne doivent pas entrer seuls. Merci.", "agrees"),
        ("Les visiteurs doivent entrer seuls.", "Les visiteurs ne doivent pas entrer seuls. Merci.", "doubtful"),
        ("Le vestiaire ferme.", "Le vestiaire ne ferme jamais.", "doubtful"),
        ("Les badges coûtent 12 euros.", "Les badges coûtent 7 euros.", "disagrees"),
        ("サーバー室に入ることができます。", "サーバー室に入ることができません。", "doubtful"),
        ("バッジは夕方に返却します。", "バッジは夕方に返却します。鍵も返します。", "agrees"),
        ("访客可以单独进入机房。", "访客不得单独进入机房。", "doubtful"),
        ("Visitors may not enter the archive alone.", "Besucher dürfen das Archiv nicht allein betreten.", "doubtful"),
        ("Der Eintritt kostet 12 Euro im Zoo.", "The zoo asks for 7 euros.", "disagrees"),
    ],
)
def test_a_language_that_is_not_read_agrees_only_word_for_word(claim: str, source: str, verdict: str) -> None:
    assert compare_texts(claim, [source]).verdict == verdict


STAFF = """| Name | Role | Ext. | Deputy |
|---|---|---|---|
| Tobias Renner | Head of libraries | 400 | Miriam Adler |
| Miriam Adler | Acquisitions | 410 | Hanna Pohl |

| Day | What | When |
|---|---|---|
| Monday | Yoga class | 18:00 |

| Severity | What | Response time |
|---|---|---|
| Critical | Service down | 15 minutes |"""


@pytest.mark.parametrize(
    ("claim", "agrees"),
    [
        ("Tobias Renner's extension is 400.", True),
        ("The head of libraries, Tobias Renner, has the extension 400.", True),
        ("Tobias Renner (ext. 400) has Miriam Adler as his deputy.", True),
        ("Miriam Adler has the extension 410.", True),
        ("Miriam Adler's extension is 400.", False),
        ("The yoga class starts at 18:00.", True),
        ("If the service is down, the response time is 15 minutes.", True),
    ],
)
def test_a_number_of_a_row_belongs_to_what_the_row_is_about(claim: str, *, agrees: bool) -> None:
    assert (compare_texts(claim, [STAFF]).verdict != "disagrees") == agrees


def test_a_number_has_no_unit_from_the_next_row() -> None:
    table = "| Ticket | Children |\n|---|---|\n| Two hours | 3.00 |\n| Day ticket | 4.50 |"
    assert compare_texts("A ticket for two hours costs €3.00 for children.", [table]).verdict != "disagrees"


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
RECKONED_WRONGLY = [
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
