import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.connection import SocketMode
from tests.fakes.slack import local_slack


async def test_a_socket_that_closes_before_the_acknowledgement_is_a_plain_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    heard: list[AsyncBoltRequest] = []
    with local_slack() as slack:
        app = AsyncApp(client=AsyncWebClient(token=slack.bot_token, base_url=slack.base_url), signing_secret="none")
        socket = SocketMode(app, slack.app_token)

        @app.middleware
        async def close_the_first_time(request: AsyncBoltRequest, next_: Callable[[], Awaitable[None]]) -> None:
            heard.append(request)
            if len(heard) == 1:
                slack.cut()
                while not await socket.trouble():  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            await next_()

        @app.event("app_home_opened")
        async def hear() -> None:
            pass

        async with socket:
            await slack.eventually(lambda: slack.connections)
            delivery = await slack.open_home(slack.add_user("Ada"))
    assert delivery.acked, "it was delivered again"
    assert len(heard) == 2
    (warning,) = caplog.records
    assert "Slack will deliver it again" in warning.message
    assert (warning.levelname, warning.exc_info) == ("WARNING", None)
