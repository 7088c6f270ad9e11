"""Non-negative matrix factorisation as a function."""

import warnings
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from margin.core import check
from margin.core.types import Array
from margin.decomposition.sources._nmf import NMF, check_types


def non_negative_factorization(
    X: Any,
    W: Any = None,
    H: Any = None,
    n_components: Any = "auto",
    *,
    init: str | None = None,
    update_H: bool = True,
    solver: str = "cd",
    beta_loss: Any = "frobenius",
    tol: float = 1e-4,
    max_iter: int = 200,
    alpha_W: float = 0.0,
    alpha_H: Any = "same",
    l1_ratio: float = 0.0,
    random_state: Any = None,
    verbose: int = 0,
    shuffle: bool = False,
) -> tuple[Array, Array, int]:
    """Non-negative weights and parts of a table (decomposition.15).

    See :class:`NMF`, whose parameters these are.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Non-negative; NaN is unobserved.
    W : array-like of shape (n_samples, n_components), optional
        Weights to start from, with ``init="custom"``.
    H : array-like of shape (n_components, n_features), optional
        Parts to start from, or to keep where ``update_H`` is False.
    n_components, init, solver, beta_loss, tol, max_iter
        As for :class:`NMF`.
    update_H : bool, default=True
        Whether parts are searched for, or weights only.
    alpha_W, alpha_H, l1_ratio, random_state, verbose, shuffle
        As for :class:`NMF`.

    Returns
    -------
    W : ndarray of shape (n_samples, n_components)
    H : ndarray of shape (n_components, n_features)
    n_iter : int
        Iterations made; 1 for exact weights.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import non_negative_factorization
    >>> W, H, _ = non_negative_factorization(np.array([[1.0, 2.0], [2.0, 4.0]]), n_components=1)
    >>> (W @ H).round(3)
    array([[1., 2.],
           [2., 4.]])
    """
    model = NMF(
        n_components,
        init=init,
        solver=solver,
        beta_loss=beta_loss,
        tol=tol,
        max_iter=max_iter,
        random_state=random_state,
        alpha_W=alpha_W,
        alpha_H=alpha_H,
        l1_ratio=l1_ratio,
        verbose=verbose,
        shuffle=shuffle,
    )
    if update_H:
        weights = model.fit_transform(X, W=W, H=H)
        return weights, model.components_, model.n_iter_
    if H is None:
        raise check.fail("non_negative_factorization", "H", "given where update_H is False", None)
    if W is not None:
        text = "When update_H=False, the provided initial W is not used."
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    check_types(getattr(X, "dtype", np.dtype(np.float64)), H=H)
    parts = check_array(H, dtype=check.FLOATS, input_name="H")
    fitted = model.with_parts(parts)
    return fitted.transform(X), np.asarray(parts), 1
