import numpy as np
import pytest

from margin.native.rows.naive_bayes import class_sums, normal_scores


def twin(X, mean, half, constant):
    away = X.astype(np.float64)[:, None, :] - mean
    return np.where(np.isnan(away), 0.0, constant - half * away**2).sum(axis=2)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (7, 50), (3000, 5)])
def test_matches_its_twin(dtype, shape):
    rng = np.random.default_rng(shape[0])
    X = rng.standard_normal(shape).astype(dtype)
    X[rng.random(shape) < 0.2] = np.nan
    mean, half, constant = rng.standard_normal((3, 4, shape[1]))
    found = normal_scores(X, mean, half, constant, 2)
    np.testing.assert_allclose(found, twin(X, mean, half, constant), rtol=1e-12, atol=1e-12)


def test_same_bits_for_any_number_of_threads_and_infinite_distance():
    rng = np.random.default_rng(0)
    X, (mean, half, constant) = (
        rng.standard_normal((150_000, 7)),
        rng.standard_normal((3, 2, 7)) ** 2,
    )
    first = normal_scores(X, mean, half, constant, 1)
    np.testing.assert_array_equal(normal_scores(X, mean, half, constant, 3), first)
    far = normal_scores(np.full((1, 7), 1e200), mean, half, constant, 1)
    assert (far == -np.inf).all()


def test_refuses_wrong_shapes():
    with pytest.raises(ValueError, match="different shape"):
        normal_scores(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 2)), np.zeros((2, 3)), 1)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [0, 1, 7, 5000])
def test_sums_match_their_twin(dtype, weighted, n):
    rng = np.random.default_rng(n)
    X, code = rng.standard_normal((n, 5)).astype(dtype), rng.integers(3, size=n)
    weight = rng.random(n) if weighted else None
    found, least = class_sums(X, code, 3, weight, 2)
    share = np.eye(3)[code] * (1.0 if weight is None else weight[:, None])
    np.testing.assert_allclose(found, share.T @ X, rtol=1e-10, atol=1e-10)
    assert least == (X.min() if n else np.inf)
    np.testing.assert_array_equal(class_sums(X, code, 3, weight, 1)[0], found)


def test_sums_refuse_bad_codes_and_shapes():
    with pytest.raises(ValueError, match="out of range"):
        class_sums(np.zeros((1, 2)), np.array([3]), 3, None, 1)
    with pytest.raises(ValueError, match="different shape"):
        class_sums(np.zeros((1, 2)), np.array([0, 1]), 3, None, 1)
