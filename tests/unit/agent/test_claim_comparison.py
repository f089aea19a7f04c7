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
