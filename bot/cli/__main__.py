"""`python -m bot.cli`: the `kb` command where no script of that name is installed."""

from bot.cli import main

main()
