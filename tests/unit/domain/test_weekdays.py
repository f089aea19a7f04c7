import pytest

from domain.text.weekdays import HOLIDAY, WEEK, days_named

WORK, END = set(WEEK[:5]), set(WEEK[5:])


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on Saturdays", {"sat"}),
        ("at weekends and on public holidays", END | {HOLIDAY}),
        ("Mon-Fri 9 to 5, Sat 9-13", WORK | {"sat"}),
        ("Monday to Thursday", set(WEEK[:4])),
        ("Friday to Monday", {"fri", "sat", "sun", "mon"}),
        ("Mo–Fr 8–17 Uhr; Sa/So: 10–14", WORK | END),
        ("Di bis Do", {"tue", "wed", "thu"}),
        ("sonntags und mittwochs", {"sun", "wed"}),
        ("Sonnabends", {"sat"}),
        ("werktags", WORK),
        ("täglich außer montags", {*WEEK, HOLIDAY}),
        ("daily", {*WEEK, HOLIDAY}),
        ("Sonn- und Feiertage", {"sun", HOLIDAY}),
        ("Mon–Fri 9–17, Sat by appointment", WORK | {"sat"}),
        ("| Sun | closed |", {"sun"}),
        ("So it is. We met, do it, and sat down.", set()),
        ("holiday entitlement", set()),
    ],
)
def test_days_of_the_week_that_a_text_names(text: str, days: set[str]) -> None:
    assert days_named(text) == days
