"""The dual variables of logistic regression, which passes over the rows improve."""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit, log_expit

from margin.core import check
from margin.core.types import Floats
from margin.losses import Logistic
from margin.native.duals.dual_logistic import dual_logistic_kernel_pass, dual_logistic_pass
from margin.optim._linear_problem import LinearProblem
from margin.optim.duals._linear_dual import row_squares

_START = 1e-3  # dual variables start near zero: half of the data at full weight is far off


@dataclass(frozen=True)
class DualPoint:
    """A primal point, its objective, its distance from the dual value, the dual variables."""

    x: Floats
    primal: float
    gap: float
    variables: Floats


@dataclass
class LogisticMultipliers:
    """Log-odds ``u`` and residuals ``r`` of the rows, and the model they make (linear.34)."""

    problem: LinearProblem
    u: Floats = field(init=False)
    r: Floats = field(init=False)
    offset: float = 0.0

    def __post_init__(self) -> None:
        X, form = self.problem.X, self.problem.penalty.quadratic_form
        assert form is not None
        self.alpha, self.kernel = form[0], form[1] is not None
        self.y, n = self.problem.y, len(self.problem.y)
        self.weight = np.ones(n) if self.problem.weight is None else self.problem.weight
        if self.kernel:
            self.square = np.ascontiguousarray(np.diagonal(X), dtype=np.float64)
        else:
            self.square = row_squares(X)
        used = self.weight @ self.square / max(float(self.weight.sum()), 1e-300)
        self.tau = max(float(used), 1e-12) / self.alpha if self.problem.intercept else 0.0

    def start(self, x0: Floats | None) -> None:
        if x0 is not None:
            if x0.shape != (self.problem.dimension,):
                need = f"of shape ({self.problem.dimension},)"
                raise check.fail("DualNewton", "x0", need, x0.shape)
            self.adopt(x0)
            return
        far = np.log((1.0 - _START) / _START)
        self.u = far * (2.0 * self.y - 1.0)
        self.r = Logistic().slope(self.u, self.y)

    def adopt(self, x: Floats) -> None:
        """Take the log-odds and residuals of a model."""
        self.u = self.problem.predictions(x)[:, 0].copy()
        self.offset = float(x[-1]) if self.problem.intercept else 0.0
        self.r = Logistic().slope(self.u, self.y)

    def sweep(self, rng: np.random.Generator) -> None:
        """One pass over the rows in random order, then a proximal step of the intercept."""
        order = rng.permutation(len(self.u))
        pull = -float(self.weight @ self.r)
        shared = (self.y, self.weight, self.square, self.alpha, self.tau, self.u, self.r)
        coef = self.coefficients(self.r)
        if self.kernel:
            scores = np.append(self.problem.X @ coef, self.offset + self.tau * pull)
            dual_logistic_kernel_pass(self.problem.X, order, *shared, scores)
            self.offset = float(scores[-1])
        else:
            w = np.append(coef, self.offset + self.tau * pull)
            dual_logistic_pass(self.problem.X, order, *shared, w)
            self.offset = float(w[-1])
        if not self.problem.intercept:
            self.offset = 0.0

    def coefficients(self, r: Floats) -> Floats:
        """The model of these residuals: of the features, or of the kernel functions."""
        mass = -self.weight * r / self.alpha
        return mass if self.kernel else np.asarray(self.problem.X.T @ mass, dtype=np.float64)

    def point(self, x: Floats | None = None) -> DualPoint:
        """Primal point with its objective, and its distance from the dual value.

        The point is the model that the residuals make, unless another one is given.
        """
        r, balanced = self._balanced()
        coef = self.coefficients(r)
        if x is None:
            own = coef if balanced is self.u else self.coefficients(self.r)
            x = np.append(own, self.offset) if self.problem.intercept else own
        primal = self.problem.expand(x).value
        dual = float(self.weight @ _entropy(balanced)) - self.problem.penalty.value(coef[:, None])
        return DualPoint(x, primal, max(primal - dual, 0.0), np.abs(self.r))

    def _balanced(self) -> tuple[Floats, Floats]:
        """Residuals of weighted sum zero where an intercept is free, and their log-odds."""
        if not self.problem.intercept:
            return self.r, self.u
        mass = self.weight * self.r
        up, down = float(mass[mass > 0].sum()), -float(mass[mass < 0].sum())
        if up == down:
            return self.r, self.u
        share = np.where(self.r > 0, min(1.0, down / up) if up else 0.0, 1.0)
        share = np.where(self.r < 0, min(1.0, up / down) if down else 0.0, share)
        r = share * self.r
        with np.errstate(divide="ignore"):
            return r, np.log(r + self.y) - np.log1p(-(r + self.y))


def _entropy(u: Floats) -> Floats:
    """Entropy of a coin with log-odds ``u``; zero for a sure one."""
    size = np.where(np.isfinite(u), np.abs(u), 700.0)
    return np.asarray(-expit(size) * log_expit(size) - expit(-size) * log_expit(-size))
