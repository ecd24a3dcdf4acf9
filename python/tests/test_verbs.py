"""Extract, keys and verify: one at a time and in batches, here and elsewhere."""

from __future__ import annotations

import pickle
import threading
from collections import defaultdict
from typing import Any

import polars
import pyarrow
import pytest
from support import Row

import twinsift

RECIPES: list[Row] = [
    {},
    {"method": "exact"},
    {"method": "spotsigs"},
    {"method": "minhash"},
    {"method": "supershingles"},
    {"method": "simhash", "distance": 8},
    {"method": "imatch", "random_lexicons": 3},
    {"k": 2, "weights": "tfidf", "similarity": "cosine", "threshold": 0.5},
]


@pytest.mark.parametrize("options", RECIPES, ids=str)
def test_pairs_that_share_a_key_and_are_verified_are_those_of_a_run(
    options: Row, rows: list[Row]
) -> None:
    recipe = twinsift.Recipe(**options)
    statistics = twinsift.Statistics.count(rows, recipe)
    extractor = twinsift.Extractor(recipe, statistics)
    keys, verifier = twinsift.Keys(recipe), twinsift.Verifier(recipe)
    texts = pyarrow.array([row["text"] for row in rows])
    signatures = pyarrow.array(extractor.extract_batch(texts))
    assert signatures.type == pyarrow.binary()
    single = [extractor.extract(row["text"]) for row in rows]
    assert [one.to_bytes() for one in single] == signatures.to_pylist()

    listed = pyarrow.array(keys.of_batch(signatures)).to_pylist()
    assert listed == [keys.of(one) for one in single]
    postings: dict[int, list[int]] = defaultdict(list)
    for doc, own in enumerate(listed):
        for key in own:
            postings[key].append(doc)
    candidates = sorted({(a, b) for docs in postings.values() for a in docs for b in docs if a < b})
    left = signatures.take(pyarrow.array([a for a, _ in candidates], "int64"))
    right = signatures.take(pyarrow.array([b for _, b in candidates], "int64"))
    scores = pyarrow.array(verifier.score_batch(left, right)).to_pylist()
    found = [(a, b, score) for (a, b), score in zip(candidates, scores) if score is not None]
    assert found == twinsift.pairs(rows, id=False, recipe=recipe).pairs
    assert found
    for (a, b), score in zip(candidates[:50], scores):
        assert verifier.score(single[a], single[b]) == score


def test_a_column_may_be_of_any_library() -> None:
    extractor = twinsift.Extractor(twinsift.Recipe())
    texts = ["one two three four five", None, "six"]
    expected = pyarrow.array(extractor.extract_batch(texts)).to_pylist()
    series = polars.Series("text", texts)
    assert polars.Series(extractor.extract_batch(series)).to_list() == expected
    chunked = pyarrow.chunked_array([texts[:1], texts[1:]])
    assert pyarrow.array(extractor.extract_batch(chunked)).to_pylist() == expected
    with pytest.raises(twinsift.InputError, match="no column"):
        extractor.extract_batch(7)
    with pytest.raises(twinsift.InputError, match="a column of texts is wanted"):
        extractor.extract_batch(pyarrow.array([1, 2]))
    with pytest.raises(twinsift.InputError, match="no signature"):
        twinsift.Keys(twinsift.Recipe()).of_batch(pyarrow.array([b"nonsense"]))


def test_everything_can_be_pickled(rows: list[Row]) -> None:
    def again(value: Any) -> Any:
        return pickle.loads(pickle.dumps(value))

    lexicon = twinsift.Lexicon.count(rows)
    assert again(lexicon) == lexicon
    assert again(lexicon).terms() == lexicon.terms()
    recipe = twinsift.Recipe(method="imatch", lexicon=lexicon, random_lexicons=2)
    assert again(recipe) == recipe and again(recipe).id == recipe.id
    extractor = twinsift.Extractor(recipe)
    signature = extractor.extract(rows[0]["text"])
    assert again(extractor).extract(rows[0]["text"]) == signature == again(signature)
    assert again(twinsift.Keys(recipe)).of(signature) == twinsift.Keys(recipe).of(signature)
    assert again(twinsift.Verifier(recipe)).score(signature, signature) == 1.0
    weighed = twinsift.Recipe(weights="tfidf", threshold=0.5)
    statistics = twinsift.Statistics.count(rows, weighed)
    assert again(statistics) == statistics


def test_statistics_of_parts_can_be_merged(rows: list[Row]) -> None:
    recipe = twinsift.Recipe(weights="tfidf", threshold=0.5)
    assert twinsift.Statistics.are_needed_by(recipe)
    parts = [twinsift.Statistics.count(rows[start::3], recipe) for start in range(3)]
    whole = twinsift.Statistics()
    for part in parts:
        whole = whole.merge(part)
    assert whole == twinsift.Statistics.count(rows, recipe)
    assert whole.documents == len(rows)
    with pytest.raises(twinsift.UsageError, match="count Statistics first"):
        twinsift.Extractor(recipe)


def test_an_extractor_serves_many_threads(rows: list[Row]) -> None:
    extractor = twinsift.Extractor(twinsift.Recipe(method="minhash"))
    expected = [extractor.extract(row["text"]) for row in rows]
    wrong: list[int] = []

    def check() -> None:
        for number, row in enumerate(rows):
            if extractor.extract(row["text"]) != expected[number]:
                wrong.append(number)

    threads = [threading.Thread(target=check) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_recipe_is_a_value() -> None:
    recipe = twinsift.Recipe(method="minhash", threshold=0.7)
    assert recipe == twinsift.Recipe(threshold=0.7, method="minhash")
    assert hash(recipe) == hash(twinsift.Recipe(threshold=0.7, method="minhash"))
    assert recipe != twinsift.Recipe(threshold=0.7)
    assert len({recipe, twinsift.Recipe()}) == 2
    assert recipe.method == "minhash" and recipe.threshold == 0.7
    with pytest.raises(twinsift.UsageError, match="no recipe"):
        twinsift.Recipe.from_json("{}")
    lexicon = twinsift.Lexicon.count(["a b c", "a b d"])
    needs = twinsift.Recipe(method="imatch", lexicon=lexicon).to_json()
    with pytest.raises(twinsift.UsageError, match=f"needs the lexicon {lexicon.id}"):
        twinsift.Recipe.from_json(needs)
    assert twinsift.Recipe.from_json(needs, lexicon=lexicon).id
