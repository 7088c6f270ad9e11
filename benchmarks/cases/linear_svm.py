"""Linear support vector classification, hinge and squared hinge, dense and sparse."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.case import Case, Contestant, Setting, Size, Target

C = 1.0
MAX_ITER = 20_000
EXCESS = 1e-4
SHARP = 1e-4

FITTERS = {"margin": "margin.svm", "scikit-learn": "sklearn.svm"}
TOLERANCES: tuple[Setting, ...] = tuple(
    {"tol": tol} for tol in (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6)
)


def fitter(library: str, loss: str, dual: Any) -> Callable[..., Any]:
    """Return ``fit(data, tol=…)`` for a library's LinearSVC."""

    def fit(table: data.Table, **setting: Any) -> Any:
        estimator = import_module(FITTERS[library]).LinearSVC
        options = {"C": C, "loss": loss, "dual": dual, "max_iter": MAX_ITER, "random_state": 0}
        return estimator(**options, **setting).fit(table.X, table.y)

    return fit


def contestant(library: str, loss: str, dual: Any, name: str) -> Contestant:
    """A library's LinearSVC as a contestant."""
    return Contestant(
        name=name,
        fit=fitter(library, loss, dual),
        requires=(f"{FITTERS[library]}:LinearSVC",),
        settings=TOLERANCES,
        ours=library == "margin",
    )


def objective(loss: str) -> Callable[[Any, Any], float]:
    """Mean loss plus penalty, the intercept penalised as both libraries do."""

    def value(table: data.Table, fitted: Any) -> float:
        w, b = np.ravel(fitted.coef_), float(np.ravel(fitted.intercept_)[0])
        slack = np.maximum(0.0, 1.0 - (2 * table.y - 1) * (table.X @ w + b))
        cost = slack.mean() if loss == "hinge" else np.square(slack).mean()
        return float(cost + (w @ w + b * b) / (2 * C * table.y.size))

    return value


def excess(loss: str) -> Callable[[Any, Any], float]:
    """How far above the least objective an answer can be.

    The bound that nobody can undercut is an answer of ours to many digits, less its duality gap.
    """
    value = objective(loss)
    floors: dict[tuple[int, int], float] = {}

    def above(table: data.Table, fitted: Any) -> float:
        if table.X.shape not in floors:
            best = fitter("margin", loss, "auto")(table, tol=SHARP)
            gap = best.fit_report_.certificate.value
            floors[table.X.shape] = value(table, best) * (1.0 - gap)
        return value(table, fitted) - floors[table.X.shape]

    return above


def _contestants(loss: str) -> tuple[Contestant, ...]:
    ours = contestant("margin", loss, "auto", "margin")
    peers = [contestant("scikit-learn", loss, True, "liblinear dual")]
    if loss == "squared_hinge":
        peers.append(contestant("scikit-learn", loss, False, "liblinear primal"))
    return (ours, *peers)


def _case(loss: str, kind: str, size: Size, make: Any, warm_up: dict[str, Any]) -> Case:
    words = loss.replace("_", " ")
    return Case(
        name=f"linear-svm-{words.replace(' ', '-')}-{kind}",
        description=f"Linear support vector classification, {words}, C = 1, {kind} table.",
        make_data=make,
        sizes=(size,),
        contestants=_contestants(loss),
        target=Target(
            objective=objective(loss),
            objective_name=f"mean {words} + (‖w‖² + b²)/(2Cn)",
            tolerance=EXCESS,
            certificate=excess(loss),
            certificate_name="objective above its lower bound",
            limit=EXCESS,
        ),
        required_ratio=1.5,
        warm_up=warm_up,
        max_rounds=3,
    )


DENSE = Size("20 000 × 50", {"n": 20_000, "p": 50}, 1_000_000, True)
SPARSE = Size("100 000 × 50 000", {"n": 100_000, "p": 50_000}, 10_000_000, True)

CASES = tuple(
    _case(loss, kind, size, make, warm_up)
    for loss in ("hinge", "squared_hinge")
    for kind, size, make, warm_up in (
        ("dense", DENSE, data.dense_binary, {"n": 300, "p": 5}),
        ("sparse", SPARSE, data.sparse_binary, {"n": 300, "p": 500, "density": 0.02}),
    )
)
