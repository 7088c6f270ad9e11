"""Counts and tests on counts against NumPy and SciPy twins."""

import numpy as np
import pytest
from scipy import stats

from margin.native.structure import contingency


def table(rng, n, cards, unknown=0.0):
    codes = np.stack([rng.integers(0, c, n) for c in cards]).astype(np.uint16)
    codes[rng.random(codes.shape) < unknown] = 60000
    cards = np.array(cards, dtype=np.int64)
    return np.minimum(codes, cards[:, None]).astype(np.uint16), cards


def twin_counts(codes, cards, weight, columns):
    out = np.zeros([cards[j] for j in columns])
    for r in range(codes.shape[1]):
        cell = tuple(codes[j, r] for j in columns)
        if all(c < cards[j] for c, j in zip(cell, columns, strict=True)):
            out[cell] += 1.0 if weight is None else weight[r]
    return out


@pytest.mark.parametrize("unknown", [0.0, 0.3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("columns", [[], [2], [0, 3], [3, 1, 0]])
def test_counts(unknown, weighted, columns):
    rng = np.random.default_rng(1)
    codes, cards = table(rng, 57, [2, 3, 1, 4], unknown)
    weight = rng.random(57) if weighted else None
    found = contingency.contingency_counts(codes, cards, weight, columns)
    np.testing.assert_allclose(found, twin_counts(codes, cards, weight, columns), atol=1e-12)


def test_counts_of_no_rows():
    codes = np.empty((2, 0), dtype=np.uint16)
    found = contingency.contingency_counts(codes, np.array([2, 2]), None, [0, 1])
    assert found.sum() == 0


@pytest.mark.parametrize("dof", [1.0, 2.0, 7.0, 40.0, 1000.0])
def test_tail(dof):
    for x in [0.0, 1e-8, 0.3, dof / 2, dof, 3 * dof, dof + 60, 5 * dof + 300]:
        expected = stats.chi2.sf(x, dof)
        assert contingency.chi_squared_tail(x, dof) == pytest.approx(expected, rel=1e-9, abs=1e-15)
    assert contingency.chi_squared_tail(3.0, 0.0) == 1.0


def twin_test(codes, cards, i, j, given, statistic, pool):
    counts = twin_counts(codes, cards, None, [*given, i, j])
    values, dofs, tails = [], [], []
    for square in counts.reshape(-1, cards[i], cards[j]):
        square = square[square.sum(1) > 0][:, square.sum(0) > 0]
        if min(square.shape, default=0) < 2:
            continue
        kind = "log-likelihood" if statistic == "g" else "pearson"
        value, tail, dof, _ = stats.chi2_contingency(square, correction=False, lambda_=kind)
        values.append(value)
        dofs.append(dof)
        tails.append(tail)
    p_value = {
        "sum": stats.chi2.sf(sum(values), sum(dofs)),
        "max": max(tails),
        "bonferroni": min(1.0, min(tails) * len(tails)),
    }[pool]
    return sum(values), sum(dofs), p_value


@pytest.mark.parametrize("statistic", contingency.STATISTICS)
@pytest.mark.parametrize("pool", contingency.POOLS)
@pytest.mark.parametrize("given", [[], [3], [3, 0]])
@pytest.mark.parametrize("unknown", [0.0, 0.2])
def test_independence(statistic, pool, given, unknown):
    codes, cards = table(np.random.default_rng(2), 200, [2, 3, 4, 2], unknown)
    found = contingency.categorical_test(codes, cards, None, 1, 2, given, statistic, pool, 0.0)
    np.testing.assert_allclose(
        found[:3], twin_test(codes, cards, 1, 2, given, statistic, pool), rtol=1e-9
    )
    assert found[3]


def test_whole_weights_are_copies():
    rng = np.random.default_rng(3)
    codes, cards = table(rng, 40, [2, 3, 2])
    copies = rng.integers(0, 4, 40)
    args = (0, 1, [2], "g", "sum", 0.0)
    heavy = contingency.categorical_test(codes, cards, copies.astype(float), *args)
    long = contingency.categorical_test(np.repeat(codes, copies, axis=1), cards, None, *args)
    np.testing.assert_allclose(heavy, long)


def test_small_samples_are_not_reliable():
    codes, cards = table(np.random.default_rng(4), 30, [3, 3, 3])
    args = (0, 1, [2], "g", "sum")
    assert contingency.categorical_test(codes, cards, None, *args, 1.0)[3]
    assert not contingency.categorical_test(codes, cards, None, *args, 2.0)[3]


def test_bad_shapes_are_refused():
    codes = np.zeros((2, 3), dtype=np.uint16)
    cards = np.array([1, 1])
    with pytest.raises(ValueError, match="weight"):
        contingency.categorical_test(codes, cards, np.ones(2), 0, 1, [], "g", "sum", 0.0)
    with pytest.raises(ValueError, match="shape"):
        contingency.contingency_counts(codes, np.array([1]), None, [0])
    with pytest.raises(ValueError, match="code above"):
        contingency.categorical_test(codes + np.uint16(2), cards, None, 0, 1, [], "g", "sum", 0.0)
