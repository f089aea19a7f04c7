"""The `kb` command. Modules here import only what parsing a command line needs; the rest comes when a command runs."""

from bot.cli.entry import main

__all__ = ["main"]
