"""A sentence beside its source: what differs is found, and what only says it otherwise is not."""

import pytest

from agent.checking.claim_comparison import MAX_SENTENCE_CHARACTERS, compare_claim, compare_texts
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
    assert compare_texts("not a " * MAX_SENTENCE_CHARACTERS, ["not a " * 20_000]).verdict == "doubtful"
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
