"""Basis expansion of a table (linear.17)."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import make_lsq_spline
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer

from margin.linear import BasisExpansion, LinearRegression, Ridge, SmoothingSpline

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 2))
Y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2


def square(rows):
    return rows[:, 0] ** 2


def pair(rows):
    return np.column_stack([rows[:, 0], rows[:, 0] * rows[:, -1]])


@pytest.mark.parametrize("knots", ["quantile", "uniform"])
def test_a_cubic_regression_spline_is_that_of_scipy(knots):
    """linear.17: least squares on truncated powers and on B-splines is the same projection."""
    x = np.sort(X[:, 0])
    model = make_pipeline(
        BasisExpansion(basis="truncated-power", n_knots=6, knots=knots), LinearRegression()
    ).fit(x[:, None], Y)
    inner = model[0].functions_[0].knots[1:-1]
    t = np.r_[[x[0]] * 4, inner, [x[-1]] * 4]
    assert_allclose(model.predict(x[:, None]), make_lsq_spline(x, Y, t)(x), atol=1e-7)
    if knots == "uniform":
        peer = make_pipeline(SplineTransformer(n_knots=6), LinearRegression()).fit(x[:, None], Y)
        assert_allclose(model.predict(x[:, None]), peer.predict(x[:, None]), atol=1e-6)


def test_natural_splines_with_a_knot_everywhere_interpolate():
    """linear.17, linear.18: the smoothing spline of vanishing strength."""
    x = np.sort(RNG.uniform(0, 1, 8))
    y = np.cos(5 * x)
    model = make_pipeline(BasisExpansion(knots=x), LinearRegression()).fit(x[:, None], y)
    at = np.linspace(-0.2, 1.2, 30)
    curve = SmoothingSpline(alpha=1e-14).fit(x, y)
    assert_allclose(model.predict(at[:, None]), curve.predict(at), atol=1e-5)


def test_columns_belong_to_names_feature_by_feature():
    model = BasisExpansion(basis="truncated-power", degree=1, knots=[-2.0, 0.0, 2.0]).fit(X)
    names = model.get_feature_names_out(["a", "b"]).tolist()
    assert names == ["a", "(a-0)+", "b", "(b-0)+"]
    found = model.transform(X)
    expected = np.column_stack([X[:, 0] / 4 + 0.5, np.maximum(X[:, 0], 0) / 4])
    assert_allclose(found[:, :2], expected)
    both = BasisExpansion(n_knots=4, include_bias=True).fit(X)
    assert_array_equal(both.transform(X)[:, 0], 1)
    assert both.get_feature_names_out()[0] == "1"


def test_products_on_the_lattice_of_knots():
    """linear.17: every product of functions of different features, by brute force."""
    plain = [BasisExpansion(n_knots=3, include_bias=True).fit(x[:, None]) for x in X.T]
    parts = [model.transform(x[:, None]) for model, x in zip(plain, X.T, strict=True)]
    found = BasisExpansion(n_knots=3, tensor=True, include_bias=True).fit(X)
    table = found.transform(X)
    for k, (i, j) in enumerate(product(range(3), range(3))):
        assert_allclose(table[:, k], parts[0][:, i] * parts[1][:, j])
    names = found.get_feature_names_out()
    assert names[0] == "1"
    assert names[4] == "x0*x1"
    assert_allclose(BasisExpansion(n_knots=3, tensor=True).fit(X).transform(X), table[:, 1:])
    surface = X[:, 0] * X[:, 1]
    expanded = make_pipeline(BasisExpansion(n_knots=3, tensor=True), LinearRegression())
    assert_allclose(expanded.fit(X, surface).predict(X), surface, atol=1e-8)


def test_functions_of_the_user():
    model = BasisExpansion(basis=[square, pair]).fit(X)
    expected = np.column_stack([X[:, 0] ** 2, X[:, 0], X[:, 0] * X[:, 1]])
    assert_array_equal(model.transform(X), expected)
    assert model.get_feature_names_out().tolist() == ["h0", "h1_0", "h1_1"]
    assert_array_equal(BasisExpansion(basis=square).fit_transform(X)[:, 0], X[:, 0] ** 2)
    narrow = BasisExpansion(basis=square).fit_transform(X.astype(np.float32))
    assert narrow.dtype == np.float32


@pytest.mark.parametrize("basis", ["natural-cubic", "truncated-power", "fourier", "radial"])
def test_every_basis_on_awkward_columns(basis):
    """Constant, two values, far from zero: finite columns, and a fit no worse than the mean."""
    rows = np.column_stack([np.ones(40), np.arange(40) % 2, 1e9 + np.arange(40.0)])
    model = make_pipeline(BasisExpansion(basis=basis), Ridge(alpha=1e-3))
    y = np.arange(40) % 2 + 0.1 * np.sin(np.arange(40) / 6)
    assert model.fit(rows, y).score(rows, y) > 0.5
    assert np.isfinite(model[0].transform(rows)).all()
    names = model[0].get_feature_names_out()
    assert len(set(names)) == len(names) == model[0].transform(rows).shape[1]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"basis": "wavelet"}, "basis must be one of"),
        ({"basis": []}, "basis must be one of"),
        ({"basis": lambda rows: rows[:0]}, "basis must be of functions that give 1 rows here"),
        ({"n_knots": 1}, "n_knots must be an integer of at least 2, got 1"),
        ({"knots": "random"}, "knots must be one of"),
        ({"knots": [0.0, 0.0, 1.0]}, "knots must be finite and rising"),
        ({"knots": [[0.0, 1.0, 2.0]]}, "knots must be at least 2, of each of 2 features"),
        ({"basis": "fourier", "degree": 0}, "degree must be an integer of at least 1"),
        ({"smoothness": 3}, "smoothness must be an integer from -1 to 2, got 3"),
        ({"width": 0.0}, "width must be a number above 0"),
        ({"tensor": True, "n_knots": 1000}, "tensor must be False where products would make"),
        ({"tensor": True, "basis": square}, "tensor must be False for functions of the whole"),
    ],
)
def test_refusals(given, message):
    wide = np.linspace(0, 1, 3000)[:, None] + np.zeros(2)
    with pytest.raises(ValueError, match=f"^BasisExpansion: {message}"):
        BasisExpansion(**given).fit(wide)
