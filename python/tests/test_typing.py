"""What type checkers are told is what there is."""

from __future__ import annotations

import inspect
import typing
from typing import Any

import twinsift
from twinsift import _parameters, _twinsift


def test_every_parameter_of_the_engine_is_a_keyword_argument() -> None:
    declared = set(_parameters.Parameters.__annotations__)
    engine = {parameter["name"] for parameter in _twinsift.parameters()}
    values = {"content", "body", "antecedents", "stop_words", "lexicon", "model"}
    assert declared == engine | values


def test_the_names_of_methods_are_those_of_the_engine() -> None:
    (method,) = (row for row in _twinsift.parameters() if row["name"] == "method")
    assert set(typing.get_args(_parameters.Method)) == set(method["names"])


def test_all_that_is_public_is_documented() -> None:
    for name in twinsift.__all__:
        if name == "__version__":
            continue
        public: Any = getattr(twinsift, name)
        assert public.__doc__, name
        if not inspect.isclass(public):
            continue
        for member, value in vars(public).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{member}"
