"""Likelihood weighting and importance sampling."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import (
    FactorModel,
    ZeroProbabilityError,
    enumerate_model,
    importance_sampling,
    likelihood_weighting,
    loopy_bp,
)


def test_weighted_forward_samples_estimate_posterior_and_evidence(random_model):
    rng = np.random.default_rng(0)
    model = random_model(rng, 6, directed=True)
    evidence = {5: 0, 2: model.cardinalities[2] - 1}
    found = likelihood_weighting(model, range(6), 100_000, evidence, rng=rng)
    for v in range(6):
        oracle = enumerate_model(model, (v,), evidence)
        assert_allclose(found.marginal(v), oracle.table, atol=0.02)
    assert np.exp(found.log_evidence) == pytest.approx(oracle.evidence_mass, rel=0.03)
    assert 1.0 <= found.effective_size <= 100_000


def test_without_evidence_all_weights_are_one_and_zeros_never_drawn():
    tables = ([0.5, 0.5, 0.0], np.array([[1.0, 0.0], [0.25, 0.75], [0.5, 0.5]]))
    model = FactorModel((3, 2), ((0,), (0, 1)), tables)
    found = likelihood_weighting(model, [0, 1], 20_000, rng=np.random.default_rng(1))
    assert not found.log_weight.any()
    assert np.isfinite(model.log_prob(found.states)).all()
    assert_allclose(found.marginal(0, 1), [[0.5, 0], [0.125, 0.375], [0, 0]], atol=0.015)


def test_importance_sampling_with_beliefs_as_proposal():
    pair = np.array([[3.0, 1.0], [1.0, 3.0]])
    scopes = ((0, 1), (1, 2), (2, 3), (3, 0), (0,))
    model = FactorModel((2,) * 4, scopes, (pair, pair, pair, pair, [2.0, 1.0]))
    beliefs = loopy_bp(model, {2: 0})
    rng = np.random.default_rng(0)
    found = importance_sampling(model, beliefs.marginals, 50_000, {2: 0}, rng=rng)
    oracle = enumerate_model(model, (0,), {2: 0})
    assert_allclose(found.marginal(0), oracle.table, atol=0.02)
    assert np.exp(found.log_evidence) == pytest.approx(oracle.evidence_mass, rel=0.03)


def test_refusals():
    rng = np.random.default_rng(0)
    model = FactorModel((2, 2), ((0,), (0, 1)), ([1.0, 0.0], np.eye(2)))
    with pytest.raises(ValueError, match="every variable once"):
        likelihood_weighting(model, [0, 0], 10, rng=rng)
    with pytest.raises(ValueError, match="in the scope of their factor"):
        likelihood_weighting(model, [1, 0], 10, rng=rng)
    loop = FactorModel((2, 2), ((0, 1), (0, 1)), (np.eye(2), np.eye(2)))
    with pytest.raises(ValueError, match="directed cycles"):
        likelihood_weighting(loop, [0, 1], 10, rng=rng)
    with pytest.raises(ValueError, match="proposal must be 2 distributions"):
        importance_sampling(model, [[1.0, 0.0]], 10, rng=rng)
    with pytest.raises(ValueError, match=r"proposal\[1\] must be a distribution"):
        importance_sampling(model, [[0.5, 0.5], [0.5, 0.6]], 10, rng=rng)
    with pytest.raises(ZeroProbabilityError):
        likelihood_weighting(model, [0, 1], 10, {1: 1}, rng=rng).marginal(0)


def test_seeds_in_the_place_of_generators():
    model = FactorModel((2, 2), ((0,), (0, 1)), ([0.6, 0.4], [[0.9, 0.1], [0.2, 0.8]]))
    for draw, how in ((likelihood_weighting, [0, 1]), (importance_sampling, [[0.5, 0.5]] * 2)):
        one = draw(model, how, 20, rng=3)
        two = draw(model, how, 20, rng=np.random.default_rng(3))
        assert (one.states == two.states).all()
        with pytest.raises(ValueError, match=f"{draw.__name__}: rng must be None, an integer"):
            draw(model, how, 5, rng=1.5)
