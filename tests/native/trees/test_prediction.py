"""Sums over leaves and leaf numbers against a walk node by node in Python."""

import numpy as np
import pytest

from margin.native.trees.prediction import add_values, leaf_numbers
from margin.search import Forest


def random_tree(rng, n_features, n_leaves, width, categorical=False):
    """A tree grown at random: splits, thresholds, missing directions and sets of categories."""
    feature, threshold, left, right = [-1], [np.nan], [-1], [-1]
    categories, words, bits = [-1], [0], []
    while feature.count(-1) < n_leaves:
        node = int(rng.choice([i for i, f in enumerate(feature) if f == -1]))
        feature[node] = int(rng.integers(n_features))
        left[node], right[node] = len(feature), len(feature) + 1
        if categorical and feature[node] == 0:
            categories[node], words[node] = len(bits), int(rng.integers(0, 3))
            bits += [int(w) for w in rng.integers(0, 2**32, words[node])]
        else:
            threshold[node] = float(np.round(rng.standard_normal(), 1))
        for _ in range(2):
            feature.append(-1)
            threshold.append(np.nan)
            left.append(-1)
            right.append(-1)
            categories.append(-1)
            words.append(0)
    n = len(feature)
    return Forest.of_tree(
        n_features=n_features,
        feature=feature,
        threshold=threshold,
        left=left,
        right=right,
        missing_left=rng.random(n) < 0.5,
        categories=categories,
        category_words=words,
        category_bits=bits,
        value=rng.standard_normal((n, width)),
    )


def random_forest(rng, n_trees=7, n_features=5, width=1, **settings):
    sizes = rng.integers(1, 40, n_trees)
    return Forest.concatenate(
        [random_tree(rng, n_features, int(size), width, **settings) for size in sizes]
    )


def walk(forest, tree, row):
    """Leaf of a row, one question at a time."""
    start, at = int(forest.offsets[tree]), 0
    while forest.left[start + at] >= 0:
        i = start + at
        x = float(row[forest.feature[i]])
        if forest.categories[i] >= 0:
            known = x >= 0 and x < 32 * forest.category_words[i]
            goes_left = bool(forest.missing_left[i])
            if known:
                word = forest.category_bits[forest.categories[i] + int(x) // 32]
                goes_left = bool((int(word) >> (int(x) % 32)) & 1)
        elif np.isnan(x):
            goes_left = bool(forest.missing_left[i])
        else:
            goes_left = x <= forest.threshold[i]
        at = int(forest.left[i] if goes_left else forest.right[i])
    return at


def twin(forest, X):
    """Leaves and sums by the walk."""
    leaves = np.array([[walk(forest, t, x) for t in range(forest.n_trees)] for x in X])
    leaves = leaves.reshape(len(X), forest.n_trees)
    out = np.zeros((len(X), forest.n_outputs))
    for i, row in enumerate(leaves):
        for t, leaf in enumerate(row):
            value = forest.value[forest.offsets[t] + leaf]
            if forest.output[t] >= 0:
                out[i, forest.output[t]] += value[0]
            else:
                out[i] += value
    return leaves, out


def table(rng, n, p=5, categorical=False):
    X = np.round(rng.standard_normal((n, p)), 1)
    if categorical:
        X[:, 0] = rng.integers(-2, 80, n)
    X[rng.random((n, p)) < 0.2] = np.nan
    X[rng.random((n, p)) < 0.02] = np.inf
    X[rng.random((n, p)) < 0.02] = -np.inf
    return X


@pytest.mark.parametrize("categorical", [False, True])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 200])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_parity(n, categorical, n_threads):
    rng = np.random.default_rng(n)
    forest = random_forest(rng, width=3, categorical=categorical)
    X = table(rng, n, categorical=categorical)
    leaves, total = twin(forest, X)
    packed = forest.packed
    out = np.zeros((n, 3))
    assert add_values(packed, X, 0, 7, out, n_threads) is out
    np.testing.assert_array_equal(out, total)
    np.testing.assert_array_equal(leaf_numbers(packed, X, 0, 7, n_threads), leaves)
    np.testing.assert_array_equal(leaf_numbers(packed, X, 2, 4, n_threads), leaves[:, 2:4])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [3, 1000])
def test_layouts(dtype, n):
    rng = np.random.default_rng(1)
    forest = random_forest(rng)
    X = table(rng, n).astype(dtype)
    wide = np.zeros((2 * n, 15), dtype=dtype)
    wide[::2, ::3] = X
    expected = forest.predict(np.ascontiguousarray(X))
    if dtype == np.float64:
        np.testing.assert_array_equal(expected, twin(forest, X)[1])
    for layout in (np.asfortranarray(X), wide[::2, ::3], X[:, ::-1].copy()[:, ::-1]):
        np.testing.assert_array_equal(forest.predict(layout), expected)


def test_large_trees_take_larger_blocks():
    rng = np.random.default_rng(2)
    forest = Forest.concatenate([random_tree(rng, 4, 300, 1) for _ in range(3)] * 12)
    assert forest.n_nodes > 16384
    X = table(rng, 700, 4)
    np.testing.assert_array_equal(forest.predict(X, n_threads=2)[:40], twin(forest, X[:40])[1])
    np.testing.assert_array_equal(forest.predict(X[600:]), forest.predict(X)[600:])


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_single_precision_is_compared_with_double_thresholds(missing):
    """Thresholds that single precision does not hold, on rows beside them; many rows at once."""
    rng = np.random.default_rng(4)
    forest = Forest.concatenate([random_tree(rng, 4, 90, 2) for _ in range(5)])
    edge = np.array([1e300, -1e300, np.inf, -np.inf, 3.5e38, 1e-300, -1e-300, 0.1, 1 / 3])
    inner = np.flatnonzero(forest.feature >= 0)
    forest.threshold[inner[::3]] = rng.choice(edge, len(inner[::3]))
    near = forest.threshold[inner][np.isfinite(forest.threshold[inner])]
    with np.errstate(over="ignore"):
        steps = np.concatenate([near.astype(np.float32), edge.astype(np.float32)])
    steps = np.concatenate([steps, np.nextafter(steps, np.float32(np.inf))])
    X = rng.choice(steps, (300, 4))
    X[rng.random(X.shape) < missing] = np.nan
    leaves, total = twin(forest, X)
    np.testing.assert_array_equal(forest.apply(X), leaves)
    np.testing.assert_array_equal(forest.predict(X), total)
    np.testing.assert_array_equal(forest.apply(X.astype(np.float64)), leaves)


@pytest.mark.parametrize("whole", [False, True])
def test_rounded_rows_reach_the_leaves_of_the_rows_themselves(whole):
    """Values and thresholds that become the same number in single precision, or do not."""
    rng = np.random.default_rng(5)
    forest = Forest.concatenate([random_tree(rng, 4, 90, 2) for _ in range(5)])
    inner = np.flatnonzero(forest.feature >= 0)
    if whole:
        forest.threshold[inner] = np.round(3 * forest.threshold[inner])
    edge = np.array([1e300, -1e300, np.inf, -np.inf, 3.5e38, 1e-300, -1e-300, 0.1, 1 / 3, 0.0])
    forest.threshold[inner[::3]] = rng.choice(edge, len(inner[::3]))
    at = forest.threshold[inner]
    beside = [at, np.nextafter(at, np.inf), np.nextafter(at, -np.inf)]
    X = rng.choice(at if whole else np.concatenate(beside), (333, 4))
    X[rng.random(X.shape) < 0.1] = np.nan
    leaves, total = twin(forest, X)
    for table in (X, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
        np.testing.assert_array_equal(forest.apply(table), leaves)
        np.testing.assert_array_equal(forest.predict(table), total)
    np.testing.assert_array_equal(forest.apply(X[:31]), leaves[:31])


def test_wrong_calls_are_refused():
    rng = np.random.default_rng(3)
    forest = random_forest(rng)
    with pytest.raises(ValueError, match="columns"):
        forest.predict(np.zeros((3, 4)))
    with pytest.raises(ValueError, match="no such trees"):
        forest.predict(np.zeros((3, 5)), last=8)
    with pytest.raises(ValueError, match="out must"):
        add_values(forest.packed, np.zeros((3, 5)), 0, 7, np.zeros((2, 1)), 1)
