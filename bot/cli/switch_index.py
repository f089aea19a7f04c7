"""The end of `kb reindex --full`: the new index takes the old one's place, unless it is worse."""

from typing import TYPE_CHECKING

from bot.app.golden_file import GoldenFile
from bot.cli.eval_data_set import question_counter
from bot.cli.eval_golden import comparison_json, comparison_text
from bot.markup.plain_text import counted, one_line
from domain.errors import KbError, Refused

if TYPE_CHECKING:
    from agent.evaluation.golden_comparison import IndexComparison
    from bot.app.product import Product

OLD_ONE_ANSWERS = "The new index is not in use yet; the old one goes on answering"

NOT_COMPARED = (
    "The new index is in use. It was not compared with the old one: no golden questions are set (KB_AGENT_GOLDEN)."
)


async def switch_index(
    product: "Product",
    errors: dict[str, KbError],
    golden: GoldenFile | None,
    *,
    allow_loss: bool,
    accept_worse: bool,
    quiet: bool,
) -> tuple[object, str] | None:
    """Makes the new index live, or adds to `errors` why the old one goes on answering. Returns what there is to say of
    golden questions, in JSON and for people.

    allow_loss: documents may be missing. accept_worse: golden questions may fail."""
    from bot.app.golden_questions import compare_with_live

    if errors:
        errors["--full"] = KbError(
            OLD_ONE_ANSWERS,
            why="A source could not be read, and its documents would be missing.",
            next_step="Mend or remove that source and run kb reindex --full again: it goes on where it stopped.",
        )
        return None
    remark = None
    try:  # work was done and is kept: only the last step may not succeed
        if golden is None:
            await product.storage.publish(allow_loss=allow_loss, accept_worse=accept_worse)
            return None, NOT_COMPARED
        with question_counter("golden", 2 * len(golden.asked), quiet=quiet) as show:
            comparison = await compare_with_live(product, golden.asked, show)
        remark = comparison_json(comparison, golden.file), comparison_text(comparison, golden.file)
        if comparison.worse and not accept_worse:
            raise _worse(comparison, golden)
        await product.storage.publish(allow_loss=allow_loss, accept_worse=accept_worse, checked=comparison.version)
    except KbError as error:
        errors["--full"] = _kept(error)
    return remark


def _worse(comparison: "IndexComparison", golden: GoldenFile) -> Refused:
    lost = [row for row in comparison.worse if row.before]
    rows, held = (lost, "held") if lost else (list(comparison.worse), "may have held")
    fail = "fails" if len(rows) == 1 else "fail"
    return Refused(
        OLD_ONE_ANSWERS,
        why=f"{counted(len(rows), 'golden question')} that {held} before {fail} in it,"
        f" such as “{one_line(rows[0].question.question)}”.",
        next_step=f"Mend the settings, or {golden.file} where it expects what is not true any more, and run kb reindex"
        " --full again: what is built is kept. To switch all the same: kb reindex --full --accept-worse",
    )


def _kept(error: KbError) -> KbError:
    """The same as what failed the command, whose exit code is 1: nothing was wrong with how it was called."""
    if error.what == OLD_ONE_ANSWERS:
        return KbError(error.what, why=error.why, next_step=error.next_step)
    return KbError(OLD_ONE_ANSWERS, why=f"{error.what}. {error.why}".strip(), next_step=error.next_step)
