import numpy as np
import pytest

from margin.core import FitError
from margin.distributions import MultivariateNormal
from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission, NormalLaws

RNG = np.random.default_rng(0)
KINDS = ["full", "tied", "diag", "spherical"]


def laws(k=3, d=2):
    root = RNG.normal(size=(k, d, d))
    return NormalLaws(RNG.normal(size=(k, d)), root @ root.transpose(0, 2, 1) + np.eye(d))


def test_densities_with_and_without_gaps():
    at, rows = laws(), RNG.normal(size=(20, 2))
    truth = MultivariateNormal(at.mean, at.covariance)
    emission = NormalEmission()
    np.testing.assert_allclose(
        emission.log_prob(at, rows, 1), truth.log_prob_rows(rows), rtol=1e-12
    )
    rows[3, 0], rows[5] = np.nan, np.nan
    found = emission.log_prob(at, rows, 1)
    np.testing.assert_allclose(found, truth.log_prob_rows(rows), rtol=1e-12)
    np.testing.assert_allclose(found[5], 0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_fits_by_hand(kind):
    """sequence.21: weighted means and covariances of every kind; halves add up."""
    rows, shares = RNG.normal(size=(50, 2)) + 1e3, RNG.dirichlet(np.ones(3), 50)
    emission = NormalEmission(kind, min_covar=0.0).checked("HMM", rows)
    stats = emission.statistics(None, rows, shares, 1)
    found = emission.fit(stats)
    mean = shares.T @ rows / shares.sum(axis=0)[:, None]
    away = rows[:, None] - mean
    scatter = np.einsum("tk,tka,tkb->kab", shares, away, away)
    each = scatter / shares.sum(axis=0)[:, None, None]
    if kind == "tied":
        each = np.broadcast_to(scatter.sum(axis=0) / 50, each.shape)
    elif kind == "diag":
        each = each * np.eye(2)
    elif kind == "spherical":
        each = np.trace(each, axis1=1, axis2=2)[:, None, None] / 2 * np.eye(2)
    np.testing.assert_allclose(found.mean, mean)
    np.testing.assert_allclose(found.covariance, each, rtol=1e-8)
    about = emission.fit(emission.statistics(found, rows, shares, 1))
    np.testing.assert_allclose(about.covariance, each, rtol=1e-10)
    halves = sum(
        (emission.statistics(found, rows[p], shares[p], 1) for p in (slice(20), slice(20, 50))), 0
    )
    np.testing.assert_allclose(emission.fit(halves).covariance, each, rtol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_the_fit_is_the_best_under_the_penalty(kind):
    rows, shares = RNG.normal(size=(12, 2)), RNG.dirichlet(np.ones(2), 12)
    emission = NormalEmission(kind, min_covar=0.5).checked("HMM", rows)
    best = emission.fit(emission.statistics(None, rows, shares, 1))

    def value(at):
        return float((shares * emission.log_prob(at, rows, 1)).sum()) + emission.log_prior(at)

    for factor in (0.97, 1.03):
        assert value(NormalLaws(best.mean, best.covariance * factor)) < value(best)
        assert value(NormalLaws(best.mean * factor, best.covariance)) < value(best)


@pytest.mark.parametrize("kind", KINDS)
def test_constant_columns_and_lost_states_stay_positive(kind):
    rows = np.column_stack([np.zeros(10), RNG.normal(size=10)])
    emission = NormalEmission(kind).checked("HMM", rows)
    shares = np.zeros((10, 2))
    shares[:, 0] = 1.0
    shares[:, 1] = 1e-20
    found = emission.fit(emission.statistics(None, rows, shares, 1))
    assert np.linalg.eigvalsh(found.covariance).min() > 0
    rows[:, 1] = np.nan
    gaps = emission.fit(emission.statistics(found, rows, shares + 0.5, 1))
    assert np.isfinite(gaps.covariance).all()


def test_singular_covariances_are_told():
    emission = NormalEmission(min_covar=0.0).checked("HMM", np.zeros((3, 2)))
    found = emission.fit(emission.statistics(None, np.zeros((3, 2)), np.ones((3, 1)), 1))
    with pytest.raises(FitError, match="raise min_covar"):
        emission.log_prob(found, np.zeros((3, 2)), 1)


@pytest.mark.parametrize(
    ("kind", "count"), [("full", 15), ("tied", 9), ("diag", 12), ("spherical", 9)]
)
def test_parameter_counts(kind, count):
    assert NormalEmission(kind).n_parameters(laws()) == count
