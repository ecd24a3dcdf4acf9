"""The measures of the evaluation by scikit-learn, SciPy, and by definition.

Reads a list of cases as JSON from standard input, and prints for each the list
of its measures.
"""

import json
import sys
import warnings

import numpy
from scipy.stats import ttest_rel
from sklearn.metrics import (
    adjusted_rand_score,
    average_precision_score,
    precision_recall_curve,
    precision_recall_fscore_support,
)


def b_cubed(truth, found):
    """The mean over items of how their cluster and their group overlap."""
    items = range(len(truth))
    precision = recall = 0.0
    for item in items:
        group = {other for other in items if found[other] == found[item]}
        cluster = {other for other in items if truth[other] == truth[item]}
        precision += len(group & cluster) / len(group)
        recall += len(group & cluster) / len(cluster)
    return precision / len(truth), recall / len(truth)


def best_f1(labels, scores):
    precision, recall, _ = precision_recall_curve(labels, scores)
    total = precision + recall
    return float(numpy.max(2 * precision * recall / numpy.where(total > 0, total, 1)))


def measures(case):
    labels, scores = case["labels"], case["scores"]
    predicted = [int(score >= case["threshold"]) for score in scores]
    precision, recall, f1, _ = precision_recall_fscore_support(
        labels, predicted, average="binary", zero_division=0
    )
    cubed = b_cubed(case["truth"], case["found"])
    test = ttest_rel(case["second"], case["first"])
    return [
        float(precision),
        float(recall),
        float(f1),
        best_f1(labels, scores),
        float(average_precision_score(labels, scores)),
        float(adjusted_rand_score(case["truth"], case["found"])),
        *cubed,
        float(test.statistic),
        float(test.pvalue),
    ]


warnings.simplefilter("ignore")
json.dump([measures(case) for case in json.load(sys.stdin)], sys.stdout)
