import numpy as np

from margin.sequence.hidden_markov.emissions._mixture_emission import MixtureEmission, MixtureLaws
from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission

RNG = np.random.default_rng(0)


def test_density_and_responsibilities():
    """sequence.21: a mixture in each state; responsibilities condition on the row."""
    rows = RNG.normal(size=(40, 2))
    emission = MixtureEmission(3, NormalEmission()).checked("HMM", rows)
    shares = RNG.dirichlet(np.ones(2), 40)
    laws = emission.fit(emission.statistics(None, rows, shares, 1))
    np.testing.assert_allclose(laws.weights.sum(axis=1), 1.0)
    table = emission.log_prob(laws, rows, 1)
    for k, mixture in enumerate(emission.members(laws)):
        np.testing.assert_allclose(table[:, k], mixture.log_prob(rows), rtol=1e-10)
    after = emission.statistics(laws, rows, shares, 1)
    parts = np.stack([m.responsibilities(rows) for m in emission.members(laws)], axis=1)
    np.testing.assert_allclose(after.mass, (shares[:, :, None] * parts).sum(axis=0), rtol=1e-10)
    better = emission.fit(after)
    old = (shares * table).sum() + emission.log_prior(laws)
    new = (shares * emission.log_prob(better, rows, 1)).sum() + emission.log_prior(better)
    assert new >= old
    assert emission.n_parameters(laws) == 6 * 2 + 6 * 3 + 2 * 2
    np.testing.assert_allclose((after + after).mass, 2 * after.mass)


def test_a_component_without_mass():
    rows = RNG.normal(size=(10, 1))
    emission = MixtureEmission(2, NormalEmission()).checked("HMM", rows)
    laws = emission.fit(emission.statistics(None, rows, np.ones((10, 1)), 1))
    dead = MixtureLaws(np.array([[1.0, 0.0]]), laws.normals)
    after = emission.fit(emission.statistics(dead, rows, np.ones((10, 1)), 1))
    np.testing.assert_array_equal(after.weights, [[1.0, 0.0]])
    assert np.isfinite(after.normals.covariance).all()
