import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.native.rows.densities import gaussian_log_density


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def twin(X, means, roots, constants):
    columns = []
    for mean, root, constant in zip(means, roots, constants, strict=True):
        away = (X.astype(float) - mean) @ np.triu(root).T
        columns.append(constant - 0.5 * (away**2).sum(axis=1))
    return np.stack(columns, axis=1)


def laws(p, number, rng):
    return rng.normal(size=(number, p)), rng.normal(size=(number, p, p)), rng.normal(size=number)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(("n", "p", "number"), [(1, 1, 1), (17, 3, 2), (515, 4, 3), (40, 21, 5)])
def test_densities_are_those_of_their_twin(n, p, number, order, dtype, rng):
    X = np.array(rng.normal(size=(n, p)), dtype=dtype, order=order)
    given = laws(p, number, rng)
    values = gaussian_log_density(X, *given, n_threads=2)
    assert_allclose(values, twin(X, *given), rtol=1e-12, atol=1e-12)


def test_any_number_of_threads_and_any_view(rng):
    wide = rng.normal(size=(5000, 12))
    X, given = wide[::2, 1::2], laws(6, 3, rng)
    alone, many = (gaussian_log_density(X, *given, n_threads=k) for k in (1, 4))
    assert_array_equal(alone, many)
    assert_allclose(alone, twin(X, *given), rtol=1e-12, atol=1e-12)


def test_holes_stay_in_their_rows(rng):
    X, given = rng.normal(size=(20, 3)), laws(3, 2, rng)
    X[4, 1] = np.nan
    values = gaussian_log_density(X, *given, n_threads=1)
    assert_array_equal(np.isnan(values).any(axis=1), np.arange(20) == 4)


def test_nothing_and_wrong_shapes(rng):
    given = laws(3, 2, rng)
    assert gaussian_log_density(np.empty((0, 3)), *given, n_threads=1).shape == (0, 2)
    with pytest.raises(ValueError, match="different shape"):
        gaussian_log_density(np.ones((2, 4)), *given, n_threads=1)
