"""Growth against a tree grown by brute force over all splits of all nodes."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from margin.native.trees.growth import TreeGrower, TreeRules, grown_trees, leaf_rows
from margin.search import Bins


def rules(
    *,
    leaves=0,
    depth=0,
    rows=1,
    split=2,
    curvature=0.0,
    gain=1e-9,
    l2=0.0,
    level_by_level=False,
    drawn=0,
    monotone=(),
    interaction=(),
):
    sets = [list(columns) for columns in interaction]
    return TreeRules(
        leaves,
        depth,
        rows,
        split,
        curvature,
        gain,
        l2,
        10.0,
        10.0,
        level_by_level,
        drawn,
        list(monotone),
        sets,
    )


def slopes(rng, n, constant):
    g = rng.standard_normal(n).astype(np.float32)
    return g, None if constant else rng.uniform(0.2, 1.0, n).astype(np.float32)


def score(g, h, l2):
    return g.sum() ** 2 / (h.sum() + l2)


def divisions(codes, n_bins, categorical):
    """All masks of rows that go left, by one column."""
    if categorical:
        present = np.unique(codes)
        for size in range(1, len(present)):
            for chosen in combinations(present, size):
                yield np.isin(codes, chosen)
        return
    known = codes < n_bins
    for cut in range(n_bins):
        yield known & (codes <= cut)
        if not known.all():
            yield ~known | (codes <= cut)


def best_gain(codes, n_bins, g, h, at, *, categorical, least_rows, least_curvature, l2, columns):
    """Largest gain of one node and the division that has it."""
    best, left = 0.0, None
    for j in columns:
        for mask in divisions(codes[j, at], n_bins[j], categorical[j]):
            a, b = at[mask], at[~mask]
            if min(len(a), len(b)) < least_rows or min(len(a), len(b)) == 0:
                continue
            if min(h[a].sum(), h[b].sum()) < least_curvature:
                continue
            gain = score(g[a], h[a], l2) + score(g[b], h[b], l2) - score(g[at], h[at], l2)
            if gain > best:
                best, left = gain, a
    return best, left


def brute_force(codes, n_bins, g, h, *, leaves, categorical, least_rows, l2, least_curvature=0.0):
    """Rows of the leaves of the best-first tree, and its gains in order."""
    options = {
        "categorical": categorical,
        "least_rows": least_rows,
        "l2": l2,
        "least_curvature": least_curvature,
        "columns": range(len(codes)),
    }
    start = np.arange(codes.shape[1])
    nodes = [(start, *best_gain(codes, n_bins, g, h, start, **options))]
    gains = []
    while len(nodes) < leaves:
        k = max(range(len(nodes)), key=lambda i: nodes[i][1])
        at, gain, left = nodes[k]
        if left is None:
            break
        gains.append(gain)
        right = np.setdiff1d(at, left)
        nodes[k : k + 1] = [
            (part, *best_gain(codes, n_bins, g, h, part, **options)) for part in (left, right)
        ]
    return {tuple(sorted(part.tolist())) for part, _, _ in nodes}, gains


def leaves_of(grower):
    order, starts = leaf_rows(grower)
    return {tuple(sorted(order[a:b].tolist())) for a, b in pairwise(starts)}


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("l2", [0.0, 2.0])
@pytest.mark.parametrize("kind", ["plain", "missing", "categories"])
def test_best_first_growth_is_that_of_brute_force(kind, l2, constant):
    rng = np.random.default_rng(hash((kind, l2, constant)) % 1000)
    X = np.round(rng.standard_normal((90, 4)), 1)
    categorical = np.zeros(4, dtype=bool)
    if kind == "missing":
        X[rng.random(X.shape) < 0.2] = np.nan
    if kind == "categories":
        categorical[:2] = True
        X[:, :2] = rng.integers(0, 5, (90, 2))
        X[rng.random(90) < 0.1, 0] = np.nan
    bins = Bins.of(X, max_bins=12, categorical=categorical)
    g, h = slopes(rng, 90, constant)
    grower = TreeGrower(bins.encode(X), rules(leaves=9, rows=1, l2=l2))
    grower.grow(g, h, None, None, None, 0, -1, 2)
    curves = np.ones(90) if h is None else h.astype(float)
    leaves, gains = brute_force(
        bins.codes(X).T,
        bins.n_bins,
        g.astype(float),
        curves,
        leaves=9,
        categorical=categorical,
        least_rows=1,
        l2=l2,
    )
    assert leaves_of(grower) == leaves
    trees = grown_trees(grower)
    np.testing.assert_allclose(sorted(trees.gain[trees.left >= 0]), sorted(gains), rtol=1e-5)


@pytest.mark.parametrize("constant", [True, False])
def test_leaves_have_enough_rows(constant):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((400, 5))
    g, _ = slopes(rng, 400, True)
    # Curvatures that say little about the number of rows.
    h = None if constant else np.exp(3 * X[:, 0]).astype(np.float32)
    bins = Bins.of(X)
    grower = TreeGrower(bins.encode(X), rules(rows=17))
    grower.grow(g, h, None, None, None, 0, -1, 1)
    trees = grown_trees(grower)
    leaf = trees.left < 0
    assert trees.n_rows[leaf].min() >= 17
    assert leaf.sum() > 8
    assert trees.n_rows[leaf].sum() == 400


def test_values_covers_and_rows():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((300, 3))
    g, h = slopes(rng, 300, False)
    weight = rng.random(300)
    rows = np.flatnonzero(rng.random(300) < 0.6).astype(np.uint32)
    bins = Bins.of(X)
    table = bins.encode(X)
    grower = TreeGrower(table, rules(leaves=12, rows=5, l2=0.7))
    grower.grow(g, h, rows, weight, None, 0, 2, 2)
    trees = grown_trees(grower)
    order, starts = leaf_rows(grower)
    assert sorted(order.tolist()) == rows.tolist()
    for node, a, b in zip(np.flatnonzero(trees.left < 0), starts, starts[1:], strict=False):
        own = order[a:b]
        assert trees.value[node] == pytest.approx(
            -g[own].astype(float).sum() / (h[own].astype(float).sum() + 0.7)
        )
        assert trees.cover[node] == pytest.approx(weight[own].sum())
        assert trees.n_rows[node] == b - a
    assert trees.output.tolist() == [2]
    # Added by rows, and by the codes of the rows that were left out.
    raw = np.zeros(300)
    grower.shrink_and_add(0.1, raw, 1)
    assert set(np.flatnonzero(raw)) == set(rows.tolist())
    other = np.zeros(300)
    grower.add_to_rows(table, np.arange(300, dtype=np.uint32), other, 2)
    np.testing.assert_array_equal(other[rows], raw[rows])
    np.testing.assert_allclose(grown_trees(grower).value, 0.1 * trees.value)


def test_depth_and_order_of_growth():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((500, 4))
    g, h = slopes(rng, 500, False)
    table = Bins.of(X).encode(X)
    sets = []
    for level_by_level in (False, True):
        grower = TreeGrower(table, rules(depth=4, rows=3, level_by_level=level_by_level))
        grower.grow(g, h, None, None, None, 0, -1, 1)
        sets.append(leaves_of(grower))
    assert sets[0] == sets[1]
    assert len(sets[0]) <= 16
    grower = TreeGrower(table, rules(leaves=4, level_by_level=True))
    grower.grow(g, h, None, None, None, 0, -1, 1)
    trees = grown_trees(grower)
    assert (trees.left >= 0).sum() == 3
    assert trees.left[:3].tolist() == [1, 3, 5]


def test_monotone_answers():
    rng = np.random.default_rng(6)
    X = rng.uniform(-1, 1, (2000, 2))
    y = np.sin(4 * X[:, 0]) + X[:, 1] + 0.3 * rng.standard_normal(2000)
    bins = Bins.of(X)
    for direction in (1, -1):
        grower = TreeGrower(bins.encode(X), rules(leaves=40, rows=5, monotone=(direction, 0)))
        grower.grow((-y).astype(np.float32), None, None, None, None, 0, -1, 1)
        trees = grown_trees(grower)
        assert (trees.left >= 0).sum() > 5
        line = np.linspace(-1, 1, 200)
        for x1 in (-0.9, 0.0, 0.8):
            points = np.column_stack([line, np.full(200, x1)])
            out = np.zeros(200)
            grower.add_to_rows(bins.encode(points), np.arange(200, dtype=np.uint32), out, 1)
            assert (direction * np.diff(out) >= 0).all()


def paths(trees):
    """Columns on the way to every leaf."""
    waiting = [(0, frozenset())]
    while waiting:
        node, used = waiting.pop()
        if trees.left[node] < 0:
            yield used
        else:
            now = used | {int(trees.feature[node])}
            waiting += [(int(trees.left[node]), now), (int(trees.right[node]), now)]


def test_columns_interact_only_within_their_sets():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((1000, 4))
    g = (X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3]).astype(np.float32)
    sets = ((0, 1), (2, 3), (1, 2))
    grower = TreeGrower(Bins.of(X).encode(X), rules(leaves=60, interaction=sets))
    grower.grow(g, None, None, None, None, 0, -1, 1)
    used = list(paths(grown_trees(grower)))
    assert all(any(path <= set(columns) for columns in sets) for path in used)
    assert max(map(len, used)) == 2


def test_columns_of_a_tree_and_of_a_split():
    rng = np.random.default_rng(8)
    X = rng.standard_normal((800, 30))
    g = X[:, 0].astype(np.float32)
    table = Bins.of(X).encode(X)
    columns = np.zeros(30, dtype=bool)
    columns[[3, 17, 29]] = True
    grower = TreeGrower(table, rules(leaves=20))
    grower.grow(g, None, None, None, columns, 0, -1, 1)
    assert set(grown_trees(grower).feature.tolist()) <= {-1, 3, 17, 29}
    roots = []
    for seed in range(200):
        grower = TreeGrower(table, rules(leaves=2, drawn=5, gain=-1.0))
        grower.grow(g, None, None, None, None, seed * 1000003, -1, 1)
        roots.append(int(grown_trees(grower).feature[0]))
    # The column that explains everything is drawn with probability 1 / 6.
    assert 15 < roots.count(0) < 55
    assert len(set(roots)) > 12


@pytest.mark.parametrize("p", [1, 2, 17, 70])
def test_threads_change_nothing(p):
    rng = np.random.default_rng(9)
    X = rng.standard_normal((40_000, p))
    X[rng.random(X.shape) < 0.05] = np.nan
    g, h = slopes(rng, 40_000, False)
    table = Bins.of(X).encode(X)
    trees = []
    for n_threads in (1, 2, 3):
        grower = TreeGrower(table, rules(leaves=31, rows=20))
        grower.grow(g, h, None, None, None, 0, -1, n_threads)
        trees.append(grown_trees(grower))
    for other in trees[1:]:
        for name, one, two in zip(other._fields, trees[0], other, strict=True):
            np.testing.assert_array_equal(one, two, err_msg=name)


def test_nothing_to_split():
    X = np.column_stack([np.ones(50), np.full(50, np.nan)])
    table = Bins.of(X).encode(X)
    for g in (np.zeros(50, dtype=np.float32), np.arange(50, dtype=np.float32)):
        grower = TreeGrower(table, rules())
        grower.grow(g, None, None, None, None, 0, -1, 1)
        trees = grown_trees(grower)
        assert trees.feature.tolist() == [-1]
        assert trees.value[0] == pytest.approx(-g.mean())


def test_one_row_and_zero_curvature():
    X = np.array([[1.0], [2.0]])
    table = Bins.of(X).encode(X)
    grower = TreeGrower(table, rules())
    g = np.array([1.0, -1.0], dtype=np.float32)
    grower.grow(g, np.zeros(2, dtype=np.float32), None, None, None, 0, -1, 1)
    assert grown_trees(grower).value.tolist() == [0.0]
    grower.grow(g, None, np.array([1], dtype=np.uint32), None, None, 0, -1, 1)
    assert grown_trees(grower).value.tolist() == [0.0, 1.0]


def test_huge_and_tiny_slopes():
    rng = np.random.default_rng(10)
    X = rng.standard_normal((200, 3))
    table = Bins.of(X).encode(X)
    g = X[:, 0] + 0.1 * rng.standard_normal(200)
    sizes = []
    for scale in (1e-20, 1.0, 1e20):
        grower = TreeGrower(table, rules(leaves=8, gain=0.0))
        grower.grow((scale * g).astype(np.float32), None, None, None, None, 0, -1, 1)
        sizes.append(leaves_of(grower))
    assert sizes[0] == sizes[1] == sizes[2]


def test_wrong_calls_are_refused():
    X = np.zeros((3, 2))
    table = Bins.of(X).encode(X)
    g = np.zeros(3, dtype=np.float32)
    with pytest.raises(ValueError, match="direction per column"):
        TreeGrower(table, rules(monotone=(1,)))
    with pytest.raises(ValueError, match="no such column"):
        TreeGrower(table, rules(interaction=((0, 2),)))
    grower = TreeGrower(table, rules())
    with pytest.raises(ValueError, match="no tree yet"):
        grower.shrink_and_add(1.0, np.zeros(3), 1)
    with pytest.raises(ValueError, match="one slope per row"):
        grower.grow(g[:2], None, None, None, None, 0, -1, 1)
    with pytest.raises(ValueError, match="no such row"):
        grower.grow(g, None, np.array([3], dtype=np.uint32), None, None, 0, -1, 1)
    grower.grow(g, None, None, None, None, 0, -1, 1)
    with pytest.raises(ValueError, match="one value per leaf"):
        grower.set_leaf_values(np.zeros(2))
    with pytest.raises(ValueError, match="one value per row"):
        grower.shrink_and_add(1.0, np.zeros(2), 1)


def test_nodes_of_few_rows_are_not_split():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 2))
    g, _ = slopes(rng, 200, True)
    bins = Bins.of(X)
    for least in (2, 20, 90, 201):
        growth = TreeGrower(bins.encode(X), rules(split=least))
        growth.grow(g, None, None, None, None, 0, -1, 1)
        trees = grown_trees(growth)
        inner = trees.left >= 0
        assert (trees.n_rows[inner] >= least).all()
        assert inner.any() == (least <= 200)
