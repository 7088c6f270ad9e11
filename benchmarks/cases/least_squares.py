"""Ridge and ordinary least squares with an intercept: many rows, and more columns than rows."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks import data, objectives
from benchmarks.case import Case, Contestant, Size, Target

ALPHA = 1.0
LIBRARIES = {
    "margin": "margin.linear",
    "scikit-learn": "sklearn.linear_model",
    "scikit-learn-intelex": "sklearnex.linear_model",
}
TALL = (
    Size("20 000 × 50", {"n": 20_000, "p": 50}, 1_000_000),
    Size("200 000 × 50", {"n": 200_000, "p": 50}, 10_000_000, required=True),
)
WIDE = (
    Size("200 × 2 000", {"n": 200, "p": 2_000}, 400_000),
    Size("500 × 5 000", {"n": 500, "p": 5_000}, 2_500_000, required=True),
)
WARM_UP = {"n": 100, "p": 5}
TERMS = {"tall": TALL, "wide": WIDE}


def contestant(library: str, model: str, **parameters: Any) -> Contestant:
    """A library's least-squares estimator as a contestant, with default parameters otherwise."""

    def fit(table: data.Table) -> Any:
        estimator = getattr(import_module(LIBRARIES[library]), model)
        return estimator(**parameters).fit(table.X, table.y)

    return Contestant(
        name=" ".join([library, *(parameters.get("solver", "").split())]),
        fit=fit,
        requires=(f"{LIBRARIES[library]}:{model}",),
        ours=library == "margin",
        # The speed is asked against scikit-learn; the other peer is there for the reader.
        binding=library != "scikit-learn-intelex",
    )


def _weights(fitted: Any) -> tuple[np.ndarray, float]:
    return np.asarray(fitted.coef_, float).ravel(), float(np.ravel(fitted.intercept_)[0])


def _objective(alpha: float) -> Callable[[data.Table, Any], float]:
    return lambda table, fitted: objectives.penalised_rss(table, *_weights(fitted), alpha)


def _gradient(alpha: float) -> Callable[[data.Table, Any], float]:
    return lambda table, fitted: objectives.ridge_gradient(table, *_weights(fitted), alpha)


def _norm_excess(table: data.Table, fitted: Any) -> float:
    return objectives.norm_excess(table, _weights(fitted)[0])


def _target(alpha: float) -> Target:
    penalty = " + α‖w‖²" if alpha else ""
    return Target(
        objective=_objective(alpha),
        objective_name=f"(‖y − Xw − b‖²{penalty}) / ‖y − ȳ‖²",
        tolerance=1e-10,
        certificate=_gradient(alpha),
        certificate_name="largest entry of the gradient, relative to that at w = 0",
        limit=1e-8,
    )


MINIMUM_NORM = Target(
    objective=_objective(0.0),
    objective_name="‖y − Xw − b‖² / ‖y − ȳ‖²",
    tolerance=1e-10,
    certificate=_norm_excess,
    certificate_name="relative distance of ‖w‖ from the minimum norm",
    limit=1e-6,
)


def _case(
    name: str, description: str, shape: str, contestants: tuple[Contestant, ...], target: Target
) -> Case:
    return Case(
        name=name,
        description=description,
        make_data=data.linear_response,
        sizes=TERMS[shape],
        contestants=contestants,
        target=target,
        required_ratio=1.0,
        required_memory=1.0,
        warm_up=WARM_UP,
    )


RIDGE = (
    contestant("margin", "Ridge", alpha=ALPHA),
    contestant("scikit-learn", "Ridge", alpha=ALPHA),
    contestant("scikit-learn", "Ridge", alpha=ALPHA, solver="cholesky"),
    contestant("scikit-learn-intelex", "Ridge", alpha=ALPHA),
)
OLS = tuple(contestant(library, "LinearRegression") for library in LIBRARIES)

CASES = (
    _case(
        "ridge-tall",
        "Ridge regression, α = 1, intercept, many more rows than columns.",
        "tall",
        RIDGE,
        _target(ALPHA),
    ),
    _case(
        "ridge-wide",
        "Ridge regression, α = 1, intercept, ten times as many columns as rows.",
        "wide",
        RIDGE,
        _target(ALPHA),
    ),
    _case(
        "least-squares-tall",
        "Ordinary least squares, intercept, many more rows than columns.",
        "tall",
        OLS,
        _target(0.0),
    ),
    _case(
        "least-squares-wide",
        (
            "Ordinary least squares, intercept, ten times as many columns as rows: many fits leave"
            " no residual, and the one of smallest norm is asked for."
        ),
        "wide",
        OLS,
        MINIMUM_NORM,
    ),
)
