"""What a kernel machine is given: a table, a kernel matrix, or a list of objects."""

from numbers import Real

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted, validate_data

from margin import kernels
from margin.core import check

NAMED = ("linear", "poly", "rbf", "sigmoid", "cosine", "laplacian", "precomputed")


def check_kernel_params(estimator):
    """Refuse a bad kernel, gamma, degree or coef0 before any work."""
    kernel = estimator.kernel
    known = isinstance(kernel, kernels.Kernel) or callable(kernel)
    if not known and not (isinstance(kernel, str) and kernel in NAMED):
        need = f"a Kernel, a function or one of {', '.join(map(repr, NAMED))}"
        raise check.fail(estimator, "kernel", need, kernel)
    gamma = estimator.gamma
    number = isinstance(gamma, Real) and not isinstance(gamma, bool)
    if not (number and 0 < gamma < np.inf) and not (
        isinstance(gamma, str) and gamma in ("scale", "auto")
    ):
        raise check.fail(estimator, "gamma", "a number above 0, 'scale' or 'auto'", gamma)
    check.params(estimator, count="degree")
    coef0 = estimator.coef0
    if isinstance(coef0, bool) or not isinstance(coef0, Real) or not abs(float(coef0)) < np.inf:
        raise check.fail(estimator, "coef0", "a finite number", coef0)


def takes_objects(kernel, X):
    """Whether ``X`` is a list of objects for this kernel rather than a table."""
    if not isinstance(kernel, kernels.Kernel) and not callable(kernel):
        return False
    if getattr(kernel, "input", "any") == "vectors":
        return False
    if isinstance(kernel, kernels.Kernel) and kernel.input != "any":
        return True
    if sparse.issparse(X) or getattr(X, "ndim", 1) == 2:
        return False
    try:
        return np.asarray(X, dtype=np.float64).ndim != 2
    except (TypeError, ValueError):
        return True


def fit_data(estimator, X, y, sample_weight, target):
    """Checked ``X``, ``y`` and weights; objects come back as a list.

    Parameters
    ----------
    target : {"classes", "numeric", None}
        What ``y`` is; ``None`` where there is none.
    """
    if takes_objects(estimator.kernel, X):
        X, y = _objects(estimator, X), None if target is None else _targets(estimator, y, target)
        if y is not None and len(X) != len(y):
            raise check.fail(estimator, "y", f"of length {len(X)}, one per object", len(y))
        return X, y, check.weights(estimator, sample_weight, len(X))
    if target is None:
        X = check.structure(estimator, X)
        X = validate_data(estimator, X, accept_sparse="csr", dtype=check.FLOATS, order="C")
        weight = check.weights(estimator, sample_weight, X.shape[0])
    else:
        X, y, weight = check.data(
            estimator, X, y, sample_weight, target=target, sparse=True, order="C"
        )
    if estimator.kernel == "precomputed":
        check_matrix(estimator, X)
    return X, y, weight


def query_data(estimator, X):
    """Checked ``X`` of a prediction."""
    check_is_fitted(estimator)
    if takes_objects(estimator.kernel, X):
        return _objects(estimator, X)
    return check.table(estimator, X, sparse=True, order="C")


def resolved(estimator, X, weight=None, kernel=None):
    """The kernel of the estimator, or another, as an object; ``None`` for a kernel matrix."""
    gamma, kernel = estimator.gamma, estimator.kernel if kernel is None else kernel
    if gamma == "scale" and isinstance(kernel, str) and weight is not None:
        gamma = _weighted_scale(X, weight)
    return kernels.resolve(
        kernel,
        gamma=gamma,
        degree=int(estimator.degree),
        coef0=float(estimator.coef0),
        X=X,
    )


def _weighted_scale(X, weight):
    """1 / (n_features * variance of ``X``), where a weight of two counts a row twice."""
    share = weight / weight.sum()
    columns = max(1, X.shape[1])
    first = float(share @ np.asarray(X.mean(axis=1)).ravel())
    squares = X.multiply(X) if sparse.issparse(X) else X * X
    spread = float(share @ np.asarray(squares.mean(axis=1)).ravel()) - first**2
    return 1.0 / (columns * spread) if spread > 0 else 1.0


def _objects(estimator, X):
    if isinstance(X, str | bytes):
        raise check.fail(estimator, "X", "a list of objects", f"one {type(X).__name__}")
    found = list(X)
    if not found:
        raise ValueError(f"{type(estimator).__name__}: X must hold at least 1 sample, got 0")
    return found


def _targets(estimator, y, target):
    if y is None:
        raise ValueError(f"{type(estimator).__name__}: requires y to be passed, but y is None")
    y = np.asarray(y, dtype=np.float64 if target == "numeric" else None)
    if y.ndim != 1 or (y.dtype.kind == "f" and not np.isfinite(y).all()):
        raise check.fail(estimator, "y", "one finite value per object", f"shape {y.shape}")
    return y


def check_matrix(estimator, X):
    """Refuse what is no dense, symmetric matrix of kernel values."""
    name = "X with kernel='precomputed'"
    if sparse.issparse(X):
        raise check.fail(estimator, name, "a dense array", "a sparse matrix")
    if X.shape[0] != X.shape[1]:
        raise ValueError(
            f"{type(estimator).__name__}: {name} must be a square matrix of kernel values, "
            f"got shape {X.shape}"
        )
    largest = float(np.abs(X).max(initial=0.0))
    off = float(np.abs(X - X.T).max(initial=0.0))
    if off > 1e-5 * largest:
        raise check.fail(estimator, name, "symmetric", f"a difference of {off:.3g}")
