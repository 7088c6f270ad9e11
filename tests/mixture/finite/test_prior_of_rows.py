"""Priors of variational mixtures: those that were given, and those of the rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture import BayesianGaussianMixture
from margin.mixture.finite._prior_of_rows import prior_of
from margin.mixture.finite._row_groups import Table

X = np.random.default_rng(0).normal(size=(40, 3)) * [1.0, 2.0, 3.0]
WEIGHT = np.random.default_rng(1).integers(0, 3, size=40).astype(float)
KINDS = ("full", "tied", "diag", "spherical")


def prior(rows=X, weight=None, **options):
    owner = BayesianGaussianMixture(n_components=4, **options)
    split = owner.covariance_type in ("full", "tied")
    return prior_of(owner, Table.of(rows, weight, split=split))


@pytest.mark.parametrize("kind", KINDS)
def test_of_the_rows(kind):
    at, notes = prior(covariance_type=kind)
    assert (at.concentration, at.sticks, at.mean_precision, at.df) == (0.25, True, 1.0, 3.0)
    assert_allclose(at.mean, X.mean(axis=0))
    matrix = np.cov(X.T)
    truth = {"diag": np.diag(matrix), "spherical": np.trace(matrix) / 3}.get(kind, matrix)
    assert_allclose(np.squeeze(at.covariance), truth)
    assert notes == ()


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_repeated_rows(kind):
    one, _ = prior(X, WEIGHT, covariance_type=kind)
    other, _ = prior(np.repeat(X, WEIGHT.astype(int), axis=0), covariance_type=kind)
    assert_allclose(one.mean, other.mean)
    assert_allclose(one.covariance, other.covariance)


@pytest.mark.parametrize("kind", KINDS)
def test_holes_leave_the_variances(kind):
    """Of a column with holes the rest counts; covariances are then left at zero."""
    holes = X.copy()
    holes[::4, 0] = np.nan
    at, _ = prior(holes, covariance_type=kind)
    truth = np.nanvar(holes, axis=0, ddof=1)
    truth = {"diag": truth, "spherical": truth.mean()}.get(kind, np.diag(truth))
    assert_allclose(np.squeeze(at.covariance), truth)


@pytest.mark.parametrize("kind", ["full", "tied", "diag"])
def test_columns_that_do_not_vary_are_mended(kind):
    at, notes = prior(np.column_stack([X, np.ones(40)]), covariance_type=kind)
    assert "variance was added" in notes[0]
    value = np.squeeze(at.covariance)
    assert (np.linalg.eigvalsh(np.diag(value) if kind == "diag" else value) > 0).all()


def test_refusals():
    for options, words in (
        ({"mean_prior": [0.0]}, r"mean_prior must be of shape \(3,\)"),
        ({"degrees_of_freedom_prior": 2.0}, "degrees_of_freedom_prior must be above 2"),
        ({"covariance_prior": np.eye(2)}, r"covariance_prior must be of shape \(3, 3\)"),
        ({"mean_precision_prior": -1.0}, "mean_precision_prior must be a number above 0"),
    ):
        with pytest.raises(ValueError, match=f"BayesianGaussianMixture: {words}"):
            prior(**options)
