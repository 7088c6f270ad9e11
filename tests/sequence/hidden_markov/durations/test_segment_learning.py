import numpy as np
import pytest

from margin.core import FitError
from margin.distributions import Categorical
from margin.inference import expectation_maximisation
from margin.sequence.hidden_markov.durations._segment_learning import Segmented, SegmentLearning
from margin.sequence.hidden_markov.emissions._emission import SymbolEmission

RNG = np.random.default_rng(0)


def task(n=40, prior=0.5):
    rows = RNG.integers(0, 3, n).astype(float)[:, None]
    return SegmentLearning(SymbolEmission(n_symbols=3), rows, np.array([0, n // 2, n]), prior, 1)


def start(k=3, D=4):
    A = RNG.random((k, k)) * (1 - np.eye(k))
    A = A / A.sum(axis=1, keepdims=True)
    laws = Categorical(RNG.dirichlet(np.ones(3), k))
    return Segmented(RNG.dirichlet(np.ones(k)), A, RNG.dirichlet(np.ones(D), k), laws)


def test_the_bound_never_falls():
    """sequence.23: durations, transitions and emissions climb together."""
    problem = task()
    solution = expectation_maximisation(
        problem.expect, problem.maximise, [start()], tol=1e-10, max_iter=200
    )
    assert solution.extras["smallest_step"] > -1e-9
    assert (np.diag(solution.x.transition) == 0).all()
    np.testing.assert_allclose(solution.x.duration.sum(axis=1), 1.0)


def test_survival_is_the_tail():
    at = start()
    survival = np.exp(at.logs()[3])
    np.testing.assert_allclose(survival[:, 0], 1.0)
    np.testing.assert_allclose(survival[:, -1], at.duration[:, -1])


def test_impossible_sequences_are_named():
    alone = Segmented(
        np.ones(1), np.zeros((1, 1)), np.array([[0.5, 0.5]]), Categorical([[1 / 3] * 3])
    )
    with pytest.raises(FitError, match="raise max_duration"):
        task().expect(alone)
