import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits, load_iris
from sklearn.tree import DecisionTreeClassifier

from margin.multiclass import (
    OutputCodeClassifier,
    between_class_covariance,
    correction_capacity,
    random_code,
    row_distances,
    spectral_code,
)
from margin.multiclass._code_matrices import canonical
from margin.multiclass._spectral_code import _directions


def class_covariance(n_classes, n_features, seed=0):
    means = np.random.default_rng(seed).normal(size=(n_classes, n_features))
    means -= means.mean(axis=0)
    return means @ means.T


def least(code):
    return row_distances(code)[np.triu_indices(len(code), 1)].min()


def test_between_class_covariance_by_hand():
    """linear.54: products of the offsets of the class means in units of the spread within."""
    X, y = load_iris(return_X_y=True)
    means = np.array([X[y == k].mean(axis=0) for k in range(3)])
    within = sum((X[y == k] - means[k]) ** 2 for k in range(3)).sum(axis=0) / len(X)
    offset = (means - means.mean(axis=0)) / np.sqrt(within)
    covariance = between_class_covariance(X, y)
    np.testing.assert_allclose(covariance, offset @ offset.T)
    np.testing.assert_allclose(between_class_covariance(sparse.csr_array(X), y), covariance)
    np.testing.assert_allclose(covariance.sum(axis=0), 0, atol=1e-10)
    weight = np.arange(150) % 3
    repeated = np.repeat(np.arange(150), weight)
    np.testing.assert_allclose(
        between_class_covariance(X, y, weight.astype(float)),
        between_class_covariance(X[repeated], y[repeated]),
    )
    constant = np.column_stack([X, np.ones(150)])
    np.testing.assert_allclose(between_class_covariance(constant, y), covariance)


@pytest.mark.parametrize("n_classes", [2, 3, 4, 7, 15])
def test_rows_differ_and_columns_are_different_problems(n_classes):
    """linear.54, also where the means span fewer dimensions than there are columns."""
    for n_features in (1, 3, 40):
        code = spectral_code(class_covariance(n_classes, n_features))
        assert len(np.unique(code, axis=0)) == n_classes
        assert len({canonical(column) for column in code.T}) == code.shape[1]
        assert (np.abs(code.sum(axis=0)) < n_classes).all()


@pytest.mark.parametrize("seed", range(5))
def test_changes_move_the_rows_apart(seed):
    """linear.54: the least distance never falls below that of the signs of the eigenvectors."""
    covariance = class_covariance(8, 30, seed)
    start = np.where(np.column_stack(_directions(covariance)[:7]) > 0, 1, -1)
    code = spectral_code(covariance, 7)
    assert least(code) >= least(start)
    assert least(code) >= 2
    assert np.mean(code * code[:1] == start * start[:1]) > 0.6


def test_codes_are_longer_apart_than_random_ones():
    """linear.54: beats the best of a hundred random codes of equal length."""
    code = spectral_code(class_covariance(12, 30))
    assert least(code) > least(random_code(12, code.shape[1], random_state=0))
    assert correction_capacity(code) >= 7


def test_beats_random_codes_on_digits():
    """linear.54, with weak trees: same length, Hamming decoding."""
    X, y = load_digits(return_X_y=True)
    base = DecisionTreeClassifier(max_depth=4, random_state=0)

    def score(code, seed=0):
        model = OutputCodeClassifier(
            estimator=base, code=code, n_columns=12, decoding="hamming", random_state=seed
        )
        return model.fit(X[::2], y[::2]).score(X[1::2], y[1::2])

    assert score("spectral") > np.mean([score("random", seed) for seed in range(3)])


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="covariance must be a square matrix"):
        spectral_code(np.ones((3, 2)))
    with pytest.raises(ValueError, match="n_columns must be an integer from 2 to 7, got 8"):
        spectral_code(class_covariance(4, 3), 8)
