"""Questions in other languages find pages in the same language, with the packaged model for embeddings alone, and the
texts around the answer are in it, too."""

from pathlib import Path
from uuid import uuid4

import pytest

from domain.text.languages import Language
from domain.translation import catalogue
from tests.command import Kb, own_database, write

PAGES = {
    "urlaub": "# Urlaub\n\nAlle Beschäftigten haben 28 Tage Urlaub im Jahr. Resturlaub verfällt am 31. März.\n",
    "conges": "# Congés\n\nChaque salarié dispose de 25 jours de congés payés par an.\n",
    "vacaciones": "# Vacaciones\n\nLas vacaciones se solicitan en el portal de personal.\n",
    "baoxiao": "# 差旅报销\n\n报销申请必须在出差结束后三十天内提交。\n\n## 审批\n\n五千元以上的报销由财务总监审批。\n\n"
    "## 出差携带\n\n出差人员可以携带：\n\n- 笔记本电脑\n- 公司信用卡\n\n"
    "## 住宿标准\n\n| 城市 | 每晚上限 |\n| --- | --- |\n| 北京 | 600 元 |\n| 上海 | 650 元 |\n",
    "qingjia": "# 请假流程\n\n年假为每年十五天。病假需要提供医院证明！\n",
    "vpn": "# VPNの接続方法\n\nパスワードは九十日ごとに変更する必要があります。\n",
}
GREETING = "Hello. Ask me about anything"
ANSWERED: list[tuple[Language, str, str]] = [
    ("de", "Wann verfällt der Resturlaub?", "Resturlaub verfällt am 31. März. [1]"),
    ("fr", "Combien de jours de congés ai-je par an ?", "25 jours de congés"),
    ("es", "¿Dónde se solicitan las vacaciones?", "portal de personal"),
    ("zh", "报销申请多久之内提交?", "三十天内提交"),
    ("zh", "年假有多少天？", "年假为每年十五天。 [1]"),
    ("zh", "北京的住宿标准是多少？", "北京: 600 元 [1]"),
    ("zh", "出差可以携带什么？", "出差人员可以携带： [1]\n\n- 笔记本电脑\n- 公司信用卡"),
    ("zh", "年假有多少天？停车场收费多少？", "年假为每年十五天。 [1]"),
    ("ja", "パスワードは何日ごとに変更しますか?", "九十日ごとに変更する必要があります。 [1]"),
]
NOT_FOUND: list[tuple[Language, str]] = [
    ("de", "Wie hoch ist der Zuschuss zur Kantine?"),
    ("fr", "Quel est le prix du parking ?"),
    ("es", "¿Cuánto cuesta el aparcamiento?"),
    ("zh", "停车场收费多少?"),
    ("zh", "一共有多少份文档？"),
    ("ja", "駐車場の料金はいくらですか?"),
]
GREETED: list[tuple[Language, str]] = [("fr", "Bonjour"), ("es", "Hola"), ("zh", "你好"), ("ja", "こんにちは")]


@pytest.mark.model
def test_a_question_finds_the_page_of_its_language(data_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    write(folder, **PAGES)
    secret = "Mi clave es password=Tr0ub4dor&3xyz, ¿dónde se solicitan las vacaciones?"
    asked = [*(text for _, text, _ in ANSWERED), *(text for _, text in [*NOT_FOUND, *GREETED]), secret]
    with own_database(data_dir, f"languages_{uuid4().hex}") as url:
        kb = Kb({"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url}, tmp_path)
        assert kb("index", str(folder), "--json").report["added"] == len(PAGES)
        # one process asks all of them: loading the model takes longer than answering
        rest = kb("ask", "--interactive", stdin="\n".join(asked).encode()).out
    for language, question, said in ANSWERED:
        reply, rest = rest.split(f"\n{catalogue(language)['References']}\n", 1)
        assert said in reply, question
    for language, question in NOT_FOUND:
        _, found, rest = rest.partition(_begun(language, "Not found. Searched {searched}."))
        assert found, question
    for language, question in GREETED:
        _, found, rest = rest.partition(_begun(language, GREETING))
        assert found, question
    assert _begun("es", "Part of your question looked like a secret ({kinds}) and was not used.") in rest
    assert "Tr0ub4dor" not in rest


def _begun(language: Language, english: str) -> str:
    """What a text begins with, up to its first value."""
    texts = catalogue(language)
    return next(texts[each] for each in texts if each.startswith(english)).partition("{")[0]
