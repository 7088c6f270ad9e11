"""What an engine returns: a point, how the search ended, and the evidence for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Status(Enum):
    """How an iterative computation ended.

    Examples
    --------
    >>> Status.CONVERGED.ok, Status.MAX_ITER.ok
    (True, False)
    """

    CONVERGED = "converged"
    STALLED = "stalled"
    MAX_ITER = "max_iter"
    FAILED = "failed"

    def __reduce__(self) -> tuple[type["Status"], tuple[str]]:
        # skops rebuilds an object from what this returns; an Enum has no other safe constructor.
        return Status, (self.value,)

    @property
    def ok(self) -> bool:
        """Whether the tolerance asked for was reached."""
        return self is Status.CONVERGED


class FitError(ArithmeticError):
    """A fit broke down; the message names the estimator and what broke."""


@dataclass(frozen=True)
class Certificate:
    """A number that bounds how wrong the answer can be, and the tolerance it was held to.

    Parameters
    ----------
    kind : str
        What was measured: ``"gradient norm"``, ``"duality gap"``, ``"residual"`` …
    value : float
        The measured value at the returned point.
    tolerance : float
        The value that counts as converged.

    Examples
    --------
    >>> Certificate("duality gap", 2e-9, 1e-8)
    duality gap 2e-09 (tolerance 1e-08)
    """

    kind: str
    value: float
    tolerance: float

    @property
    def holds(self) -> bool:
        """Whether the measured value is within the tolerance."""
        return self.value <= self.tolerance

    def __repr__(self) -> str:
        return f"{self.kind} {self.value:.3g} (tolerance {self.tolerance:.3g})"


@dataclass(frozen=True)
class Solution:
    """The result of an engine.

    Parameters
    ----------
    x : ndarray
        The point found; the best seen, also after an interruption.
    status : Status
        How the search ended.
    n_iter : int
        Iterations made.
    objective : float
        Objective at ``x``.
    trace : mapping of str to ndarray
        One column per recorded quantity, one entry per iteration; ``"objective"`` is always there.
    certificate : Certificate or None
        Evidence that ``x`` is near the optimum.
    solver : str
        Name of the method, with the reason where it was chosen automatically.
    message : str
        A sentence for a person when the status is not CONVERGED.
    repairs : tuple of str
        What had to be mended on the way (jitter, restarted steps, re-seeded components).
    extras : mapping
        By-products worth keeping (a factorisation, posterior covariance …).
    """

    x: NDArray[np.float64]
    status: Status
    n_iter: int
    objective: float
    trace: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    certificate: Certificate | None = None
    solver: str = ""
    message: str = ""
    repairs: tuple[str, ...] = ()
    extras: Mapping[str, Any] = field(default_factory=dict)
