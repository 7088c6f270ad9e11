"""One rule of what is one sequence, for all models of sequences."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array

from margin.core import Sequences
from margin.sequence import (
    AutoRegression,
    CategoricalHMM,
    DynamicBayesianNetwork,
    GaussianHMM,
    LinearDynamicalSystem,
    MarkovChain,
    MarkovChainMixture,
    SemiMarkovHMM,
)
from margin.sequence._one_sequence import is_one, refuse_complex, refuse_sparse


@pytest.mark.parametrize(
    ("X", "one"),
    [
        (np.zeros(3), True),
        (np.zeros((3, 2)), True),
        (pd.DataFrame({"a": [1.0]}), True),
        (pd.Series([1.0]), True),
        ([1.0, 2.0], True),
        ((1, 2), True),
        ([[1.0], [2.0]], False),
        (np.zeros((2, 3, 1)), False),
        ([], False),
        (None, False),
    ],
)
def test_one_or_many(X, one):
    assert is_one(X) is one


@pytest.mark.parametrize(
    "model",
    [
        AutoRegression(1),
        CategoricalHMM(2, random_state=0),
        GaussianHMM(2, random_state=0),
        MarkovChain(),
        SemiMarkovHMM(2, 10, random_state=0),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_all_models_take_the_same(model):
    x = [0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0]
    want = model.fit([x]).log_prob([x])
    column = np.array(x)[:, None]
    for form in (x, np.array(x), column, [column], Sequences([x])):
        np.testing.assert_allclose(model.log_prob(form), want)
    name = type(model).__name__
    for form in ([1 + 2j, 0.0], [np.array([1j, 0.0])]):
        with pytest.raises(ValueError, match=f"{name}: X must be sequences of real numbers"):
            model.fit(form)


def test_complex_numbers():
    refuse_complex("Model", [1.0])
    with pytest.raises(ValueError, match="Model: X must be sequences of real numbers"):
        refuse_complex("Model", [1.0 + 0j])


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "bsr", "dok"])
@pytest.mark.parametrize(
    "model",
    [
        CategoricalHMM(),
        DynamicBayesianNetwork(),
        LinearDynamicalSystem(),
        MarkovChain(),
        MarkovChainMixture(),
        SemiMarkovHMM(2, 10),
    ],
    ids=lambda model: type(model).__name__,
)
def test_all_models_refuse_sparse_tables(model, form):
    table = coo_array(np.eye(3)).asformat(form)
    name = type(model).__name__
    for X in (table, [table, table]):
        with pytest.raises(ValueError, match=f"{name}: X must be a list .* dense array, got"):
            model.fit(X)


def test_dense_parts_are_no_sparse_ones():
    refuse_sparse("Model", [np.eye(2), [1.0]])
    refuse_sparse("Model", 3.0)
