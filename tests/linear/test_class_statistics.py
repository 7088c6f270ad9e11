import numpy as np
import pytest

from margin.linear._class_statistics import ClassMoments, ClassScatter


@pytest.fixture
def rows():
    rng = np.random.default_rng(3)
    code = rng.integers(3, size=200)
    X = rng.standard_normal((200, 4)) + code[:, None]
    return X, code, rng.integers(0, 4, size=200).astype(float)


def test_moments_are_those_of_numpy(rows):
    X, code, _ = rows
    moments = ClassMoments.of(X, code, 3)
    for k in range(3):
        part = X[code == k]
        np.testing.assert_allclose(moments.mean[k], part.mean(axis=0))
        np.testing.assert_allclose(moments.scatter[k], len(part) * part.var(axis=0))
        assert moments.total[k] == len(part)


def test_missing_entries_are_left_out(rows):
    X, code, weight = rows
    X = X.copy()
    X[::3, 1] = np.nan
    moments = ClassMoments.of(X, code, 3, weight)
    seen = ~np.isnan(X[:, 1]) & (code == 2)
    assert moments.count[2, 1] == pytest.approx(weight[seen].sum())
    assert moments.mean[2, 1] == pytest.approx(np.average(X[seen, 1], weights=weight[seen]))


def test_a_class_never_observed_has_zero_moments():
    moments = ClassMoments.of(np.full((2, 1), np.nan), np.array([0, 0]), 2)
    assert moments.count.sum() == 0
    assert not moments.mean.any()
    assert not moments.scatter.any()


def test_digits_survive_a_huge_mean():
    rng = np.random.default_rng(0)
    small = rng.integers(-3, 4, size=(500, 1)).astype(float)
    code = np.zeros(500, dtype=int)
    near, far = ClassMoments.of(small, code, 1), ClassMoments.of(small + 2.0**40, code, 1)
    np.testing.assert_allclose(far.scatter, near.scatter, rtol=1e-12)


@pytest.mark.parametrize("pooled", [True, False])
def test_scatter_of_parts_adds_up(rows, pooled):
    X, code, weight = rows
    whole = ClassScatter.of(X, code, 3, weight, pooled=pooled)
    cut = [slice(0, 10), slice(10, 150), slice(150, 200)]
    parts = [ClassScatter.of(X[c], code[c], 3, weight[c], pooled=pooled) for c in cut]
    total = parts[0] + parts[1] + parts[2]
    np.testing.assert_allclose(total.mean, whole.mean)
    np.testing.assert_allclose(total.scatter, whole.scatter, rtol=1e-10)
    np.testing.assert_allclose(total.total, whole.total)


def test_pooled_scatter_is_the_sum_over_classes(rows):
    X, code, weight = rows
    pooled = ClassScatter.of(X, code, 3, weight, pooled=True).scatter[0]
    apart = ClassScatter.of(X, code, 3, weight).scatter.sum(axis=0)
    np.testing.assert_allclose(pooled, apart, rtol=1e-12)


def test_moments_add_up(rows):
    X, code, weight = rows
    whole = ClassMoments.of(X, code, 3, weight)
    total = ClassMoments.of(X[:70], code[:70], 3, weight[:70]) + ClassMoments.of(
        X[70:], code[70:], 3, weight[70:]
    )
    np.testing.assert_allclose(total.scatter, whole.scatter, rtol=1e-10)
    np.testing.assert_allclose(total.mean, whole.mean)
