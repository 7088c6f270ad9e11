"""Independent component analysis as a function."""

from typing import Any

from margin.decomposition.sources._fast_ica import FastICA


def fastica(
    X: Any,
    n_components: int | None = None,
    *,
    algorithm: str = "parallel",
    whiten: Any = "unit-variance",
    fun: Any = "logcosh",
    fun_args: dict[str, Any] | None = None,
    max_iter: int = 200,
    tol: float = 1e-4,
    w_init: Any = None,
    whiten_solver: str = "svd",
    random_state: Any = None,
    return_X_mean: bool = False,
    compute_sources: bool = True,
    return_n_iter: bool = False,
) -> tuple[Any, ...]:
    r"""Sources of mixed rows, with the maps that lead to them (decomposition.16).

    :math:`S^\top = W K (X - \mu)^\top`; see :class:`FastICA`, whose parameters these are.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    n_components, algorithm, whiten, fun, fun_args, max_iter, tol
        As for :class:`FastICA`.
    w_init, whiten_solver, random_state
        As for :class:`FastICA`.
    return_X_mean : bool, default=False
        Whether the means come back too.
    compute_sources : bool, default=True
        Whether the sources are computed.
    return_n_iter : bool, default=False
        Whether the number of iterations comes back too.

    Returns
    -------
    K : ndarray of shape (n_components, n_features) or None
        Map to white data; None where ``whiten`` is False.
    W : ndarray of shape (n_components, n_components)
        Map from white data to sources.
    S : ndarray of shape (n_samples, n_components) or None
        Sources.
    X_mean : ndarray of shape (n_features,)
        Only with ``return_X_mean``.
    n_iter : int
        Only with ``return_n_iter``.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import fastica
    >>> X = np.random.default_rng(0).laplace(size=(500, 2)) @ [[1.0, 2.0], [0.0, 1.0]]
    >>> K, W, S = fastica(X, random_state=0)
    >>> bool(np.allclose((X - X.mean(axis=0)) @ (W @ K).T, S))
    True
    """
    model = FastICA(
        n_components,
        algorithm=algorithm,
        whiten=whiten,
        fun=fun,
        fun_args=fun_args,
        max_iter=max_iter,
        tol=tol,
        w_init=w_init,
        whiten_solver=whiten_solver,
        random_state=random_state,
    )
    sources = model.fit_transform(X)
    answer: list[Any] = [model.whitening_ if whiten else None, model._unmixing]
    answer.append(sources if compute_sources else None)
    if return_X_mean:
        answer.append(model.mean_ if whiten else None)
    if return_n_iter:
        answer.append(model.n_iter_)
    return tuple(answer)
