"""Real AdaBoost (tree.12)."""

from itertools import islice

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.ensemble.adaboost._real import real_rounds, real_scores
from margin.ensemble.adaboost._round import Rows, Weak


@pytest.mark.parametrize("k", [2, 4])
def test_the_objective_is_the_exponential_loss_of_the_scores(k):
    rng = np.random.default_rng(k)
    y = rng.integers(k, size=300)
    shares = [rng.dirichlet(np.ones(k), size=300) * 0.7 + 0.3 * np.eye(k)[y] for _ in range(8)]
    supply = iter(shares)
    weak = Weak(lambda codes, weight: np.log(next(supply)), None, lambda learner: learner)
    rows = Rows(y, k, np.ones(300), "AdaBoostClassifier")
    coded = np.where(np.eye(k)[y] == 1, 1.0, -1.0 / (k - 1))
    scores = np.zeros((300, k))
    for state in islice(real_rounds(weak, rows, 0.5), 1, 8):
        scores += 0.5 * real_scores(state.x[-1].learner)
        loss = np.exp(-(coded * scores).sum(axis=1) / k)
        assert state.objective == pytest.approx(loss.mean())
        assert_allclose(state.extras["weight"], loss / loss.sum(), rtol=1e-9)


def test_scores_sum_to_zero_and_survive_certainty():
    with np.errstate(divide="ignore"):
        scores = real_scores(np.log(np.array([[1.0, 0.0, 0.0], [0.2, 0.3, 0.5]])))
    assert np.isfinite(scores).all()
    assert_allclose(scores.sum(axis=1), 0.0, atol=1e-12)
    assert scores[0].argmax() == 0
    assert_allclose(real_scores(np.log([[0.8, 0.2]]))[0, 0], 0.5 * np.log(4.0))


def test_certainty_ends_the_search_before_numbers_do():
    y = np.array([0, 1, 1, 0])
    sure = np.log(np.maximum(np.eye(2)[y], 1e-300))
    weak = Weak(lambda codes, weight: sure, None, lambda learner: learner)
    rows = Rows(y, 2, np.ones(4), "AdaBoostClassifier")
    states = list(islice(real_rounds(weak, rows, 1.0), 60))
    assert states[-1].done
    assert np.isfinite(states[-1].extras["weight"]).all()
