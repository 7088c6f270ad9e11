import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.distributions.multivariate._spread import Spread


@pytest.fixture
def sigma(definite):
    return definite(4, 0)


@pytest.fixture(params=["covariance", "precision", "lower"])
def spread(request, sigma):
    given = {
        "covariance": sigma,
        "precision": np.linalg.inv(sigma),
        "lower": np.linalg.cholesky(sigma),
    }
    return Spread.of("Test", **{request.param: given[request.param]})


def test_all_forms_hold_the_same_matrix(spread, sigma):
    assert_allclose(spread.covariance, sigma, atol=1e-12)
    assert_allclose(spread.precision, np.linalg.inv(sigma), atol=1e-10)
    assert_allclose(spread.variance, np.diag(sigma), atol=1e-12)
    assert spread.log_det == pytest.approx(np.linalg.slogdet(sigma)[1])
    assert spread.dim == 4
    assert not spread.covariance.flags.writeable


def test_whitening_measures_and_colouring_spreads(spread, sigma):
    rows = np.random.default_rng(1).normal(size=(7, 4))
    expected = np.einsum("ij,jk,ik->i", rows, np.linalg.inv(sigma), rows)
    assert_allclose(np.sum(spread.whiten(rows) ** 2, axis=1), expected)
    root = spread.colour(np.eye(4))
    assert_allclose(root.T @ root, sigma, atol=1e-12)
    assert_allclose(np.sum(spread.whiten(spread.colour(rows)) ** 2, 1), np.sum(rows**2, 1))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, r"exactly one of covariance, precision and cholesky, got \[\]"),
        ({"covariance": np.eye(2), "lower": np.eye(2)}, r"got \['covariance', 'cholesky'\]"),
        ({"lower": np.ones((2, 2))}, "cholesky must be square and lower triangular"),
        ({"lower": np.ones((2, 3))}, "cholesky must be square and lower triangular"),
        ({"lower": np.diag([1.0, -1.0])}, r"cholesky must be above 0 on the diagonal, got -1\.0"),
        ({"lower": [[np.nan]]}, "cholesky must be finite"),
        ({"covariance": [[1.0, 2.0]]}, "covariance must be square"),
    ],
)
def test_bad_input_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Spread.of("Test", **given)


def test_indefinite_precision_is_named():
    with pytest.raises(FitError, match="precision must be positive definite"):
        Spread.of("Test", precision=np.diag([1.0, -1.0]))
