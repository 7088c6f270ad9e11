import numpy as np
import pytest
import scipy.sparse
from scipy.stats import pearsonr

from benchmarks import data

MAKERS = [
    (data.dense_binary, {"n": 200, "p": 6}),
    (data.sparse_binary, {"n": 200, "p": 300, "density": 0.02}),
    (data.digits_like, {"n": 200, "p": 8, "n_classes": 3}),
    (data.linear_response, {"n": 200, "p": 6}),
]


@pytest.mark.parametrize(
    ("make", "shape"), MAKERS, ids=lambda value: getattr(value, "__name__", "")
)
def test_the_same_data_at_every_call(make, shape):
    first, second = make(**shape), make(**shape)
    assert first.X.shape == (shape["n"], shape["p"])
    assert abs(first.X - second.X).max() == 0
    np.testing.assert_array_equal(first.y, second.y)


def test_the_points_of_a_curve_rise_and_stay_apart():
    first, second = data.noisy_curve(500), data.noisy_curve(500)
    np.testing.assert_array_equal(first.X, second.X)
    np.testing.assert_array_equal(first.y, second.y)
    assert np.diff(first.X).min() >= 0.5
    assert np.std(first.y - np.sin(first.X / 200)) == pytest.approx(0.3, rel=0.1)


def test_the_sparse_matrix_has_the_density_it_promises():
    table = data.sparse_binary(400, 1000)
    assert scipy.sparse.issparse(table.X)
    assert table.X.format == "csr"
    assert table.X.nnz == 800
    assert table.X.has_canonical_format


def test_binary_labels_have_both_classes_and_signal_but_are_not_separable():
    table = data.dense_binary(2000, 5)
    assert 0.2 < table.y.mean() < 0.8
    direction = np.linalg.lstsq(table.X, table.y - table.y.mean(), rcond=None)[0]
    assert 0.3 < pearsonr(table.X @ direction, table.y).statistic < 0.9


def test_digits_are_counts_of_sixteenths_in_every_class():
    table = data.digits_like(500)
    assert set(np.unique(table.y)) == set(range(10))
    np.testing.assert_array_equal(table.X * 16, np.rint(table.X * 16))
    assert table.X.min() >= 0.0
    assert table.X.max() <= 1.0
