import numpy as np
import pytest

from margin.sequence.hidden_markov._learning import Learning, learn
from margin.sequence.hidden_markov._starts import (
    METHODS,
    Given,
    given_probabilities,
    noisy_uniform,
    starts,
    viterbi_counting,
)
from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission

RNG = np.random.default_rng(0)


def problem(allowed=None):
    level = np.repeat([0.0, 6.0, 0.0, 6.0, 0.0], 30)
    rows = (level + RNG.normal(size=150))[:, None]
    emission = NormalEmission().checked("HMM", rows)
    return Learning(emission, rows, np.array([0, 60, 150]), allowed, None, np.arange(2)), level


@pytest.mark.parametrize("method", METHODS)
def test_every_method_leads_to_the_truth(method):
    """sequence.17, sequence.18, sequence.19: noise, Viterbi counting, and a timeless mixture."""
    task, _ = problem()
    found = list(starts(task, method, 2, 3, Given(), np.random.default_rng(1)))
    assert len(found) == 3
    for at in found:
        np.testing.assert_allclose(at.start.sum(), 1.0)
        np.testing.assert_allclose(at.transition.sum(axis=1), 1.0)
    best = learn("HMM", task, found, tol=1e-6, max_iter=200)
    assert sorted(best.x.laws.mean[:, 0].round()) == [0.0, 6.0]
    assert len(best.extras["bounds"]) == 3


def test_noise_is_normalised():
    """sequence.17: rows sum to one whatever the noise."""
    table = noisy_uniform((4, 3), 0.7, np.random.default_rng(0))
    np.testing.assert_allclose(table.sum(axis=1), 1.0)
    assert table.std() > 0
    np.testing.assert_allclose(noisy_uniform((2, 2), 0.0, np.random.default_rng(0)), 0.5)


def test_viterbi_counting_keeps_a_minimum_and_zeros():
    """sequence.18: no transition is left at zero unless the structure says so."""
    task, _ = problem()
    at = next(
        iter(
            starts(task, "kmeans", 2, 1, Given(transition=np.array([[0.5, 0.5], [0.0, 1.0]])), RNG)
        )
    )
    counted = viterbi_counting(task, at, np.random.default_rng(0), passes=5)
    assert counted.transition[1, 0] == 0.0
    assert counted.transition[0].min() > 0.0
    np.testing.assert_allclose(counted.transition.sum(axis=1), 1.0)


def test_labels_decide_which_state_is_which():
    level = np.repeat([0.0, 6.0, 0.0, 6.0, 0.0], 30)
    allowed = np.ones((150, 2), dtype=bool)
    for t in (5, 40):
        allowed[t] = np.arange(2) == int(level[t] == 0.0)
    task, _ = problem(allowed)
    for seed in range(4):
        at = next(iter(starts(task, "kmeans", 2, 1, Given(), np.random.default_rng(seed))))
        found = learn("HMM", task, [at], tol=1e-6, max_iter=100).x
        assert found.laws.mean[1, 0] < found.laws.mean[0, 0]


def test_given_parameters_are_the_only_start():
    task, _ = problem()
    laws = next(iter(starts(task, "kmeans", 2, 1, Given(), RNG))).laws
    given = Given(np.array([0.5, 0.5]), np.eye(2), laws)
    assert len(list(starts(task, "random", 2, 7, given, RNG))) == 1


@pytest.mark.parametrize("table", [[0.5, 0.6], [1.5, -0.5], [[0.5, 0.5]], [1.0]])
def test_bad_probabilities(table):
    with pytest.raises(ValueError, match="HMM: start_init must be probabilities"):
        given_probabilities("HMM", "start_init", table, (2,))
