"""Hard, soft and virtual evidence, for one query or many."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from margin.graphical import Soft, Virtual
from margin.graphical._domain import Domain
from margin.graphical.engines._evidence import parse

DOMAIN = Domain("Net", {"a": ("no", "yes"), "b": ("no", "yes"), "c": (0, 1, 2)})


def test_nothing_is_one_row_of_gaps():
    known = parse(DOMAIN, None)
    assert_array_equal(known.codes, [[-1, -1, -1]])
    assert not known.batched
    assert known.observed == []
    assert known.describe(DOMAIN) == "no evidence"


def test_a_mapping_is_one_query():
    known = parse(DOMAIN, {"a": "yes", "c": Soft([0.2, 0.3, 0.5]), "b": Virtual([2, 1])})
    assert_array_equal(known.codes, [[1, -1, -1]])
    assert_array_equal(known.soft[2], [[0.2, 0.3, 0.5]])
    assert_array_equal(known.likelihoods[1], [[2, 1]])
    assert known.observed == [0, 1, 2]
    assert known.describe(DOMAIN) == "a='yes', b uncertain, c uncertain"
    assert_array_equal(parse(DOMAIN, pd.Series({"a": "no"})).codes, [[0, -1, -1]])


@pytest.mark.parametrize("library", [pd, pl])
def test_rows_of_a_frame_are_queries(library):
    known = parse(DOMAIN, library.DataFrame({"c": [2, None, 0], "a": ["no", "yes", None]}))
    assert known.batched
    assert_array_equal(known.codes, [[0, -1, 2], [1, -1, -1], [-1, -1, 0]])
    assert len(parse(DOMAIN, library.DataFrame({"a": []}))) == 0


def test_weak_evidence_by_row():
    known = parse(DOMAIN, {"a": "yes", "b": Virtual([[1, 2], [3, 4]])})
    assert known.batched
    assert_array_equal(known.codes, [[1, -1, -1]] * 2)


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({"z": 1}, "variable must be one of 'a', 'b', 'c', got 'z'"),
        ({"a": "x"}, "state of 'a' must be one of 'no', 'yes', got 'x'"),
        ({"a": [0.5, 0.5]}, "must be a state, Soft"),
        ({"a": Soft([0.2, 0.3, 0.5])}, "evidence on 'a' must have 2 numbers"),
        ({"a": Virtual([[1, 2]]), "b": Virtual([[1, 2]] * 2)}, "one number of rows"),
        (pd.DataFrame({"z": [1]}), "variable must be one of"),
        (pd.DataFrame([["no", "no"]], columns=["a", "a"]), "must differ, got 'a' twice"),
        (3, "evidence must be None, a mapping, a data frame or a list of mappings, got int"),
    ],
)
def test_refusals(evidence, message):
    with pytest.raises(ValueError, match=f"Net: .*{message}"):
        parse(DOMAIN, evidence)


def test_weak_evidence_is_checked():
    for bad in ([0.5, 0.6], [-0.5, 1.5], [np.nan, 1]):
        with pytest.raises(ValueError, match="Soft: probabilities must"):
            Soft(bad)
    for bad in ([0, 0], [-1, 2], [np.inf, 1]):
        with pytest.raises(ValueError, match="Virtual: likelihood must"):
            Virtual(bad)


def test_words_are_no_probabilities():
    with pytest.raises(ValueError, match=r"Soft: probabilities must be numbers, got \['a'\]"):
        Soft(["a"])
    with pytest.raises(ValueError, match="Virtual: likelihood must be numbers"):
        Virtual([[1.0], [0.5, 0.5]])
