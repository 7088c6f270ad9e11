"""Conditional distributions with few parameters."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from margin.graphical import fit_logistic, fit_noisy_or


def test_noisy_or_recovers_its_strengths():
    rng = np.random.default_rng(0)
    U = rng.integers(0, 2, (20000, 3))
    absent = 0.9 * np.prod(np.where(U == 1, 1 - np.array([0.8, 0.3, 0.5]), 1.0), axis=1)
    y = (rng.random(20000) > absent).astype(int)
    found = fit_noisy_or(np.column_stack([y, U]), 0, [1, 2, 3])
    np.testing.assert_allclose(found.strengths, [0.8, 0.3, 0.5], atol=0.03)
    assert found.leak == pytest.approx(0.1, abs=0.02)


def test_noisy_or_at_the_border():
    rows = [[0, 0]] * 10 + [[1, 1]] * 10
    found = fit_noisy_or(rows, 1, [0], tol=1e-6)
    assert found.leak < 0.01
    assert found.strengths[0] > 0.99
    with pytest.raises(ValueError, match="of two states"):
        fit_noisy_or([[0, 0], [1, 1], [2, 0]], 1, [0])


def test_logistic_is_logistic_regression():
    rng = np.random.default_rng(1)
    U = rng.integers(0, 2, (300, 4))
    y = (rng.random(300) < 1 / (1 + np.exp(-(U @ [1.0, -1, 0.5, 0] - 0.2)))).astype(int)
    found = fit_logistic(np.column_stack([U, y]), 4, [0, 1, 2, 3], alpha=1e-9)
    peer = LogisticRegression(C=np.inf, tol=1e-8).fit(U, y)
    np.testing.assert_allclose(found.coef, peer.coef_[0], atol=1e-4)
    assert found.intercept == pytest.approx(peer.intercept_[0], abs=1e-4)


def test_softmax_for_more_states():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"u": rng.choice(list("abc"), 500), "y": rng.choice(list("xyz"), 500)})
    found = fit_logistic(frame, "y", ["u"])
    table = found.table("y", 3, [3])
    shown = pd.crosstab(frame["u"], frame["y"], normalize="index").to_numpy()
    np.testing.assert_allclose(table, shown, atol=1e-3)


def test_unknown_rows_are_left_out_and_names_are_checked():
    frame = pd.DataFrame({"u": [0, 1, None, 1], "y": [0, 1, 1, None]})
    with pytest.raises(ValueError, match="fit_logistic: node and parents must be different"):
        fit_logistic(frame, "y", ["y"])
    assert fit_logistic(frame, "y", ["u"], alpha=0.1).coef[0] > 0
    with pytest.raises(ValueError, match="known somewhere"):
        fit_logistic(pd.DataFrame({"u": [0, None], "y": [None, 1]}), "y", ["u"])


def test_beats_the_table_with_few_rows():
    rng = np.random.default_rng(3)
    U = rng.integers(0, 2, (400, 8))
    y = (rng.random(400) < 1 / (1 + np.exp(-(2 * U.sum(1) - 8.0)))).astype(int)
    train = np.column_stack([U, y])[:100]
    cpd = fit_logistic(train, 8, list(range(8)), alpha=1e-2)
    p = cpd.table("y", 2, [2] * 8)[tuple(U[100:].T)]
    counts = np.ones((2,) * 9)
    np.add.at(counts, tuple(train.T), 1)
    table = (counts / counts.sum(-1, keepdims=True))[tuple(U[100:].T)]
    rows = np.arange(300)
    assert np.log(p[rows, y[100:]]).mean() > np.log(table[rows, y[100:]]).mean() + 0.1
