"""Every attack of the list comes to nothing, and the list names everything that strangers reach."""

import inspect
import logging
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, get_args

import pytest

from agent import tools
from agent.tools.base import Tool
from agent.tools.live_fetch import LIVE_DOCUMENTS
from agent.tools.registry import ToolSources
from bot.web.api import api_routes
from bot.web.operations import API
from domain.conversation import Platform
from indexer.sources.registry import source_kinds
from tests.architecture.checkout import text
from tests.attacks import routes_web
from tests.attacks.suites import MARKED, SENT, SUITES, SURFACES, attacks_of, table
from tests.attacks.surface import Surface
from tests.fakes.tool_sources import ADA, a_zoo, everything, named


@pytest.mark.check
@pytest.mark.parametrize(
    "surface",
    [pytest.param(each, id=str(each), marks=[pytest.mark.slow] if each.slow else []) for each in SURFACES],
)
async def test_every_attack_comes_to_nothing(
    surface: Surface, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with surface.opened(tmp_path) as meet:
        reached = {name: await meet(attack) for name, attack in surface.attacks.items()}
    harm = {name: words for name, words in reached.items() if words}
    assert len(harm) <= surface.missed, harm
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []


def names(suite: str = "") -> set[str]:
    return {each.name for each in SURFACES if suite in {"", each.suite}}


async def test_every_tool_is_on_the_list() -> None:
    offered = named(await everything(await a_zoo()), ADA)
    assert set(offered) - names() == set()
    assert {type(each) for each in offered.values()} == tool_classes(), "one that the zoo has no source for"


def tool_classes() -> set[type]:
    """All that the package of tools defines."""
    modules = [import_module(f"{tools.__name__}.{each.name}") for each in iter_modules(tools.__path__)]
    found = {value for module in modules for value in vars(module).values() if inspect.isclass(value)}
    return {each for each in found if Tool in each.__mro__[1:]}


async def test_the_tools_are_tried_with_every_source_there_can_be() -> None:
    zoo = await everything(await a_zoo())
    assert [each.name for each in fields(ToolSources) if not getattr(zoo, each.name)] == ["access"]
    assert set(zoo.live) == {each.name for each in LIVE_DOCUMENTS}


@pytest.mark.parametrize("platform", get_args(Platform))
def test_every_platform_is_on_the_list(platform: str) -> None:
    assert platform in names(MARKED)
    assert platform in names(SENT) or platform == "terminal", "nothing is delivered to a terminal"


def test_every_route_over_http_is_on_the_list() -> None:
    nobody: Any = routes_web.Nobody()
    routes = api_routes(nobody, nobody, nobody)
    tried = {API + each.path for each in routes_web.table()}
    assert {*routes.gets, *routes.posts} == tried | {f"{API}/openapi.json"}, "which says nothing of anybody"


def test_every_webhook_is_on_the_list() -> None:
    assert {f"webhooks of {name}" for name, kind in source_kinds().items() if kind.webhook} <= names(SENT)


@pytest.mark.parametrize("suite", SUITES)
def test_a_suite_has_as_many_attacks_as_promised(suite: str) -> None:
    assert len(attacks_of(suite)) >= SUITES[suite]


def test_the_page_has_the_table_of_suites() -> None:
    assert [each for each in table() if each not in text("SECURITY.md").splitlines()] == []
