"""graphical.32: the kernel test of conditional independence."""

import numpy as np
import pytest
from scipy.stats import gamma, kstest

from margin.graphical import PC
from margin.graphs import PDAG
from margin.search import KCI
from margin.search.structure.dependence import _kci


def gram(X):
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    width = np.median(D[np.triu_indices(len(X), 1)])
    return np.exp(-(D**2) / (2 * width**2))


def curve(n, seed):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    x = np.sin(z) + 0.5 * rng.normal(size=n)
    return np.column_stack([x, z + 0.5 * rng.uniform(size=n), z])


def test_the_formulas_written_out():
    X = curve(50, 0)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    n, epsilon = 50, 1e-3
    H = np.eye(n) - 1 / n
    R = epsilon * n * np.linalg.inv(H @ gram(Z[:, [2]]) @ H + epsilon * n * np.eye(n))
    A = R @ H @ gram(Z[:, [0, 2]]) @ H @ R
    B = R @ H @ gram(Z[:, [1]]) @ H @ R
    value, mean, variance = np.trace(A @ B), (np.diag(A) * np.diag(B)).sum(), 0.0
    # Moments of sum_k lambda_k chi^2_k, with the eigenvalues of the product of features.
    eigenvalues = np.linalg.eigvalsh(A * B)
    assert mean == pytest.approx(eigenvalues.sum())
    variance = 2 * (eigenvalues**2).sum()
    result = KCI(X, ridge=1e-3)(0, 1, [2])
    assert KCI(X)(0, 1, [2]) == KCI(X, ridge=1e-3 / 50)(0, 1, [2])
    assert result.statistic == pytest.approx(value, rel=1e-8)
    expected = gamma.sf(value, mean**2 / variance, scale=variance / mean)
    assert result.p_value == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("n_given", [0, 1, 2])
def test_features_and_whole_matrices_agree(n_given):
    rng = np.random.default_rng(n_given)
    X = rng.normal(size=(600, 2 + n_given))
    X[:, 0] += X[:, 2:].sum(axis=1) ** 2
    blocks = X[:, [0, *range(2, 2 + n_given)]], X[:, [1]], X[:, 2:]
    few, whole = (null(*blocks, 1e-3) for null in (_kci.exact_null, _kci._dense_null))
    assert few != whole or n_given == 2  # two ways, but where features would be too many
    for name in ("statistic", "mean", "variance"):
        assert getattr(few, name) == pytest.approx(getattr(whole, name), rel=1e-9)


@pytest.mark.parametrize("method", ["exact", "random"])
def test_level_and_power(method):
    rejected, missed = 0, 0
    for seed in range(60):
        X = curve(120, seed)
        rejected += KCI(X, method=method)(0, 1, [2]).p_value <= 0.1
        X[:, 1] += X[:, 0]
        missed += KCI(X, method=method)(0, 1, [2]).p_value > 0.1
    # Binomial with mean 6 and deviation 2.3.
    assert rejected <= 15
    assert missed <= 6


@pytest.mark.parametrize(
    ("method", "n", "repeats"),
    [("random", 300, 100), ("random", 20_000, 100), ("exact", 200, 100), ("exact", 3000, 30)],
)
def test_p_values_are_uniform_whatever_the_rows(method, n, repeats):
    """graphical.32: a condition that is not removed to the end would be found in many rows."""
    p = []
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        z = rng.normal(size=n)
        x, y = np.sin(2 * z) + 0.5 * rng.normal(size=n), z**2 + rng.normal(size=n)
        test = KCI(np.column_stack([x, y, z]), method=method, seed=seed)
        p.append(test(0, 1, [2]).p_value)
    assert kstest(p, "uniform").pvalue > 0.01
    # Binomial with mean 0.05 and a deviation of 0.022 or 0.04.
    assert np.mean(np.array(p) <= 0.05) <= 0.05 + 0.8 / np.sqrt(repeats)
    assert test(0, 2).p_value < 1e-10


def test_more_random_features_come_nearer_to_the_gram_matrices():
    X = curve(150, 3)
    exact = KCI(X)(0, 1).statistic
    near = KCI(X, method="random", n_features=20_000)(0, 1).statistic
    assert near == pytest.approx(exact, rel=0.15)


@pytest.mark.parametrize("method", ["exact", "random"])
def test_rows_scale_and_unknown_values(method):
    X = curve(60, 1)
    p = KCI(X, method=method)(0, 1, [2]).p_value
    scaled = KCI(X * [1e-6, 1e6, 3.0], method=method)(0, 1, [2]).p_value
    assert scaled == pytest.approx(p, rel=1e-5)
    turned = KCI(X[::-1].copy(), method=method)(0, 1, [2]).p_value
    assert turned == pytest.approx(p, rel=1e-6)
    gaps = np.vstack([X, [[0.0, 1.0, np.nan]]])
    assert KCI(gaps, method=method)(0, 1, [2]).p_value == pytest.approx(p, rel=1e-9)
    assert not KCI(X[:5], method=method)(0, 1, [2]).reliable


def test_constant_columns_are_independent_of_everything():
    X = curve(30, 2)
    X[:, 1] = 4.0
    for method in ("exact", "random"):
        assert KCI(X, method=method)(0, 1, [2]).p_value == 1.0


def test_in_pc():
    rng = np.random.default_rng(0)
    x, y = rng.uniform(-2, 2, (2, 150))
    X = np.column_stack([x, y, x**2 + y**2 + 0.3 * rng.normal(size=150)])
    model = PC(test=KCI(X), alpha=0.01).fit()
    assert model.graph_ == PDAG(3, [(0, 2), (1, 2)])


def test_refusals():
    X = np.eye(9)[:, :3]
    with pytest.raises(ValueError, match="KCI: method must be one of"):
        KCI(X, method="fast")
    with pytest.raises(ValueError, match="KCI: ridge must be a number above 0"):
        KCI(X, ridge=0.0)
    with pytest.raises(ValueError, match="KCI: n_features must be an integer of at least 1"):
        KCI(X, n_features=0)
