import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.distributions.multivariate._spread import Spread
from margin.distributions.multivariate._vector_algebra import (
    conditional,
    divergence,
    flat,
    log_density,
)

C = np.array([[2.0, 0.6, 0.1], [0.6, 1.0, -0.3], [0.1, -0.3, 1.5]])
FORMS = {
    "covariance": Spread.of("x", C),
    "precision": Spread.of("x", None, np.linalg.inv(C)),
    "cholesky": Spread.of("x", None, None, np.linalg.cholesky(C)),
}


@pytest.mark.parametrize("form", FORMS)
def test_density_of_what_is_seen(form):
    """distributions.07"""
    rows = np.array([[0.5, -1.0, 2.0], [0.5, np.nan, 2.0], [np.nan] * 3, [np.inf, 0.0, 0.0]])
    value = log_density(FORMS[form], rows)
    part = C[np.ix_([0, 2], [0, 2])]
    expected = [
        multivariate_normal(cov=C).logpdf(rows[0]),
        multivariate_normal(cov=part).logpdf(rows[1, [0, 2]]),
        0.0,
        -np.inf,
    ]
    np.testing.assert_allclose(value, expected)


@pytest.mark.parametrize("form", FORMS)
def test_conditional_in_the_form_given(form):
    """distributions.07"""
    left, seen = np.array([0, 2]), np.array([1])
    law = conditional(FORMS[form], left, seen)
    gain = C[np.ix_(left, seen)] / C[1, 1]
    rest = C[np.ix_(left, left)] - gain @ C[np.ix_(seen, left)]
    np.testing.assert_allclose(law.gain, gain)
    matrix = np.linalg.inv(law.matrix) if form == "precision" else law.matrix
    np.testing.assert_allclose(matrix, rest)


def test_divergence_of_equals_is_zero_and_grows_with_the_shift():
    """distributions.21"""
    shift = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    near, far = divergence(FORMS["covariance"], FORMS["precision"], shift)
    assert near == pytest.approx(0.0, abs=1e-14)
    assert far == pytest.approx(0.5 * np.linalg.inv(C)[0, 0])


def test_vectors_without_coordinates_keep_their_number():
    assert flat(np.zeros((2, 5, 0))).shape == (10, 0)
