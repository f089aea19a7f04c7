"""Text in mrkdwn, Slack's own mark-up, and in the Markdown that is streamed: nothing in it comes alive. Pure.

Slack reads `<…>` in both: `<!channel>` calls everybody, `<@U1>` a person, `<#C1>` names a channel, `<url|label>` is a
link whose label may say anything. Escaping `<` ends all of them; Slack shows the entity as the character and does not
read it a second time.

Slack also links what looks like an address without being told to. Three things keep that from happening: a text object
of type mrkdwn is sent with `verbatim`, which switches it off; the text of a rich_text block is literal anyway; and the
text of a message, for which there is no such switch within the message, has its addresses as code. Nothing invisible
is inserted anywhere: whoever copies a command copies what stands there. Whoever posts a message still sets `parse` to
none, `link_names`, `unfurl_links` and `unfurl_media` to false.
"""

import re

from bot.markup.plain_text import one_line, plain
from bot.markup.text_length import cut_between_words, head, units
from bot.markup.urls import URL, pretends, web_url
from bot.slack.limits import TEXT, SlackBlock

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_LABEL = str.maketrans({"<": "‹", ">": "›", "|": "¦"})
"""What would end a link or its address, as characters that look alike."""
_WORDS = re.compile(r"\s+|\S+")
_ADDRESS = re.compile(r"(?i)://|(?<![a-z0-9])www\.|\bmailto:")
_TOKEN = re.compile(r"<(?=[!@#])")

_LINK = re.compile(r"(?<=\])(?=[(:])")
_WEB = re.compile(r"(?i)(?<=://)|(?:(?<=[^a-z0-9]www)|(?<=^www))(?=\.)")
_BEGINS = re.compile(r"(?i)[(:/.]|w{1,3}\.")


def escape(text: str) -> str:
    """Untrusted text for mrkdwn: exactly `&`, `<` and `>` become entities, as Slack's formatting reference asks for.

    Characters that steer a display are dropped, lines stay lines.
    """
    return plain(text).translate(_ENTITIES)


def escaped(text: str, limit: int) -> str:
    """The text on one line, escaped, in at most `limit` characters with the entities counted in."""
    line = one_line(text)
    whole = escape(line)
    if units(whole) <= limit:
        return whole
    shown: list[str] = []
    room = limit - 1
    for char in line:
        entity = char.translate(_ENTITIES)
        room -= units(entity)
        if room < 0:
            break
        shown.append(entity)
    return "".join(shown).rstrip() + "…"


def address(url: str) -> str:
    """An address of http, https or mailto as it stands in a link; empty where it is none, or too long."""
    safe = web_url(url, mail=True).translate(_ENTITIES)
    return safe if len(safe) <= URL else ""


def link(url: str, label: str, limit: int = 300) -> str:
    """`<url|label>`, where the address is one of http, https or mailto; else the label alone, escaped.

    limit: characters of the label. A label that names another host than the address stands before the plain address.
    """
    safe = address(url)
    shown = escaped((label.strip() or url).translate(_LABEL), limit)
    if not safe:
        return escaped(label or url, limit)
    if pretends(label, url):
        return f"{escaped(label, limit)} <{safe}>"
    return f"<{safe}|{shown}>"


def mrkdwn(text: str) -> SlackBlock:
    """A text object of mrkdwn that is escaped already: 1 to 3,000 characters; Slack links nothing in it by itself."""
    return {"type": "mrkdwn", "text": text or " ", "verbatim": True}


def plain_text(text: str, limit: int) -> SlackBlock:
    """A text object without mark-up, on one line, of at most `limit` characters, cut between words; never empty, which
    Slack refuses.

    Slack parses nothing in it. What looks like a token gets a blank all the same: clients also make notifications and
    labels for screen readers of such texts.
    """
    shown = _TOKEN.sub("< ", one_line(text)).strip()
    return {"type": "plain_text", "text": cut_between_words(shown or "–", limit), "emoji": False}


def fallback(text: str, limit: int = TEXT) -> str:
    """The text of a message for notifications and screen readers: escaped, in at most `limit` characters, without
    live addresses: they stand as code."""
    shown: list[str] = []
    room = limit - 1
    for word in _WORDS.findall(plain(text).replace("`", "'").strip()):
        address = bool(_ADDRESS.search(word))
        safe = f"`{word.translate(_ENTITIES)}`" if address else word.translate(_ENTITIES)
        if units(safe) > room:
            return "".join(shown) + ("" if address else escaped(head(word, room), room).removesuffix("…")) + "…"
        shown.append(safe)
        room -= units(safe)
    return "".join(shown)


def fallback_lines(text: str, limit: int) -> list[str]:
    """All of a text like that, line by line; a line of more than `limit` characters is parted between words, and a word
    where it has to be. limit: 100 at least."""
    lines: list[str] = []
    longest = limit // 6  # characters of a word: each may become an entity of five
    for line in plain(text).replace("`", "'").split("\n"):
        shown = ""
        for word in _WORDS.findall(line.rstrip()):
            address = bool(_ADDRESS.search(word))
            for start in range(0, len(word), longest):
                piece = word[start : start + longest].translate(_ENTITIES)
                safe = f"`{piece}`" if address else piece
                if units(shown + safe) > limit or (start and address):  # two pieces of code need something between
                    lines.append(shown)
                    shown = ""
                shown += safe
        lines.append(shown)
    return lines


def without_live_addresses(shown: str) -> str:
    """What is escaped already, as it may stand in the text of a message: addresses beside its links are code."""
    first, *others = shown.replace("`", "'").split("<")
    links = (each.partition(">") for each in others)
    return _dead(first) + "".join(f"<{link}>{_dead(rest)}" for link, _, rest in links)


def _dead(shown: str) -> str:
    return "".join(f"`{word}`" if _ADDRESS.search(word) else word for word in _WORDS.findall(shown))


def streamable(part: str, before: str = "") -> str:
    """A piece of standard Markdown for `markdown_text` of a stream, in which nothing comes alive, wherever the text
    was cut into pieces: what depends on the border is done at the beginning of each piece. before: the pieces before
    it; between words, nothing depends on the border.

    `<` becomes an entity, which ends tokens, HTML and addresses in angle brackets; quotes (`>`) stay quotes. A blank
    parts `](` and `]:`, so that there are no links, images or definitions, and follows `://` and `www`, so that no
    address is linked by itself. The citations, which alone may be linked, are not known yet while a text is streamed:
    their markers stay literal here, and the blocks after the text link them. Blanks can be seen and copied; that is
    their advantage over characters that cannot.
    """
    shown = _WEB.sub(" ", _LINK.sub(" ", plain(part))).replace("<", "&lt;")
    return f" {shown}" if _BEGINS.match(shown) and not before.endswith((" ", "\n")) else shown
