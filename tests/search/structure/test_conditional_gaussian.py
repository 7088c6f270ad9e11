"""The conditional Gaussian test against known tests, its level, and what only it sees."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, chi2, kstest

from margin.search import Categories, ConditionalGaussianTest, FisherZ, GTest, MixedColumns, Moments


def made(frame):
    return ConditionalGaussianTest(MixedColumns.of("Example", pd.DataFrame(frame)))


def test_categories_alone_are_a_g_test():
    rng = np.random.default_rng(0)
    z = rng.integers(0, 2, 400)
    x, y = (z + rng.integers(0, 2, 400)) % 3, (z + rng.integers(0, 3, 400)) % 3
    frame = pd.DataFrame({k: np.array(list("abc"))[v] for k, v in {"x": x, "y": y, "z": z}.items()})
    g = GTest(Categories.of("Example", frame))
    for given in ((), (2,)):
        ours, theirs = made(frame)(0, 1, given), g(0, 1, given)
        assert ours.statistic == pytest.approx(theirs.statistic)
    assert made(frame)(0, 1).dof == 4


def test_numbers_alone_are_a_partial_correlation():
    X = np.random.default_rng(1).normal(size=(300, 4))
    X[:, 1] += X[:, 0] + X[:, 2]
    frame = pd.DataFrame(X)
    ours, z = made(frame)(0, 1, (2, 3)), FisherZ(Moments.of("Example", frame))(0, 1, (2, 3))
    r = np.tanh(z.statistic / np.sqrt(300 - 2 - 3))
    assert ours.dof == 1
    assert ours.statistic == pytest.approx(-300 * np.log(1 - r**2), rel=1e-6)


def test_level_given_numbers_and_categories():
    rng, p_values = np.random.default_rng(2), []
    for _ in range(150):
        z, k = rng.normal(size=250), rng.integers(0, 2, 250)
        scale, letter = (
            np.where(k == 1, 2.0, 1.0),
            np.where(rng.random(250) < 0.3 + 0.4 * k, "u", "v"),
        )
        frame = {"x": z + scale * rng.normal(size=250), "letter": letter, "z": z * scale}
        p_values.append(made({**frame, "k": np.array(["a", "b"])[k]})(0, 1, (2, 3)).p_value)
    assert kstest(p_values, "uniform").pvalue > 1e-3
    low, high = binom.ppf([0.001, 0.999], 150, 0.05)
    assert low <= np.sum(np.array(p_values) < 0.05) <= high


def test_a_category_that_turns_a_slope():
    """No mean and no pooled correlation tells."""
    rng = np.random.default_rng(3)
    k, x = np.array(["a", "b"])[np.arange(400) % 2], rng.normal(size=400)
    frame = {"k": k, "x": x, "y": np.where(k == "a", x, -x) + rng.normal(size=400)}
    test = made(frame)
    assert test(1, 2, (0,)).p_value < 1e-10
    assert test(0, 2, (1,)).p_value < 1e-10
    assert test(0, 1).p_value > 1e-3


def test_a_category_made_from_a_number_is_no_link():
    rng, p_values = np.random.default_rng(5), []
    for _ in range(40):
        arm = rng.integers(0, 2, 400)
        cure = 1.5 * arm + rng.normal(size=400)
        frame = {"arm": np.array(["old", "new"])[arm], "cure": cure}
        p_values.append(
            made({**frame, "well": cure + rng.logistic(size=400) > 1})(0, 2, (1,)).p_value
        )
    assert np.sum(np.array(p_values) < 0.05) <= binom.ppf(0.999, 40, 0.05)


def test_gaps_rare_cells_and_flat_columns():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"x": rng.normal(size=60), "k": ["a", "b"] * 30})
    holes = frame.copy()
    holes.loc[:9, "x"] = np.nan
    assert made(holes)(0, 1) == made(frame[10:])(0, 1)
    rare = frame.copy()
    rare.loc[0, "k"] = "c"
    assert made(rare)(0, 1) == made(frame[1:])(0, 1)
    alone = made({"x": rng.normal(size=20), "k": [f"{i}" for i in range(20)]})
    assert not alone(0, 1).reliable
    flat = made({"x": np.ones(30), "k": ["a", "b", "c"] * 10})(0, 1)
    assert np.isfinite(flat.p_value)
    assert flat.p_value == pytest.approx(chi2.sf(0, 4))
    with pytest.raises(ValueError, match="columns must be different numbers"):
        made(frame)(0, 0)
