"""Random measures, and mixtures drawn from them (mixture.10, mixture.11, mixture.16)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Normal
from margin.mixture import ChineseRestaurantProcess, DirichletProcess, sample_dp_mixture

NORMAL = Normal(0.0, 1.0)


def test_partition_law():
    """mixture.10: masses of a cell have mean H and variance H(1 - H)/(alpha + 1)."""
    process = DirichletProcess(3.0, NORMAL.sample)
    law = process.partition_law([0.5, 0.3, 0.2])
    h = np.array([0.5, 0.3, 0.2])
    assert_allclose(law.mean, h)
    assert_allclose(law.var, h * (1 - h) / 4.0)
    masses = []
    for seed in range(1500):
        measure = process.draw(seed)
        measure.labels(200)
        masses.append(measure.weights[measure.atoms < 0].sum() / measure.weights.sum())
    assert_allclose(np.mean(masses), 0.5, atol=0.03)
    assert_allclose(np.var(masses), 0.25 / 4.0, rtol=0.15)
    with pytest.raises(ValueError, match="probabilities must be above 0 with sum 1"):
        process.partition_law([0.5, 0.2])


def test_atoms_grow_lazily():
    """mixture.11: drawing touches finitely many atoms, and keeps those it had."""
    measure = DirichletProcess(1.0, NORMAL.sample).draw(0)
    measure.sample(5)
    before = measure.atoms.copy()
    x = measure.sample(2000)
    assert len(before) <= len(measure.atoms) < 60
    assert_allclose(measure.atoms[: len(before)], before)
    assert set(x) <= set(measure.atoms)
    assert measure.weights.sum() <= 1.0


def test_partition_of_the_mixture_is_that_of_the_restaurant():
    """mixture.15, mixture.16: sticks and restaurant induce one law of partitions."""
    n_draws, law = 4000, ChineseRestaurantProcess(1.0)
    rng = np.random.default_rng(0)
    sizes = [
        sample_dp_mixture(3, 1.0, NORMAL.sample, lambda m, rng: rng.normal(m, 1.0), rng)[1]
        for _ in range(n_draws)
    ]
    for z in ([0, 0, 0], [0, 0, 1], [0, 1, 2]):
        p = np.exp(law.log_prob(z))
        share = (np.array(sizes) == z).all(axis=1).mean()
        assert abs(share - p) < 5 * np.sqrt(p * (1 - p) / n_draws)


def test_mixture_marginal():
    """mixture.16: a row by itself is normal with both variances."""
    base = Normal(1.0, 3.0)
    x = [
        sample_dp_mixture(1, 1.0, base.sample, lambda m, rng: rng.normal(m, 1.0), seed)[0][0]
        for seed in range(4000)
    ]
    assert abs(np.mean(x) - 1.0) < 5 * np.sqrt(10 / 4000)
    assert_allclose(np.var(x), 10.0, rtol=0.12)


def test_bad_base():
    with pytest.raises(ValueError, match=r"DirichletProcess: base must be a callable"):
        DirichletProcess(1.0, 3)
