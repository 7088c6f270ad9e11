"""graphical.32: kernel tests."""

import numpy as np
import pytest

from margin.search import KernelTest
from margin.search.structure.dependence._kernel_test import (
    _centred,
    coco,
    features,
    gram,
    hsic,
    local_permutation,
)


def test_explicit_features_give_the_same_values():
    """graphical.32: with finite feature maps, norms of a plain cross-covariance matrix."""
    rng = np.random.default_rng(0)
    F, G = rng.standard_normal((30, 3)), rng.standard_normal((30, 2))
    cross = (F - F.mean(0)).T @ (G - G.mean(0)) / 30
    K, L = _centred(F @ F.T), _centred(G @ G.T)
    assert hsic(features(K), features(L)) == pytest.approx((cross**2).sum())
    assert hsic(features(K), features(L)) == pytest.approx(np.trace(K @ L) / 900)
    assert coco(features(K), features(L)) == pytest.approx(np.linalg.svd(cross)[1][0])
    assert features(K).shape == (30, 3)


@pytest.mark.parametrize("statistic", ["hsic", "coco"])
def test_finds_what_correlation_misses(statistic):
    """graphical.32: a parabola."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, 60)
    X = np.column_stack([x, x**2 + 0.1 * rng.standard_normal(60), rng.standard_normal(60)])
    test = KernelTest(X, statistic=statistic, n_permutations=99)
    assert test(0, 1).p_value == 0.01
    assert test(0, 2).p_value > 0.05
    assert test(0, 1) == test(0, 1)


def test_level_under_independence():
    rng = np.random.default_rng(2)
    p_values = [
        KernelTest(rng.standard_normal((25, 2)), n_permutations=39)(0, 1).p_value
        for _ in range(150)
    ]
    assert np.mean(np.array(p_values) <= 0.1) == pytest.approx(0.1, abs=0.07)


def test_conditional_form():
    rng = np.random.default_rng(3)
    z = rng.standard_normal(120)
    x, y = z + 0.3 * rng.standard_normal(120), z**2 + 0.3 * rng.standard_normal(120)
    w = x + 0.3 * rng.standard_normal(120)
    test = KernelTest(np.column_stack([x, y, z, w]), n_permutations=99)
    assert test(0, 1).p_value == 0.01
    assert test(0, 1, [2]).p_value > 0.05
    assert test(0, 3, [2]).p_value == 0.01


def test_local_permutation_stays_near():
    rng = np.random.default_rng(4)
    place = np.arange(50.0)
    order = local_permutation(abs(place[:, None] - place), rng, n_near=3)
    assert sorted(order) == list(range(50))
    assert np.median(abs(order - place)) <= 2


def test_constant_columns_unknown_values_and_few_rows():
    X = np.column_stack([np.ones(20), np.arange(20.0)])
    assert KernelTest(X, n_permutations=19)(0, 1).p_value == 1.0
    np.testing.assert_array_equal(gram(np.ones((3, 1))), np.ones((3, 3)))
    X[5:, 0] = np.nan
    assert not KernelTest(X)(0, 1).reliable


def test_bad_statistic():
    with pytest.raises(ValueError, match="KernelTest: statistic must be"):
        KernelTest(np.zeros((3, 2)), statistic="mmd")
