"""Shapley values of the predictions of trees, against sums over all coalitions."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.search import Forest, forest_expectation, forest_shapley


def random_tree(rng, n_features, depth, n_outputs=1, output=-1, categories=False):
    """A tree with questions at random, covers that add up, and repeated features on paths."""
    nodes = []

    def grow(level, cover):
        at = len(nodes)
        nodes.append(None)
        values = rng.normal(size=1 if output >= 0 else n_outputs)
        if level == depth or (level > 0 and rng.random() < 0.15):
            nodes[at] = (-1, np.nan, -1, -1, values, cover, False, -1)
            return at
        share = rng.uniform(0.1, 0.9)
        feature, threshold = rng.integers(n_features), rng.normal()
        left = grow(level + 1, cover * share)
        right = grow(level + 1, cover * (1 - share))
        is_set = categories and feature == 0
        nodes[at] = (
            feature,
            np.nan if is_set else threshold,
            left,
            right,
            values,
            cover,
            bool(rng.integers(2)),
            int(rng.integers(1, 15)) if is_set else -1,
        )
        return at

    grow(0, 100.0)
    columns = list(zip(*nodes, strict=True))
    sets = [s for s in columns[7] if s >= 0]
    start = np.cumsum([s >= 0 for s in columns[7]]) - 1
    return Forest.of_tree(
        n_features=n_features,
        n_outputs=n_outputs,
        feature=columns[0],
        threshold=columns[1],
        left=columns[2],
        right=columns[3],
        value=np.array(columns[4]),
        cover=columns[5],
        missing_left=columns[6],
        categories=np.where(np.array(columns[7]) >= 0, start, -1),
        category_words=np.where(np.array(columns[7]) >= 0, 1, 0),
        category_bits=sets,
        output=output,
    )


def goes_left(forest, node, x):
    value = x[forest.feature[node]]
    if forest.categories[node] >= 0:
        known = 0 <= value < 32
        bits = int(forest.category_bits[forest.categories[node]])
        return bool(bits >> int(value) & 1) if known else bool(forest.missing_left[node])
    if np.isnan(value):
        return bool(forest.missing_left[node])
    return value <= forest.threshold[node]


def worth_on_paths(forest, x, known, node=0):
    """Expected value of a tree when unknown features follow the training weight."""
    if forest.left[node] < 0:
        return forest.value[node]
    left, right = forest.left[node], forest.right[node]
    if forest.feature[node] in known:
        return worth_on_paths(forest, x, known, left if goes_left(forest, node, x) else right)
    share = forest.cover[left] / forest.cover[node]
    return share * worth_on_paths(forest, x, known, left) + (1 - share) * worth_on_paths(
        forest, x, known, right
    )


def worth_on_background(forest, x, known, background):
    mixed = background.copy()
    mixed[:, list(known)] = x[list(known)]
    return forest.predict(mixed).mean(axis=0)


def coalitions(n):
    return [set(s) for size in range(n + 1) for s in combinations(range(n), size)]


def shapley_by_definition(worth, n):
    values = []
    for i in range(n):
        total = 0.0
        for s in coalitions(n):
            if i not in s:
                share = factorial(len(s)) * factorial(n - len(s) - 1) / factorial(n)
                total = total + share * (worth(s | {i}) - worth(s))
        values.append(total)
    return np.array(values)


def interactions_by_definition(worth, n):
    values = shapley_by_definition(worth, n)
    pairs = np.zeros((n, *values.shape))
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            for s in coalitions(n):
                if i not in s and j not in s:
                    share = factorial(len(s)) * factorial(n - len(s) - 2) / factorial(n - 1) / 2
                    joint = worth(s | {i, j}) - worth(s | {i}) - worth(s | {j}) + worth(s)
                    pairs[i, j] += share * joint
    for i in range(n):
        pairs[i, i] = values[i] - pairs[i].sum(axis=0)
    return pairs


def rows(rng, n, n_features, categories=False):
    X = rng.normal(size=(n, n_features))
    X[rng.random(X.shape) < 0.1] = np.nan
    if categories:
        X[:, 0] = rng.integers(-1, 6, size=n)
    return X


@pytest.mark.parametrize("depth", [1, 3, 6])
@pytest.mark.parametrize("categories", [False, True])
def test_along_paths_by_definition(depth, categories):
    rng = np.random.default_rng(depth)
    forest = random_tree(rng, 4, depth, n_outputs=2, categories=categories)
    X = rows(rng, 6, 4, categories)
    values, expected = forest_shapley(forest, X)
    for x, value in zip(X, values, strict=True):
        assert_allclose(
            value, shapley_by_definition(lambda s, x=x: worth_on_paths(forest, x, s), 4), atol=1e-12
        )
        assert_allclose(expected, worth_on_paths(forest, x, set()))


@pytest.mark.parametrize("categories", [False, True])
def test_against_a_background_by_definition(categories):
    rng = np.random.default_rng(7)
    forest = Forest.concatenate([random_tree(rng, 4, 5, categories=categories) for _ in range(3)])
    X, background = rows(rng, 5, 4, categories), rows(rng, 9, 4, categories)
    values, expected = forest_shapley(forest, X, background=background)
    for x, value in zip(X, values, strict=True):
        assert_allclose(
            value,
            shapley_by_definition(lambda s, x=x: worth_on_background(forest, x, s, background), 4),
            atol=1e-12,
        )
    assert_allclose(expected, forest.predict(background).mean(axis=0))


@pytest.mark.parametrize("with_background", [False, True])
def test_interactions_by_definition(with_background):
    rng = np.random.default_rng(3)
    forest = random_tree(rng, 4, 5)
    X, background = rows(rng, 3, 4), rows(rng, 6, 4)
    given = {"background": background} if with_background else {}
    pairs, _ = forest_shapley(forest, X, interactions=True, **given)
    for x, pair in zip(X, pairs, strict=True):

        def worth(s, x=x):
            if with_background:
                return worth_on_background(forest, x, s, background)
            return worth_on_paths(forest, x, s)

        assert_allclose(pair, interactions_by_definition(worth, 4), atol=1e-12)
    assert_allclose(pairs.sum(axis=2), forest_shapley(forest, X, **given)[0], atol=1e-12)


@pytest.mark.parametrize("depth", [9, 16])
def test_values_add_up_on_deep_trees_for_any_number_of_threads(depth):
    """Paths with more features than answers are kept for, and several outputs by tree."""
    rng = np.random.default_rng(0)
    trees = [random_tree(rng, 30, depth, n_outputs=3, output=t % 3) for t in range(3)]
    forest = Forest.concatenate(trees)
    X = rows(rng, 40, 30)
    one, expected = forest_shapley(forest, X)
    two, _ = forest_shapley(forest, X, n_threads=2)
    assert_allclose(one.sum(axis=1) + expected, forest.predict(X), atol=1e-10)
    np.testing.assert_array_equal(one, two)
    assert_allclose(expected, forest_expectation(forest))


def test_single_precision_rows_are_read_as_they_are():
    rng = np.random.default_rng(1)
    forest = random_tree(rng, 3, 4)
    X = rows(rng, 10, 3).astype(np.float32)
    assert_allclose(
        forest_shapley(forest, X)[0], forest_shapley(forest, X.astype(float))[0], atol=1e-12
    )


def test_a_leaf_alone_explains_nothing():
    forest = Forest.of_tree(
        n_features=2,
        feature=[-1],
        threshold=[np.nan],
        left=[-1],
        right=[-1],
        value=[[3.0]],
        cover=[5.0],
    )
    values, expected = forest_shapley(forest, np.zeros((2, 2)))
    assert_allclose(values, 0.0)
    assert_allclose(expected, 3.0)
