"""The path of support vector machines along the price of errors."""

import warnings

import numpy as np

from margin import kernels
from margin.core import FitError, check, progress, threads
from margin.core.objects import take
from margin.optim import GramMatrix, margin_path
from margin.svm._gram import warn_if_indefinite
from margin.svm._kernel_data import check_kernel_params, fit_data, resolved
from margin.svm.joint._multiclass_dual import whole_matrix
from margin.svm.kernel._classifier_fit import ClassifierData, row_weights
from margin.svm.kernel._svc import SVC
from margin.svm.path._value import SVCPath


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
    n_threads = threads.count(n_jobs)
    gram = GramMatrix(X) if made is None else kernels.KernelRows(made, X, float, n_threads)
    _refuse_indefinite(owner, made, gram)
    kept = np.flatnonzero(weight > 0)
    K = whole_matrix(owner, made, take(X, kept) if made is not None else X[np.ix_(kept, kept)])
    with progress.bar("svc_path") as tick:
        try:
            path = margin_path(
                K if made is not None else K.copy(),
                np.where(codes == 1, 1.0, -1.0)[kept],
                weight[kept],
                C_min=C_min,
                C_max=float(C_max),
                max_events=max_events,
                kept=kept,
                n=len(codes),
                callback=tick,
            )
        except FitError as error:
            raise FitError(f"svc_path: {error}") from None
    return _gathered(path, owner, ClassifierData(X, codes, made, gram, weight))


def _gathered(path, owner, data):
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
        classes=owner.classes_,
        _lines=path,
        _owner=owner,
        _data=data,
    )


def _refuse_indefinite(owner, kernel, gram):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        notes = warn_if_indefinite(owner, kernel, gram)
    if notes:
        raise ValueError(
            f"svc_path: kernel must be positive semi-definite, got one where {notes[0]}"
        )


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
