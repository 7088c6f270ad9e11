"""Support vector machines for every price of errors, as one value."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Certificate, Solution, Status, check, extra, threads
from margin.core.types import Array, Floats, Indices
from margin.optim import Gram, Machine, MarginPath, optimality, soft_margin
from margin.svm._kernel_machine import functions_at
from margin.svm.kernel._class_machines import ClassData
from margin.svm.kernel._svc import SVC

EXACT = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class SVCPath:
    r"""Machines of two classes for every price ``C`` of errors; made by :func:`svc_path`.

    Parameters
    ----------
    Cs : ndarray of shape (k,)
        Breakpoints, increasing. In between, coefficients and bias are linear in ``C``.
    C_max : float
        Up to where the path is known; infinite if the machine no longer changes its support.
    intercepts : ndarray of shape (k,)
        Bias at the breakpoints.
    n_support, n_unbound : ndarray of shape (k,)
        Support vectors just after each breakpoint, and those of them on the margin.
    margins : ndarray of shape (k,)
        Half width :math:`1 / \|w\|` of the band at the breakpoints.
    events : tuple of (float, int, str)
        Price, row and where it moved: ``"outside"``, ``"margin"`` or ``"inside"`` the band.
    restarts : int
        How often rounding hid the next event, so that a machine was trained a little further on.
    classes : ndarray of shape (2,)
        Labels; positive decisions are for the second.
    """

    Cs: Floats
    C_max: float
    intercepts: Floats
    n_support: Indices
    n_unbound: Indices
    margins: Floats
    events: tuple[tuple[float, int, str], ...]
    restarts: int
    classes: Array
    _lines: MarginPath
    _reader: SVC
    _data: ClassData

    def __repr__(self) -> str:
        return (
            f"SVCPath: {len(self.Cs)} breakpoints from C={self.Cs[0]:.4g} to {self.Cs[-1]:.4g}, "
            f"{self.n_support.min()} to {self.n_support.max()} support vectors"
        )

    def dual_coef(self, C: ArrayLike) -> Floats:
        """Signed multipliers of all rows, of shape (n,), or (c, n) for several prices."""
        coef = np.array([self._lines.coef(c) for c in self._checked(C)])
        return np.asarray(coef[0] if np.ndim(C) == 0 else coef)

    def intercept(self, C: ArrayLike) -> float | Floats:
        """Bias at one price or several."""
        biases = np.array([self._lines.bias(c) for c in self._checked(C)])
        return float(biases[0]) if np.ndim(C) == 0 else biases

    def decision_function(self, X: Any, C: ArrayLike) -> Array:
        """Decision values of the machines.

        Parameters
        ----------
        X : array-like, sparse matrix or list of objects
        C : float or array-like of shape (c,)
            Prices on the path.

        Returns
        -------
        ndarray of shape (n,), or (n, c) for several prices
        """
        coef = np.atleast_2d(self.dual_coef(C)).T
        bias = np.atleast_1d(self.intercept(C))
        kept = np.flatnonzero(coef.any(axis=1))
        functions = functions_at(self._data.kernel, self._data.X, kept, coef[kept], bias)
        values = functions(self._reader._query(X), threads.count(self._reader.n_jobs))
        return np.asarray(values[:, 0] if np.ndim(C) == 0 else values)

    def predict(self, X: Any, C: ArrayLike) -> Array:
        """Labels by the machine of one price, or of several, one per column."""
        return np.asarray(self.classes[(self.decision_function(X, C) > 0).astype(int)])

    def at(self, C: float) -> SVC:
        """The fitted :class:`SVC` of one price, with its report and optimality conditions."""
        (price,) = self._checked(float(C))
        data, coef = self._data, self._lines.coef(price)
        scores = _training_scores(data.gram, coef)
        sign, bound = np.where(data.codes == 1, 1.0, -1.0), price * data.weight
        proof = optimality(soft_margin(data.gram, sign, bound), coef, scores)
        exact = proof.violation <= EXACT
        solution = Solution(
            x=coef,
            status=Status.CONVERGED if exact else Status.STALLED,
            n_iter=int(np.searchsorted(self.Cs, price, side="right")),
            objective=-proof.dual,
            trace={"objective": np.array([-proof.dual])},
            certificate=Certificate("KKT violation", proof.violation, EXACT),
            solver="regularisation path",
            message="" if exact else f"the path has lost digits at C={price:.6g}; train SVC there",
            extras={"optimality": proof},
        )
        machine = Machine(coef, self._lines.bias(price), scores, bound, solution)
        model = SVC(**{**self._reader.get_params(), "C": price})
        model._keep_input(self._reader)
        model._keep_classifier(model._assembled(data, [machine]))
        model._keep_report(solution)
        return model

    def plot(self, ax: Any = None) -> Any:
        r"""Multipliers as shares :math:`\alpha_i / C s_i` of their bounds, against ``C``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        matplotlib Axes
        """
        plt = extra("matplotlib.pyplot", "SVCPath.plot")
        if ax is None:
            _, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
        Cs = self.Cs[self.Cs > 0]
        bound = np.where(self._data.weight > 0, self._data.weight, 1.0)
        shares = np.abs(self.dual_coef(Cs)) / (Cs[:, None] * bound)
        for k, colour in enumerate(("#3b6fb6", "#c8553d")):
            mine = shares[:, self._data.codes == k]
            ax.plot(Cs, mine, color=colour, lw=0.7, alpha=0.6)
            ax.plot([], [], color=colour, label=f"class {self.classes[k]}")
        ax.set(xscale="log", xlabel="C", ylabel="multiplier / bound", ylim=(-0.03, 1.03))
        ax.legend(frameon=False)
        return ax

    def _checked(self, C: ArrayLike) -> Floats:
        grid = np.atleast_1d(np.asarray(C, dtype=np.float64))
        if grid.ndim != 1 or not ((grid >= self.Cs[0]) & (grid > 0) & (grid <= self.C_max)).all():
            need = f"above 0 and between {self.Cs[0]:.6g} and {self.C_max:.6g}"
            raise check.fail("SVCPath", "C", need, C)
        return grid


def _training_scores(gram: Gram, coef: Floats) -> Floats:
    """Values at the training rows without the bias; noise counts where a row meets itself."""
    kept = np.flatnonzero(coef)
    block = gram.columns(kept)
    parts = np.array_split(np.arange(gram.n), max(1, gram.n // 500))
    return np.concatenate([block(rows) @ coef[kept] for rows in parts])
