"""Gibbs sampling against exact marginals (inference.24)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.inference import FactorModel, ZeroProbabilityError, enumerate_model, gibbs
from margin.inference.sampling._gibbs import _Sampler


def test_frequencies_approach_the_posterior(random_model):
    """inference.24: frequencies of sweeps against exact marginals."""
    rng = np.random.default_rng(0)
    model = random_model(rng, 5)
    evidence = {2: 0}
    samples = gibbs(model, 40_000, evidence, n_chains=200, burn_in=50, rng=rng)
    assert (samples.states[:, 2] == 0).all()
    for pair in ((0, 1), (3, 4)):
        wanted = enumerate_model(model, pair, evidence).table
        assert_allclose(samples.marginal(*pair), wanted, atol=0.02)


def test_one_sweep_keeps_the_distribution(random_model):
    """Detailed balance of every update: the exact transition matrix leaves the joint as it is."""
    model = random_model(np.random.default_rng(4), 3)
    joint = enumerate_model(model).table
    sampler = _Sampler(model, np.full(3, -1, dtype=np.int32), np.random.default_rng(0))
    states = np.stack(np.unravel_index(np.arange(joint.size), joint.shape), axis=1).astype(np.int32)
    for v in range(3):
        logits = sampler.conditional(v, states)
        move = np.exp(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))
        after = np.zeros(joint.size)
        for k in range(joint.shape[v]):
            to = states.copy()
            to[:, v] = k
            np.add.at(after, np.ravel_multi_index(to.T, joint.shape), joint.ravel() * move[:, k])
        assert_allclose(after, joint.ravel(), atol=1e-14)


def test_zeros_are_never_sampled_and_the_seed_decides():
    allowed = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])
    model = FactorModel((2, 3), ((0, 1),), (allowed,))
    one, two = (gibbs(model, 2_000, rng=np.random.default_rng(7)) for _ in range(2))
    assert np.isfinite(model.log_prob(one.states)).all()
    assert_array_equal(one.states, two.states)
    assert len(one.states) == 2_000


def test_impossible_evidence_and_bad_counts():
    model = FactorModel((2, 2), ((0, 1),), (np.array([[1.0, 0.0], [1.0, 0.0]]),))
    with pytest.raises(ZeroProbabilityError, match="possible"):
        gibbs(model, 10, {1: 1}, rng=np.random.default_rng(0))
    for name in ("n_chains", "thin"):
        with pytest.raises(ValueError, match=name):
            gibbs(model, 10, rng=np.random.default_rng(0), **{name: 0})
    with pytest.raises(ValueError, match="burn_in"):
        gibbs(model, 10, burn_in=-1, rng=np.random.default_rng(0))


def test_a_seed_in_the_place_of_a_generator():
    """An integer used to end in a raw AttributeError."""
    model = FactorModel((2, 2), ((0, 1),), (np.array([[4.0, 1.0], [1.0, 4.0]]),))
    seeded = gibbs(model, 50, rng=7)
    drawn = gibbs(model, 50, rng=np.random.default_rng(7))
    assert_array_equal(seeded.states, drawn.states)
    with pytest.raises(ValueError, match=r"gibbs: rng must be None, an integer, a numpy Gen.*'a'"):
        gibbs(model, 10, rng="a")


@pytest.mark.parametrize("name", ["n_samples", "n_chains", "thin", "burn_in"])
@pytest.mark.parametrize("bad", ["many", 2.5, None])
def test_counts_are_refused_in_words(name, bad):
    model = FactorModel((2, 2), ((0, 1),), (np.ones((2, 2)),))
    with pytest.raises(ValueError, match=f"gibbs: {name} must be an integer of at least"):
        gibbs(model, **{"n_samples": 5, "rng": 0, name: bad})
