"""Deterministic annealing."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import (
    Expectation,
    Soft,
    Tempered,
    annealed_em,
    expectation_maximisation,
)

X = np.concatenate([np.random.default_rng(s).normal(m, 0.3, 40) for s, m in enumerate((-4, 0, 4))])


def joint(mean):
    return -0.5 * (X[:, None] - mean) ** 2 / 0.09 - np.log(3)


def expect(mean, beta):
    share, bound = Tempered(beta)(joint(mean))
    return Expectation(bound.sum(), share)


def maximise(share, _):
    return X @ share / np.maximum(share.sum(0), 1e-300)


def test_a_start_that_traps_em_does_not_trap_annealing():
    """inference.30: two means in one cluster."""
    start = np.array([-4.1, -3.9, 1.0])
    plain = expectation_maximisation(lambda m: expect(m, 1.0), maximise, [start], tol=1e-10)
    cooled = annealed_em(
        expect, maximise, [start], betas=np.geomspace(0.005, 0.9, 30), steps=5, tol=1e-10
    )
    assert cooled.objective < plain.objective - 100
    assert_allclose(np.sort(cooled.x), [-4, 0, 4], atol=0.2)
    assert cooled.extras["n_annealed"] == 150
    assert cooled.extras["smallest_step"] > -1e-9


def test_the_last_search_is_ordinary_em():
    cooled = annealed_em(expect, maximise, [np.array([-4.0, 0.0, 4.0])], betas=[0.99], steps=1)
    assert_allclose(-cooled.objective, Soft()(joint(cooled.x)).bound.sum())


def test_causes_that_became_the_same_do_not_make_the_answer():
    """A saddle is stationary: the search from the start itself is then the better one."""
    start = np.array([-4.0, 0.1, 4.0])
    plain = expectation_maximisation(lambda m: expect(m, 1.0), maximise, [start], tol=1e-10)
    # So hot and so long that all means are one to the last digit.
    melted = annealed_em(expect, maximise, [start], betas=[1e-4], steps=40, tol=1e-10)
    assert_allclose(melted.objective, plain.objective, rtol=1e-9)
    assert not melted.extras["annealing_won"]
    trap = np.array([-4.1, -3.9, 1.0])
    betas = np.geomspace(0.005, 0.9, 30)
    assert annealed_em(expect, maximise, [trap], betas=betas).extras["annealing_won"]


@pytest.mark.parametrize("options", [{"betas": []}, {"betas": [1.5]}, {"steps": 0}])
def test_bad_schedules_are_refused(options):
    with pytest.raises(ValueError, match=r"annealed_em: (betas|steps) must be"):
        annealed_em(expect, maximise, [np.zeros(3)], **options)
