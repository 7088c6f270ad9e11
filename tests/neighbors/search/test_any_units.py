"""Neighbours do not depend on the units of the rows."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.neighbors import KNeighborsClassifier, NearestNeighbors, RadiusNeighborsRegressor
from margin.neighbors.search._any_units import AnyUnits, in_any_units
from margin.neighbors.search._choice import Choice
from margin.neighbors.search._metric import Metric

RNG = np.random.default_rng(0)
X, Q = RNG.normal(size=(300, 3)), RNG.normal(size=(20, 3))


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
@pytest.mark.parametrize("p", [1.5, 2, 10])
@pytest.mark.parametrize("exponent", [-1000, -510, -120, 0, 120, 510, 1000])
def test_neighbours_of_huge_and_tiny_rows(algorithm, p, exponent):
    model, unit = NearestNeighbors(n_neighbors=4, algorithm=algorithm, p=p), 2.0**exponent
    distance, number = model.fit(X).kneighbors(Q)
    there, own = model.radius_neighbors(Q), model.kneighbors()[1]
    model.set_params(radius=unit).fit(unit * X)
    scaled, same = model.kneighbors(unit * Q)
    assert_array_equal(same, number)
    assert_allclose(scaled, unit * distance, rtol=1e-12)
    assert_array_equal(model.kneighbors()[1], own)
    for ours, wanted in zip(model.radius_neighbors(unit * Q)[1], there[1], strict=True):
        assert set(ours) == set(wanted)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize("exponent", [-600, 600, 1000])
def test_sparse_rows(kind, exponent):
    rows, unit = np.where(X > 0, X, 0.0), 2.0**exponent
    model = NearestNeighbors(n_neighbors=3)
    distance, number = model.fit(kind(rows)).kneighbors()
    scaled, same = model.fit(kind(unit * rows)).kneighbors()
    assert_array_equal(same, number)
    assert_allclose(scaled, unit * distance, rtol=1e-9)


def test_single_precision():
    single = NearestNeighbors(n_neighbors=3, p=10).fit((1e35 * X).astype(np.float32))
    expected = NearestNeighbors(n_neighbors=3, p=10).fit(X.astype(np.float32)).kneighbors(Q)[1]
    assert_array_equal(single.kneighbors((1e35 * Q).astype(np.float32))[1], expected)


def test_equal_rows_have_no_units():
    metric, choice = Metric("euclidean"), Choice("brute", "few rows")
    for value in (0.0, 1.0, 1e-200, 1e200):
        index = in_any_units(np.full((5, 2), value), metric, choice, 30, 1)
        assert isinstance(index, AnyUnits)
        distance, _ = index.nearest(np.full((1, 2), value), 3, 1)
        assert_array_equal(distance, 0.0)
    squares = in_any_units(X, Metric("sqeuclidean", "squares"), choice, 30, 1)
    assert not isinstance(squares, AnyUnits)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_models_of_neighbours(unit):
    y = (X[:, 0] > 0).astype(int)
    plain = KNeighborsClassifier(weights="distance").fit(X, y)
    far = pickle.loads(pickle.dumps(KNeighborsClassifier(weights="distance").fit(unit * X, y)))
    assert_array_equal(far.predict(unit * Q), plain.predict(Q))
    smooth = RadiusNeighborsRegressor(radius=1.5).fit(X, X[:, 1])
    wide = RadiusNeighborsRegressor(radius=1.5 * unit).fit(unit * X, X[:, 1])
    assert_allclose(wide.predict(unit * X), smooth.predict(X), rtol=1e-12)
