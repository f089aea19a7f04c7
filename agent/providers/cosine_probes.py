"""Measures what a model's cosines mean, by questions whose answers are known."""

import logging

import numpy as np

from domain.cosine_scale import COMMON_SCALE, CosineScale
from domain.model_ports import Embedder

PROBES = (
    (
        "Who approves the invoices of suppliers?",
        (
            "Finance handbook > Paying suppliers. Each invoice is approved by the head of finance. Send it as a"
            " PDF, name the cost centre and the order it belongs to, and allow five working days. What comes"
            " without an order number goes back to whoever sent it."
        ),
    ),
    (
        "How long are backups kept?",
        (
            "Operations > Backups. Every night the databases are copied to a second site. Copies are deleted"
            " after thirty days, those of the first of a month after a year. Once a quarter the team restores one"
            " of them, and writes down how long it took."
        ),
    ),
    (
        "When does the canteen close?",
        (
            "Around the office > Canteen. Lunch is served from 11:30 to 14:00 on working days, on the ground"
            " floor. There are two dishes, one of them without meat, and a salad bar. Guests are welcome if you"
            " tell the kitchen a day before."
        ),
    ),
    (
        "Which database does the booking service use?",
        (
            "Software > Booking. It is written in Go and keeps its data in a PostgreSQL cluster of three servers."
            " Seats are held for ten minutes while somebody pays. Its owner is the travel team, and its dashboards"
            " are linked below."
        ),
    ),
    (
        "How do I set a new password?",
        (
            "IT help > Your account. To change the password, open the account page, choose “Forgot it?” and"
            " follow the link in the message. It needs twelve characters at least. After five failed attempts the"
            " account is locked for a quarter of an hour."
        ),
    ),
    (
        "What may a hotel room cost?",
        (
            "Travel policy > Staying overnight. Book through the travel portal. A night may cost up to 120 euros,"
            " breakfast included, and up to 180 during trade fairs. Whatever is above that needs a word from your"
            " manager before the trip."
        ),
    ),
    (
        "Where is the first aid kit?",
        (
            "Safety > In an emergency. The box with bandages hangs beside the lift on the second floor, the"
            " defibrillator at the reception. Call 112 first, then the reception, who send somebody down to meet"
            " the ambulance."
        ),
    ),
    (
        "How many days of holiday do I have?",
        (
            "People > Time off. Everybody has 28 days of paid leave a year. Ask for it in the personnel system,"
            " two weeks ahead where it is more than three days. What is left over lapses at the end of March."
        ),
    ),
    (
        "Why was the release of the app postponed?",
        (
            "Minutes of the product meeting > Mobile app. Version 4 comes two weeks later, since the payment"
            " tests kept failing on older phones. Support is told today. The next look at it is on Monday,"
            " together with the marketing team."
        ),
    ),
    (
        "What must I do when paper gets stuck in the printer?",
        (
            "IT help > Printers. If it jams, open the rear door and pull the sheet out slowly, in the direction"
            " of the arrow. Toner is in the cupboard next to the lift. For anything else open a ticket with the"
            " printer's number."
        ),
    ),
    (
        "Who is on call at the weekend?",
        (
            "Operations > Alerts. On working days the team that owns a service is paged. On Saturdays and Sundays"
            " the platform team has the pager, with one engineer in front and one behind. The rota is planned"
            " eight weeks ahead."
        ),
    ),
    (
        "How large may an uploaded file be?",
        (
            "API guide > Documents. Post them as multipart forms, ten at a time. The limit is 25 MB each; what is"
            " larger is refused with status 413. Uploads are scanned before anybody can open them, which takes"
            " some seconds."
        ),
    ),
)
"""Questions, and passages as long as those of an index that answer them, no two about the same thing."""

LEAST_SEPARATION = 2.0
"""Standard deviations of strangers' cosines by which the mean of answers must lie above their mean: with less, a scale
would only magnify noise. all-MiniLM-L6-v2 has 5.0, multilingual-e5-small 3.1."""

_log = logging.getLogger(__name__)


async def measured_scale(embedder: Embedder) -> CosineScale:
    """What the model's cosines mean; the common scale where it does not tell answers from strangers.

    Raises:
        Transient, Misconfigured: see domain.model_ports.Embedder.
    """
    questions = await embedder.embed([question for question, _ in PROBES], "query")
    answers = await embedder.embed([answer for _, answer in PROBES])
    cosines = np.asarray(questions @ answers.T, dtype=np.float64)
    answering = float(np.diagonal(cosines).mean())
    strangers = cosines[~np.eye(len(PROBES), dtype=bool)]
    unrelated = float(strangers.mean())
    if answering - unrelated <= LEAST_SEPARATION * float(strangers.std()):
        name = embedder.identity.name
        _log.warning("%s hardly tells answers from other texts: cosines %.2f and %.2f", name, answering, unrelated)
        return COMMON_SCALE
    return CosineScale(unrelated, min(answering, (1 + unrelated) / 2))  # there is room above it
