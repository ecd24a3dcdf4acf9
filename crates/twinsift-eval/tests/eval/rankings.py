"""The measures of rankings as trec_eval has them, for the engine's tests.

Reads cases with a run, judgements and a cut-off; writes nDCG, average precision and
precision for each query, in order.
"""

import json
import sys

import pytrec_eval

answers = []
for case in json.load(sys.stdin):
    cut = case["cut"]
    wanted = {f"ndcg_cut.{cut}", "map", f"P.{cut}"}
    evaluator = pytrec_eval.RelevanceEvaluator(case["qrels"], wanted)
    found = evaluator.evaluate(case["run"])
    for query in sorted(case["qrels"]):
        answers.append(
            [found[query][name] for name in (f"ndcg_cut_{cut}", "map", f"P_{cut}")]
        )
json.dump(answers, sys.stdout)
