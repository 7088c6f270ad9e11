"""The evidence an estimator keeps of how it was fitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from margin.core._extra import extra
from margin.core.iteration._solution import Certificate, Solution, Status

if TYPE_CHECKING:
    import pandas as pd

COLOUR = "#2e86ab"


@dataclass(frozen=True, repr=False)
class FitReport:
    """How a fit went: stop reason, objective trace, certificate, repairs.

    Parameters
    ----------
    estimator : str
        Class that was fitted.
    solver : str
        Engine used, with the reason where it was chosen automatically.
    status : Status
        How the search ended.
    n_iter : int
        Iterations made.
    objective : float
        Final value of the objective stated in the estimator's docstring.
    certificate : Certificate or None
        Evidence of optimality at the fitted parameters.
    trace : mapping of str to ndarray
        What was recorded per iteration; what only a step has is NaN before the first.
    repairs, notes : tuple of str
        What had to be mended; what a reader should know.
    message : str
        Why the search stopped, when it did not converge.

    Examples
    --------
    >>> import numpy as np
    >>> report = FitReport("Ridge", "cholesky", Status.CONVERGED, 1, 0.5)
    >>> report
    Ridge fit: converged in 1 iteration
      solver       cholesky
      objective    0.5
    """

    estimator: str
    solver: str
    status: Status
    n_iter: int
    objective: float
    certificate: Certificate | None = None
    trace: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    repairs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    message: str = ""

    @classmethod
    def of(cls, estimator: object, solution: Solution, notes: tuple[str, ...] = ()) -> FitReport:
        """Report of an engine's solution for the given estimator (instance or name)."""
        name = estimator if isinstance(estimator, str) else type(estimator).__name__
        return cls(
            estimator=name,
            solver=solution.solver,
            status=solution.status,
            n_iter=int(solution.n_iter),
            objective=float(solution.objective),
            certificate=solution.certificate,
            trace=dict(solution.trace),
            repairs=tuple(solution.repairs),
            notes=tuple(notes),
            message=solution.message,
        )

    def rows(self) -> list[tuple[str, str]]:
        """Label and text of every fact, in reading order; empty facts are left out."""
        facts = [
            ("solver", self.solver),
            ("objective", f"{self.objective:.10g}"),
            ("certificate", repr(self.certificate) if self.certificate else ""),
            ("stopped", self.message),
        ]
        facts += [("repair", text) for text in self.repairs]
        facts += [("note", text) for text in self.notes]
        return [(label, text) for label, text in facts if text]

    def __repr__(self) -> str:
        how = {
            Status.CONVERGED: "converged in",
            Status.STALLED: "stalled at machine precision after",
            Status.MAX_ITER: "stopped before convergence, after",
            Status.FAILED: "failed after",
        }[self.status]
        unit = "iteration" if self.n_iter == 1 else "iterations"
        lines = [f"{self.estimator} fit: {how} {self.n_iter} {unit}"]
        lines += [f"  {label:<12} {text}" for label, text in self.rows()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        body = "".join(
            f"<tr><th style='text-align:left'>{escape(k)}</th>"
            f"<td style='text-align:left'>{escape(v)}</td></tr>"
            for k, v in self.rows()
        )
        return f"<b>{escape(repr(self).splitlines()[0])}</b><table>{body}</table>"

    def to_frame(self) -> pd.DataFrame:
        """Trace as a pandas frame, one row per iteration."""
        pd = extra("pandas", "FitReport.to_frame")
        columns = {k: np.asarray(v) for k, v in self.trace.items() if np.ndim(v) == 1}
        frame = pd.DataFrame(columns)
        frame.index.name = "iteration"
        return frame

    def plot(self, ax: Any = None) -> Any:
        """Every record of the objective: how far from its final value, on a logarithmic axis.

        The final value is the ``objective`` of the text. Records that reach it exactly have no
        place on a logarithmic axis and are drawn as open circles below the others.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        matplotlib Axes
        """
        plt = extra("matplotlib.pyplot", "FitReport.plot")
        if ax is None:
            _, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
        records = np.asarray(self.trace.get("objective", [self.objective]), dtype=float)
        at, label = _places(len(records), self.n_iter)
        gap = np.abs(records - self.objective)
        away = gap > 0
        if away.any():
            floor = gap[away].min() / 3
            ax.semilogy(at, np.where(away, gap, floor), lw=1.2, color=COLOUR)
            ax.semilogy(at[away], gap[away], "o", ms=4, color=COLOUR)
            reached = np.full(np.count_nonzero(~away), floor)
            ax.semilogy(at[~away], reached, "o", ms=5, mec=COLOUR, mfc="white", label="no distance")
            if len(reached):
                ax.legend(frameon=False)
            ax.set_ylabel(f"distance of the objective from {self.objective:.6g}")
        else:
            ax.plot(at, records, "o", ms=5, mec=COLOUR, mfc="white")
            ax.set_ylabel("objective")
        ax.set(xlabel=label, title=repr(self).splitlines()[0])
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.grid(alpha=0.3)
        return ax


def _places(n_records: int, n_iter: int) -> tuple[NDArray[np.int64], str]:
    """Where the records lie on the axis of iterations, and what that axis counts."""
    first = n_iter + 1 - n_records
    if first in (0, 1):
        return np.arange(first, n_iter + 1), "iteration"
    return np.arange(n_records), f"record ({n_records} in {n_iter} iterations)"
