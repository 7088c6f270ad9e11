"""The examples in the docstrings of the tools."""

import doctest
import importlib

import pytest

MODULES = [
    "curriculum.ids",
    "curriculum.page",
    "curriculum.sources",
    "dropin.differences",
    "dropin.namesakes",
    "dropin.rewrite",
    "fuzz.tables",
    "fuzz.trial",
    "house",
    "mirror",
    "snippets",
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"tools.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
