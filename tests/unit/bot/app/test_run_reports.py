"""Reports of runs as people read them."""

from bot.app.run_reports import report_text
from indexer.run.report import RunReport


def test_the_numbers_of_documents_add_up() -> None:
    skipped = [("large.pdf", "too large"), ("broken.pdf", "cannot be read")]
    report = RunReport("docs", listed=3, added=2, purged=1, skipped=skipped, cut=[("long.csv", "many rows")])
    head, counts, *_ = report_text(report).splitlines()
    assert head.startswith("docs: 4 documents in "), "what listing leaves out is not listed"
    assert counts == "  2 added, 2 skipped; 1 of them read in part, 1 removed"
