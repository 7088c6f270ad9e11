"""Ctrl-C in the middle of compiled loops that would go on for minutes."""

import signal
import threading
from contextlib import contextmanager

import numpy as np
import pytest

from margin.inference import JunctionTree
from margin.native.graphs import graph_search
from margin.native.structure import contingency, partial_correlation, structure
from margin.search import parent_sets


@contextmanager
def ctrl_c(handler=signal.default_int_handler, after=0.1):
    """A real signal in a moment, handled as Python does unless told otherwise."""
    before = signal.signal(signal.SIGINT, handler)
    timer = threading.Timer(after, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)


@pytest.fixture
def noise():
    """Scorer of eight columns that have nothing to do with each other; no arcs; rows."""
    codes = np.random.default_rng(0).integers(0, 3, (8, 500)).astype(np.uint16)
    scorer = structure.categorical_scorer(codes, np.full(8, 3), None, "bdeu", 1.0)
    return scorer, np.zeros((8, 8), dtype=np.uint8), codes


ENDLESS = {
    "max_parents": 3, "tabu": 5, "patience": 2**31 - 1, "max_iter": 2**31 - 1, "tol": 0.0,
    "n_threads": 1,
}  # fmt: skip


def test_climbing_ends_with_the_best_graph_so_far(noise):
    scorer, nothing, _ = noise
    with ctrl_c():
        found, trace, end = structure.climb(scorer, nothing, nothing, nothing, **ENDLESS)
    assert end == "interrupted"
    score = sum(scorer.score(j, np.flatnonzero(found[:, j]).tolist()) for j in range(8))
    assert score == pytest.approx(trace.max(), rel=1e-12)


def test_what_a_handler_raises_is_not_swallowed(noise):
    scorer, nothing, _ = noise

    def handler(number, frame):
        raise TimeoutError("enough")

    with pytest.raises(TimeoutError, match="enough"), ctrl_c(handler):
        structure.climb(scorer, nothing, nothing, nothing, **ENDLESS)


def test_a_handler_that_raises_nothing_changes_nothing(noise):
    scorer, nothing, _ = noise
    heard = []
    options = {"max_parents": 3, "hot": 10.0, "cold": 1.0, "n_proposals": 2_000_000, "seed": 0}
    with ctrl_c(lambda *_: heard.append(1), after=0.05):
        found, trace, whole = structure.anneal(scorer, nothing, nothing, nothing, **options)
    assert whole
    assert heard == [1]
    again = structure.anneal(scorer, nothing, nothing, nothing, **options)
    np.testing.assert_array_equal(found, again[0])
    np.testing.assert_array_equal(trace, again[1])


def test_annealing_ends_with_the_best_graph_so_far(noise):
    scorer, nothing, _ = noise
    with ctrl_c():
        _, trace, whole = structure.anneal(
            scorer, nothing, nothing, nothing, max_parents=3, hot=10.0, cold=1.0,
            n_proposals=2**31 - 1, seed=0,
        )  # fmt: skip
    assert not whole
    assert len(trace) > 1


def test_orders_sampled_so_far_are_averaged(noise):
    scorer, _, _ = noise
    masks = parent_sets(8, 2)
    table = structure.family_table(scorer, masks, 1)
    with ctrl_c():
        edges, trace, _ = structure.order_chain(table, masks, 0, 1_000_000, 100, 3)
    assert 0 < len(trace) < 1_000_000
    shorter = structure.order_chain(table, masks, 0, len(trace), 100, 3)
    np.testing.assert_allclose(edges, shorter[0], rtol=1e-12)
    np.testing.assert_array_equal(trace, shorter[1])
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        structure.order_chain(table, masks, 2**31 - 200, 1, 100, 3)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_tables_of_families(n_threads):
    codes = np.random.default_rng(0).integers(0, 4, (40, 20_000)).astype(np.uint16)
    scorer = structure.categorical_scorer(codes, np.full(40, 4), None, "bic", 1.0)
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        structure.family_table(scorer, parent_sets(40, 3), n_threads)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_dynamic_programming_over_sets(n_threads):
    scores = np.random.default_rng(0).random((20, 2**20))
    with pytest.raises(KeyboardInterrupt), ctrl_c(after=0.02):
        structure.best_network(scores, n_threads)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_skeletons(n_threads):
    rng = np.random.default_rng(0)
    p = 60
    every = 1 - np.eye(p, dtype=np.uint8)
    none = np.zeros((p, p), dtype=np.uint8)
    common = rng.normal(size=(500, 1))
    correlation = np.corrcoef((rng.normal(size=(500, p)) + common).T)
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        partial_correlation.gaussian_skeleton(correlation, 500, -1.0, p, every, none, n_threads)
    codes = rng.integers(0, 3, (p, 5000)).astype(np.uint16)
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        contingency.categorical_skeleton(
            codes, np.full(p, 3), None, 1.0, "g", "sum", 0.0, p, every, none, n_threads
        )


def test_exact_elimination():
    n = 22
    rows = np.array([[(1 << n) - 1 - (1 << v)] for v in range(n)], dtype=np.uint64)
    with pytest.raises(KeyboardInterrupt), ctrl_c(after=0.05):
        graph_search.exact_elimination(rows, np.zeros(n))


@pytest.mark.parametrize("n_rows", [1, 64])
def test_propagation_through_large_cliques(n_rows):
    """One row at a time polls between cliques, batches also between blocks of rows."""
    n, width = (150, 19) if n_rows == 1 else (150, 15)
    scopes = tuple((i, j) for i in range(n) for j in range(i + 1, min(n, i + width)))
    tree = JunctionTree.compile((2,) * n, scopes)
    tables = [np.ones((2, 2))] * len(scopes)
    evidence = np.full((n_rows, n), -1, dtype=np.int32)
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        tree.log_evidence(tables, evidence, n_threads=1)
