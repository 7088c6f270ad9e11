"""The path of support vector machines along the price of errors."""

from typing import Any

import numpy as np

from margin.core import FitError, check, progress, threads
from margin.core.objects import take
from margin.kernels import KernelRows
from margin.optim import Gram, GramMatrix, MarginPath, margin_path
from margin.svm._gram import indefinite_notes, whole_matrix
from margin.svm._row_weights import row_weights
from margin.svm.kernel._class_machines import ClassData
from margin.svm.kernel._svc import SVC
from margin.svm.path._value import SVCPath

NAME = "svc_path"


def svc_path(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    kernel: Any = "rbf",
    degree: int = 3,
    gamma: float | str = "scale",
    coef0: float = 0.0,
    class_weight: Any = None,
    C_min: float = 0.0,
    C_max: float = 1e3,
    max_events: int | None = None,
    n_jobs: int | None = None,
) -> SVCPath:
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
    reader = _Reader(
        kernel=kernel,
        degree=degree,
        gamma=gamma,
        coef0=coef0,
        class_weight=class_weight,
        n_jobs=n_jobs,
    )
    reader._check_kernel()
    _check_ends(C_min, C_max, max_events)
    data = reader._data(X, y, sample_weight)
    notes = indefinite_notes(data.kernel, data.gram)
    if notes:
        raise ValueError(f"{NAME}: kernel must be positive semi-definite, got one where {notes[0]}")

    kept = np.flatnonzero(data.weight > 0)
    given = data.kernel is None
    K = whole_matrix(NAME, data.kernel, data.X[np.ix_(kept, kept)] if given else take(data.X, kept))
    with progress.bar(NAME) as tick:
        try:
            path = margin_path(
                K.copy() if given else K,
                np.where(data.codes == 1, 1.0, -1.0)[kept],
                data.weight[kept],
                C_min=C_min,
                C_max=float(C_max),
                max_events=max_events,
                kept=kept,
                n=len(data.codes),
                callback=tick,
            )
        except FitError as error:
            raise FitError(f"{NAME}: {error}") from None
    return _gathered(path, reader, data)


def _gathered(path: MarginPath, reader: SVC, data: ClassData) -> SVCPath:
    places, Cs = ("outside", "margin", "inside"), path.starts
    changes = zip(path.when, path.rows, path.kinds, strict=True)
    return SVCPath(
        Cs=Cs,
        C_max=path.top,
        intercepts=np.array([path.bias(c) for c in Cs]),
        n_support=np.array([s.n_inside + len(s.elbow) for s in path.segments]),
        n_unbound=np.array([len(s.elbow) for s in path.segments]),
        margins=np.array([1.0 / s.norm if s.norm > 0 else np.inf for s in path.segments]),
        events=tuple((float(Cs[k]), int(path.kept[i]), places[kind]) for k, i, kind in changes),
        restarts=path.restarts,
        classes=data.classes,
        _lines=path,
        _reader=reader,
        _data=data,
    )


def _check_ends(C_min: Any, C_max: Any, max_events: Any) -> None:
    for name, value in (("C_min", C_min), ("C_max", C_max)):
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not number or not value >= 0 or (name == "C_min" and np.isinf(value)):
            raise check.fail(NAME, name, "a number of at least 0", value)
    if not C_max > C_min:
        raise check.fail(NAME, "C_max", f"above C_min={C_min:g}", C_max)
    if max_events is not None and (isinstance(max_events, bool) or not max_events >= 1):
        raise check.fail(NAME, "max_events", "an integer of at least 1", max_events)


class _Reader(SVC):
    """Reads what a path is given, under its name, and what it is asked later."""

    def _data(self, X: Any, y: Any, sample_weight: Any) -> ClassData:
        """Checked data of two classes in double precision."""
        X, y, weight = self._training(X, y, sample_weight, "classes")
        if hasattr(X, "astype"):
            X = X.astype(np.float64, copy=False)
        classes, codes = check.classes(self, y)
        if len(classes) > 2:
            raise check.fail(self, "y", "of two classes", len(classes))
        kernel = self._choice().resolve(X, weight)
        weight = row_weights(NAME, classes, codes, weight, self.class_weight)
        n_threads = threads.count(self.n_jobs)
        gram: Gram = GramMatrix(X)
        if kernel is not None:
            gram = KernelRows(kernel, X, np.dtype(np.float64), n_threads)
        return ClassData(X, classes, codes, weight, kernel, gram)

    def __sklearn_is_fitted__(self) -> bool:
        return True


_Reader.__name__ = NAME
