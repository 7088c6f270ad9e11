"""Perceptron steps with a penalty, against a replay of every row."""

import numpy as np
import pytest

from margin.linear.online._binary_problems import BinaryProblems
from margin.linear.online._holdout import Part
from margin.linear.online._penalised_fit import penalised_weights
from margin.linear.online._sgd_settings import Settings

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
CODES = (X @ [1.0, -2.0, 0.5] > 0).astype(np.intp)


def settings(**changes):
    options = {
        "loss": "perceptron",
        "epsilon": 0.0,
        "penalty": "l2",
        "alpha": 0.05,
        "l1_ratio": 0.0,
        "fit_intercept": False,
        "learning_rate": "constant",
        "eta0": 0.1,
        "power_t": 0.0,
        "average": False,
        "shuffle": False,
        "n_iter_no_change": 5,
        "n_threads": 1,
    }
    return Settings(**options | changes)


def fit(codes=CODES, start=(None, None), last=None, *, whole=False, max_iter=1, **changes):
    labels = np.unique(codes)
    problems = BinaryProblems(settings(**changes), labels, whole=whole)
    part = Part(X, codes, None)
    return penalised_weights(problems, part, None, start, last, seed=0, max_iter=max_iter, tol=None)


@pytest.mark.parametrize("epochs", [1, 3])
def test_row_after_row(epochs):
    w = np.zeros(3)
    for _ in range(epochs):
        for x, sign in zip(X, 2.0 * CODES - 1.0, strict=True):
            wrong = sign * (w @ x) <= 0
            w = w * (1.0 - 0.1 * 0.05) + wrong * 0.1 * sign * x
    answer = fit(max_iter=epochs)
    np.testing.assert_allclose(answer.coef, [w], rtol=1e-9)
    assert answer.intercept.tolist() == [0.0]
    assert answer.progress[0].taken == 40 * epochs


def test_batches_go_on_where_the_last_one_ended():
    one = fit()
    two = fit(start=(one.coef, one.intercept), last=one.progress)
    np.testing.assert_allclose(two.coef, fit(max_iter=2).coef, rtol=1e-9)
    assert two.progress[0].taken == 80


def test_one_problem_per_class_and_the_precision_of_the_rows():
    codes = RNG.integers(0, 3, 40)
    answer = fit(codes, fit_intercept=True, whole=True)
    assert answer.coef.shape == (3, 3)
    assert answer.intercept.shape == (3,)
    assert len(answer.progress) == 3
    for k in range(3):
        alone = fit((codes == k).astype(np.intp), fit_intercept=True, whole=True)
        np.testing.assert_allclose(answer.coef[k], alone.coef[0], rtol=1e-9)
