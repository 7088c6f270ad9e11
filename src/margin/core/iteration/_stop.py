"""When a search ends, and the words for it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np


@dataclass(frozen=True)
class Stop:
    r"""The rules by which :func:`margin.core.iterate` ends a search, and its nouns.

    Parameters
    ----------
    kind : str
        What the certificate measures: ``"gradient norm"``, ``"duality gap"`` …
    tol : float or None
        Certificate that counts as converged; ``None`` to make ``max_iter`` iterations whatever
        happens, which then is convergence.
    max_iter : int
        Most iterations.
    unit, plural : str
        What an iteration is called: ``"iteration"``, ``"pair"``, ``"pass"``, ``"epoch"``; and
        several of them, where that is more than an ending.
    keep : {"lowest", "closest", "last"}
        Which iterate is the answer of a search that did not converge: that of the lowest
        objective, of the smallest certificate, or the last one.
    columns : tuple of str
        Names of what every iterate adds to the trace beside the objective.
    rest : int
        The search stalls when over so many iterations the objective stays the same to the last
        digit and the certificate has no new minimum; 0 for a search that may pause.
    patience, progress, near : int, float, float
        The search stalls when at ``patience`` states in a row the certificate is not below
        ``progress`` times its minimum although that is at most ``near``; 0 for no such rule.
    monotone : float or None
        Where the objective must never rise, the share of its size that rounding may raise it by.
        An iterate that tells of a new repair is excused.
    advice : tuple of str
        What a person can do, in the imperative.

    Examples
    --------
    >>> stop = Stop("gap", 0.1, 20, unit="pass", advice=("raise tol",))
    >>> stop.cut_short(0.5)
    'stopped after max_iter=20 passes with gap 0.5 above tol=0.1; raise max_iter or raise tol'
    >>> stop.stalled(7, 0.5)
    'no progress at machine precision after 7 passes: gap 0.5 above tol=0.1; raise tol'
    """

    kind: str
    tol: float | None
    max_iter: int
    unit: str = "iteration"
    plural: str = ""
    keep: Literal["lowest", "closest", "last"] = "lowest"
    columns: tuple[str, ...] = ()
    rest: int = 0
    patience: int = 0
    progress: float = 0.999
    near: float = float(np.inf)
    monotone: float | None = None
    advice: tuple[str, ...] = ("scale the features", "raise tol")

    def count(self, n: int) -> str:
        """So many iterations: ``"1 pass"``, ``"20 passes"``."""
        return f"{n} {self.unit if n == 1 else self.units}"

    @property
    def units(self) -> str:
        """What several iterations are called."""
        return self.plural or self.unit + ("es" if self.unit.endswith("s") else "s")

    def cut_short(self, value: float | None) -> str:
        """Why a search ended that made all its iterations."""
        left = self._left(value)
        head = f"stopped after max_iter={self.max_iter} {self.units}"
        return f"{head}{left and ' with '}{left}; {_choice('raise max_iter', *self.advice)}"

    def stalled(self, n_iter: int, value: float | None, why: str = "") -> str:
        """Why a search ended that no longer got anywhere."""
        left, reason = self._left(value), f" ({why})" if why else ""
        head = f"no progress at machine precision after {self.count(n_iter)}{reason}"
        return f"{head}{left and ': '}{left}; {_choice(*self.advice)}"

    def rose(self, n_iter: int, rise: float) -> str:
        """Why a search ended whose objective rose though it never should."""
        head = f"the objective rose by {rise:.3g} in {self.unit} {n_iter}, which it never should"
        return f"{head}; {_choice(*self.advice)}"

    def broken(self, n_iter: int, objective: float, value: float | None) -> str:
        """Why a search failed whose numbers are not finite."""
        measured = "" if value is None else f" with {self.kind} {value}"
        return f"the objective became {objective}{measured} at {self.unit} {n_iter}"

    def interrupted(self, n_iter: int) -> str:
        """Why a search ended that somebody stopped."""
        return f"interrupted after {self.count(n_iter)}"

    def _left(self, value: float | None) -> str:
        if value is None or self.tol is None:
            return ""
        return f"{self.kind} {value:.3g} above tol={self.tol:g}"


def _choice(*phrases: str) -> str:
    """The phrases as alternatives of one sentence."""
    if len(phrases) < 3:
        return " or ".join(phrases)
    return f"{', '.join(phrases[:-1])}, or {phrases[-1]}"
