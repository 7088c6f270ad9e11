"""Names of the solvers of a logistic regression, and what each of them can do."""

from typing import Any

import numpy as np

from margin import optim
from margin.core import check

SOLVERS: dict[str, Any] = {
    "newton": optim.Newton,
    "newton-cholesky": optim.Newton,
    "newton-cg": optim.NewtonCG,
    "lbfgs": optim.LBFGS,
    "bfgs": optim.BFGS,
    "nonlinear-cg": optim.NonlinearCG,
    "gradient-descent": optim.GradientDescent,
    "fista": optim.FISTA,
    "irls": optim.IRLS,
    "sag": optim.SAG,
    "saga": optim.SAGA,
    "coordinate-descent": optim.CoordinateDescent,
    "dual-newton": optim.DualNewton,
}
LIBLINEAR = "liblinear"
NAMES = ("auto", *SOLVERS, LIBLINEAR)
_DUAL = ("auto", LIBLINEAR, "dual-newton")
BY_ROWS = ("sag", "saga")
_TWO_CLASSES = ("irls", "coordinate-descent", "dual-newton", LIBLINEAR)
KINK_SOLVERS = ("coordinate-descent", "fista", "saga", LIBLINEAR)


def check_pairing(
    owner: object,
    solver: Any,
    strength: float,
    l1_ratio: float,
    n_classes: int = 2,
    dual: bool = False,
) -> None:
    """Refuse a solver that cannot do this penalty, or that many classes, before any work.

    A solver that is given as a value is held against the problem itself, by the engine.
    """
    if not isinstance(solver, str):
        return
    if dual:
        _check_dual(owner, solver, strength, l1_ratio)
    able = set(NAMES)
    reasons = []
    if n_classes > 2:
        able -= set(_TWO_CLASSES)
        reasons.append("there are more than two classes")
    if np.isinf(strength):
        able -= {"dual-newton", LIBLINEAR}
        reasons.append("there is no penalty")
    elif l1_ratio > 0:
        able &= {"auto", *KINK_SOLVERS} - ({LIBLINEAR} if l1_ratio < 1 else set())
        reasons.append("l1_ratio is above 0")
    if solver not in able:
        choice = ", ".join(repr(name) for name in NAMES if name in able)
        need = f"one of {choice} where {' and '.join(reasons)}"
        words = _refusal(solver, strength, l1_ratio)
        raise check.fail(owner, "solver", f"{need} ({words})" if words else need, solver)


def _check_dual(owner: object, solver: str, strength: float, l1_ratio: float) -> None:
    if solver not in _DUAL:
        need = (
            f"False for this solver (Solver {solver} supports only dual=False, got dual=True; "
            f"one of {', '.join(map(repr, _DUAL))} solves the dual)"
        )
        raise check.fail(owner, "dual", need, True)
    if l1_ratio > 0 or np.isinf(strength):
        need = "False unless the penalty is of squares alone"
        raise check.fail(owner, "dual", need, True)


def _refusal(solver: str, strength: float, l1_ratio: float) -> str:
    """The same in the words that scikit-learn's users search for."""
    if solver == LIBLINEAR and np.isinf(strength):
        return "C=np.inf as well as penalty=None is not supported for the liblinear solver"
    if solver == LIBLINEAR and 0 < l1_ratio < 1:
        return "Only 'saga' solver supports elasticnet penalty, got solver=liblinear."
    if solver == LIBLINEAR:
        return "The 'liblinear' solver does not support multiclass classification."
    if l1_ratio > 0 and solver not in KINK_SOLVERS:
        kind = "l1" if l1_ratio == 1 else "elasticnet"
        return f"Solver {solver} supports only 'l2' or None penalties, got {kind} penalty"
    return ""
