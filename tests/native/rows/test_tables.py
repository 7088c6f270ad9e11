import numpy as np
import pytest

from margin.native.rows.tables import table_counts, table_scores

SIZES = (3, 1, 5)
OFFSET = np.concatenate([[0], np.cumsum(SIZES)]).astype(np.int64)


def rows(n, dtype, seed=0):
    """Categories, with NaN, fractions, negative and too large values among them."""
    rng = np.random.default_rng(seed)
    X = np.stack([rng.integers(m, size=n) for m in SIZES], axis=1).astype(dtype)
    odd = rng.random(X.shape) < 0.3
    X[odd] = rng.choice([np.nan, 0.5, -1.0, 7.0], size=int(odd.sum()))
    return X


def lines(X):
    """Line of the table each value selects, -1 for none: the plain twin of the compiled rule."""
    out = np.full(X.shape, -1)
    for (i, j), x in np.ndenumerate(X):
        if x in range(SIZES[j]):
            out[i, j] = OFFSET[j] + int(x)
    return out


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [0, 1, 200])
def test_scores_match_their_twin(dtype, n):
    X, table = rows(n, dtype), np.random.default_rng(1).standard_normal((9, 4))
    expected = np.zeros((n, 4))
    for i, chosen in enumerate(lines(X)):
        expected[i] = table[chosen[chosen >= 0]].sum(axis=0)
    np.testing.assert_allclose(table_scores(X, OFFSET, table, 2), expected, atol=1e-14)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [0, 1, 200])
def test_counts_match_their_twin(weighted, n):
    rng = np.random.default_rng(2)
    X, code = rows(n, np.float64), rng.integers(4, size=n)
    weight = rng.random(n) if weighted else None
    expected = np.zeros((9, 4))
    for i, chosen in enumerate(lines(X)):
        expected[chosen[chosen >= 0], code[i]] += 1.0 if weight is None else weight[i]
    found = table_counts(X, code, 4, weight, OFFSET, 2)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_same_bits_for_any_number_of_threads():
    X, rng = rows(20_000, np.float64), np.random.default_rng(3)
    code, weight = rng.integers(2, size=len(X)), rng.random(len(X))
    first = table_counts(X, code, 2, weight, OFFSET, 1)
    np.testing.assert_array_equal(table_counts(X, code, 2, weight, OFFSET, 3), first)


def test_refuses_bad_codes_and_offsets():
    X = np.zeros((1, 3))
    with pytest.raises(ValueError, match="out of range"):
        table_counts(X, np.array([2]), 2, None, OFFSET, 1)
    with pytest.raises(ValueError, match="offsets"):
        table_scores(X, OFFSET[[0, 2, 1, 3]], np.zeros((9, 2)), 1)
    with pytest.raises(ValueError, match="different shape"):
        table_scores(X, OFFSET[:2], np.zeros((3, 2)), 1)
