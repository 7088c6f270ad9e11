"""Shapley values of a boosted ensemble: the same trees, grown by LightGBM, for everyone."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target


@dataclass(frozen=True)
class Boosted:
    """A booster, the same trees read from its text, and rows to explain."""

    booster: Any
    trees: Any
    rows: Any


def boosted(n: int, trees: int) -> Boosted:
    """Trees of 31 leaves on 20 000 rows of 50 columns with interactions."""
    import lightgbm

    from margin.ensemble.formats._lightgbm import parse_lightgbm

    rng = np.random.default_rng(0)
    X = rng.standard_normal((20_000, 50))
    y = X[:, 0] * X[:, 1] + np.abs(X[:, 2]) + X[:, 3:8].sum(axis=1) + rng.standard_normal(20_000)
    settings = {"num_leaves": 31, "verbose": -1, "num_threads": 2, "deterministic": True}
    booster = lightgbm.train(settings, lightgbm.Dataset(X, y), trees)
    return Boosted(booster, parse_lightgbm(booster.model_to_string()), X[:n].copy())


def _ours(data: Boosted) -> Any:
    from margin.inspection import tree_shap

    return tree_shap(data.trees, data.rows).values[:, :, 0]


def _lightgbm(data: Boosted) -> Any:
    return data.booster.predict(data.rows, pred_contrib=True)[:, :-1]


def _shap(data: Boosted) -> Any:
    import shap

    return shap.TreeExplainer(data.booster).shap_values(data.rows, check_additivity=False)


def _excess(data: Boosted, values: Any) -> float:
    """Largest gap between the sum of the values of a row and what is to be shared out."""
    prediction = data.booster.predict(data.rows)
    gap = values.sum(axis=1) - prediction
    return float(np.ptp(gap))


CASES = (
    Case(
        name="tree-shap",
        description="Path-dependent Shapley values of 100 boosted trees of 31 leaves, 50 columns.",
        make_data=boosted,
        sizes=(
            Size("1 000 rows", {"n": 1000, "trees": 100}, 50_000),
            Size("10 000 rows", {"n": 10_000, "trees": 100}, 500_000, required=True),
        ),
        contestants=(
            Contestant("margin", _ours, requires=("margin.inspection",), ours=True),
            Contestant("LightGBM pred_contrib", _lightgbm, requires=("lightgbm",)),
            Contestant("shap TreeExplainer", _shap, requires=("shap", "lightgbm")),
        ),
        target=Target(
            objective=_excess,
            objective_name="spread of prediction minus sum of the values",
            tolerance=1e-6,
        ),
        required_ratio=2.0,
        warm_up={"n": 10, "trees": 2},
        max_rounds=3,
    ),
)
