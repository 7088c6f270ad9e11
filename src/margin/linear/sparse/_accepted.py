"""Parameters of scikit-learn's coordinate descent that change nothing here, yet are checked."""

import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core import check
from margin.core.types import Floats, Matrix


def check_accepted(
    owner: object,
    X: Matrix,
    weight: Floats | None = None,
    *,
    auto: bool,
    intercept: bool = False,
) -> None:
    """Refuse values that scikit-learn refuses for ``precompute`` and ``selection``.

    Parameters
    ----------
    owner : object
        With these parameters.
    X : array or sparse matrix of shape (n, p)
        A Gram matrix has as many rows and columns as this has columns, and holds their products.
    weight : ndarray of shape (n,), optional
        Weights of the rows in those products, taken in units of their mean.
    auto : bool
        Whether ``precompute="auto"`` is one of the choices.
    intercept : bool
        Whether an intercept is fitted, for which a Gram matrix must be of centred columns.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> X = np.eye(2)
    >>> check_accepted(SimpleNamespace(precompute=True, selection="cyclic"), X, auto=False)
    >>> check_accepted(SimpleNamespace(precompute=True, selection="greedy"), X, auto=False)
    Traceback (most recent call last):
    ValueError: SimpleNamespace: selection must be one of 'cyclic', 'random', got 'greedy'
    """
    check.params(owner, one_of={"selection": ("cyclic", "random")})
    precompute = getattr(owner, "precompute", False)
    check_precompute(owner, precompute, X.shape[1], auto=auto)
    check_products(owner, precompute, X, weight, intercept=intercept)


def check_precompute(owner: object, precompute: Any, n_features: int, *, auto: bool) -> None:
    """Refuse what is neither a flag nor a matrix of the shape of the Gram matrix."""
    if _is_flag(precompute) or (auto and isinstance(precompute, str) and precompute == "auto"):
        return
    need = "True, False, 'auto' or a Gram matrix" if auto else "True, False or a Gram matrix"
    if isinstance(precompute, str) or np.ndim(precompute) != 2:
        raise check.fail(owner, "precompute", need, precompute)
    if np.shape(precompute) != (n_features, n_features):
        square = f"of shape ({n_features}, {n_features}) as a Gram matrix"
        raise check.fail(owner, "precompute", square, np.shape(precompute))


def check_products(
    owner: object, precompute: Any, X: Matrix, weight: Floats | None, *, intercept: bool
) -> None:
    """Refuse a Gram matrix of other data; warn of one whose columns are not centred.

    One row is compared, that of the longest column.
    """
    if _is_flag(precompute) or isinstance(precompute, str):
        return
    shares = np.ones(X.shape[0]) if weight is None else weight / weight.mean()
    if intercept and not np.allclose(X.T @ shares / X.shape[0], 0.0):
        warnings.warn(
            f"{check.named(owner)}: Gram matrix was provided but X was centered to fit intercept: "
            "recomputing Gram matrix.",
            UserWarning,
            stacklevel=4,
        )
        return
    gram = np.asarray(precompute)
    j = int(np.argmax(gram.diagonal()))
    column = X[:, [j]].toarray() if issparse(X) else X[:, [j]]
    expected = np.asarray(X.T @ (shares * column[:, 0]))
    rough = 1e-3 if X.dtype == np.float32 else 1e-7
    if not np.allclose(gram[j], expected, rtol=rough, atol=rough * abs(float(expected[j]))):
        raise ValueError(
            f"{check.named(owner)}: precompute must hold the products of the columns, got other "
            f"numbers in row {j}: Gram matrix passed in via 'precompute' parameter did not pass "
            "validation"
        )


def _is_flag(precompute: Any) -> bool:
    return isinstance(precompute, bool | np.bool_ | None)
