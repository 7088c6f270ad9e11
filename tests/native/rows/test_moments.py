import numpy as np
import pytest

from margin.native.rows.moments import class_moments


def twin(X, code, n_classes, weight, shift):
    weight = np.ones(len(code)) if weight is None else weight
    away = X.astype(np.float64) - shift
    seen = ~np.isnan(away)
    out = np.zeros((3, n_classes, X.shape[1]))
    for k in range(n_classes):
        s = np.where(seen, weight[:, None], 0.0)[code == k]
        v = np.nan_to_num(away[code == k])
        out[:, k] = s.sum(axis=0), (s * v).sum(axis=0), (s * v * v).sum(axis=0)
    return out


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [0, 1, 7, 5000])
def test_matches_its_twin(dtype, weighted, n):
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n, 5)).astype(dtype)
    X[rng.random(X.shape) < 0.2] = np.nan
    code = rng.integers(3, size=n)
    weight = rng.integers(0, 3, size=n).astype(float) if weighted else None
    shift = rng.standard_normal(5)
    found = class_moments(X, code, 3, weight, shift, 2)
    np.testing.assert_allclose(found, twin(X, code, 3, weight, shift), rtol=1e-12, atol=1e-12)


def test_same_bits_for_any_number_of_threads():
    rng = np.random.default_rng(0)
    X, code = rng.standard_normal((300_000, 7)), rng.integers(4, size=300_000)
    first = class_moments(X, code, 4, None, np.zeros(7), 1)
    for n_threads in (2, 3):
        np.testing.assert_array_equal(
            class_moments(X, code, 4, None, np.zeros(7), n_threads), first
        )


def test_refuses_codes_out_of_range_and_wrong_shapes():
    X = np.zeros((2, 3))
    with pytest.raises(ValueError, match="out of range"):
        class_moments(X, np.array([0, 2]), 2, None, np.zeros(3), 1)
    with pytest.raises(ValueError, match="out of range"):
        class_moments(X, np.array([0, -1]), 2, None, np.zeros(3), 1)
    with pytest.raises(ValueError, match="different shape"):
        class_moments(X, np.array([0, 1]), 2, None, np.zeros(2), 1)
    with pytest.raises(TypeError):
        class_moments(
            np.asfortranarray(np.zeros((3, 2))), np.array([0, 1, 1]), 2, None, np.zeros(2), 1
        )
