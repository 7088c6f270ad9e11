"""Components without rows or without spread."""

import numpy as np
import pytest

from margin.mixture import GaussianMixture
from margin.mixture.finite._collapse import collapse_repairs, listed
from margin.mixture.finite._gaussians import Gaussians

KINDS = ("full", "tied", "diag", "spherical")
EQUAL = np.ones((10, 2))
FLAT = np.column_stack([np.random.default_rng(0).normal(size=30), np.full(30, 3.0)])


@pytest.mark.parametrize("kind", KINDS)
def test_equal_rows_and_one_row_are_told_of(kind):
    """mixture.03: a component on a point has no variance but what is added."""
    pair = GaussianMixture(2, covariance_type=kind, random_state=0).fit(EQUAL)
    told = str(pair.fit_report_.repairs)
    assert "component 1 has no rows left: it rests" in told
    assert "component 0 has no spread in some direction" in told
    alone = GaussianMixture(1, covariance_type=kind).fit(EQUAL[:1])
    assert "has no spread in some direction" in str(alone.fit_report_.repairs)
    batch = GaussianMixture(1, covariance_type=kind).partial_fit(EQUAL)
    assert "has no spread in some direction" in str(batch.fit_report_.repairs)


@pytest.mark.parametrize("kind", KINDS[:3])
def test_a_column_that_does_not_vary_is_told_of(kind):
    """mixture.03."""
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(FLAT)
    assert model.fit_report_.repairs == (
        "component 0, 1 has no spread in some direction: reg_covar is all its variance there",
    )


@pytest.mark.parametrize("kind", KINDS)
def test_spread_components_are_not_spoken_of(kind):
    X = np.random.default_rng(0).normal(size=(80, 2)) + np.repeat([[0, 0], [9, 9]], 40, axis=0)
    assert not GaussianMixture(2, covariance_type=kind, random_state=0).fit(X).fit_report_.repairs


def test_without_a_ridge_collapse_is_refused_elsewhere():
    at = Gaussians.of(np.ones(1), np.zeros((1, 2)), np.array([[1.0, 1e-9]]), "diag")[0]
    assert collapse_repairs(at, 0.0) == ()
    assert listed(np.arange(3)) == "0, 1, 2"
