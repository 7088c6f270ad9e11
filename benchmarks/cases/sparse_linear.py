"""Linear models of few features: lasso at one strength and along a path, L1 logistic regression."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from scipy.special import expit

from benchmarks import data
from benchmarks.case import Case, Contestant, Setting, Size, Target

SHARE = 0.05
POINTS, LAST = 100, 1e-2
C = 1.0
TOLERANCES: tuple[Setting, ...] = tuple({"tol": t} for t in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8))
LIBLINEAR: tuple[Setting, ...] = tuple(
    {"tol": tol, "intercept_scaling": scaling}
    for tol in (1e-4, 1e-5, 1e-6, 1e-7)
    for scaling in (100.0, 1000.0)
)
LIBLINEAR_NOTE = (
    "liblinear penalises the intercept, divided by `intercept_scaling`; the scaling is large enough"
    " that the penalty left does not show in the conditions above."
)
LASSO = {
    "margin": "margin.linear",
    "scikit-learn": "sklearn.linear_model",
    "skglm": "skglm",
    "celer": "celer",
}


@dataclass(frozen=True)
class Path:
    """Coefficients of a path, one column per strength."""

    coefs: np.ndarray


def few_features(n: int, p: int, *, centred: bool = False, seed: int = 0) -> data.Table:
    """Neighbouring columns correlated by a half, 20 of them active, a tenth of noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    for j in range(1, p):
        X[:, j] = 0.5 * X[:, j - 1] + np.sqrt(0.75) * X[:, j]
    active = rng.choice(p, min(20, p), replace=False)
    signal = X[:, active] @ (rng.choice([-1, 1], active.size) * rng.uniform(0.5, 1.5, active.size))
    y = signal + rng.standard_normal(n) * signal.std() / 3 + 1.0
    return data.Table(X - X.mean(axis=0), y - y.mean()) if centred else data.Table(X, y)


def _strongest(table: data.Table) -> float:
    return float(np.abs(table.X.T @ (table.y - table.y.mean())).max() / table.y.size)


def _strengths(table: data.Table) -> np.ndarray:
    top = _strongest(table)
    return np.geomspace(top, LAST * top, POINTS)


def lasso_value(table: data.Table, w: np.ndarray, alpha: float) -> tuple[float, float]:
    r"""Objective relative to that at zero, and duality gap relative to :math:`\|y - \bar y\|^2/n`.

    The intercept is the best one for ``w``; :math:`t r` with :math:`t = \min(1, \alpha n /
    \|X^\top r\|_\infty)` is dual feasible.
    """
    n = table.y.size
    target = table.y - table.y.mean()
    r = table.y - table.X @ w
    r -= r.mean()
    primal = r @ r / (2 * n) + alpha * np.abs(w).sum()
    t = min(1.0, alpha * n / max(np.abs(table.X.T @ r).max(), 1e-300))
    dual = (t * (r @ target) - t * t * (r @ r) / 2) / n
    energy = target @ target / n
    return float(2 * primal / energy), float((primal - dual) / energy)


def _lasso_objective(table: data.Table, fitted: Any) -> float:
    return lasso_value(table, np.ravel(fitted.coef_), SHARE * _strongest(table))[0]


def _lasso_gap(table: data.Table, fitted: Any) -> float:
    return lasso_value(table, np.ravel(fitted.coef_), SHARE * _strongest(table))[1]


def _path_values(table: data.Table, fitted: Path) -> np.ndarray:
    pairs = zip(fitted.coefs.T, _strengths(table), strict=True)
    return np.array([lasso_value(table, w, alpha) for w, alpha in pairs])


def _path_objective(table: data.Table, fitted: Path) -> float:
    return float(_path_values(table, fitted)[:, 0].mean())


def _path_gap(table: data.Table, fitted: Path) -> float:
    return float(_path_values(table, fitted)[:, 1].max())


def lasso(library: str) -> Contestant:
    """A library's Lasso as a contestant."""

    def fit(table: data.Table, **setting: Any) -> Any:
        extra = {"max_iter": 100_000} if library == "scikit-learn" else {}
        estimator = import_module(LASSO[library]).Lasso
        return estimator(alpha=SHARE * _strongest(table), **extra, **setting).fit(table.X, table.y)

    return Contestant(
        name=library,
        fit=fit,
        requires=(f"{LASSO[library]}:Lasso",),
        settings=TOLERANCES,
        ours=library == "margin",
    )


def path(library: str) -> Contestant:
    """A library's lasso path as a contestant; none fits an intercept, so the data are centred."""

    def fit(table: data.Table, tol: float) -> Path:
        X, y, alphas = table.X, table.y, _strengths(table)
        if library == "celer":
            return Path(import_module("celer").celer_path(X, y, "lasso", alphas=alphas, tol=tol)[1])
        if library == "skglm":
            model = import_module("skglm").Lasso(fit_intercept=False, tol=tol)
            return Path(model.path(np.asfortranarray(X), y, alphas)[1])
        extra = {"max_iter": 100_000} if library == "scikit-learn" else {}
        found = import_module(LASSO[library]).lasso_path(X, y, alphas=alphas, tol=tol, **extra)
        return Path(found[1])

    attribute = "celer_path" if library == "celer" else "Lasso"
    return Contestant(
        name=library,
        fit=fit,
        requires=(f"{LASSO[library]}:{attribute}",),
        settings=TOLERANCES,
        ours=library == "margin",
    )


def _logistic_objective(table: data.Table, fitted: Any) -> float:
    w, b = np.ravel(fitted.coef_), float(np.ravel(fitted.intercept_)[0])
    margins = (2 * table.y - 1) * (table.X @ w + b)
    loss = np.logaddexp(0.0, -margins).mean()
    return float(loss + np.abs(w).sum() / (C * table.y.size))


def _logistic_conditions(table: data.Table, fitted: Any) -> float:
    """Largest violation of an optimality condition, relative to the strength of the penalty."""
    w, b = np.ravel(fitted.coef_), float(np.ravel(fitted.intercept_)[0])
    slope = (expit(table.X @ w + b) - table.y) / table.y.size
    g, l1 = table.X.T @ slope, 1.0 / (C * table.y.size)
    broken = np.where(w == 0, np.maximum(np.abs(g) - l1, 0.0), np.abs(g + l1 * np.sign(w)))
    return float(max(broken.max(), abs(slope.sum())) / l1)


def _fit_margin(table: data.Table, **setting: Any) -> Any:
    from margin.linear import LogisticRegression

    return LogisticRegression(C=C, l1_ratio=1.0, **setting).fit(table.X, table.y)


def _fit_liblinear(table: data.Table, **setting: Any) -> Any:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=C, l1_ratio=1.0, solver="liblinear", max_iter=10_000, **setting)
    return model.fit(table.X, table.y)


def _fit_skglm(table: data.Table, **setting: Any) -> Any:
    from skglm import SparseLogisticRegression

    alpha = 1.0 / (C * table.y.size)
    return SparseLogisticRegression(alpha=alpha, max_iter=100, **setting).fit(table.X, table.y)


def _peer(
    name: str, fit: Callable[..., Any], requires: str, settings: tuple[Setting, ...], note: str = ""
) -> Contestant:
    return Contestant(name, fit, (requires,), settings, note=note)


def _size(n: int, p: int, *, elements: int | None = None, required: bool = False) -> Size:
    label = f"{n:,} × {p:,}".replace(",", " ")
    return Size(label, {"n": n, "p": p}, elements or n * p, required)


DENSE = (_size(500, 1_000), _size(1_000, 2_500), _size(2_000, 5_000, required=True))
CASES = (
    Case(
        name="lasso",
        description=(
            "Lasso with intercept, 20 of the features active, at a twentieth of the strength that"
            " lets no feature in."
        ),
        make_data=few_features,
        sizes=DENSE,
        contestants=tuple(lasso(library) for library in LASSO),
        target=Target(
            objective=_lasso_objective,
            objective_name="objective relative to that at zero",
            tolerance=1e-6,
            certificate=_lasso_gap,
            certificate_name="duality gap relative to the mean square of y",
            limit=1e-6,
        ),
        required_ratio=1.2,
        warm_up={"n": 60, "p": 80},
    ),
    Case(
        name="lasso-path",
        description=(
            f"Lasso path of {POINTS} strengths down to {LAST:g} of the largest, 20 of the features"
            " active, centred data."
        ),
        make_data=lambda n, p: few_features(n, p, centred=True),
        sizes=DENSE,
        contestants=tuple(path(library) for library in LASSO),
        target=Target(
            objective=_path_objective,
            objective_name="mean over the path of the objective relative to that at zero",
            tolerance=1e-4,
            certificate=_path_gap,
            certificate_name="largest duality gap relative to the mean square of y",
            limit=1e-4,
        ),
        required_ratio=1.2,
        warm_up={"n": 60, "p": 80},
        max_rounds=3,
    ),
    Case(
        name="logistic-l1-sparse",
        description=(
            "Binary logistic regression, L1 penalty with C = 1, intercept, on a sparse matrix (0.2"
            " % of the cells filled, five times as many columns as rows)."
        ),
        make_data=data.sparse_binary,
        sizes=(
            _size(2_000, 10_000, elements=40_000),
            _size(10_000, 50_000, elements=1_000_000, required=True),
        ),
        contestants=(
            Contestant(
                "margin",
                _fit_margin,
                ("margin.linear:LogisticRegression",),
                tuple({"tol": t} for t in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)),
                ours=True,
            ),
            _peer(
                "scikit-learn liblinear",
                _fit_liblinear,
                "sklearn.linear_model:LogisticRegression",
                LIBLINEAR,
                LIBLINEAR_NOTE,
            ),
            _peer("skglm", _fit_skglm, "skglm:SparseLogisticRegression", TOLERANCES),
        ),
        target=Target(
            objective=_logistic_objective,
            objective_name="mean log loss + ‖w‖₁/(Cn)",
            tolerance=1e-6,
            certificate=_logistic_conditions,
            certificate_name="largest violation of an optimality condition, relative to 1/(Cn)",
            limit=3e-2,
        ),
        required_ratio=1.2,
        warm_up={"n": 300, "p": 500, "density": 0.02},
    ),
)
