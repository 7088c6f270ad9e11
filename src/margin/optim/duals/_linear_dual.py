"""Linear models whose loss is the largest of linear functions: hinge and tube, also squared."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse

from margin.core.types import Floats
from margin.native.duals.dual_hinge import DualTerms


def row_squares(X: Any) -> Floats:
    """Squared length of every row of an array or CSR matrix, in double precision."""
    if not issparse(X):
        return np.asarray(np.einsum("ij,ij->i", X, X, dtype=np.float64))
    values = np.square(X.data, dtype=np.float64)
    powers = csr_matrix((values, X.indices, X.indptr), shape=X.shape, copy=False)
    return np.asarray(powers @ np.ones(X.shape[1]))


def best_multiple(slope: Callable[[float], float]) -> float:
    """Factor near the minimum of a convex function, given its slope, as seen from 1.

    The function falls all the way from 1 to the factor.
    """
    at_one = slope(1.0)
    near, far = 0.0, -1e-3 if at_one > 0 else 1e-3
    while abs(far) < 1.0 and slope(1.0 + far) * at_one > 0:
        near, far = far, 4.0 * far
    for _ in range(3):
        middle = 0.5 * (near + far)
        near, far = (middle, far) if slope(1.0 + middle) * at_one > 0 else (near, middle)
    return 1.0 + near


@dataclass(frozen=True)
class LinearDual:
    r"""Linear support vector machine and its dual (svm.03, svm.06, svm.09).

    The primal :math:`\tfrac12 \|w\|^2 + \sum_i \varphi_i(x_i^\top w)` has the losses

    .. math:: \varphi_i(z) = \max_{l_i \le \beta \le u_i} \beta (t_i - z) - \epsilon |\beta|
        - \tfrac12 d_i \beta^2 .

    With labels :math:`\pm 1` as :math:`t`, :math:`0 \le y_i \beta_i \le C` and :math:`d = 0` that
    is the hinge; :math:`0 \le y_i \beta_i` and :math:`d = 1/2C` is its square; bounds
    :math:`\pm C` and :math:`\epsilon > 0` are the tube of regression. The dual minimises

    .. math:: \tfrac12 \|X^\top \beta\|^2 + \sum_i \tfrac12 d_i \beta_i^2 - t_i \beta_i
        + \epsilon |\beta_i|, \qquad w = X^\top \beta .

    Parameters
    ----------
    X : ndarray in C order or CSR matrix of shape (n, p)
    target, lower, upper, ridge : ndarray of shape (n,)
        :math:`t`, :math:`l \le 0`, :math:`u \ge 0` and :math:`d`.
    epsilon : float
    constant : float
        Value of a further feature whose coefficient is the intercept divided by it, penalised like
        the others; 0 for no intercept, ``inf`` for one that is not penalised.
    """

    X: Any
    target: Floats
    lower: Floats
    upper: Floats
    ridge: Floats
    epsilon: float = 0.0
    constant: float = 0.0
    square: Floats = field(init=False)

    def __post_init__(self) -> None:
        n = self.X.shape[0]
        for name in ("target", "lower", "upper", "ridge"):
            value = getattr(self, name)
            if value.shape != (n,):
                raise ValueError(f"LinearDual: {name} must be of length {n}, got {len(value)}")
        if (self.lower > 0).any() or (self.upper < 0).any():
            raise ValueError("LinearDual: lower and upper must enclose 0, got bounds that do not")
        if not self.epsilon >= 0 or not self.constant >= 0:
            got = min(self.epsilon, self.constant)
            raise ValueError(f"LinearDual: epsilon and constant must be at least 0, got {got}")
        last = 0.0 if self.free else self.constant**2
        object.__setattr__(self, "square", row_squares(self.X) + last + self.ridge)

    @property
    def terms(self) -> DualTerms:
        """The dual without the rows, for the compiled loops."""
        return DualTerms(
            self.target, self.lower, self.upper, self.ridge, self.square,
            float(self.epsilon), float(self.constant),
        )  # fmt: skip

    @property
    def free(self) -> bool:
        """Whether the intercept is not penalised."""
        return self.constant == np.inf

    @property
    def last(self) -> float:
        """Value of the feature behind the intercept."""
        return 1.0 if self.free else self.constant

    @cached_property
    def weights(self) -> Floats:
        """Penalty of every coordinate: ones, the intercept last."""
        out = np.ones(self.X.shape[1] + 1)
        out[-1] = 0.0 if self.free else 1.0
        return out

    def scores(self, w: Floats) -> Floats:
        """Predictions of coefficients whose last one is that of the intercept."""
        z: Floats = np.asarray(self.X @ w[:-1], dtype=np.float64) + self.last * w[-1]
        return z

    def pull(self, beta: Floats) -> Floats:
        """Coefficients that the multipliers ask for; for a free intercept the sum comes last."""
        out = np.empty(self.X.shape[1] + 1)
        out[:-1] = self.X.T @ beta
        out[-1] = self.last * beta.sum()
        return out

    def answer(self, z: Floats, anchor: Floats | None = None, pace: float = np.inf) -> Floats:
        r"""Multipliers that attain the losses at scores ``z``.

        With an ``anchor`` the maximum is taken of the loss minus
        :math:`(\beta - \text{anchor})^2 / (2\,\text{pace})`.
        """
        r = self.target - z
        if anchor is not None:
            r = r + anchor / pace
        if self.epsilon:
            r = np.sign(r) * np.maximum(np.abs(r) - self.epsilon, 0.0)
        curved = self.ridge + 1.0 / pace
        bent = curved > 0
        if bent.all():
            inside = r / curved
        else:
            wall = np.where(r > 0, self.upper, np.where(r < 0, self.lower, 0.0))
            inside = np.divide(r, curved, out=wall, where=bent)
        beta: Floats = np.minimum(np.maximum(inside, self.lower), self.upper)
        return beta

    def losses(self, z: Floats, beta: Floats) -> float:
        """Sum of what the multipliers give at scores ``z``; the losses for ``answer(z)``."""
        r = self.target - z
        spent = 0.5 * beta @ (self.ridge * beta)
        if self.epsilon:
            spent += self.epsilon * np.add.reduce(np.abs(beta))
        return float(beta @ r - spent)

    def primal(self, w: Floats, z: Floats | None = None) -> float:
        """Objective at coefficients ``w``."""
        z = self.scores(w) if z is None else z
        return 0.5 * float(self.weights * w @ w) + self.losses(z, self.answer(z))

    def stretched(self, w: Floats) -> tuple[float, float]:
        """Least objective among the multiples of ``w``, and the factor that gives it."""
        z = self.scores(w)
        square = float(self.weights * w @ w)

        def slope(factor: float) -> float:
            return factor * square - float(self.answer(factor * z) @ z)

        factor = best_multiple(slope)
        return self.primal(factor * w, factor * z), factor

    def dual(self, beta: Floats, pulled: Floats | None = None) -> float:
        """Lower bound of the objective at multipliers ``beta``."""
        pulled = self.pull(beta) if pulled is None else pulled
        if self.free:
            beta = self.balanced(beta)
            pulled = self.pull(beta)
        zero = np.zeros(len(beta))
        return self.losses(zero, beta) - 0.5 * float(self.weights * pulled @ pulled)

    def balanced(self, beta: Floats) -> Floats:
        """Multipliers of sum zero, as a free intercept asks for: the larger side shortened."""
        up, down = beta[beta > 0].sum(), -beta[beta < 0].sum()
        if up == down:
            return beta
        if min(up, down) == 0:
            return np.zeros_like(beta)
        factor = np.where(beta > 0, min(1.0, down / up), min(1.0, up / down))
        shortened: Floats = beta * factor
        return shortened

    def relative(self, gap: float, primal: float) -> float:
        """Gap divided by the objective; by a part of that at zero where the fit is perfect."""
        return gap / max(primal, 1e-8 * self._at_zero, 1e-300)

    @cached_property
    def _at_zero(self) -> float:
        """Objective where all coefficients are zero."""
        zero = np.zeros(len(self.target))
        return self.losses(zero, self.answer(zero))
