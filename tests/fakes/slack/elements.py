"""Rules for what stands inside blocks: buttons, menus, inputs, rich text, cells of tables."""

from tests.fakes.slack.checks import (
    Check,
    anything,
    between,
    boolean,
    items,
    number,
    one_of,
    plain,
    shape,
    string,
    text,
    typed,
    url,
    whole,
)

ID = string(255)
CONFIRM = shape(
    {"title": plain(100), "text": text(300), "confirm": plain(30), "deny": plain(30)}, style=one_of("primary", "danger")
)
OPTION = shape({"text": text(75), "value": string(150)}, description=text(75), url=url())
GROUPS = items(shape({"label": plain(75), "options": items(OPTION, 100)}), 100)
CHOICES = items(OPTION, 10)
DISPATCH = shape({"trigger_actions_on": items(one_of("on_enter_pressed", "on_character_entered"), 2)})
USERS = items(string(30), 100)

BUTTON = shape(
    {"text": plain(75)},
    action_id=ID,
    url=url(),
    value=string(2000),
    style=one_of("primary", "danger"),
    confirm=CONFIRM,
    accessibility_label=string(75),
)
_RATING = shape({"text": plain(75), "value": string(2000)}, accessibility_label=string(75))
FEEDBACK = shape({"positive_button": _RATING, "negative_button": _RATING}, action_id=ID)
ICON_BUTTON = shape(
    {"icon": one_of("trash"), "text": plain(75)},
    action_id=ID,
    value=string(2000, 0),
    confirm=CONFIRM,
    accessibility_label=string(75),
    visible_to_user_ids=USERS,
)
IMAGE = shape({"alt_text": string(2000)}, image_url=url(), slack_file=anything)


def _menu(**more: Check) -> Check:
    return shape({}, action_id=ID, placeholder=plain(150), confirm=CONFIRM, focus_on_load=boolean, **more)


def _field(**more: Check) -> Check:
    return shape(
        {},
        action_id=ID,
        placeholder=plain(150),
        initial_value=string(3000, 0),
        dispatch_action_config=DISPATCH,
        focus_on_load=boolean,
        **more,
    )


_STATIC = {"options": items(OPTION, 100), "option_groups": GROUPS}
_PICKED = {"max_selected_items": whole}

MENUS: dict[str, Check] = {
    "static_select": _menu(**_STATIC, initial_option=OPTION),
    "multi_static_select": _menu(**_STATIC, **_PICKED, initial_options=items(OPTION, 100)),
    "external_select": _menu(initial_option=OPTION, min_query_length=whole),
    "users_select": _menu(initial_user=string(30)),
    "multi_users_select": _menu(initial_users=USERS, **_PICKED),
    "conversations_select": _menu(
        initial_conversation=string(30),
        default_to_current_conversation=boolean,
        response_url_enabled=boolean,
        filter=anything,
    ),
    "channels_select": _menu(initial_channel=string(30), response_url_enabled=boolean),
    "checkboxes": shape(
        {"options": CHOICES}, action_id=ID, initial_options=CHOICES, confirm=CONFIRM, focus_on_load=boolean
    ),
    "radio_buttons": shape(
        {"options": CHOICES}, action_id=ID, initial_option=OPTION, confirm=CONFIRM, focus_on_load=boolean
    ),
    "datepicker": _menu(initial_date=string(10)),
    "timepicker": _menu(initial_time=string(5), timezone=string(50)),
}
ACTIONS = {
    **MENUS,
    "button": BUTTON,
    "overflow": shape({"options": items(OPTION, 5)}, action_id=ID, confirm=CONFIRM),
    "datetimepicker": shape({}, action_id=ID, initial_date_time=whole, confirm=CONFIRM, focus_on_load=boolean),
}
INPUTS = {
    **MENUS,
    "plain_text_input": _field(multiline=boolean, min_length=whole, max_length=between(1, 3000)),
    "email_text_input": _field(),
    "url_text_input": _field(),
    "number_input": shape(
        {"is_decimal_allowed": boolean},
        action_id=ID,
        placeholder=plain(150),
        initial_value=number,
        min_value=number,
        max_value=number,
        dispatch_action_config=DISPATCH,
        focus_on_load=boolean,
    ),
}

_STYLE = shape({}, bold=boolean, italic=boolean, strike=boolean, code=boolean, underline=boolean)
_RICH: dict[str, Check] = {
    "text": shape({"text": string(40_000)}, style=_STYLE),
    "link": shape({"url": url()}, text=string(40_000), unsafe=boolean, style=_STYLE),
    "emoji": shape({"name": string(100)}, unicode=string(100), skin_tone=whole, style=_STYLE),
    "user": shape({"user_id": string(30)}, style=_STYLE),
    "usergroup": shape({"usergroup_id": string(30)}, style=_STYLE),
    "channel": shape({"channel_id": string(30)}, style=_STYLE),
    "team": shape({"team_id": string(30)}, style=_STYLE),
    "broadcast": shape({"range": one_of("here", "channel", "everyone")}, style=_STYLE),
    "date": shape({"timestamp": whole, "format": string(200)}, url=url(), fallback=string(200), style=_STYLE),
    "color": shape({"value": string(20)}),
}
_PIECES = items(typed(_RICH), 1000)
_SECTION = shape({"elements": _PIECES})
_PREFORMATTED = items(typed({"text": _RICH["text"], "link": _RICH["link"]}), 1000)
RICH_TEXT = items(
    typed(
        {
            "rich_text_section": _SECTION,
            "rich_text_list": shape(
                {"elements": items(typed({"rich_text_section": _SECTION}), 1000), "style": one_of("bullet", "ordered")},
                indent=between(0, 8),
                offset=between(1, 1_000_000),
                border=whole,
            ),
            "rich_text_preformatted": shape({"elements": _PREFORMATTED}, border=whole, language=string(50)),
            "rich_text_quote": shape({"elements": _PIECES}, border=whole),
        }
    ),
    1000,
)
_RICH_BLOCK = typed({"rich_text": shape({"elements": RICH_TEXT}, block_id=ID)})
CELL = typed(
    {
        "raw_text": shape({"text": string(10_000)}),
        "raw_number": shape({"value": number}, text=string(100)),
        "rich_text": shape({"elements": RICH_TEXT}, block_id=ID),
    }
)
COLUMN = shape({}, align=one_of("left", "center", "right"), is_wrapped=boolean)
SOURCE = typed({"url": shape({"url": url(), "text": string(256)})})
TASK = {
    "details": _RICH_BLOCK,
    "output": _RICH_BLOCK,
    "sources": items(SOURCE, 50),
    "status": one_of("pending", "in_progress", "complete", "error"),
    "block_id": ID,
}
CONTEXT = typed(
    {
        "image": IMAGE,
        "plain_text": shape({"text": string(3000)}, emoji=boolean),
        "mrkdwn": shape({"text": string(3000)}, verbatim=boolean),
    }
)
