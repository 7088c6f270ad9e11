"""Margins (svm.01) and the bound that follows from them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.svm import SVC, canonical, confidence_margin, geometric_margin, margin_error_bound

X = np.array([[1.0, 1.0], [-1.0, -1.0], [3.0, 2.0]])
Y = np.array([1, -1, 1])


def test_geometric_margin_is_scale_invariant():
    """svm.01: m(c w) = m(w); the confidence margin is not."""
    base = geometric_margin([0.3, 0.7], 0.1, X, Y)
    for scale in (0.01, 5.0):
        assert_allclose(
            geometric_margin([0.3 * scale, 0.7 * scale], 0.1 * scale, X, Y), base, rtol=1e-14
        )
        values = X @ [0.3 * scale, 0.7 * scale] + 0.1 * scale
        assert_allclose(confidence_margin(values, Y) / scale, base * np.hypot(0.3, 0.7), rtol=1e-14)


def test_canonical_hyperplane():
    """svm.01: confidence margin 1, geometric margin 1 / |w|, total margin 2 / |w|."""
    coef, intercept = canonical([2.0, 1.0], 0.5, X, Y)
    assert_allclose(confidence_margin(X @ coef + intercept, Y), 1)
    assert_allclose(geometric_margin(coef, intercept, X, Y), 1 / np.linalg.norm(coef))


def test_hard_margin_is_the_widest():
    """svm.02: (1,1)+ and (-1,-1)-: alpha 1/4, w (.5,.5), margin sqrt 2."""
    model = SVC(kernel="linear", C=np.inf).fit(X, Y)
    assert_allclose(model.coef_, [[0.5, 0.5]], atol=1e-9)
    best = geometric_margin(model.coef_, model.intercept_[0], X, Y)
    assert_allclose(best, np.sqrt(2))
    rng = np.random.default_rng(0)
    for w in rng.normal(size=(200, 2)):
        assert geometric_margin(w, rng.normal(), X, Y) <= best + 1e-12


def test_margin_error_bound():
    assert_allclose(margin_error_bound(0.1, 1000), 0.325195060487, rtol=1e-11)
    base = margin_error_bound(0.1, 1000)
    assert margin_error_bound(0.1, 1000, margin=2.0) < base
    assert margin_error_bound(0.1, 2000) < base
    assert margin_error_bound(0.2, 1000) > base
    assert margin_error_bound(0.1, 1000, radius=2.0) > base
    assert margin_error_bound(0.1, 1000, delta=0.01) > base


@pytest.mark.parametrize(
    "bad", [{"nu": 2}, {"nu": 0.1, "delta": 0}, {"nu": 0.1, "margin": 0.0}, {"nu": 0.1, "n": 0}]
)
def test_bad_numbers(bad):
    with pytest.raises(ValueError, match="margin_error_bound: "):
        margin_error_bound(**{"n": 10, **bad})
    with pytest.raises(ValueError, match="coef must be a vector other than zero"):
        geometric_margin([0, 0], 1, X, Y)
    with pytest.raises(ValueError, match=r"labels of \+1 and -1"):
        confidence_margin([1.0], [0])
    with pytest.raises(ValueError, match="above 0: all rows on their side"):
        canonical([-1.0, 0.0], 0.0, X, Y)
