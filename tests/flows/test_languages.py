"""Questions in other languages find pages in the same language, with the packaged model for embeddings alone, and the
texts around the answer are in it, too."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from domain.translation import TRANSLATED, catalogue
from tests.command import Kb, own_database, write

PAGES = {
    "urlaub": "# Urlaub\n\nAlle Beschäftigten haben 28 Tage Urlaub im Jahr. Resturlaub verfällt am 31. März.\n",
    "conges": "# Congés\n\nChaque salarié dispose de 25 jours de congés payés par an.\n",
    "vacaciones": "# Vacaciones\n\nLas vacaciones se solicitan en el portal de personal.\n",
    "baoxiao": "# 差旅报销\n\n报销申请必须在出差结束后三十天内提交。\n\n## 审批\n\n五千元以上的报销由财务总监审批。\n",
    "vpn": "# VPNの接続方法\n\nパスワードは九十日ごとに変更する必要があります。\n",
}
ANSWERED = {
    "Wann verfällt der Resturlaub?": "Resturlaub verfällt am 31. März.",
    "Combien de jours de congés ai-je par an ?": "25 jours de congés",
    "¿Dónde se solicitan las vacaciones?": "portal de personal",
    "报销申请多久之内提交?": "三十天内提交",
    "パスワードは何日ごとに変更しますか?": "九十日ごとに変更",
}
DECLINED = ["Wie hoch ist der Zuschuss zur Kantine?", "停车场收费多少?"]


@pytest.mark.model
def test_a_question_finds_the_page_of_its_language(data_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    write(folder, **PAGES)
    with own_database(data_dir, f"languages_{uuid4().hex}") as url:
        kb = Kb({"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url}, tmp_path)
        assert kb("index", str(folder), "--json").report["added"] == len(PAGES)
        # one process asks all of them: loading the model takes longer than answering
        done = kb("ask", "--interactive", stdin="\n".join([*ANSWERED, *DECLINED]).encode())
    for (question, said), language in zip(ANSWERED.items(), ("de", "fr", "es", "zh", "ja"), strict=True):
        heading = catalogue(language)["References"] if language in TRANSLATED else "References"
        reply, rest = done.out.split(f"\n{heading}\n", 1)
        assert said in reply, question
        done = replace(done, out=rest)
    assert "Nichts gefunden." in done.out
