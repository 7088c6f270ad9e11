"""Regressions of continuous nodes (graphical.20)."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, ConditionalGaussianCPD, LinearGaussianCPD


def test_structural_equation_is_least_squares():
    """graphical.20"""
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(2, 200))
    y = 1.0 + 2.0 * x - 0.5 * z + rng.normal(size=200)
    frame = pd.DataFrame({"x": x, "z": z, "y": y})
    network = BayesianNetwork([("x", "y"), ("z", "y")], continuous=["x", "y", "z"]).fit(frame)
    cpd = network.cpd("y")
    assert isinstance(cpd, LinearGaussianCPD)
    design = np.column_stack([np.ones(200), x, z])
    coef = np.linalg.lstsq(design, y, rcond=None)[0]
    assert_allclose([cpd.intercept, *cpd.coef], coef, rtol=1e-9)
    assert_allclose(cpd.variance, np.mean((y - design @ coef) ** 2), rtol=1e-9)
    assert_allclose(network.cpd("x").variance, x.var(), rtol=1e-12)


def test_one_regression_per_state_and_gaps_passed_over():
    rng = np.random.default_rng(1)
    group = rng.choice(["u", "v"], 300)
    x = rng.normal(size=300)
    y = np.where(group == "u", 1 + 2 * x, -1 - x) + 0.1 * rng.normal(size=300)
    frame = pd.DataFrame({"group": group, "x": x, "y": y})
    frame.loc[::7, "y"] = np.nan
    network = BayesianNetwork([("group", "y"), ("x", "y")], continuous=["x", "y"]).fit(frame)
    cpd = network.cpd("y")
    assert isinstance(cpd, ConditionalGaussianCPD)
    kept = frame.dropna()
    for at, name in enumerate("uv"):
        some = kept[kept.group == name]
        slope, intercept = np.polyfit(some.x, some.y, 1)
        assert_allclose([cpd.intercept[at], cpd.coef[at, 0]], [intercept, slope], rtol=1e-8)


def test_unseen_state_is_refused():
    frame = pd.DataFrame({"g": ["u", "u"], "x": [1.0, 2.0]})
    model = BayesianNetwork([("g", "x")], continuous=["x"], states={"g": ["u", "v"]})
    with pytest.raises(ValueError, match="got no row with g='v'"):
        model.fit(frame)
