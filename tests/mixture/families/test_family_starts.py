"""Components to start from."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.distributions import (
    Beta,
    MultivariateNormal,
    Normal,
    Poisson,
    Product,
    ProductFamily,
)
from margin.mixture.families._family_starts import family_of, seeded

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(0, 1, (30, 2)), RNG.normal(8, 1, (30, 2))])


def test_families_of_components():
    assert family_of("Mixture", Normal(0.0, 1.0)) is Normal
    assert family_of("Mixture", Poisson) is Poisson
    both = family_of("Mixture", Product([Normal([0.0], 1.0), Poisson([2.0])], [[0], [1]]))
    assert both.families == (Normal, Poisson)
    with pytest.raises(ValueError, match="components must be distributions, or families"):
        family_of("Mixture", 3)


@pytest.mark.parametrize("gaps", [False, True])
def test_clusters_become_components(gaps):
    """mixture.06: unlike columns too; gaps do not matter."""
    rows = np.where(RNG.random(X.shape) < 0.2, np.nan, X) if gaps else X
    product = ProductFamily([Normal, MultivariateNormal], [[0], [1]])
    for family in (MultivariateNormal, product):
        start = seeded("Mixture", (family,) * 2, (None,) * 2, rows, None, np.random.default_rng(0))
        assert_allclose(np.sort([c.mean[0] for c in start.components]), [0, 8], atol=1.0)
        assert_allclose(start.weights, 0.5, atol=0.05)


def test_a_column_of_one_value_starts_from_a_prior():
    family = ProductFamily([Normal], [[0]])
    start = seeded("Mixture", (family,), (None,), np.ones((5, 1)), None, np.random.default_rng(0))
    assert np.isfinite(start.log_prob([1.0]))


def test_families_that_do_not_suit_the_rows_are_named():
    with pytest.raises(FitError, match="Mixture: component 0 cannot be fitted to a start"):
        seeded("Mixture", (Beta,), (None,), X[:, :1], None, np.random.default_rng(0))
