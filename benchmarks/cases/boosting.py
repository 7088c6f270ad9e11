"""Gradient boosting: 100 stages of 31 leaves, fitted, and asked for many rows and for one."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import log_loss, mean_squared_error

from benchmarks.case import Case, Contestant, Size, Target

STAGES, LEAVES, RATE, THREADS = 100, 31, 0.1, 2
XGBOOST = {"max_leaves": LEAVES, "max_depth": 0, "grow_policy": "lossguide", "tree_method": "hist"}
NAMES = {"classes": "Classifier", "numbers": "Regressor"}


class Split(NamedTuple):
    """Rows to learn from, and rows to be judged by."""

    X: Any
    y: Any
    rows: Any
    targets: Any
    kind: str


def boosting_table(n: int, p: int, classes: int = 0, seed: int = 0) -> Split:
    """Interactions, waves and squares of a few of the columns, with noise; 0 classes: numbers."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n + n // 4, p))
    mean = X[:, 0] * (1 + X[:, 1]) + np.sin(2 * X[:, 2]) + X[:, 3] ** 2 - 1 + 0.5 * X[:, 4]
    y = mean + rng.standard_normal(len(X))
    if classes:
        y = np.digitize(y, np.quantile(y, np.linspace(0, 1, classes + 1)[1:-1]))
    return Split(X[:n], y[:n], X[n:], y[n:], "classes" if classes else "numbers")


def _margin(kind: str) -> Any:
    cls = getattr(import_module("margin.ensemble"), f"GradientBoosting{NAMES[kind]}")
    return cls(n_estimators=STAGES, max_leaf_nodes=LEAVES, learning_rate=RATE, n_jobs=THREADS)


def _lightgbm(kind: str) -> Any:
    cls = getattr(import_module("lightgbm"), f"LGBM{NAMES[kind]}")
    return cls(
        n_estimators=STAGES, num_leaves=LEAVES, learning_rate=RATE, n_jobs=THREADS, verbose=-1
    )


def _xgboost(kind: str) -> Any:
    cls = getattr(import_module("xgboost"), f"XGB{NAMES[kind]}")
    return cls(n_estimators=STAGES, learning_rate=RATE, n_jobs=THREADS, **XGBOOST)


def _sklearn(kind: str) -> Any:
    cls = getattr(import_module("sklearn.ensemble"), f"HistGradientBoosting{NAMES[kind]}")
    return cls(max_iter=STAGES, max_leaf_nodes=LEAVES, learning_rate=RATE, early_stopping=False)


LIBRARIES: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    "margin": (_margin, ("margin.ensemble",)),
    "LightGBM": (_lightgbm, ("lightgbm",)),
    "XGBoost": (_xgboost, ("xgboost",)),
    "scikit-learn HistGB": (_sklearn, ("sklearn.ensemble",)),
}


def _fits() -> tuple[Contestant, ...]:
    def fit_by(make: Callable[[str], Any]) -> Callable[[Split], Any]:
        return lambda split: make(split.kind).fit(split.X, split.y)

    return tuple(
        Contestant(name, fit_by(make), requires=requires, ours=name == "margin")
        for name, (make, requires) in LIBRARIES.items()
    )


def _held_out(split: Split, model: Any) -> float:
    if split.kind == "classes":
        return float(log_loss(split.targets, model.predict_proba(split.rows)))
    return float(mean_squared_error(split.targets, model.predict(split.rows)))


@cache
def _fitted(name: str) -> Any:
    """A model of a library, fitted once and outside of the clock."""
    split = boosting_table(20_000, 50, 2)
    return LIBRARIES[name][0](split.kind).fit(split.X, split.y)


def _prediction_rows(n: int) -> Any:
    return np.random.default_rng(1).standard_normal((n, 50))


def _predictions() -> tuple[Contestant, ...]:
    def ask(name: str) -> Callable[[Any], Any]:
        return lambda rows: _fitted(name).predict_proba(rows)

    return tuple(
        Contestant(name, ask(name), requires=requires, ours=name == "margin")
        for name, (_, requires) in LIBRARIES.items()
    )


FIT_SIZES = (("20 000 × 50", 20_000, 50), ("1 000 000 × 30", 1_000_000, 30))


def _fit_case(name: str, what: str, classes: int) -> Case:
    return Case(
        name=f"boosting-{name}",
        description=f"Gradient boosting of {what}: 100 stages of 31 leaves, two threads.",
        make_data=boosting_table,
        sizes=tuple(
            Size(label, {"n": n, "p": p, "classes": classes}, n * p, required=True)
            for label, n, p in FIT_SIZES
        ),
        contestants=_fits(),
        target=Target(
            objective=_held_out,
            objective_name=("log loss" if classes else "squared error") + " on new rows",
            tolerance=0.02,
        ),
        required_ratio=1.2,
        required_memory=1.0 if name == "regression" else None,
        warm_up={"n": 500, "p": 6, "classes": classes},
        max_rounds=3,
    )


def _growing_table(n: int) -> Split:
    """Ten columns in single precision; at most 100 000 rows are held out."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n + min(n // 4, 100_000), 10), dtype=np.float32)
    y = X[:, 0] * (1 + X[:, 1]) + np.sin(2 * X[:, 2]) + rng.standard_normal(len(X))
    return Split(X[:n], y[:n], X[n:], y[n:], "numbers")


def _few_stages(name: str) -> Callable[[Split], Any]:
    def fit(split: Split) -> Any:
        return LIBRARIES[name][0](split.kind).set_params(n_estimators=20).fit(split.X, split.y)

    return fit


CASES = (
    _fit_case("binary", "two classes", 2),
    _fit_case("regression", "numbers", 0),
    _fit_case("multiclass", "five classes", 5),
    Case(
        name="boosting-predict",
        description="Probabilities by 100 trees of 31 leaves on 50 columns.",
        make_data=_prediction_rows,
        sizes=tuple(
            Size(label, {"n": n}, 50 * n, required=True)
            for label, n in (("1 × 50", 1), ("100 000 × 50", 100_000))
        ),
        contestants=_predictions(),
        target=Target(
            objective=lambda rows, p: float(np.abs(p.sum(axis=1) - 1).max()),
            objective_name="distance of the sums of probabilities from one",
            tolerance=1e-5,
        ),
        required_ratio=1.5,
        warm_up={"n": 10},
    ),
    Case(
        name="boosting-growth",
        description="How the time grows with the rows: 20 stages of 31 leaves on ten columns.",
        make_data=_growing_table,
        sizes=tuple(
            Size(f"{n:,} × 10".replace(",", " "), {"n": n}, 10 * n)
            for n in (10_000, 100_000, 1_000_000, 10_000_000)
        ),
        contestants=tuple(
            Contestant(name, _few_stages(name), LIBRARIES[name][1], ours=name == "margin")
            for name in ("margin", "LightGBM")
        ),
        target=Target(
            objective=_held_out, objective_name="squared error on new rows", tolerance=0.05
        ),
        warm_up={"n": 500},
        max_rounds=2,
    ),
)
