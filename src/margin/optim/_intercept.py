"""Three ways to treat an intercept."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.sparse import csr_array, hstack, issparse

from margin.core import check
from margin.core.types import Floats
from margin.losses import Loss
from margin.optim._linear_problem import LinearProblem
from margin.penalties import Penalty

_WAYS = ("free", "penalised", "centred", "none")


@dataclass(frozen=True, eq=False)
class InterceptModel:
    """A linear problem, and how its unknowns become coefficients and an intercept.

    Parameters
    ----------
    problem : LinearProblem
    intercept : {"free", "penalised", "centred", "none"}
    x_mean, y_mean : ndarray and float
        What was subtracted from the columns and from the target; zeros unless centred.
    """

    problem: LinearProblem
    intercept: str
    x_mean: Floats
    y_mean: float

    def unpack(self, x: Floats) -> tuple[Floats, float]:
        """Coefficients of the features as given, and the intercept."""
        if self.intercept in ("free", "penalised"):
            return x[:-1], float(x[-1])
        if self.intercept == "none":
            return x, 0.0
        return x, self.y_mean - float(self.x_mean @ x)


def with_intercept(
    X: Any,
    y: Any,
    weight: Floats | None,
    loss: Loss,
    penalty: Penalty,
    intercept: Literal["free", "penalised", "centred", "none"] = "free",
    *,
    n_threads: int = 1,
) -> InterceptModel:
    r"""Linear problem with a free, penalised or centred intercept (penalties.10).

    - ``"free"``: :math:`b` is an unknown of its own that the penalty does not see; predictions
      then follow when the target is shifted.
    - ``"penalised"``: a column of ones is added to the features (linear.27), so :math:`b` is
      shrunk like any coefficient.
    - ``"centred"``: columns and target have their weighted means taken off and :math:`b` is
      :math:`\bar y - \bar x^\top w` afterwards. For the squared loss the same answer as ``"free"``
      with one unknown less; for other losses it is not, and is refused.
    - ``"none"``: :math:`b = 0`.

    Parameters
    ----------
    X, y, weight, loss, penalty, n_threads
        As of :class:`LinearProblem`, one output.
    intercept : {"free", "penalised", "centred", "none"}

    Examples
    --------
    >>> import numpy as np
    >>> from margin.losses import Squared
    >>> from margin.optim import Newton, minimise
    >>> from margin.penalties import L2
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 4.0])
    >>> def fit(intercept):
    ...     model = with_intercept(X, y, None, Squared(), L2(1.0), intercept)
    ...     coef, b = model.unpack(minimise(model.problem, Newton()).x)
    ...     return round(b, 6), round(float(coef[0]), 6)
    >>> fit("free"), fit("centred"), fit("penalised")
    ((1.333333, 1.0), (1.333333, 1.0), (0.8, 1.266667))
    """
    if intercept not in _WAYS:
        allowed = ", ".join(map(repr, _WAYS))
        raise check.fail("with_intercept", "intercept", f"one of {allowed}", intercept)
    p = X.shape[1]
    x_mean, y_mean = np.zeros(p), 0.0
    if intercept == "penalised":
        ones = np.ones((X.shape[0], 1), dtype=X.dtype)
        X = hstack([X, csr_array(ones)], format="csr") if issparse(X) else np.hstack([X, ones])
    elif intercept == "centred":
        if not loss.quadratic:
            need = "'free', 'penalised' or 'none' for any loss but the squared one"
            raise check.fail("with_intercept", "intercept", need, intercept)
        if issparse(X):
            need = "'free', 'penalised' or 'none' for a sparse X, which centring would fill"
            raise check.fail("with_intercept", "intercept", need, intercept)
        x_mean = np.average(X, axis=0, weights=weight).astype(np.float64)
        y_mean = float(np.average(y, weights=weight))
        X, y = X - x_mean, np.asarray(y, dtype=np.float64) - y_mean
    free = intercept == "free"
    problem = LinearProblem(X, y, weight, loss, penalty, intercept=free, n_threads=n_threads)
    return InterceptModel(problem, intercept, x_mean, y_mean)
