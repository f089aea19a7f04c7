"""`kb eval`: the group of commands that measure the product."""

import click

from bot.cli.eval_agent import agent
from bot.cli.eval_golden import eval_golden
from bot.cli.eval_retrieval import retrieval


@click.group("eval")
def evaluate() -> None:
    """Measure the product on judged questions."""


for command in (retrieval, agent, eval_golden):
    evaluate.add_command(command)
