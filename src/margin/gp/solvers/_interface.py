"""What the model asks of the linear algebra behind it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class Observations:
    r"""Data of a regression: :math:`y = f(x) + h(x)^\top\beta + \epsilon`.

    Parameters
    ----------
    X : array of shape (n, d), or a list of objects
        Inputs, as the kernel takes them.
    Y : ndarray of shape (n, k)
        Targets less the known mean, one column per output.
    noise : ndarray of shape (n,)
        Known variance of :math:`\epsilon` at each row, besides what the kernel adds.
    H : ndarray of shape (n, r)
        Orthonormal basis of the mean, no columns where there is none.
    """

    X: Any
    Y: Floats
    noise: Floats
    H: Floats

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.Y)


@dataclass(frozen=True)
class Evaluation:
    """Log marginal likelihood, or a bound of it, at one kernel.

    Parameters
    ----------
    value : float
    gradient : ndarray of shape (p,)
        In the log hyper-parameters of the kernel, then whatever else the solver learns.
    error : float or None
        Standard error of the value, None where it is exact.
    """

    value: float
    gradient: Floats
    error: float | None = None


@dataclass(frozen=True, eq=False)
class Held:
    """Leave-one-out predictions: mean and variance of each target given all the others."""

    mean: Floats
    var: Floats


class Posterior(ABC):
    """The process given the observations; every answer is for the latent function."""

    whole: ClassVar[bool] = False  # whether new objects are best taken all at once

    @property
    def repairs(self) -> tuple[str, ...]:
        """What had to be mended, such as jitter."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        return ()

    @property
    def failure(self) -> str:
        """Why answers are less exact than promised; empty where they are not."""
        return ""

    @abstractmethod
    def predict(self, kernel: Any, X: Any, H: Floats, diag: Floats | None) -> tuple[Floats, Any]:
        """Mean of shape (m, k) and, where ``diag`` (the prior variance) is given, variance (m,)."""

    @abstractmethod
    def covariance(self, kernel: Any, X: Any, H: Floats, prior: Floats) -> Floats:
        """Joint covariance of the function at the rows of ``X``, from the prior's."""

    @abstractmethod
    def leave_one_out(self) -> Held:
        """Prediction of every target, noise included, from all the others."""


@dataclass(frozen=True)
class Solver(ABC):
    """A way to compute the marginal likelihood and the posterior, as an immutable value.

    A model is a kernel, a mean and a solver: the estimator knows only these methods, so that
    solvers swap freely.
    """

    name: ClassVar[str]
    reason: str = field(default="", kw_only=True)

    @property
    def label(self) -> str:
        """What the report calls it."""
        return self.name

    def extra(self) -> Floats:
        """Start of the unknowns that are learned besides the hyper-parameters; often none."""
        return np.empty(0)

    def with_extra(self, extra: Floats) -> Solver:
        """The same solver at other values of these unknowns."""
        return self

    def bounds(self) -> Floats:
        """Lowest and highest values of these unknowns."""
        return np.tile([-np.inf, np.inf], (len(self.extra()), 1))

    def resolution(self, n: int) -> float:
        """Gradient per row that the objective cannot tell from zero."""
        return 0.0

    @abstractmethod
    def evaluate(self, kernel: Any, seen: Any, *, gradient: bool = True) -> Evaluation:
        """Objective to be maximised, and its gradient if asked."""

    @abstractmethod
    def condition(self, kernel: Any, seen: Any) -> Any:
        """Posterior given the data: a :class:`Posterior` for :class:`Observations`."""
