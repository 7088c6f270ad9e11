"""Family scores and searches against brute force."""

from itertools import product

import numpy as np
import pytest
from scipy.special import gammaln, logsumexp, xlogy

from margin.native.structure import structure
from margin.search import parent_sets

NONE = [[], [0], [0, 2], [0, 2, 3]]


def make(rng, n=60, cards=(2, 3, 2, 4), unknown=0.0):
    codes = np.stack([rng.integers(0, c, n) for c in cards])
    codes[1] = (codes[0] + (rng.random(n) < 0.3)) % 3
    codes = np.where(rng.random(codes.shape) < unknown, np.array(cards)[:, None], codes)
    return np.ascontiguousarray(codes.astype(np.uint16)), np.array(cards, dtype=np.int64)


def twin(codes, cards, weight, kind, ess, child, parents):
    weight = np.ones(codes.shape[1]) if weight is None else weight
    known = (codes[[child, *parents]] < cards[[child, *parents], None]).all(axis=0)
    q, r = int(np.prod(cards[parents])), int(cards[child])
    counts = np.zeros((q, r))
    for row in np.flatnonzero(known):
        at = 0
        for parent in parents:
            at = at * cards[parent] + codes[parent, row]
        counts[at, codes[child, row]] += weight[row]
    total = counts.sum(axis=1)
    if kind in ("bic", "aic"):
        value = xlogy(counts, counts).sum() - xlogy(total, total).sum()
    else:
        a = 1.0 if kind == "k2" else ess / (q * r)
        value = (gammaln(r * a) - gammaln(r * a + total)).sum()
        value += (gammaln(a + counts) - gammaln(a)).sum()
    value *= weight.sum() / weight[known].sum()
    penalty = {"bic": 0.5 * np.log(weight.sum()), "aic": 1.0}.get(kind, 0.0)
    return value - penalty * q * (r - 1)


@pytest.mark.parametrize("kind", structure.SCORES)
@pytest.mark.parametrize("unknown", [0.0, 0.2])
@pytest.mark.parametrize("weighted", [False, True])
def test_categorical_families(kind, unknown, weighted):
    rng = np.random.default_rng(0)
    codes, cards = make(rng, unknown=unknown)
    weight = rng.random(codes.shape[1]) if weighted else None
    scorer = structure.categorical_scorer(codes, cards, weight, kind, 5.0)
    for parents in NONE:
        expected = twin(codes, cards, weight, kind, 5.0, 1, parents)
        assert scorer.score(1, parents) == pytest.approx(expected, rel=1e-10)
    assert scorer.n_evaluated == len(NONE)


def test_tables_too_wide_for_memory_are_sorted():
    rng = np.random.default_rng(1)
    codes, cards = make(rng, n=40, cards=(300, 300, 300, 3))
    scorer = structure.categorical_scorer(codes, cards, None, "bdeu", 2.0)
    expected = _sparse_twin(codes, cards, 2.0, 3, [0, 1, 2])
    assert scorer.score(3, [2, 0, 1]) == pytest.approx(expected, rel=1e-8)


def _sparse_twin(codes, cards, ess, child, parents):
    groups = {}
    for row in range(codes.shape[1]):
        key = tuple(codes[parents, row])
        groups.setdefault(key, np.zeros(cards[child]))[codes[child, row]] += 1
    a = ess / float(np.prod(cards[parents].astype(float)) * cards[child])
    total = 0.0
    for counts in groups.values():
        total += gammaln(a * len(counts)) - gammaln(a * len(counts) + counts.sum())
        total += (gammaln(a + counts) - gammaln(a)).sum()
    return total


@pytest.mark.parametrize("kind", ["bic", "aic"])
def test_gaussian_families(kind):
    rng = np.random.default_rng(2)
    X = rng.standard_normal((50, 4))
    X[:, 3] += X[:, 0] - 0.5 * X[:, 1]
    centred = X - X.mean(0)
    scorer = structure.gaussian_scorer(centred.T @ centred / 50, 50.0, kind)
    for parents in ([], [0], [0, 1], [0, 1, 2]):
        Z = np.column_stack([np.ones(50), X[:, parents]])
        left = X[:, 3] - Z @ np.linalg.lstsq(Z, X[:, 3], rcond=None)[0]
        value = -25 * (np.log(2 * np.pi * (left @ left) / 50) + 1)
        value -= (len(parents) + 2) * (0.5 * np.log(50) if kind == "bic" else 1.0)
        assert scorer.score(3, parents) == pytest.approx(value, rel=1e-10)


def test_bad_families_are_refused():
    codes, cards = make(np.random.default_rng(3))
    scorer = structure.categorical_scorer(codes, cards, None, "bic", 1.0)
    for child, parents in [(0, [0]), (0, [1, 1]), (9, []), (0, [-1])]:
        with pytest.raises(ValueError, match="different nodes"):
            scorer.score(child, parents)
    with pytest.raises(ValueError, match="shape"):
        structure.categorical_scorer(codes, cards[:2], None, "bic", 1.0)
    with pytest.raises(ValueError, match="code above"):
        structure.categorical_scorer(codes + np.uint16(3), cards, None, "bic", 1.0)


def graphs(p):
    pairs = [(i, j) for i in range(p) for j in range(p) if i != j]
    for bits in product([0, 1], repeat=len(pairs)):
        A = np.zeros((p, p), dtype=np.uint8)
        for (i, j), bit in zip(pairs, bits, strict=True):
            A[i, j] = bit
        if not np.trace(np.linalg.matrix_power(np.eye(p) + A, p)) > p:
            yield A


def total(scorer, A):
    return sum(scorer.score(j, np.flatnonzero(A[:, j]).tolist()) for j in range(len(A)))


@pytest.mark.parametrize("seed", range(4))
def test_searches_against_all_graphs(seed):
    rng = np.random.default_rng(seed)
    codes, cards = make(rng, n=80)
    codes[3] = (codes[1] + codes[2] * (rng.random(80) < 0.7)) % 4
    scorer = structure.categorical_scorer(codes, cards, None, "bic", 1.0)
    best = max(total(scorer, A) for A in graphs(4))
    masks = parent_sets(4, 3)
    table = np.full((4, 16), -np.inf)
    table[:, masks.astype(int)] = structure.family_table(scorer, masks, 1)
    value, parents = structure.best_network(table, 3)
    assert value == pytest.approx(best, rel=1e-12)
    found = np.array([[int(parents[j]) >> i & 1 for j in range(4)] for i in range(4)])
    assert total(scorer, found) == pytest.approx(best, rel=1e-12)
    nothing = np.zeros((4, 4), dtype=np.uint8)
    options = {"max_parents": 4, "patience": 20, "max_iter": 1000, "tol": 1e-9, "n_threads": 1}
    climbed, trace, end = structure.climb(scorer, nothing, nothing, nothing, tabu=8, **options)
    assert end == "converged"
    assert trace.max() == pytest.approx(total(scorer, climbed), rel=1e-12)
    assert trace.max() <= best + 1e-9
    greedy, steps, _ = structure.climb(scorer, nothing, nothing, nothing, tabu=0, **options)
    assert (np.diff(steps) > 0).all()
    neighbours = [A for A in graphs(4) if differs_by_one_arc(A, greedy)]
    assert total(scorer, greedy) >= max(total(scorer, A) for A in neighbours) - 1e-9


def differs_by_one_arc(A, B):
    i, j = np.nonzero(A != B)
    return len(i) == 1 or (len(i) == 2 and (i[0], j[0]) == (j[1], i[1]))


def test_annealing_keeps_its_best_and_its_seed():
    codes, cards = make(np.random.default_rng(5), n=80)
    scorer = structure.categorical_scorer(codes, cards, None, "bic", 1.0)
    nothing = np.zeros((4, 4), dtype=np.uint8)
    options = {"max_parents": 3, "hot": 20.0, "cold": 0.01, "n_proposals": 3000, "seed": 3}
    found, trace, whole = structure.anneal(scorer, nothing, nothing, nothing, **options)
    assert whole
    assert total(scorer, found) == pytest.approx(trace.max(), rel=1e-9)
    best = max(total(scorer, A) for A in graphs(4))
    assert trace.max() == pytest.approx(best, rel=1e-9)
    again, *_ = structure.anneal(scorer, nothing, nothing, nothing, **options)
    np.testing.assert_array_equal(found, again)


def test_cyclic_start_is_refused():
    codes, cards = make(np.random.default_rng(6))
    scorer = structure.categorical_scorer(codes, cards, None, "bic", 1.0)
    nothing = np.zeros((4, 4), dtype=np.uint8)
    cycle = nothing.copy()
    cycle[0, 1] = cycle[1, 0] = 1
    with pytest.raises(ValueError, match="cycle"):
        structure.climb(scorer, cycle, nothing, nothing, max_parents=4, tabu=0, patience=1,
                        max_iter=10, tol=0.0, n_threads=1)  # fmt: skip


def test_orders_against_the_sum_over_all_orders():
    rng = np.random.default_rng(7)
    codes, cards = make(rng, n=25)
    scorer = structure.categorical_scorer(codes, cards, None, "bdeu", 4.0)
    masks = parent_sets(4, 3)
    table = structure.family_table(scorer, masks, 2)
    from itertools import permutations

    logs, edges = [], []
    for order in permutations(range(4)):
        part, arcs = 0.0, np.zeros((4, 4))
        for place, child in enumerate(order):
            before = sum(1 << i for i in order[:place])
            fits = np.array([int(m) & ~before == 0 for m in masks])
            level = logsumexp(table[child, fits])
            part += level
            for m, s in zip(masks[fits], table[child, fits], strict=True):
                for i in range(4):
                    arcs[i, child] += np.exp(s - level) * (int(m) >> i & 1)
        logs.append(part)
        edges.append(arcs)
    weight = np.exp(logs - logsumexp(logs))
    expected = np.tensordot(weight, np.array(edges), 1)
    found, trace, accepted = structure.order_chain(table, masks, 500, 20000, 2, 11)
    np.testing.assert_allclose(found, expected, atol=0.02)
    assert 0 < accepted < 1
    assert min(abs(trace[-1] - np.array(logs))) < 1e-8
