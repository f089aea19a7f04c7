"""Reports of runs as people read them."""

from bot.app.run_reports import remark, report_text
from indexer.run.report import RunReport


def test_the_numbers_of_documents_add_up() -> None:
    skipped = [("large.pdf", "too large"), ("broken.pdf", "cannot be read")]
    report = RunReport("docs", listed=3, added=2, purged=1, skipped=skipped, cut=[("long.csv", "many rows")])
    head, counts, *_ = report_text(report).splitlines()
    assert head.startswith("docs: 4 documents in "), "what listing leaves out is not listed"
    assert counts == "  2 added, 2 skipped; 1 of them read in part, 1 removed"


def test_a_run_that_lost_documents_has_to_be_looked_at_and_says_how_many() -> None:
    report = RunReport("docs", added=3, failed=[("plan.pdf", "status 503"), ("map.pdf", "status 503")])
    assert (report.outcome, remark(report)) == ("attention", "2 documents could not be read")
    report.held_back = 12
    assert remark(report) == "12 documents missing all at once, and kept; 2 documents could not be read"
