from bot.terminal.platform import TerminalPlatform
from domain.access import Scope
from domain.answers import Question
from domain.conversation import Participant

ADA = Participant("terminal", "ada")


def test_one_person_has_several_sessions_each_a_conversation_of_its_own() -> None:
    sessions = [TerminalPlatform(Question("", Scope.outsider()), print, ADA) for _ in range(2)]
    first, second = (each.incoming("How long?") for each in sessions)
    assert first.asker == second.asker == ADA
    assert first.place != second.place
    assert first.key != second.key
