"""What an engine returns: a point, how the search ended, and the evidence for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

import numpy as np

from margin.core.types import Floats


class Status(Enum):
    """How an iterative computation ended.

    Examples
    --------
    >>> Status.CONVERGED.ok, Status.MAX_ITER.ok
    (True, False)
    >>> max(Status, key=lambda status: status.severity)
    <Status.FAILED: 'failed'>
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

    @property
    def severity(self) -> int:
        """Rank of a bad end: CONVERGED, STALLED, MAX_ITER, FAILED.

        A search that stalled is as near to the answer as rounding lets it come. One that ran out
        of iterations may be anywhere, so it is the worse news.
        """
        return _SEVERITY.index(self)


_SEVERITY = (Status.CONVERGED, Status.STALLED, Status.MAX_ITER, Status.FAILED)


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

    @property
    def ratio(self) -> float:
        """The measured value in units of the tolerance: at most 1 where it holds."""
        if self.tolerance > 0:
            return self.value / self.tolerance
        return 0.0 if self.value <= 0 else float(np.inf)

    def __repr__(self) -> str:
        return f"{self.kind} {self.value:.3g} (tolerance {self.tolerance:.3g})"


@dataclass(frozen=True)
class Solution:
    """The result of an engine.

    Parameters
    ----------
    x : ndarray
        The point found; the best seen, also after an interruption. A frozen value of parameters
        where the method does not search a vector.
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
    interrupted : bool
        Whether somebody stopped the search (Ctrl-C); the status is then MAX_ITER.
    """

    x: Any
    status: Status
    n_iter: int
    objective: float
    trace: Mapping[str, Floats] = field(default_factory=dict)
    certificate: Certificate | None = None
    solver: str = ""
    message: str = ""
    repairs: tuple[str, ...] = ()
    extras: Mapping[str, Any] = field(default_factory=dict)
    interrupted: bool = False

    @staticmethod
    def merge(
        solutions: "Sequence[Solution]",
        *,
        parts: str = "searches",
        objective: Literal["sum", "mean"] = "sum",
        n_iter: Literal["max", "sum"] = "max",
    ) -> "Solution":
        """Report on several searches as one.

        The worst of them, by :attr:`Status.severity` and then by its certificate in units of the
        tolerance, gives status, message and extras. The points are laid end to end, the objectives
        added up, also in the trace, whose other columns show the worst (a search that ended early
        keeps its last value), repairs joined, and the certificate is the worst of all.

        Parameters
        ----------
        solutions : sequence of Solution
            At least one; a single one is returned as it is.
        parts : str
            What the searches are called, in the plural: ``"machines"``, ``"targets"``.
        objective : {"sum", "mean"}
            Whether objectives are added or averaged.
        n_iter : {"max", "sum"}
            Whether the longest search counts, or all of them one after the other.

        Examples
        --------
        >>> one = Solution(np.zeros(1), Status.CONVERGED, 3, 1.0)
        >>> two = Solution(np.ones(1), Status.MAX_ITER, 5, 2.0, message="stopped")
        >>> whole = Solution.merge([one, two], parts="targets")
        >>> whole.status.value, whole.n_iter, whole.objective, whole.message
        ('max_iter', 5, 3.0, '1 of 2 targets: stopped')
        """
        if len(solutions) == 1:
            return solutions[0]
        combine = np.sum if objective == "sum" else np.mean
        worst = max(solutions, key=badness)
        missed = sum(not s.status.ok for s in solutions)
        proofs = [s.certificate for s in solutions if s.certificate is not None]
        counts = [s.n_iter for s in solutions]
        return Solution(
            x=np.concatenate([np.ravel(s.x) for s in solutions]),
            status=worst.status,
            n_iter=max(counts) if n_iter == "max" else sum(counts),
            objective=float(combine([s.objective for s in solutions])),
            trace=_merged([s.trace for s in solutions], combine),
            certificate=max(proofs, key=lambda c: c.ratio, default=None),
            solver=f"{worst.solver}, {len(solutions)} {parts}",
            message=f"{missed} of {len(solutions)} {parts}: {worst.message}" if missed else "",
            repairs=tuple(dict.fromkeys(text for s in solutions for text in s.repairs)),
            extras=worst.extras,
            interrupted=any(s.interrupted for s in solutions),
        )


def badness(result: Any) -> tuple[int, float]:
    """Order of results that have a status and a certificate: how bad is this one?"""
    certificate = result.certificate
    return result.status.severity, 0.0 if certificate is None else certificate.ratio


def _merged(
    traces: Sequence[Mapping[str, Floats]], combine: Callable[..., Floats]
) -> dict[str, Floats]:
    """Columns of numbers that all traces have, objectives combined, others at their largest."""
    merged = {}
    for name in traces[0]:
        columns = [np.asarray(t[name]) for t in traces if name in t]
        if len(columns) < len(traces) or any(c.ndim != 1 or not len(c) for c in columns):
            continue
        length = max(map(len, columns))
        padded = [np.append(c, np.full(length - len(c), c[-1])) for c in columns]
        merged[name] = combine(padded, axis=0) if name == "objective" else np.max(padded, axis=0)
    return merged
