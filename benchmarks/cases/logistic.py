"""L2-penalised logistic regression with an intercept, binary, dense and sparse; and softmax."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks import data, objectives
from benchmarks.case import Case, Contestant, Setting, Size, Target

C = 1.0
MAX_ITER = 10_000
GRADIENT = 1e-6
EXCESS = 1e-6

FITTERS = {
    "margin": "margin.linear",
    "scikit-learn": "sklearn.linear_model",
    "scikit-learn-intelex": "sklearnex.linear_model",
}
TOLERANCES: tuple[Setting, ...] = tuple(
    {"tol": tol} for tol in (1e-4, 1e-5, 1e-6, 3e-7, 1e-7, 1e-8)
)

# liblinear penalises the intercept as one more weight, by 1/intercept_scaling². The larger the
# scaling, the closer to our objective and the worse the conditioning: hence a ladder over both.
LIBLINEAR: tuple[Setting, ...] = tuple(
    {"tol": tol, "intercept_scaling": scaling}
    for tol in (1e-4, 3e-5, 1e-5, 1e-6, 1e-7)
    for scaling in (10.0, 100.0)
)
LIBLINEAR_NOTE = (
    "liblinear penalises the intercept, divided by `intercept_scaling`; the scaling is large enough"
    " that the penalty left on the intercept does not show in the gradient of the objective above."
)
FALLS_BACK = (
    "hands this problem to scikit-learn's own solver, so its time is lbfgs plus the detour."
)


def fitter(library: str, solver: str) -> Callable[..., Any]:
    """Return ``fit(data, tol=…)`` for a library's LogisticRegression with that solver."""

    def fit(table: data.Table, **setting: Any) -> Any:
        estimator = import_module(FITTERS[library]).LogisticRegression
        return estimator(C=C, solver=solver, max_iter=MAX_ITER, **setting).fit(table.X, table.y)

    return fit


def contestant(
    library: str, solver: str, settings: tuple[Setting, ...] = TOLERANCES, note: str = ""
) -> Contestant:
    """A library's LogisticRegression as a contestant."""
    return Contestant(
        name="margin" if library == "margin" else f"{library} {solver}",
        fit=fitter(library, solver),
        requires=(f"{FITTERS[library]}:LogisticRegression",),
        settings=settings,
        ours=library == "margin",
        note=note,
    )


def _weights(fitted: Any) -> tuple[np.ndarray, float]:
    return np.asarray(fitted.coef_, float).ravel(), float(np.ravel(fitted.intercept_)[0])


def _binary_objective(table: data.Table, fitted: Any) -> float:
    return objectives.binary_objective(table, *_weights(fitted), C)


def _binary_gradient(table: data.Table, fitted: Any) -> float:
    return objectives.binary_gradient(table, *_weights(fitted), C)


def _softmax_objective(table: data.Table, fitted: Any) -> float:
    return objectives.softmax_objective(table, fitted.coef_, fitted.intercept_, C)


def _softmax_gradient(table: data.Table, fitted: Any) -> float:
    return objectives.softmax_gradient(table, fitted.coef_, fitted.intercept_, C)


def _target(
    objective: Callable[[Any, Any], float], gradient: Callable[[Any, Any], float]
) -> Target:
    return Target(
        objective=objective,
        objective_name="mean log loss + ‖w‖²/(2Cn)",
        tolerance=EXCESS,
        certificate=gradient,
        certificate_name="largest entry of the gradient",
        limit=GRADIENT,
    )


def _dense(n: int, p: int, *, required: bool = False) -> Size:
    return Size(f"{n:,} × {p}".replace(",", " "), {"n": n, "p": p}, n * p, required)


def _sparse(n: int, p: int, *, required: bool = False, ratio: float | None = None) -> Size:
    label = f"{n:,} × {p:,}".replace(",", " ")
    return Size(label, {"n": n, "p": p}, round(0.002 * n * p), required, ratio)


OURS = contestant("margin", "auto")
INTELEX = contestant("scikit-learn-intelex", "lbfgs")

CASES = (
    Case(
        name="logistic-dense",
        description=(
            "Binary logistic regression, L2 penalty with C = 1, intercept, on correlated Gaussian"
            " features with labels drawn from known coefficients."
        ),
        make_data=data.dense_binary,
        sizes=(
            _dense(10_000, 50),
            _dense(20_000, 50, required=True),
            _dense(200_000, 50, required=True),
            _dense(1_000_000, 50),
        ),
        contestants=(
            OURS,
            contestant("scikit-learn", "newton-cholesky"),
            contestant("scikit-learn", "newton-cg"),
            contestant("scikit-learn", "lbfgs"),
            contestant("scikit-learn", "liblinear", LIBLINEAR, LIBLINEAR_NOTE),
            INTELEX,
        ),
        target=_target(_binary_objective, _binary_gradient),
        required_ratio=1.2,
        warm_up={"n": 300, "p": 5},
    ),
    Case(
        name="logistic-sparse",
        description=(
            "The same model on a sparse matrix (CSR, 0.2 % of the cells filled). newton-cholesky is"
            " left out: its Hessian has 4 × 10⁸ entries and more."
        ),
        make_data=data.sparse_binary,
        sizes=(
            _sparse(5_000, 10_000),
            _sparse(10_000, 20_000, required=True, ratio=1.0),
            _sparse(100_000, 50_000, required=True),
        ),
        contestants=(
            OURS,
            contestant("scikit-learn", "liblinear", LIBLINEAR, LIBLINEAR_NOTE),
            contestant("scikit-learn", "newton-cg"),
            contestant("scikit-learn", "lbfgs"),
            contestant("scikit-learn-intelex", "lbfgs", note=FALLS_BACK),
        ),
        target=_target(_binary_objective, _binary_gradient),
        required_ratio=1.2,
        warm_up={"n": 300, "p": 500, "density": 0.02},
    ),
    Case(
        name="logistic-softmax",
        description=(
            "Multinomial logistic regression, L2 penalty with C = 1, intercept, ten classes, on"
            " counts shaped like the handwritten digits."
        ),
        make_data=data.digits_like,
        sizes=(_dense(2_000, 64), _dense(10_000, 64)),
        contestants=(
            OURS,
            contestant("scikit-learn", "newton-cg"),
            contestant("scikit-learn", "newton-cholesky"),
            contestant("scikit-learn", "lbfgs"),
            INTELEX,
        ),
        target=_target(_softmax_objective, _softmax_gradient),
        warm_up={"n": 300, "p": 5},
    ),
)
