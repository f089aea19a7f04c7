"""The settings in force, with where each comes from. Pure."""

from collections.abc import Sequence

from bot.web.operating_models import SettingCard
from bot.web.pages.layout import Viewer
from bot.web.pages.markup import Child, Html, element
from bot.web.pages.operate.frame import operator_page, table

HEADS = ("Variable", "Value", "From", "Meaning")


def settings_page(viewer: Viewer, settings: Sequence[SettingCard]) -> str:
    """Those that are set first, then all of them by part."""
    given = [each for each in settings if each.origin]
    parts = dict.fromkeys(each.heading for each in settings)
    return operator_page(
        "Settings",
        "/operate/settings",
        viewer,
        element("p", "Secrets are not shown. Settings are changed where the process is started.", class_="hint"),
        element("h2", "Set here"),
        _table("Set here", given) if given else element("p", "Nothing: all are at their defaults."),
        element("h2", "All settings"),
        *(_part(each, [one for one in settings if one.heading == each]) for each in parts),
    )


def _part(heading: str, settings: Sequence[SettingCard]) -> Html:
    title = heading[:1].upper() + heading[1:]
    return element("details", element("summary", title), _table(title, settings))


def _table(name: str, settings: Sequence[SettingCard]) -> Html:
    return table(name, HEADS, map(_row, settings))


def _row(setting: SettingCard) -> Sequence[Child]:
    return (
        element("code", setting.variable),
        setting.value or element("span", "not set", class_="hint"),
        setting.origin or element("span", "default", class_="hint"),
        setting.meaning,
    )
