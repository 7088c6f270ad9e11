import numpy as np
import pytest

from margin.distributions import Categorical, Normal, Poisson, ProductFamily
from margin.sequence.hidden_markov.emissions._emission import (
    FamilyEmission,
    SymbolEmission,
    clustered,
)

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("family", "rows"),
    [
        (Normal, RNG.normal(size=(30, 2))),
        (Poisson, RNG.poisson(3.0, (30, 1)).astype(float)),
        (
            ProductFamily([Normal, Poisson], [[0], [1]]),
            np.column_stack([RNG.normal(size=30), RNG.poisson(2, 30)]),
        ),
    ],
)
def test_any_family(family, rows):
    """sequence.21: the statistics of two halves add up, and a row belongs to laws by shares."""
    emission = FamilyEmission(family).checked("HMM", rows)
    shares = RNG.dirichlet(np.ones(3), 30)
    whole = emission.fit(emission.statistics(None, rows, shares, 1))
    halves = emission.statistics(None, rows[:10], shares[:10], 1) + emission.statistics(
        None, rows[10:], shares[10:], 1
    )
    table = emission.log_prob(whole, rows, 1)
    assert table.shape == (30, 3)
    np.testing.assert_allclose(emission.log_prob(emission.fit(halves), rows, 1), table, rtol=1e-10)
    assert emission.n_parameters(whole) > 0
    assert emission.members(whole) is whole


def test_what_is_no_family():
    with pytest.raises(ValueError, match="HMM: emission must be a family"):
        FamilyEmission(int).checked("HMM", np.zeros((2, 1)))


def test_symbols_with_prior_and_unseen_ones():
    rows = np.array([[0.0], [1.0], [1.0], [np.nan]])
    emission = SymbolEmission(n_symbols=3, prior=2.0).checked("HMM", rows)
    laws = emission.fit(emission.statistics(None, rows, np.ones((4, 1)), 1))
    np.testing.assert_allclose(laws.probabilities, [[2 / 6, 3 / 6, 1 / 6]])
    assert emission.log_prior(laws) == pytest.approx(np.log(laws.probabilities).sum())
    assert emission.n_parameters(Categorical(np.full((2, 3), 1 / 3))) == 4
    np.testing.assert_array_equal(emission.features(rows)[3], 0.0)
    assert SymbolEmission().checked("HMM", rows).n_symbols == 2
    with pytest.raises(ValueError, match="HMM: n_symbols must be at least 2"):
        SymbolEmission(n_symbols=1).checked("HMM", rows)
    with pytest.raises(ValueError, match="symbols 0, 1"):
        SymbolEmission().checked("HMM", np.array([[0.5]]))


def test_clusters_of_fewer_points_than_states():
    share = clustered(np.zeros((4, 1)), 3, np.random.default_rng(0))
    assert share.shape == (4, 3)
    np.testing.assert_array_equal(share.sum(axis=1), 1.0)


def test_refusals_name_the_model():
    with pytest.raises(ValueError, match=r"^PoissonHMM: X must be counts or NaN, got 0.5"):
        FamilyEmission(Poisson).checked("PoissonHMM", np.array([[0.5], [1.0]]))
    with pytest.raises(ValueError, match=r"^CategoricalHMM: X must be symbols below 10000000"):
        SymbolEmission().checked("CategoricalHMM", np.array([[0.0], [1e150]]))
