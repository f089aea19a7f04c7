import pytest

from agent.reasoners.offline.contrary import answers_something_else
from agent.reasoners.offline.quotable_units import Form, QuotableUnit

STEPS = "1. Drain the queue.\n2. Stop the service.\n3. Start the service."


def a_unit(words: str, heading: str = "", form: Form = "sentence") -> QuotableUnit:
    return QuotableUnit(0, 0, words, frozenset(), words, heading, form)


@pytest.mark.parametrize(
    ("question", "heading", "words"),
    [
        ("How do I fail over the database?", "Fail back", "The database team does it."),
        ("How do I roll back YardView?", "Roll out", "Deploy the new version."),
        ("How are clusters scaled up?", "", "Scaling down takes an hour."),
        ("When do I log in?", "", "Everybody logs out at six."),
        ("How long is the notice period during probation?", "", "After probation it is three months."),
        ("What does it cost to cancel during the trial?", "", "After the trial the fee is 50 euros."),
        ("What happens after the trial?", "During the trial", "Cancelling is free."),
        ("Wer haftet während der Fahrt?", "", "Nach der Fahrt haftet der Fahrer."),
        ("When must I not restart Gantry?", "Restart", "Restart it in five steps."),
        ("Wann darf ich nicht neu starten?", "", "Starte den Dienst neu."),
        ("What is not sold at the kiosk?", "", "The kiosk sells ice and maps."),
        ("Which rooms do we not heat?", "", "All offices are heated."),
        ("Which rooms do we not heat?", "", "There is no lift."),
        ("When does the pool open on weekdays?", "", "On Saturdays it opens at 10 am."),
        ("Is the library open on 24 December?", "", "From 27 to 30 December the library opens at ten."),
        ("Ist das Bad am 25. Dezember geöffnet?", "", "Nächste Übung am 25. November, 8:00"),
        ("Is the pool open on 11 January?", "", "On 1 January it opens at noon."),
        ("Is the pool open at New Year's Eve?", "Public holidays", "24, 25 and 26 December: closed"),
        ("When does the pool open on Sunday?", "Saturday", "From ten on."),
        ("Wann hat das Bad sonntags auf?", "", "Samstags von 10 bis 18 Uhr."),
        ("Wann öffnet das Bad am Sonntag?", "", "Mo–Fr 8–20 Uhr"),
        ("When does the zoo close in July?", "", "1 November - 28 February – Zoo closes: 16:00"),
        ("last entry in december?", "", "1 April - 30 September – Last entry: 17:00"),
        ("Wann schließt der Zoo im Juli?", "", "November bis Februar – schließt um 16 Uhr"),
    ],
)
def test_what_is_done_the_other_way_or_at_another_time_answers_nothing(question: str, heading: str, words: str) -> None:
    assert answers_something_else(question, a_unit(words, heading))


@pytest.mark.parametrize("question", ["May I restart Gantry at 6 am?", "What must I do before restarting Gantry?"])
def test_steps_do_not_tell_whether_one_may_nor_what_comes_before(question: str) -> None:
    assert answers_something_else(question, a_unit(STEPS, "Restart", "list"))
    assert not answers_something_else("How do I restart Gantry?", a_unit(STEPS, "Restart", "list"))
    assert not answers_something_else(question, a_unit("Ask in the channel before that."))


@pytest.mark.parametrize(
    ("question", "heading", "words"),
    [
        ("How do I fail over the database?", "Fail over", "Promote the standby; the team fails back later."),
        ("How do I fail over the database?", "Failover", "Promote the standby."),
        ("How do I set up a laptop?", "", "Put it in the box and turn it on."),
        ("What happens after the trial?", "", "During the trial it is free, after the trial it costs 50 euros."),
        ("What happens after the trial?", "", "The fee is 50 euros."),
        ("What is not sold at the kiosk?", "", "Everything is sold there, except beer."),
        ("Which costs are not covered?", "", "Excluded are drinks."),
        ("What do I do if it does not start?", "", "Turn the key again."),
        ("Why does it not start?", "", "The battery is empty."),
        ("When must I not restart Gantry?", "", "Do not restart between five and six."),
        ("When must I not restart Gantry?", "", "Restart it only at night."),
        ("Why must I not share my password?", "", "Never share it."),
        ("What must I do before restarting Gantry?", "Before you start", "Ask in the channel."),
        ("Why is the build not working?", "", "The disk is full."),
        ("When does the pool open on Sunday?", "", "It opens at ten."),
        ("When does the pool open on Saturday?", "", "Mon-Fri 8 to 20, Sat 10 to 18"),
        ("When does the pool open on Sundays?", "", "It opens daily at ten."),
        ("May I hand it in on Friday?", "", "It is due by Thursday."),
        ("Wann ist das Museum sonntags geöffnet?", "", "An Sonn- und Feiertagen von 10 bis 16 Uhr."),
        ("When is the library open on Saturday?", "", "Mon–Fri 9–17, Sat by appointment."),
        ("Is the office open on Saturday?", "", "On weekdays only."),
        ("When is the deadline for the Friday newsletter?", "", "Wednesday at noon."),
        ("When is lunch on Tuesday?", "", "11:30 to 14:00 (Fridays until 13:30)"),
        ("Is the pool open on 26 December?", "Public holidays", "24, 25 and 26 December: closed"),
        ("Is the pool open at Christmas Eve?", "Public holidays", "24, 25 and 26 December: closed"),
        ("Is the pool open on 2 July?", "", "Closed from Monday, 29 June to Sunday, 19 July 2026."),
        ("When was the pool of 2 July cleaned?", "", "On 3 July."),
        ("When is the pool open?", "", "Tuesday to Friday: 9:00-21:00"),
        ("Is it open on public holidays?", "", "Every day of the year it is open."),
        ("What should I do if not invited?", "", "Ask the organiser."),
        ("last entry in december?", "", "1 November - 28 February – Last entry: 14:30"),
        ("When may I come in?", "", "1 November - 28 February – 10:00"),
    ],
)
def test_what_fits_answers(question: str, heading: str, words: str) -> None:
    assert not answers_something_else(question, a_unit(words, heading))


def test_steps_that_begin_with_what_comes_first_tell_what_comes_before() -> None:
    steps = "1. First, ask in the channel.\n2. Wait for a reply."
    assert not answers_something_else("What must I do before restarting?", a_unit(steps, "", "list"))


def test_what_is_not_so_by_its_heading_answers_no_question_for_what_is() -> None:
    unit = a_unit("Whether to buy a second server.", "Not decided")
    assert answers_something_else("What was decided about the server?", unit)
    assert not answers_something_else("What was not decided about the server?", unit)
    assert not answers_something_else("Was anything decided about the server?", unit)


def test_what_does_not_have_something_is_said_by_a_denial() -> None:
    for question in ("Which pools do not have a slide?", "Which pool does not have a slide?"):
        assert not answers_something_else(question, a_unit("The park pool has no slide.", ""))
        assert answers_something_else(question, a_unit("The park pool has two slides.", ""))
