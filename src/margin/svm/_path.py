"""The support vector machine for all prices of errors at once."""

from copy import copy
from dataclasses import dataclass

import numpy as np

from margin.core import Certificate, Solution, Status, check, progress, threads
from margin.optim import GramMatrix, optimality
from margin.svm._classifier_fit import ClassifierData, finish, row_weights, store_machines
from margin.svm._dual_fit import Machine, soft_margin
from margin.svm._expansion import Expansion
from margin.svm._kernel_data import check_kernel_params, fit_data, query_data, resolved, take
from margin.svm._kernel_gram import KernelGram
from margin.svm._multiclass_dual import whole_matrix
from margin.svm._path_lines import PathLines
from margin.svm._path_walk import Walk
from margin.svm._svc import SVC

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
    classes: np.ndarray
    _lines: PathLines
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


def svc_path(
    X,
    y,
    sample_weight=None,
    *,
    kernel="rbf",
    degree=3,
    gamma="scale",
    coef0=0.0,
    class_weight=None,
    C_min=0.0,
    C_max=1e3,
    max_events=None,
    n_jobs=None,
):
    r"""All support vector machines between two prices of errors (svm.03).

    The minimiser of :math:`\tfrac12 \|w\|^2 + C \sum_i s_i \max(0, 1 - y_i f(x_i))` is piecewise
    linear in :math:`C`: as long as the same rows lie outside, on and inside the margin, multipliers
    and bias follow from a linear system whose right-hand side grows with :math:`C`. The path goes
    from one change of these sets to the next and misses none.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
        The kernel matrix for ``kernel="precomputed"``.
    y : array-like of shape (n_samples,)
        Labels of two classes.
    sample_weight : array-like of shape (n_samples,), optional
        Non-negative factors of ``C``.
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree, gamma, coef0 : int, float or str, float
        Of the named kernels, as in :class:`SVC`.
    class_weight : dict or "balanced", optional
        Factors of ``C`` for the classes.
    C_min, C_max : float, default=0.0 and 1e3
        Ends of the path; ``numpy.inf`` goes on until nothing changes any more.
    max_events : int, optional
        Most changes; by default a hundred per row and a thousand.
    n_jobs : int, optional
        Threads of kernel values; the answer does not depend on it.

    Returns
    -------
    SVCPath

    Notes
    -----
    The kernel matrix is held in memory, at most 2 GB. An event costs :math:`O(nm + m^2)` with
    :math:`m` rows on the margin, and there are usually a few events per row. Equal rows, ties and
    dependent rows are handled; where rounding hides what happens, the machine is trained anew a
    little further on.

    References
    ----------
    Hastie, Rosset, Tibshirani and Zhu, The entire regularization path for the support vector
    machine, JMLR 2004.

    Examples
    --------
    >>> from margin.svm import svc_path
    >>> path = svc_path([[-2], [-1], [1], [3]], [0, 0, 1, 1], kernel="linear")
    >>> path
    SVCPath: 4 breakpoints from C=0 to 0.5, 2 to 4 support vectors
    >>> path.Cs.round(4), path.margins[1:].round(4)
    (array([0.    , 0.0571, 0.2   , 0.5   ]), array([2.5, 2.5, 1. ]))
    >>> path.decision_function([[1.0]], [0.1, 9.0]).round(4)
    array([[0.2, 1. ]])
    """
    owner = _Owner(
        kernel=kernel,
        degree=degree,
        gamma=gamma,
        coef0=coef0,
        class_weight=class_weight,
        n_jobs=n_jobs,
    )
    check_kernel_params(owner)
    _check_ends(owner, C_min, C_max, max_events)
    X, y, weight = fit_data(owner, X, y, sample_weight, "classes")
    if isinstance(X, np.ndarray) or hasattr(X, "astype"):
        X = X.astype(np.float64, copy=False)
    owner.classes_, codes = check.classes(owner, y)
    if len(owner.classes_) > 2:
        raise check.fail(owner, "y", "of two classes", len(owner.classes_))
    made = resolved(owner, X, weight)
    weight = row_weights(owner, codes, weight)
    kept = np.flatnonzero(weight > 0)
    K = whole_matrix(owner, made, take(X, kept) if made is not None else X[np.ix_(kept, kept)])
    walk = Walk(
        K if made is not None else K.copy(), np.where(codes == 1, 1.0, -1.0)[kept], weight[kept]
    )
    limit = int(max_events or 1000 + 100 * len(kept))
    with progress.bar("svc_path") as tick:
        top = walk.run(C_min, float(C_max), limit, tick)
    gram = GramMatrix(X) if made is None else KernelGram(made, X, float, threads.count(n_jobs))
    return _gathered(walk, float(top), kept, owner, ClassifierData(X, codes, made, gram, weight))


def _gathered(walk, top, kept, owner, data):
    lines = PathLines.of(walk, kept, len(data.codes))
    places = ("outside", "margin", "inside")
    Cs = lines.starts
    return SVCPath(
        Cs=Cs,
        C_max=top,
        intercepts=np.array([lines.bias(c) for c in Cs]),
        n_support=np.array([s.n_inside + len(s.elbow) for s in walk.segments]),
        n_unbound=np.array([len(s.elbow) for s in walk.segments]),
        margins=np.array([1.0 / s.norm if s.norm > 0 else np.inf for s in walk.segments]),
        events=tuple((float(Cs[k]), int(kept[i]), places[kind]) for k, i, kind in walk.events),
        classes=owner.classes_,
        _lines=lines,
        _owner=owner,
        _data=data,
    )


def _training_scores(gram, coef):
    """Values at the training rows without the bias; noise counts where a row meets itself."""
    kept = np.flatnonzero(coef)
    block = gram.columns(kept)
    parts = np.array_split(np.arange(gram.n), max(1, gram.n // 500))
    return np.concatenate([block(rows) @ coef[kept] for rows in parts])


def _check_ends(owner, C_min, C_max, max_events):
    for name, value in (("C_min", C_min), ("C_max", C_max)):
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not number or not value >= 0 or (name == "C_min" and np.isinf(value)):
            raise check.fail(owner, name, "a number of at least 0", value)
    if not C_max > C_min:
        raise check.fail(owner, "C_max", f"above C_min={C_min:g}", C_max)
    if max_events is not None and (isinstance(max_events, bool) or not max_events >= 1):
        raise check.fail(owner, "max_events", "an integer of at least 1", max_events)


class _Owner(SVC):
    """Carries the settings of a path, and its name in messages."""


_Owner.__name__ = "svc_path"
