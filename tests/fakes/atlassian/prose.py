"""Short prose about a company's services, drawn from a seed. Enough to read and to search in; nothing in it is true."""

import random
from dataclasses import dataclass
from itertools import product

SERVICES = (
    ("Ledger", "billing"),
    ("Postbox", "mail delivery"),
    ("Lighthouse", "monitoring"),
    ("Harbour", "file storage"),
    ("Compass", "search"),
    ("Turnstile", "sign-in"),
    ("Parcel", "shipping"),
    ("Almanac", "scheduling"),
    ("Quill", "contracts"),
    ("Pantry", "stock keeping"),
)
_FIRST = [
    *("Ada", "Ben", "Clara", "David", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Katya", "Liam", "Mina"),
    *("Noor", "Oskar", "Priya", "Quentin", "Rosa", "Samir", "Tessa", "Umar", "Vera", "Wim", "Xenia", "Yusuf"),
]
_LAST = [
    *("Abel", "Brandt", "Costa", "Dietz", "Engel", "Fischer", "Gomez", "Haas", "Ivanov", "Jansen", "Keller"),
    *("Lindqvist", "Moreau", "Novak", "Okafor", "Petrov", "Romano", "Sato", "Tanaka", "Vogel", "Weber", "Yilmaz"),
]
_THINGS = ("gateway", "queue", "index", "certificate", "backup", "replica", "dashboard", "importer", "cache", "worker")
_TEAMS = ("platform", "finance", "support", "security", "data", "people", "logistics", "legal")
_VERBS = ("restart", "scale", "upgrade", "audit", "migrate", "retire", "test", "document")
_DOING = ("restarting", "scaling", "upgrading", "auditing", "migrating", "retiring", "testing", "documenting")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")

_SENTENCES = (
    "{service} is our service for {purpose}; the {team} team owns it.",
    "Before you {verb} the {thing} of {service}, tell the {team} team in their channel.",
    "The {thing} keeps {number} days of history, after which {service} deletes it.",
    "On {day}s the {team} team will {verb} the {thing} between {hour} and {later} o'clock.",
    "If {service} answers slowly, look at the {thing} first and at {other} second.",
    "{service} reads its settings from the {thing} of {other} when it starts.",
    "An alarm fires when more than {number} requests wait in the {thing}.",
    "Access to {service} is given by the {team} team within {number} hours.",
    "We decided to {verb} the {thing} because {other} could not keep up with {purpose}.",
    "The last outage of {service} took {number} minutes and began in the {thing}.",
    "Customers notice a broken {thing} in {purpose} after about {number} minutes.",
    "{other} must be running before the {thing} of {service} starts.",
    "The budget for {purpose} covers {number} machines until the end of the year.",
    "Nobody may {verb} the {thing} on a {day} without a second pair of eyes.",
)
_TITLES = (
    "Runbook: {doing} the {thing} of {service}",
    "How {service} does {purpose}",
    "Decision: {verb} the {thing} of {service}",
    "{service} {thing} overview",
    "Checklist for {doing} {service}",
    "Review of the {service} outage on {day}",
    "Onboarding of the {team} team to {service}",
    "Plan for {doing} the {service} {thing}",
)
_SUMMARIES = (
    "{service} {thing} is full",
    "{verb} the {thing} of {service}",
    "{service} answers slowly on {day}s",
    "Alarm of the {service} {thing} does not fire",
    "Give the {team} team access to {service}",
    "{doing} {service} fails after {number} minutes",
    "Wrong numbers for {purpose} in {service}",
)
_REMARKS = (
    "Seen again on {day}, it was the {thing}.",
    "Can the {team} team look at this?",
    "After {doing} the {thing} it went away.",
    "{service} has been fine for {number} hours now.",
    "This depends on {other}, I would wait until {day}.",
    "I have asked the {team} team, they agree.",
)


@dataclass
class Prose:
    """Words drawn one after the other from a source of chance."""

    chance: random.Random

    def _fill(self, *patterns: str) -> str:
        pick, hour = self.chance.choice, self.chance.randint(6, 20)
        (service, purpose), (other, _) = self.chance.sample(SERVICES, 2)
        number = self.chance.randint(2, 90)
        text = pick(patterns).format(
            service=service, purpose=purpose, other=other, number=number, hour=hour, later=hour + 2,
            thing=pick(_THINGS), team=pick(_TEAMS), verb=pick(_VERBS), doing=pick(_DOING), day=pick(_DAYS),
        )  # fmt: skip
        return text[0].upper() + text[1:]

    def paragraph(self) -> str:
        """Two to four sentences."""
        return " ".join(self._fill(*_SENTENCES) for _ in range(self.chance.randint(2, 4)))

    def remark(self) -> str:
        """What one says in a comment."""
        return " ".join(self._fill(*_REMARKS) for _ in range(self.chance.randint(1, 2)))

    def title(self) -> str:
        """Of a page; not unique."""
        return self._fill(*_TITLES)

    def summary(self) -> str:
        """Of an issue; not unique."""
        return self._fill(*_SUMMARIES)

    def names(self, count: int) -> list[str]:
        """So many people, no two of one name."""
        every = [f"{first} {last}" for first, last in product(_FIRST, _LAST)]
        self.chance.shuffle(every)
        return [each if at < len(every) else f"{each} {at}" for at, each in enumerate(_repeated(every, count))]


def _repeated(every: list[str], count: int) -> list[str]:
    return [every[at % len(every)] for at in range(count)]
