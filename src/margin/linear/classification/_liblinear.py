"""Logistic regression whose intercept is penalised, as LIBLINEAR has it."""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack, issparse

from margin import optim
from margin.core import check
from margin.core.progress import Callback
from margin.linear.classification._logistic_solvers import LogisticFit, Search, solve_logistic

_LARGEST = 1e30


def solve_liblinear(
    owner: object,
    problem: optim.LinearProblem,
    search: Search,
    scaling: float,
    callback: Callback | None = None,
) -> LogisticFit:
    """Minimise with the intercept as the weight of a constant feature of value ``scaling``.

    The penalty counts that weight as any other: the larger the value, the less it matters.
    """
    stored = problem.X.data if issparse(problem.X) else problem.X
    if stored.max(initial=0.0) > _LARGEST:
        need = (
            "rescaled: Using the 'liblinear' solver while X contains a maximum value > 1e30 "
            "results in a frozen fit. Please choose another solver or rescale the input X."
        )
        raise check.fail(owner, "X", need, float(stored.max()))
    if not problem.intercept:
        return solve_logistic(owner, problem, search, callback)
    bordered = replace(problem, X=_bordered(problem.X, scaling), intercept=False)
    fit = solve_logistic(owner, bordered, search, callback)
    return replace(fit, coef=fit.coef[:-1], intercept=scaling * fit.coef[-1])


def _bordered(X: Any, value: float) -> Any:
    """The rows with a constant behind them."""
    if issparse(X):
        constant = csr_matrix(np.full((X.shape[0], 1), value, dtype=X.dtype))
        return hstack([X, constant], format="csr", dtype=X.dtype)
    return np.column_stack([X, np.full(X.shape[0], value, dtype=X.dtype)])
