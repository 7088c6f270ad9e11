import numpy as np
import pytest

from margin.native.naive_bayes import normal_scores


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
    X, (mean, half, constant) = rng.standard_normal((5000, 7)), rng.standard_normal((3, 2, 7)) ** 2
    first = normal_scores(X, mean, half, constant, 1)
    np.testing.assert_array_equal(normal_scores(X, mean, half, constant, 3), first)
    far = normal_scores(np.full((1, 7), 1e200), mean, half, constant, 1)
    assert (far == -np.inf).all()


def test_refuses_wrong_shapes():
    with pytest.raises(ValueError, match="different shape"):
        normal_scores(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 2)), np.zeros((2, 3)), 1)
