"""One epoch of stochastic gradients: a linear support vector machine, one row after the other."""

from importlib import import_module
from typing import Any

import numpy as np

from benchmarks import data, objectives
from benchmarks.case import Case, Contestant, Setting, Size, Target

ALPHA = 1e-4
LIBRARIES = {"margin": "margin.linear", "scikit-learn": "sklearn.linear_model"}

# Both take the same steps, so that one epoch ends equally far from the minimum.
RATES: Setting = {"learning_rate": "invscaling", "eta0": 0.1, "power_t": 0.5}


def contestant(library: str) -> Contestant:
    """A library's SGDClassifier as a contestant."""

    def fit(table: data.Table) -> Any:
        estimator = import_module(LIBRARIES[library]).SGDClassifier
        model = estimator(loss="hinge", alpha=ALPHA, max_iter=1, tol=None, random_state=0, **RATES)
        return model.fit(table.X, table.y)

    return Contestant(
        name=library,
        fit=fit,
        requires=(f"{LIBRARIES[library]}:SGDClassifier",),
        ours=library == "margin",
    )


def _objective(table: data.Table, fitted: Any) -> float:
    w, b = np.asarray(fitted.coef_, float).ravel(), float(np.ravel(fitted.intercept_)[0])
    return objectives.hinge_objective(table, w, b, ALPHA)


CASES = (
    Case(
        name="sgd-epoch",
        description=(
            "One epoch of stochastic gradients on the hinge loss, L2 penalty with α = 10⁻⁴,"
            " intercept, steps of 0.1/√t."
        ),
        make_data=data.dense_binary,
        sizes=tuple(
            Size(label, {"n": n, "p": 50}, 50 * n, required=n == 1_000_000)
            for label, n in (
                ("10 000 × 50", 10_000),
                ("100 000 × 50", 100_000),
                ("1 000 000 × 50", 1_000_000),
            )
        ),
        contestants=tuple(contestant(library) for library in LIBRARIES),
        target=Target(
            objective=_objective,
            objective_name="mean hinge loss + α‖w‖²/2",
            tolerance=0.005,
        ),
        required_ratio=1.5,
        warm_up={"n": 300, "p": 5},
    ),
)
