"""Strings and sequences as integers."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.core import Sequences
from margin.kernels.parts._symbols import listed, symbols_of, windows


def rows(symbols):
    return [symbols.rows(i, i + 1)[0].tolist() for i in range(len(symbols))]


@pytest.mark.parametrize("words", [["abca", "", "cb"], ["añ水", "", "水😀a"], ["\ud800x"]])
def test_equal_symbols_have_equal_numbers(words):
    symbols, n = symbols_of("K", words, None)
    assert n == len(words)
    flat = "".join(words)
    codes = [code for row in rows(symbols) for code in row]
    assert [len(row) for row in rows(symbols)] == [len(word) for word in words]
    assert len(set(codes)) == len(set(flat)) == symbols.n_symbols
    assert len(set(zip(flat, codes, strict=True))) == len(set(flat))


def test_sequences_of_anything_hashable():
    X = [(1, "a", (2, 3)), np.array([1, 1]), [], "a"]
    symbols, n = symbols_of("K", X, [["a"]])
    assert n == 4
    assert rows(symbols) == [[0, 1, 2], [0, 0], [], [1], [1]]
    ragged, _ = symbols_of("K", Sequences([[5, 6], [6]]), None)
    assert rows(ragged) == [[0, 1], [1]]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ("word", "K: X must be a list of strings, got 'str'"),
        (7, "K: X must be a list of strings, got 'int'"),
        (["a", 3], r"K: X\[1\] must be a string or a sequence of hashable symbols, got 3"),
        ([["a", []]], r"K: X\[0\] must be a string or a sequence of hashable symbols"),
        ([{"a", "b"}], r"K: X\[0\] must be a string or a sequence of hashable symbols"),
        ([np.zeros((2, 2))], r"K: X\[0\] must be a string or a sequence of hashable symbols"),
        ([[float("nan")]], "K: symbols must be equal to themselves, got nan"),
    ],
)
def test_what_is_no_sequence_is_refused(X, message):
    with pytest.raises(ValueError, match=message):
        symbols_of("K", X, None)
    if not isinstance(X, list):
        return
    with pytest.raises(ValueError, match=message.replace("X", "Z")):
        symbols_of("K", [["b"]], X)


def test_objects_are_listed():
    assert listed("K", (i for i in "ab"), "X", "strings") == ["a", "b"]


@pytest.mark.parametrize("k", [1, 2, 5, 40, 64, 100])
def test_windows_are_numbered_exactly(k):
    """Also where base ** k has no place in 64 bits."""
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("AB"), n)) for n in (120, 3, 0, 110, k)]
    words += [words[0], words[0][1:] + "C"]
    symbols, _ = symbols_of("K", words, None)
    ids, offsets, n_ids = windows(symbols, k)
    wanted = [[w[i : i + k] for i in range(len(w) - k + 1)] for w in words]
    assert_array_equal(np.diff(offsets), [len(part) for part in wanted])
    flat = [window for part in wanted for window in part]
    assert len(set(zip(flat, ids.tolist(), strict=True))) == len(set(flat)) == len(set(ids))
    assert ids.max(initial=0) < max(1, n_ids)
