"""Mean field: a lower bound that never falls."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.inference import FactorModel, enumerate_model, mean_field


@pytest.mark.parametrize("seed", range(10))
def test_the_bound_rises_and_stays_below_the_evidence(seed, random_model):
    rng = np.random.default_rng(seed)
    model = random_model(rng, 5)
    evidence = {1: 0} if seed % 2 else {}
    beliefs = mean_field(model, evidence, rng=rng, tol=1e-13)
    exact = np.log(enumerate_model(model, (0,), evidence).evidence_mass)
    assert np.diff(beliefs.trace).min() >= -1e-11 * max(1.0, abs(exact))
    assert beliefs.log_evidence <= exact + 1e-10
    assert beliefs.status is Status.CONVERGED


def test_independent_variables_are_exact():
    model = FactorModel((2, 3), ((0,), (1,), ()), ([1.0, 3.0], [1.0, 2.0, 5.0], 4.0))
    beliefs = mean_field(model)
    assert_allclose(beliefs.marginals[0], [0.25, 0.75])
    assert_allclose(beliefs.marginals[1], [0.125, 0.25, 0.625])
    assert beliefs.log_evidence == pytest.approx(np.log(4 * 8 * 4))


def test_larger_blocks_are_better_and_one_block_is_exact(random_model):
    model = random_model(np.random.default_rng(2), 5)
    exact = np.log(enumerate_model(model).evidence_mass)
    single = mean_field(model).log_evidence
    pairs = mean_field(model, blocks=[(1, 0), (2, 3), (4,)]).log_evidence
    whole = mean_field(model, blocks=[(3, 1, 0, 4, 2)])
    assert single <= exact + 1e-12
    assert pairs <= exact + 1e-12
    assert whole.log_evidence == pytest.approx(exact, abs=1e-10)
    for v in range(5):
        assert_allclose(whole.marginals[v], enumerate_model(model, (v,)).table, atol=1e-10)


def test_symmetric_models_need_a_random_start():
    """A strong attraction: uniform is a saddle point, a random start finds a better bound."""
    pair = np.array([[10.0, 1.0], [1.0, 10.0]])
    model = FactorModel((2, 2), ((0, 1),), (pair,))
    saddle = mean_field(model)
    better = mean_field(model, rng=np.random.default_rng(0))
    assert_allclose(saddle.marginals[0], [0.5, 0.5])
    assert better.log_evidence > saddle.log_evidence + 0.02


def test_zeros_do_not_make_nan_and_bad_blocks_are_refused():
    model = FactorModel((2, 2), ((0, 1),), (np.eye(2),))
    beliefs = mean_field(model, rng=np.random.default_rng(0))
    assert np.isfinite(beliefs.trace).all()
    for blocks in ([(0,)], [(0, 1), (1,)]):
        with pytest.raises(ValueError, match="blocks must be a partition"):
            mean_field(model, blocks=blocks)
    with pytest.raises(ValueError, match="max_iter"):
        mean_field(model, max_iter=0)
