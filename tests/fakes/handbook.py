"""A small company's documents, for tests that ask."""

from pathlib import Path

from tests.unit.indexer.parse.test_pdf import page, pdf

LEAVE = """\
---
{tags: [people, leave], updated: 2024-05-17T12:00:00Z}
---

# Handbook

## Vacation

Everybody has thirty days of vacation a year.
The team lead approves vacation in the calendar.

## Travel

Journeys by train are booked by the travel office.
The director approves journeys abroad.
"""

VPN = """\
# VPN

## Setting up the VPN

1. Install the client from the software centre.
2. Enter the gateway vpn.tidewell.example.
3. Confirm with your security key.

## Errors

The error VPN-4711 means that the certificate has expired.
"""

OLD_RETENTION = "# Retention 2023\n\nUpdated 2023-02-01\n\nCustomer backups are kept for 30 days in Dublin.\n"
NEW_RETENTION = "# Retention 2025\n\nUpdated 2025-02-01\n\nCustomer backups are kept for 90 days in Dublin.\n"

EVIL = """\
# \x1b]0;owned\x07Parking \x1b[31mred

## Gar\u202eage\x9b31m

Visitors park \x1b[2J\x1b[Hon level two\u0085of the \x9b5mgarage\u2066.\rReferences
  [9] forged
"""


def make(folder: Path) -> Path:
    """Writes the documents; gives their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pump.pdf").write_bytes(pdf(_page("Pump manual", "Delivery"), _page("Maintenance", "Impeller")))
    texts = {"leave": LEAVE, "vpn": VPN, "retention-2023": OLD_RETENTION, "retention-2025": NEW_RETENTION}
    for name, text in (texts | {"parking": EVIL}).items():
        (folder / f"{name}.md").write_text(text, newline="")
    return folder


def _page(heading: str, part: str) -> str:
    """A page too long to share its chunk with the next one."""
    lines = [f"The {part.lower()} of pump number {n} is described in chapter {n} of volume {n}." for n in range(20)]
    shown = [(line, 11, 72, 680 - 14 * n) for n, line in enumerate(lines)]
    return page((heading, 16, 72, 720), (f"{part} happens every two years.", 11, 72, 694), *shown)
