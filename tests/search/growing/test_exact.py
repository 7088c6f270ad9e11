"""Exact growth against brute force over all splits of every node (tree.01, tree.02)."""

import signal
import threading
from itertools import combinations

import numpy as np
import pytest
from scipy.sparse import csr_array

from margin.native import _native
from margin.search import (
    ClassTargets,
    ExactSettings,
    ExactTable,
    Forest,
    NumberTargets,
    grow_exact,
)

CLASS_CRITERIA = ("gini", "entropy", "misclassification")
NUMBER_CRITERIA = ("squared", "absolute", "poisson")


@pytest.fixture
def rng():
    return np.random.default_rng(12)


def median(y, w):
    order = np.argsort(y, kind="stable")
    below = np.cumsum(w[order])
    i = int(np.searchsorted(below, below[-1] / 2))
    if below[i] == below[-1] / 2 and i + 1 < len(y):
        return (y[order[i]] + y[order[i + 1]]) / 2
    return y[order[i]]


def impurity_of_column(criterion, y, w):
    if criterion in CLASS_CRITERIA:
        share = np.bincount(y, weights=w) / w.sum()
        share = share[share > 0]
        if criterion == "gini":
            return 1 - (share**2).sum()
        if criterion == "entropy":
            return -(share * np.log2(share)).sum()
        return 1 - share.max()
    mean = np.average(y, weights=w)
    if criterion == "squared":
        return np.average((y - mean) ** 2, weights=w)
    if criterion == "absolute":
        return np.average(np.abs(y - median(y, w)), weights=w)
    terms = np.where(y > 0, y * np.log(np.where(y > 0, y, 1) / max(mean, 1e-300)), 0)
    return np.average(terms, weights=w)


def impurity(criterion, Y, w):
    return np.mean([impurity_of_column(criterion, y, w) for y in Y])


def sides(x, categorical):
    """Every way to part the rows by one column, missing rows on either side."""
    missing = np.isnan(x)
    values = np.unique(x[~missing])
    if categorical:
        halves = [
            np.isin(x, chosen)
            for size in range(1, len(values))
            for chosen in combinations(values, size)
        ]
    else:
        halves = [x <= v for v in values[:-1]]
    if missing.any():
        yield missing
        for half in halves:
            yield half | missing
    yield from halves


def best_gain(criterion, X, Y, w, categorical=(), least=1, least_weight=0.0, columns=None):
    whole, best = w.sum() * impurity(criterion, Y, w), -np.inf
    for j in range(X.shape[1]) if columns is None else columns:
        for left in sides(X[:, j], j in categorical):
            if min(left.sum(), (~left).sum()) < least or left.all() or not left.any():
                continue
            if min(w[left].sum(), w[~left].sum()) < least_weight:
                continue
            if criterion == "poisson" and any(min(y[left].sum(), y[~left].sum()) <= 0 for y in Y):
                continue
            parts = sum(w[s].sum() * impurity(criterion, Y[:, s], w[s]) for s in (left, ~left))
            best = max(best, whole - parts)
    return best


def rows_of_nodes(tree, X):
    """Rows in every node, by walking the tree in Python."""
    rows = {0: np.arange(len(X))}
    for i in range(tree.n_nodes):
        if tree.left[i] < 0:
            continue
        x = X[rows[i], tree.feature[i]]
        if tree.categories[i] >= 0:
            words = tree.category_bits[tree.categories[i] :][: tree.category_words[i]]
            code = np.where(np.isnan(x), 0, x).astype(int)
            inside = code < 32 * len(words)
            bit = (words[np.where(inside, code // 32, 0)] >> (code % 32).astype(np.uint32)) & 1
            left = np.where(inside & ~np.isnan(x), bit == 1, tree.missing_left[i])
        else:
            left = np.where(np.isnan(x), tree.missing_left[i], x <= tree.threshold[i])
        rows[tree.left[i]], rows[tree.right[i]] = rows[i][left], rows[i][~left]
    return rows


def check_tree(tree, X, Y, w, criterion, **rules):
    """Every split is the best of all, every sum is right, every leaf had to be one."""
    rows = rows_of_nodes(tree, X)
    for i in range(tree.n_nodes):
        at = rows[i]
        assert tree.n_rows[i] == len(at)
        np.testing.assert_allclose(tree.cover[i], w[at].sum())
        np.testing.assert_allclose(
            tree.impurity[i], impurity(criterion, Y[:, at], w[at]), atol=1e-9
        )
        best = best_gain(criterion, X[at], Y[:, at], w[at], **rules)
        if tree.left[i] >= 0:
            np.testing.assert_allclose(tree.gain[i] * w.sum(), best, atol=1e-9)
        elif best > -np.inf:
            assert all(len(np.unique(y[at])) == 1 for y in Y)
    X = X if np.isfinite(X).all() else X.copy()
    leaves = tree.apply(X).ravel()
    for i in np.unique(leaves):
        np.testing.assert_array_equal(np.flatnonzero(leaves == i), np.sort(rows[i]))


def problem(criterion, rng, n=40, p=3, outputs=1, classes=2, missing=0.0, decimals=1):
    X = rng.normal(size=(n, p)).round(decimals)
    X[rng.random((n, p)) < missing] = np.nan
    signal = np.nan_to_num(X[:, 0]) * np.nan_to_num(X[:, 1 % p]) + 0.3 * rng.normal(size=n)
    Y = np.stack([signal + o * rng.normal(size=n) for o in range(outputs)])
    if criterion in CLASS_CRITERIA:
        cuts = np.quantile(Y, np.linspace(0, 1, classes + 1)[1:-1])
        return X, np.searchsorted(cuts, Y).astype(np.int32)
    return X, rng.poisson(np.exp(Y)).astype(float) if criterion == "poisson" else Y


def targets_of(Y):
    if Y.dtype == np.int32:
        return ClassTargets(Y, Y.max(axis=1).astype(np.int64) + 1)
    return NumberTargets(Y)


@pytest.mark.parametrize("criterion", CLASS_CRITERIA + NUMBER_CRITERIA)
@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_every_split_is_the_best(criterion, outputs, missing, rng):
    X, Y = problem(criterion, rng, outputs=outputs, classes=3, missing=missing)
    w = rng.integers(1, 4, size=len(X)).astype(float) if missing else np.ones(len(X))
    weight = w[None] if missing else None
    tree = grow_exact(ExactTable.of(X), targets_of(Y), ExactSettings(criterion), weight=weight)
    check_tree(tree, X, Y, w, criterion)


@pytest.mark.parametrize("criterion", [*CLASS_CRITERIA, "squared", "poisson"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_categories_are_split_into_the_best_sets(criterion, missing, rng):
    X, Y = problem(criterion, rng, n=60, classes=3 if criterion == "gini" else 2)
    X[:, 0] = rng.integers(0, 6, size=len(X))
    X[rng.random(len(X)) < missing, 0] = np.nan
    table = ExactTable.of(X, categorical=[0])
    tree = grow_exact(table, targets_of(Y), ExactSettings(criterion, max_depth=3))
    assert (tree.categories >= 0).any()
    rows = rows_of_nodes(tree, X)
    w = np.ones(len(X))
    for i in np.flatnonzero(~tree.is_leaf):
        at = rows[i]
        best = best_gain(criterion, X[at], Y[:, at], w[at], categorical=(0,))
        # Misclassification is not strictly concave: of many subsets a prefix is best too.
        np.testing.assert_allclose(tree.gain[i] * len(X), best, atol=1e-9)


def test_many_categories_and_classes_find_a_planted_partition(rng):
    X = rng.integers(0, 40, size=(800, 1)).astype(float)
    Y = np.where(X[:, 0] % 2 == 0, rng.integers(0, 2, 800), rng.integers(2, 5, 800))
    table = ExactTable.of(X, categorical=[0])
    tree = grow_exact(
        table, targets_of(Y[None].astype(np.int32)), ExactSettings("gini", max_depth=1)
    )
    leaves = tree.apply(X).ravel()
    assert len(set(zip(leaves, X[:, 0] % 2, strict=True))) == 2


def test_a_hundred_thousand_categories(rng):
    X = np.arange(100_000.0)[:, None]
    y = (rng.random(100_000) < 0.5).astype(np.int32)
    tree = grow_exact(ExactTable.of(X, categorical=[0]), targets_of(y[None]), ExactSettings("gini"))
    assert tree.n_nodes == 3
    np.testing.assert_array_equal(tree.predict(X).argmax(axis=1), y)


def test_unseen_and_absent_categories_follow_the_missing(rng):
    X = np.array([0.0, 0, 0, 2, 2, np.nan])[:, None]
    Y = np.array([[0.0, 0, 0, 1, 1, 1]])
    tree = grow_exact(ExactTable.of(X, categorical=[0]), NumberTargets(Y), ExactSettings("squared"))
    asked = np.array([[0.0], [2], [np.nan], [1], [3], [1000], [-1]])
    np.testing.assert_array_equal(tree.predict(asked).ravel(), [0, 1, 1, 1, 1, 1, 1])


def test_missing_only_at_prediction_goes_with_most_rows():
    X = np.array([[0.0], [1], [2], [3], [4]])
    Y = np.array([[0.0, 0, 0, 9, 9]])
    tree = grow_exact(ExactTable.of(X), NumberTargets(Y), ExactSettings("squared", max_depth=1))
    assert tree.predict(np.array([[np.nan]]))[0, 0] == 0.0


@pytest.mark.parametrize("criterion", ["gini", "squared", "absolute"])
def test_least_rows_and_weights(criterion, rng):
    X, Y = problem(criterion, rng, n=50)
    w = rng.random(len(X)) + 0.1
    settings = ExactSettings(criterion, min_samples_leaf=4, min_weight_fraction_leaf=0.1)
    tree = grow_exact(ExactTable.of(X), targets_of(Y), settings, weight=w[None])
    assert tree.n_rows.min() >= 4
    assert tree.cover.min() >= 0.1 * w.sum() - 1e-12
    rows = rows_of_nodes(tree, X)
    for i in np.flatnonzero(~tree.is_leaf):
        at = rows[i]
        best = best_gain(criterion, X[at], Y[:, at], w[at], least=4, least_weight=0.1 * w.sum())
        np.testing.assert_allclose(tree.gain[i] * w.sum(), best, atol=1e-9)


def test_rules_of_stopping(rng):
    X, Y = problem("gini", rng, n=200)
    table, targets = ExactTable.of(X), targets_of(Y)

    def grown(**rules):
        return grow_exact(table, targets, ExactSettings("gini", **rules))

    assert grown(max_depth=3).depths[0] == 3
    assert grown(max_leaf_nodes=7).n_leaves[0] == 7
    split = ~grown(min_samples_split=30).is_leaf
    assert grown(min_samples_split=30).n_rows[split].min() >= 30
    gains = grown(min_impurity_decrease=0.005).gain
    assert 0.005 <= gains[gains > 0].min() < 0.05
    assert grown(max_depth=0).n_nodes == 1


def test_best_first_takes_the_largest_gains(rng):
    X, Y = problem("squared", rng, n=100, decimals=6)
    table, targets = ExactTable.of(X), targets_of(Y)
    whole = grow_exact(table, targets, ExactSettings("squared"))
    some = grow_exact(table, targets, ExactSettings("squared", max_leaf_nodes=6))
    # The greedy frontier, replayed on the whole tree.
    frontier, chosen = {0}, []
    for _ in range(5):
        i = max((i for i in frontier if whole.left[i] >= 0), key=lambda i: whole.gain[i])
        chosen.append(whole.gain[i])
        frontier = (frontier - {i}) | {whole.left[i], whole.right[i]}
    np.testing.assert_allclose(np.sort(some.gain[some.gain > 0]), np.sort(chosen))


def test_zero_weights_are_absent_rows(rng):
    X, Y = problem("squared", rng, n=60, decimals=6)
    w = (rng.random(60) < 0.6).astype(float)
    some = grow_exact(ExactTable.of(X), targets_of(Y), ExactSettings("squared"), weight=w[None])
    kept = w > 0
    only = grow_exact(ExactTable.of(X[kept]), targets_of(Y[:, kept]), ExactSettings("squared"))
    np.testing.assert_array_equal(some.threshold, only.threshold)
    np.testing.assert_array_equal(some.value, only.value)


def test_weights_are_repeated_rows(rng):
    X, Y = problem("gini", rng, n=60, decimals=6)
    times = rng.integers(1, 4, size=60)
    weighted = grow_exact(
        ExactTable.of(X), targets_of(Y), ExactSettings("entropy"), weight=times[None].astype(float)
    )
    repeated = grow_exact(
        ExactTable.of(np.repeat(X, times, axis=0)),
        targets_of(np.repeat(Y, times, axis=1)),
        ExactSettings("entropy"),
    )
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X))


@pytest.mark.parametrize("criterion", ["gini", "squared", "absolute"])
@pytest.mark.parametrize("random_splits", [False, True])
def test_directions(criterion, random_splits, rng):
    X = rng.random((150, 3))
    signal = np.sin(6 * X[:, 0]) + X[:, 1] + 0.5 * rng.normal(size=150)
    Y = (signal > 0.5).astype(np.int32)[None] if criterion == "gini" else signal[None]
    settings = ExactSettings(
        criterion, directions=np.array([1, -1, 0], dtype=np.int32), random_splits=random_splits
    )
    tree = grow_exact(ExactTable.of(X), targets_of(Y), settings)
    assert tree.n_nodes > 5
    line = np.linspace(-0.1, 1.1, 200)
    for x in rng.random((20, 3)):
        for column, direction in ((0, 1), (1, -1)):
            asked = np.tile(x, (200, 1))
            asked[:, column] = line
            assert (np.diff(tree.predict(asked)[:, -1]) * direction >= -1e-12).all()


def test_groups_do_not_meet(rng):
    X, Y = problem("squared", rng, n=200, p=4, decimals=6)
    groups = np.array([[1, 1, 0, 0], [0, 0, 1, 1]], dtype=np.uint8)
    tree = grow_exact(ExactTable.of(X), targets_of(Y), ExactSettings("squared", groups=groups))
    paths = {0: set()}
    for i in np.flatnonzero(~tree.is_leaf):
        here = paths[i] | {int(tree.feature[i])}
        assert here <= {0, 1} or here <= {2, 3}
        paths[tree.left[i]] = paths[tree.right[i]] = here


def test_only_usable_columns(rng):
    X, Y = problem("squared", rng, n=100)
    usable = np.array([[0, 1, 0]], dtype=np.uint8)
    tree = grow_exact(ExactTable.of(X), targets_of(Y), ExactSettings("squared"), usable=usable)
    assert set(tree.feature[~tree.is_leaf]) == {1}


@pytest.mark.parametrize("random_splits", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "squared", "absolute"])
def test_threads_do_not_change_trees(criterion, random_splits, rng):
    X, Y = problem(criterion, rng, n=300, p=6, missing=0.1)
    table = ExactTable.of(X, categorical=None)
    settings = ExactSettings(criterion, max_features=2, random_splits=random_splits)
    weight = rng.integers(0, 3, size=(4, 300)).astype(float)
    before = _native.set_least_work(0.0)
    try:
        trees = [
            grow_exact(table, targets_of(Y), settings, seeds=range(4), weight=weight, n_threads=t)
            for t in (1, 3)
        ]
        single = [
            grow_exact(table, targets_of(Y), settings, seeds=[2], weight=weight[2:3], n_threads=t)
            for t in (1, 3)
        ]
    finally:
        _native.set_least_work(before)
    for a, b in (trees, single, (trees[0].select([2]), single[0])):
        for name in ("feature", "threshold", "value", "missing_left", "gain"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert not np.array_equal(trees[0].select([0]).feature, trees[0].select([1]).feature)


def test_random_thresholds_lie_within_the_node(rng):
    X, Y = problem("squared", rng, n=100, decimals=6)
    tree = grow_exact(
        ExactTable.of(X, in_order=False),
        targets_of(Y),
        ExactSettings("squared", random_splits=True),
    )
    rows = rows_of_nodes(tree, X)
    for i in np.flatnonzero(~tree.is_leaf):
        x = X[rows[i], tree.feature[i]]
        assert x.min() <= tree.threshold[i] < x.max()
    np.testing.assert_allclose(tree.predict(X).ravel(), Y[0])


def test_random_splits_of_categories(rng):
    X = rng.integers(0, 5, size=(100, 1)).astype(float)
    X[::7] = np.nan
    Y = np.nan_to_num(X.T, nan=7.0)
    table = ExactTable.of(X, categorical=[0], in_order=False)
    tree = grow_exact(table, NumberTargets(Y), ExactSettings("squared", random_splits=True))
    np.testing.assert_array_equal(tree.predict(X).ravel(), Y[0])


def test_constant_and_missing_columns(rng):
    X = np.column_stack([np.ones(20), np.full(20, np.nan), rng.normal(size=20)])
    Y = X[:, 2][None]
    for random_splits in (False, True):
        settings = ExactSettings("squared", random_splits=random_splits, max_features=1)
        tree = grow_exact(ExactTable.of(X), NumberTargets(Y), settings)
        assert set(tree.feature[~tree.is_leaf]) == {2}
    none = grow_exact(ExactTable.of(X[:, :2]), NumberTargets(Y), ExactSettings("squared"))
    assert none.n_nodes == 1


def test_values_that_differ_in_the_last_bit():
    low = 1.0
    high = np.nextafter(low, 2)
    X = np.array([[low], [high]])
    tree = grow_exact(
        ExactTable.of(X), NumberTargets(np.array([[0.0, 1.0]])), ExactSettings("squared")
    )
    np.testing.assert_array_equal(tree.predict(X).ravel(), [0, 1])
    huge = np.array([[-1.7e308], [1.7e308]])
    tree = grow_exact(
        ExactTable.of(huge), NumberTargets(np.array([[0.0, 1.0]])), ExactSettings("squared")
    )
    np.testing.assert_array_equal(tree.predict(huge).ravel(), [0, 1])


def test_targets_far_from_zero(rng):
    X = rng.normal(size=(200, 2))
    y = np.where(X[:, 0] > 0.3, 1.0, 0.0) + 0.01 * rng.normal(size=200)
    near = grow_exact(
        ExactTable.of(X), NumberTargets(y[None]), ExactSettings("squared", max_depth=2)
    )
    far = grow_exact(
        ExactTable.of(X), NumberTargets(y[None] + 1e8), ExactSettings("squared", max_depth=2)
    )
    assert near.feature[0] == far.feature[0] == 0
    assert near.threshold[0] == far.threshold[0]
    np.testing.assert_allclose(far.value - 1e8, near.value, atol=1e-6)


def test_sparse_and_single_precision(rng):
    X, Y = problem("gini", rng, n=80)
    X[np.abs(X) < 0.5] = 0.0
    dense = grow_exact(ExactTable.of(X), targets_of(Y), ExactSettings("gini"))
    sparse = grow_exact(ExactTable.of(csr_array(X)), targets_of(Y), ExactSettings("gini"))
    np.testing.assert_array_equal(dense.threshold, sparse.threshold)
    single = grow_exact(ExactTable.of(X.astype(np.float32)), targets_of(Y), ExactSettings("gini"))
    np.testing.assert_array_equal(dense.feature, single.feature)
    np.testing.assert_allclose(dense.threshold, single.threshold, rtol=1e-6)


def test_xor_has_no_first_gain():
    """tree.03: no split of XOR helps by itself, two together solve it."""
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    Y = np.array([[0, 1, 1, 0]], dtype=np.int32)
    tree = grow_exact(ExactTable.of(X), targets_of(Y), ExactSettings("gini"))
    assert tree.gain[0] == 0.0
    np.testing.assert_array_equal(tree.predict(X).argmax(axis=1), Y[0])
    early = grow_exact(
        ExactTable.of(X), targets_of(Y), ExactSettings("gini", min_impurity_decrease=1e-3)
    )
    assert early.n_nodes == 1
    assert isinstance(early, Forest)


@pytest.mark.parametrize("random_splits", [False, True])
def test_growth_stops_on_ctrl_c(random_splits):
    """A real signal in the middle of trees that would grow for minutes."""
    rng = np.random.default_rng(0)
    X, y = rng.random((50_000, 8)), rng.random((1, 50_000))
    table = ExactTable.of(X, in_order=not random_splits)
    settings = ExactSettings("squared", random_splits=random_splits)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            grow_exact(table, NumberTargets(y), settings, seeds=range(2000))
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)
