"""A migration that was once on the main branch is never changed: databases that have it would lack the change.

What is wanted besides goes into a migration of its own, with a line here.
"""

import hashlib

from tests.architecture.checkout import ROOT

APPLIED = """
    b213c6e781841771 0001_first_schema.py
    7b10cb0daa7c8efd 0002_replies_propositions_epoch.py
    dc0e517b40d33f5c 0003_conversations.py
    a79dc23e3f2dbc5b 0004_permissions.py
    156622c45bdd1495 0005_golden_questions.py
    be32276b28cb81eb 0006_permissions_beside_content.py
    38faaaa6c039bffe 0007_graph.py
    943e00861c5c527f 0008_alerts.py
    15e3f07173666ad2 0009_worker_slots.py
    0d3588ad327435e0 0010_refusals.py
    3131fed37e5c8e1d 0011_injections.py
    4ab7d1870ff3f10d 0012_row_security.py
    38e86fb937fc7a04 0013_posted_replies.py
    33f7cb6e0fcad9ad 0014_row_security_of_runs.py
    f065b33bbc52637e 0015_visible_views.py
    08e300b2dcee2bbb 0016_rights_of_posted_replies.py
    82babe4ead218a8e 0017_answer_records.py
    6128ef46a332e223 0018_own_turns.py
    68189874b2c721f3 0019_audit_entries.py
    4da854e3b2e067c1 0020_web.py
    12a6cfe2b4ec13e9 0021_owner_requests.py
    3fdf38bdfbab2842 0022_operating.py
    cb03dc4c0a22d287 0023_shared_batches.py
    7f1a96e5767aab45 0024_cosine_scale.py
    6aa880681595618f 0025_index_languages.py
    edcbedd5728acfaf 0026_correction_queue.py
    05aca099d139dab0 0027_copies_of_the_index.py
"""
"""The beginning of the SHA-256 of each file, and its name."""


def test_no_migration_is_changed_once_it_was_applied() -> None:
    known = {name: digest for digest, name in map(str.split, APPLIED.strip().splitlines())}
    files = sorted((ROOT / "migrations" / "versions").glob("0*.py"))
    found = {each.name: hashlib.sha256(each.read_bytes()).hexdigest()[:16] for each in files}
    assert found == known
