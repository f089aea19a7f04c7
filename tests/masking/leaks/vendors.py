"""Vendor tokens: every vendor of the table in a generic text, and the bespoke texts."""

import random

from tests.masking.case import Positive
from tests.masking.leaks.template import Block, blocks, render_positives
from tests.masking.leaks.vendor_contexts import GENERIC
from tests.masking.leaks.vendor_formats import VENDORS
from tests.masking.leaks.vendor_texts import BESPOKE


def adapt(template: Block, vendor: str, env: str, pattern: str) -> Block:
    """Put a vendor into a generic text."""
    plain = vendor.replace(".", "").replace(" ", "-")
    body = template.body.replace("%TOK%", f"<<fmt:{pattern}>>").replace("%ENV%", env)
    body = body.replace("%VENDOR%", vendor.capitalize()).replace("%LOW%", env.lower())
    body = body.replace("%VENDORDASH%", plain).replace("%VENDORDOT%", plain.replace("-", "."))
    body = body.replace("%CAMEL%", "".join(part.capitalize() for part in env.split("_")))
    return Block(f"{vendor} / {template.shape}", template.language, body)


def vendor_positives(seed: int) -> list[Positive]:
    """All positives of the kind ``vendor token``."""
    order = blocks(GENERIC)
    random.Random(f"{seed}/vendor order").shuffle(order)
    made = [adapt(order[at % len(order)], *row) for at, row in enumerate(VENDORS)]
    return render_positives("vendor token", made + blocks(BESPOKE), seed)
