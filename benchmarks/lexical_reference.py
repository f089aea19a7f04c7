"""Lexical retrieval held to rank-bm25 on a data set in the BEIR layout that `kb eval retrieval` has indexed.

    python -m benchmarks.lexical_reference DIR [DIR …]

Reads the chunks from the evaluation's database, asks rank-bm25 every judged question over the same tokens, and prints
nDCG@10 of both and on how many questions the scores of the top 10 chunks agree.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi
from sqlalchemy import text

from agent.evaluation.measures import ndcg
from benchmarks.measuring import parser
from bot.app.product import open_product
from bot.cli.eval_data_set import SOURCE, database_name
from config.load import load
from domain.access import Scope
from domain.documents import compose, document_id
from domain.search import SearchRequest
from indexer.sources.beir.data_set import BeirFolder

CHUNKS = 200


async def compare(folder: Path) -> dict[str, Any]:
    """nDCG@10 of both, and how many questions have the same scores."""
    questions = [query for query in BeirFolder(folder).queries() if query.gold]
    settings = load()
    async with open_product(settings, database=database_name(folder, settings)) as product:
        async with product.storage.engine.connect() as connection:
            query = text(
                "SELECT d.document_id, c.title, c.heading_path, c.text FROM chunks c"
                " JOIN documents d USING (document_no) JOIN index_versions v USING (version_id)"
                " WHERE v.state = 'live'"
            )
            rows = (await connection.execute(query)).all()
        texts = [compose(row.title, tuple(row.heading_path), row.text) for row in rows]
        peer = BM25Okapi([product.analyzer.tokens(each) for each in texts])
        ours, theirs, same = [], [], 0
        for question in questions:
            gold = {document_id(SOURCE, key): grade for key, grade in question.gold.items()}
            request = SearchRequest(question.text, retrievals=("lexical",), limit=CHUNKS)
            hits = (await product.search.search(request, Scope.member())).rankings["lexical"]
            values = peer.get_scores(product.analyzer.tokens(question.text))
            order = np.argsort(-values, kind="stable")[:CHUNKS]
            top = [hit.score for hit in hits[:10]]
            same += bool(np.allclose(top, np.sort(values)[::-1][: len(top)], rtol=1e-9))
            ours.append(ndcg(list(dict.fromkeys(hit.document_id for hit in hits)), gold, 10))
            theirs.append(ndcg(list(dict.fromkeys(rows[i].document_id for i in order)), gold, 10))
    return {
        "dataset": folder.name,
        "questions": len(questions),
        "ndcg@10": round(float(np.mean(ours)), 4),
        "rank_bm25_ndcg@10": round(float(np.mean(theirs)), 4),
        "same_top_10_scores": same,
    }


if __name__ == "__main__":
    options = parser(__doc__)
    options.add_argument("folders", type=Path, nargs="+")
    for each in options.parse_args().folders:
        print(json.dumps(asyncio.run(compare(each.resolve()))), flush=True)
