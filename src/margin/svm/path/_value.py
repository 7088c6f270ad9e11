"""Support vector machines for every price of errors, as one value."""

from copy import copy
from dataclasses import dataclass

import numpy as np

from margin.core import Certificate, Solution, Status, check, threads
from margin.core.objects import take
from margin.kernels import Expansion
from margin.optim import Machine, MarginPath, optimality, soft_margin
from margin.svm._kernel_data import query_data
from margin.svm.kernel._classifier_fit import ClassifierData, finish, store_machines
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

    Cs: np.ndarray
    C_max: float
    intercepts: np.ndarray
    n_support: np.ndarray
    n_unbound: np.ndarray
    margins: np.ndarray
    events: tuple[tuple[float, int, str], ...]
    restarts: int
    classes: np.ndarray
    _lines: MarginPath
    _owner: SVC
    _data: ClassifierData

    def __repr__(self):
        return (
            f"SVCPath: {len(self.Cs)} breakpoints from C={self.Cs[0]:.4g} to {self.Cs[-1]:.4g}, "
            f"{self.n_support.min()} to {self.n_support.max()} support vectors"
        )

    def dual_coef(self, C):
        """Signed multipliers of all rows, of shape (n,), or (c, n) for several prices."""
        grid = self._checked(C)
        found = np.array([self._lines.coef(c) for c in grid])
        return found[0] if np.ndim(C) == 0 else found

    def intercept(self, C):
        """Bias at one price or several."""
        found = np.array([self._lines.bias(c) for c in self._checked(C)])
        return float(found[0]) if np.ndim(C) == 0 else found

    def decision_function(self, X, C):
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
        found = self._values(query_data(self._owner, X), coef, bias)
        return found[:, 0] if np.ndim(C) == 0 else found

    def predict(self, X, C):
        """Labels by the machine of one price, or of several, one per column."""
        return self.classes[(self.decision_function(X, C) > 0).astype(int)]

    def at(self, C):
        """The fitted :class:`SVC` of one price, with its report and optimality conditions."""
        (price,) = self._checked(float(C))
        data, coef = self._data, self._lines.coef(price)
        scores = _training_scores(data.gram, coef)
        sign, bound = np.where(data.codes == 1, 1.0, -1.0), price * data.weight
        found = optimality(soft_margin(data.gram, sign, bound), coef, scores)
        exact = found.violation <= EXACT
        solution = Solution(
            x=coef,
            status=Status.CONVERGED if exact else Status.STALLED,
            n_iter=int(np.searchsorted(self.Cs, price, side="right")),
            objective=-found.dual,
            trace={"objective": np.array([-found.dual])},
            certificate=Certificate("KKT violation", found.violation, EXACT),
            solver="regularisation path",
            message="" if exact else f"the path has lost digits at C={price:.6g}; train SVC there",
            extras={"optimality": found},
        )
        model = copy(self._owner)
        model.__class__ = SVC
        model.C = price
        machine = Machine(coef, self._lines.bias(price), scores, bound, solution)
        store_machines(model, data, [machine])
        finish(model, solution)
        return model

    def plot(self, ax=None):
        r"""Multipliers as shares :math:`\alpha_i / C s_i` of their bounds, against ``C``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        matplotlib Axes
        """
        import matplotlib.pyplot as plt

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

    def _values(self, X, coef, bias):
        kept = np.flatnonzero(coef.any(axis=1))
        vectors = None if self._data.kernel is None else take(self._data.X, kept)
        made = Expansion(self._data.kernel, vectors, kept, coef[kept], bias)
        return made(X, threads.count(self._owner.n_jobs))

    def _checked(self, C):
        grid = np.atleast_1d(np.asarray(C, dtype=np.float64))
        if grid.ndim != 1 or not ((grid >= self.Cs[0]) & (grid > 0) & (grid <= self.C_max)).all():
            need = f"above 0 and between {self.Cs[0]:.6g} and {self.C_max:.6g}"
            raise check.fail("SVCPath", "C", need, C)
        return grid


def _training_scores(gram, coef):
    """Values at the training rows without the bias; noise counts where a row meets itself."""
    kept = np.flatnonzero(coef)
    block = gram.columns(kept)
    parts = np.array_split(np.arange(gram.n), max(1, gram.n // 500))
    return np.concatenate([block(rows) @ coef[kept] for rows in parts])
