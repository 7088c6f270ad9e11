"""Loops over threads: the same numbers for any number of them, and errors that reach Python."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.native import _native

RNG = np.random.default_rng(0)
X = RNG.normal(size=(9000, 7))
V, W = RNG.random(9000), RNG.random(7)
CODE = RNG.integers(0, 3, 9000)
STATES = RNG.integers(0, 2, (9000, 4)).astype(float)
POINTS = RNG.normal(size=(300, 3))
WORDS, STARTS = RNG.integers(0, 3, 200).astype(np.int32), np.arange(0, 201, 20)
ARCS, HEADS = np.arange(0, 5001, 2), RNG.integers(0, 2500, 5000).astype(np.int32)


def linear_pass(n_threads):
    curvature, gradient = np.empty(9000), np.empty(8)
    value = _native.linear_pass(1, X, V, None, W, 0.5, curvature, gradient, n_threads)
    return value, curvature, gradient


def loss_sweep(n_threads):
    slope = np.empty(9000)
    return _native.loss_sweep(1, V, V, None, slope, None, n_threads), slope


def softmax_sweep(n_threads):
    slope = np.empty((9000, 7))
    return _native.softmax_sweep(X, CODE, None, slope, None, n_threads), slope


def row_value(n_threads):
    return (_native.row_value_dense(1, 1.0, X, V, None, np.append(W, 0.5), n_threads),)


def row_keys(n_threads):
    key, square = np.empty(9000, np.uint64), np.empty(9000)
    _native.row_keys_dense(X, key, square, n_threads)
    return key, square


def class_sums(n_threads):
    out = np.empty((3, 7))
    return _native.class_sums(X, CODE, V, out, n_threads), out


def class_moments(n_threads):
    out = np.empty((3, 3, 7))
    _native.class_moments(X, CODE, V, W, out, n_threads)
    return (out,)


def normal_scores(n_threads):
    out, mean = np.empty((9000, 3)), RNG.normal(size=(3, 7)) * 0.0 + W
    _native.normal_scores(X, mean, mean, mean, out, n_threads)
    return (out,)


def tables(n_threads):
    scores, counts = np.empty((9000, 3)), np.empty((8, 3))
    offset = np.arange(0, 9, 2)
    _native.table_scores(STATES, offset, POINTS[:8].copy(), scores, n_threads)
    _native.table_counts(STATES, CODE, V, offset, counts, n_threads)
    return scores, counts


def correlate(n_threads):
    out, across = np.empty(7), np.empty(9000)
    _native.correlate(X, V, W, out, n_threads)
    _native.correlate(X.T.copy(), W, V, across, n_threads)
    return out, across


def column_products(n_threads):
    few, many = np.zeros((12, 12)), np.zeros((312, 312))
    _native.column_products(X, V, None, None, None, V[:, None].copy(), few, n_threads)
    _native.row_products(POINTS[:300], None, many[:300, :300].copy(), n_threads)
    _native.row_products(X[:311].copy(), None, many, n_threads)
    return few, many


def radial(n_threads):
    out, sums = np.empty((300, 300)), np.empty(5)
    _native.radial_direct(1, 0, 1.0, POINTS, POINTS, out, True, n_threads)
    _native.radial_gradient(1, 1.0, POINTS, out, sums, False, True, n_threads)
    return out, sums


def smo(n_threads):
    scores, rows = np.zeros(9000), np.empty((7, 4000))
    _native.smo_scores(X.T.copy(), np.arange(7), W, scores, n_threads)
    _native.smo_gather(X.T.copy(), np.arange(7), np.arange(4000), rows, n_threads)
    return scores, rows


def toeplitz(n_threads):
    rows = 0.5 ** np.arange(50) * np.ones((9, 1)) * (1 + np.arange(9)[:, None])
    column, log_det, least = np.empty((9, 50)), np.empty(9), np.empty(9)
    _native.toeplitz_inverse(rows, np.zeros(9), column, log_det, least, n_threads)
    return column, log_det, least


def subsequences(n_threads):
    values, slopes = np.empty((10, 10)), np.empty((10, 10))
    _native.subsequence_sums(WORDS, STARTS, WORDS, STARTS, 3, 0.5, 1, values, slopes, n_threads)
    return values, slopes


def colours(n_threads):
    found, sizes = np.zeros((4, 2500), np.int32), np.zeros(4, np.int64)
    sizes[0] = 1
    _native.refine_colours(ARCS, HEADS, None, found, sizes, n_threads)
    return found, sizes


LOOPS = [
    linear_pass, loss_sweep, softmax_sweep, row_value, row_keys, class_sums, class_moments,
    normal_scores, tables, correlate, column_products, radial, smo, toeplitz, subsequences, colours,
]  # fmt: skip


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.__name__)
def test_same_numbers_for_any_number_of_threads(loop):
    alone = loop(1)
    for n_threads in (2, 3, 5):
        for one, many in zip(alone, loop(n_threads), strict=True):
            assert_array_equal(one, many)


def child(code):
    """Standard output of a child that has threads waiting when its memory is limited."""
    start = """
        import resource
        import numpy as np
        from margin.native import _native

        _native.set_least_work(0.0)

        def limited(extra):
            slope, z = np.empty(9000), np.zeros(9000)
            _native.loss_sweep(1, z, z, None, slope, None, 3)
            with open("/proc/self/statm") as file:
                pages = int(file.read().split()[0])
            size = pages * resource.getpagesize() + extra
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(start) + textwrap.dedent(code)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")


@linux
@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_out_of_memory_in_a_thread_is_a_memory_error(n_threads):
    """Every thread wants 32 MB for a block of rows, where 8 MB are left."""
    said = child(f"""
        starts = np.arange(0, 20_001, 100)
        columns = np.tile(np.arange(100, dtype=np.int32) * 5000, 200)
        counts, out = np.ones(20_000), np.empty((200, 200))
        rows = (starts, columns, counts)
        limited(8 << 20)
        try:
            _native.small_count_products(*rows, *rows, 500_000, True, out, {n_threads})
        except MemoryError:
            print("refused")
        print(_native.small_count_products(
            *rows[:1], columns // 5000, counts, *rows[:1], columns // 5000, counts,
            100, False, out, {n_threads}), out.min(), out.max())
    """)
    assert said.splitlines() == ["refused", "True 100.0 100.0"]


@linux
@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_out_of_memory_in_the_sweep_of_a_junction_tree_is_a_memory_error(n_threads):
    """Every engine wants 16 MB for a clique of 2^17 entries and sixteen rows at a time."""
    said = child(f"""
        from margin.native.junction.junction import Junction
        scopes = np.array([0, 17]), np.arange(17)
        rows = np.full((64, 17), -1, dtype=np.int32)
        tables = np.ones(2**17)
        program = Junction(np.full(17, 2), scopes, np.zeros(17, np.uint8), batch=True)
        program.marginals(tables, rows[:1], {{}}, 34, 1)
        limited(12 << 20)
        try:
            program.marginals(tables, rows, {{}}, 34, {n_threads})
        except MemoryError:
            print("refused")
    """)
    assert said == "refused"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_works_alone_where_its_parent_had_threads():
    """Threads do not survive a fork: waiting for them would never end."""
    said = child("""
        import os
        z, slope = np.zeros(9000), np.empty(9000)
        mine = _native.loss_sweep(1, z, z, None, slope, None, 3)
        read, write = os.pipe()
        if os.fork() == 0:
            value = _native.loss_sweep(1, z, z, None, slope, None, 3)
            os.write(write, str(value == mine).encode())
            os._exit(0)
        os.close(write)
        os.wait()
        print(os.read(read, 100).decode())
    """)
    assert said == "True"
