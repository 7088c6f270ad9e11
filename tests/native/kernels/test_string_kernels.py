"""Windows as numbers, and the programme of common subsequences."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.native.kernels.pairs import ALL, DIAGONAL, LOWER
from margin.native.kernels.string_kernels import number_bytes, subsequence_sums, window_keys


def draw(lengths, base, seed):
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    codes = np.random.default_rng(seed).integers(0, base, int(offsets[-1]), dtype=np.int32)
    return codes, offsets


@pytest.mark.parametrize("k", [1, 3, 31])
def test_windows(k):
    codes, offsets = draw([5, 0, 2, 60, k, k - 1], 4, 0)
    keys, starts = window_keys(codes, offsets, 4, k)
    for r in range(len(offsets) - 1):
        row = codes[offsets[r] : offsets[r + 1]].tolist()
        wanted = [
            sum(c * 4 ** (k - 1 - j) for j, c in enumerate(row[i : i + k]))
            for i in range(len(row) - k + 1)
        ]
        assert keys[starts[r] : starts[r + 1]].tolist() == wanted


def test_windows_refuse_what_does_not_fit():
    codes, offsets = draw([5], 4, 0)
    with pytest.raises(ValueError, match="too many possible windows"):
        window_keys(codes, offsets, 4, 32)
    with pytest.raises(ValueError, match="symbol out of range"):
        window_keys(codes + np.int32(2), offsets, 4, 2)


def brute(s, t, n, decay):
    total = 0.0
    for i in combinations(range(len(s)), n):
        for j in combinations(range(len(t)), n):
            if [s[a] for a in i] == [t[b] for b in j]:
                total += decay ** (i[-1] - i[0] + 1 + j[-1] - j[0] + 1)
    return total


@pytest.mark.parametrize("n", [1, 2, 4])
def test_subsequences_by_enumeration(n):
    left, right = draw([7, 0, 3, 8], 3, 1), draw([5, 6], 3, 2)
    values, slopes = subsequence_sums(left, right, n, 0.6, ALL, True, 1)
    rows = [
        [codes[offsets[i] : offsets[i + 1]].tolist() for i in range(len(offsets) - 1)]
        for codes, offsets in (left, right)
    ]
    wanted = [[brute(s, t, n, 0.6) for t in rows[1]] for s in rows[0]]
    assert_allclose(values, wanted, rtol=1e-13)
    h = 1e-6
    ends = [[[brute(s, t, n, 0.6 * np.exp(e)) for t in rows[1]] for s in rows[0]] for e in (h, -h)]
    assert_allclose(slopes, np.subtract(*ends) / (2 * h), rtol=1e-7, atol=1e-9)


def test_threads_and_shapes_agree():
    some = draw([20, 30, 1, 25, 40], 4, 3)
    full, _ = subsequence_sums(some, some, 3, 0.5, ALL, False, 1)
    lower, _ = subsequence_sums(some, some, 3, 0.5, LOWER, False, 3)
    diagonal, _ = subsequence_sums(some, some, 3, 0.5, DIAGONAL, False, 2)
    assert_allclose(full, lower, rtol=1e-12)
    assert_array_equal(lower, lower.T)
    assert_array_equal(np.diagonal(lower), diagonal[:, 0])


@pytest.mark.parametrize("size", [0, 1, 3000])
def test_bytes_are_numbered_in_their_order(size):
    raw = np.random.default_rng(0).integers(0, 256, size, dtype=np.uint8) & 0xF3
    codes, count = number_bytes(raw)
    different, expected = np.unique(raw, return_inverse=True)
    assert count == len(different)
    assert_array_equal(codes, expected)
