from itertools import product

import numpy as np
import pytest

from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission, NormalLaws
from margin.sequence.hidden_markov.inputs._input_learning import Driven, InputLearning, _softmax

RNG = np.random.default_rng(0)


def test_likelihood_over_all_paths():
    """sequence.24: transitions change with the input of the step they lead to."""
    rows, inputs = RNG.normal(size=(5, 1)), RNG.normal(size=(5, 2))
    at = Driven(
        RNG.dirichlet(np.ones(2)),
        RNG.normal(size=(2, 2, 3)),
        NormalLaws(np.array([[0.0], [1.0]]), np.ones((2, 1, 1))),
    )
    problem = InputLearning(
        NormalEmission().checked("H", rows), rows, inputs, np.array([0, 5]), 0.1, 1
    )
    share, values, pairs = problem.smooth(at)
    table = np.exp(problem.emission.log_prob(at.laws, rows, 1))
    total, counts = 0.0, np.zeros((5, 2, 2))
    for path in product(range(2), repeat=5):
        p = at.start[path[0]] * table[0, path[0]]
        for t in range(1, 5):
            logits = at.coef[path[t - 1]] @ np.r_[1.0, inputs[t]]
            step = np.exp(logits) / np.exp(logits).sum()
            p *= step[path[t]] * table[t, path[t]]
        total += p
        for t in range(4):
            counts[t, path[t], path[t + 1]] += p
    assert values[0] == pytest.approx(np.log(total))
    np.testing.assert_allclose(pairs, counts / total, atol=1e-12)
    np.testing.assert_allclose(share[:4], pairs[:4].sum(axis=2), atol=1e-12)
    assert problem.maximise(problem.expect(at).statistics, at).coef.shape == (2, 2, 3)


def test_the_regression_is_stationary():
    design = np.column_stack([np.ones(60), RNG.normal(size=60)])
    target = RNG.dirichlet(np.ones(3), 60)
    W = _softmax(design, target, 0.5, np.zeros((3, 2)))
    logits = design @ W.T
    share = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    np.testing.assert_allclose((share - target).T @ design + 0.5 * W, 0.0, atol=1e-3)
