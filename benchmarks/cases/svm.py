"""Support vector machines with a Gaussian kernel: classification, its predictions, regression."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.case import Case, Contestant, Setting, Size, Target

FITTERS = {
    "margin": "margin.svm",
    "scikit-learn": "sklearn.svm",
    "scikit-learn-intelex": "sklearnex.svm",
}
TOLERANCES: tuple[Setting, ...] = tuple({"tol": tol} for tol in (1e-3, 3e-4, 1e-4))
EXCESS = 1e-4
BLOCK = 500


def curved_classes(n: int, p: int, seed: int = 0) -> data.Table:
    """Gaussian features; classes divided by a curved surface, a tenth of the rows beyond it."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    w = rng.standard_normal(p)
    score = X @ (w / np.linalg.norm(w)) + 0.7 * np.sin(2 * X[:, 0]) * X[:, 1]
    return data.Table(X, (score + 0.5 * rng.standard_normal(n) > 0).astype(np.int64))


def curved_response(n: int, p: int, seed: int = 0) -> data.Table:
    """Gaussian features, a curved response of deviation about 1 and noise of 0.3."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    w = rng.standard_normal(p)
    y = X @ (w / np.linalg.norm(w)) + np.sin(2 * X[:, 0]) * X[:, 1]
    return data.Table(X, y + 0.3 * rng.standard_normal(n))


def fitter(library: str, name: str) -> Callable[..., Any]:
    """Return ``fit(data, tol=…)`` for a library's machine with default parameters."""

    def fit(table: data.Table, **setting: Any) -> Any:
        return getattr(import_module(FITTERS[library]), name)(**setting).fit(table.X, table.y)

    return fit


def _gaussian_product(X: np.ndarray, Z: np.ndarray, coef: np.ndarray) -> np.ndarray:
    gamma = 1.0 / (X.shape[1] * X.var())
    out = np.empty(len(X))
    squares = (Z * Z).sum(axis=1)
    for at in range(0, len(X), BLOCK):
        some = X[at : at + BLOCK]
        distance = (some * some).sum(axis=1)[:, None] + squares - 2 * some @ Z.T
        out[at : at + BLOCK] = np.exp(-gamma * np.maximum(distance, 0)) @ coef
    return out


def _primal(table: data.Table, fitted: Any, loss: Callable[[np.ndarray], np.ndarray]) -> float:
    coef = np.asarray(fitted.dual_coef_, float).ravel()
    support = np.asarray(fitted.support_, int)
    scores = _gaussian_product(table.X, table.X[support], coef)
    total = (
        0.5 * coef @ scores[support] + loss(scores + float(np.ravel(fitted.intercept_)[0])).sum()
    )
    return float(total / len(table.y))


def _hinge(table: data.Table, fitted: Any) -> float:
    sign = np.where(table.y == 1, 1.0, -1.0)
    return _primal(table, fitted, lambda f: np.maximum(0.0, 1.0 - sign * f))


def _tube(table: data.Table, fitted: Any) -> float:
    return _primal(table, fitted, lambda f: np.maximum(0.0, np.abs(table.y - f) - 0.1))


@cache
def _machine(library: str, n: int, p: int) -> Any:
    return fitter(library, "SVC")(curved_classes(n, p))


def predictor(library: str) -> Callable[..., Any]:
    """Return ``predict(data)`` of a library's machine, trained before the clock starts."""

    def predict(table: data.Table, **setting: Any) -> Any:
        return _machine(library, *table.X.shape).decision_function(table.X)

    return predict


def trained(n: int, p: int) -> data.Table:
    """The classes, after every library that is there has trained its machine on them."""
    table = curved_classes(n, p)
    for library in FITTERS:
        try:
            _machine(library, n, p)
        except ImportError:
            continue
    return table


def _errors(table: data.Table, decision: Any) -> float:
    return float(np.mean((np.ravel(decision) > 0) != (table.y == 1)))


def contestants(name: str, scikit_learn: float) -> tuple[Contestant, ...]:
    """The three libraries, and how many times as fast as scikit-learn ours must be."""
    return tuple(
        Contestant(
            name=library,
            fit=fitter(library, name),
            requires=(f"{module}:{name}",),
            settings=TOLERANCES,
            ours=library == "margin",
            required_ratio=scikit_learn if library == "scikit-learn" else None,
        )
        for library, module in FITTERS.items()
    )


def _size(n: int, p: int, *, required: bool = False) -> Size:
    return Size(f"{n:,} × {p}".replace(",", " "), {"n": n, "p": p}, n * p, required)


def _target(objective: Callable[[Any, Any], float], words: str) -> Target:
    return Target(objective=objective, objective_name=words, tolerance=EXCESS)


CASES = (
    Case(
        name="svc",
        description="Support vector classification, Gaussian kernel, C = 1, default parameters.",
        make_data=curved_classes,
        sizes=(
            _size(5_000, 50),
            _size(20_000, 50, required=True),
            _size(60_000, 20, required=True),
        ),
        contestants=contestants("SVC", scikit_learn=4.0),
        target=_target(_hinge, "(‖w‖²/2 + total hinge loss) per row"),
        required_ratio=1.2,
        warm_up={"n": 300, "p": 5},
        max_rounds=2,
    ),
    Case(
        name="svc-predict",
        description="Decision values of 20 000 rows by the machine trained on them.",
        make_data=trained,
        sizes=(_size(5_000, 50), _size(20_000, 50, required=True)),
        contestants=tuple(
            Contestant(
                name=library,
                fit=predictor(library),
                requires=(f"{module}:SVC",),
                ours=library == "margin",
                required_ratio=20.0 if library == "scikit-learn" else None,
            )
            for library, module in FITTERS.items()
        ),
        target=Target(objective=_errors, objective_name="share of errors", tolerance=1e-3),
        required_ratio=1.2,
        warm_up={"n": 300, "p": 5},
    ),
    Case(
        name="svr",
        description="Support vector regression, Gaussian kernel, C = 1, tube of 0.1.",
        make_data=curved_response,
        sizes=(_size(3_000, 20), _size(10_000, 20, required=True)),
        contestants=contestants("SVR", scikit_learn=3.0),
        target=_target(_tube, "(‖w‖²/2 + total loss outside the tube) per row"),
        required_ratio=1.0,
        warm_up={"n": 300, "p": 5},
        max_rounds=3,
    ),
)
