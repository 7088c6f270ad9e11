"""graphical.32: the Hilbert–Schmidt test."""

import numpy as np
import pytest
from scipy.stats import gamma

from margin.graphical import PC
from margin.search import HSIC, GammaNull, hsic_gamma
from margin.search.structure.dependence._hsic import low_rank


def gram(X):
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    width = np.median(D[np.triu_indices(len(X), 1)])
    return np.exp(-(D**2) / (2 * width**2))


def test_the_formulas_written_out():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 2)), rng.uniform(size=(40, 1))
    n, K, L = 40, gram(X), gram(Y)
    H = np.eye(n) - 1 / n
    value = np.trace(K @ H @ L @ H) / n
    off = ~np.eye(n, dtype=bool)
    mean_k, mean_l = K[off].mean(), L[off].mean()
    mean = 1 + mean_k * mean_l - mean_k - mean_l
    squares = (((H @ K @ H) * (H @ L @ H) / 6) ** 2)[off].mean()
    variance = 72 * (n - 4) * (n - 5) / (n * (n - 1) * (n - 2) * (n - 3)) * squares * n**2
    null = hsic_gamma(X, Y)
    np.testing.assert_allclose(
        (null.statistic, null.mean, null.variance), (value, mean, variance), rtol=1e-10
    )
    expected = gamma.sf(value, mean**2 / variance, scale=variance / mean)
    assert null.p_value == pytest.approx(expected)
    assert null.surprise == pytest.approx((value - mean) / np.sqrt(variance))


def test_level_and_power():
    rejected = {"gamma": 0, "permutation": 0}
    for seed in range(100):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.exponential(size=50), rng.uniform(size=50)])
        for kind in rejected:
            rejected[kind] += HSIC(X, p_value=kind, n_permutations=60)(0, 1).p_value <= 0.1
    # Binomial with mean 10 and deviation 3.
    assert 1 <= rejected["gamma"] <= 20
    assert 1 <= rejected["permutation"] <= 20
    x = np.random.default_rng(0).uniform(-1, 1, 100)
    X = np.column_stack([x, np.cos(4 * x)])
    assert HSIC(X)(0, 1).p_value < 1e-4
    assert HSIC(X, p_value="permutation", n_permutations=99)(0, 1).p_value == 0.01


def test_early_stop_is_a_share_of_the_permutations_made():
    X = np.random.default_rng(1).normal(size=(30, 2))
    short = HSIC(X, p_value="permutation", enough=5)(0, 1)
    whole = HSIC(X, p_value="permutation", enough=10**6)(0, 1)
    made = 5 / short.p_value
    assert made == pytest.approx(round(made))
    assert made < 1000
    assert abs(short.p_value - whole.p_value) < 0.4
    assert short.statistic == whole.statistic == pytest.approx(HSIC(X)(0, 1).statistic)


def test_rows_scale_and_unknown_values():
    X = np.random.default_rng(2).normal(size=(40, 2))
    p = HSIC(X)(0, 1).p_value
    assert HSIC(X[::-1] * [1e-6, 1e6])(0, 1).p_value == pytest.approx(p)
    assert HSIC(X)(1, 0).p_value == pytest.approx(p)
    gaps = np.vstack([X, [[np.nan, 1.0], [0.0, np.nan]]])
    assert HSIC(gaps)(0, 1).p_value == pytest.approx(p)
    assert not HSIC(X[:5])(0, 1).reliable


def test_constant_columns_are_independent_of_everything():
    X = np.column_stack([np.ones(20), np.arange(20.0)])
    assert HSIC(X)(0, 1).p_value == 1.0
    assert HSIC(X, p_value="permutation", n_permutations=50)(0, 1).p_value == 1.0
    assert (GammaNull(0.0, 0.0, 0.0).p_value, GammaNull(0.0, 0.0, 0.0).surprise) == (1.0, 0.0)


def test_in_pc():
    rng = np.random.default_rng(5)
    x = rng.uniform(-2, 2, 80)
    X = np.column_stack([x, x**2 + 0.2 * rng.standard_normal(80), rng.standard_normal(80)])
    model = PC(test=HSIC(X, names=("a", "b", "c")), alpha=0.01, max_cond_size=0).fit()
    assert model.skeleton_.edges == (("a", "b"),)


def test_refusals():
    X = np.eye(9)[:, :3]
    with pytest.raises(ValueError, match="HSIC: p_value must be one of"):
        HSIC(X, p_value="exact")
    with pytest.raises(ValueError, match="HSIC: enough must be an integer of at least 1, got 0"):
        HSIC(X, enough=0)
    with pytest.raises(ValueError, match=r"HSIC: given must be empty .* got \[2\]"):
        HSIC(X)(0, 1, [2])
    with pytest.raises(ValueError, match="HSIC: columns must be different"):
        HSIC(X)(0, 3)


def test_few_columns_give_the_statistic_of_the_matrices():
    x, y = np.random.default_rng(5).standard_normal((2, 150))
    K, L = (gram(v[:, None]) for v in (x, y))
    centre = np.eye(150) - 1 / 150
    expected = np.trace(centre @ K @ centre @ L) / 150**2
    answer = HSIC(np.column_stack([x, y]), p_value="permutation", n_permutations=1)(0, 1)
    assert answer.statistic == pytest.approx(expected, rel=1e-9)
    F = low_rank(K)
    assert F.shape[1] < 40
    np.testing.assert_allclose(F @ F.T, centre @ K @ centre, atol=1e-9)
    assert low_rank(np.ones((4, 4))).shape == (4, 1)
