"""Non-negative matrix factorisation."""

import warnings
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, check_non_negative

from margin.core import Card, Solution, atomic, check, random
from margin.core.types import Array, Floats
from margin.decomposition.sources import _beta_divergence, _nmf_start
from margin.decomposition.sources._nmf_descent import coordinate_descent
from margin.decomposition.sources._nmf_multiplicative import multiplicative
from margin.decomposition.sources._nmf_problem import Factors, NMFProblem
from margin.decomposition.sources._nonnegative_rows import nonnegative_rows

_INITS = (None, "custom", *_nmf_start.NAMES)


class NMF(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Non-negative matrix factorisation, also of tables with gaps (decomposition.15).

    .. math:: \min_{W, H \ge 0} D_\beta(X, W H) + \alpha_W r p \|W\|_1 + \alpha_H r n \|H\|_1 +
              \tfrac12 \alpha_W (1 - r) p \|W\|_F^2 + \tfrac12 \alpha_H (1 - r) n \|H\|_F^2

    Parts add up and never cancel. NaN means unobserved: such entries are left out of the sum, with
    either solver. Factors of small objective are not unique without penalties.

    Parameters
    ----------
    n_components : int, "auto" or None, default="auto"
        Parts :math:`k`; as many as features by default, or as a given ``H`` has rows.
    init : {"random", "nndsvd", "nndsvda", "nndsvdar", "custom"}, optional
        Start; "nndsvda" where ``n_components`` is at most the rows and the columns, else "random".
        "custom" takes ``W`` and ``H`` of ``fit_transform``.
    solver : {"cd", "mu"}, default="cd"
        Coordinate descent for the Frobenius norm, or multiplicative updates for every loss.
    beta_loss : float or {"frobenius", "kullback-leibler", "itakura-saito"}, default="frobenius"
        Divergence :math:`\beta`: 2, 1 or 0 by name. Other than 2 only with "mu".
    tol : float, default=1e-4
        "cd": projected gradient, as a part of its first value; "mu": gain of ten iterations, as a
        part of the first objective.
    max_iter : int, default=200
        Most iterations.
    random_state : int, Generator, RandomState or None, default=None
        Where the start comes from.
    alpha_W : float, default=0.0
        Strength of the penalty of ``W``.
    alpha_H : float or "same", default="same"
        Strength of the penalty of ``H``.
    l1_ratio : float, default=0.0
        Share :math:`r` of the absolute values in the penalty.
    verbose : int, default=0
        Without effect, for scikit-learn's namesake: the report has the trace.
    shuffle : bool, default=False
        Without effect, for scikit-learn's namesake: parts are taken in their order.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The factor ``H``.
    n_components_ : int
        Parts.
    reconstruction_err_ : float
        Root of twice the divergence of the observed entries: the Frobenius norm at :math:`\beta=2`.
    n_iter_ : int
        Iterations made.
    fit_report_ : FitReport
        Objective as a part of half the squared norm of ``X`` ("cd") or of its first value ("mu"),
        which never rises; the certificate.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p k)` an iteration, of which "cd" makes several cheap passes. ``transform`` with the
    Frobenius norm solves each row exactly, so that an answer does not depend on the other rows.

    References
    ----------
    N. Gillis and F. Glineur, Accelerated multiplicative updates and hierarchical ALS (2012);
    C. Févotte and J. Idier, Algorithms for non-negative matrix factorization with the
    beta-divergence (2011).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import NMF
    >>> W, H = np.array([[1.0, 0], [0, 2], [3, 1]]), np.array([[1.0, 2, 0], [0, 1, 1]])
    >>> X = W @ H
    >>> X[2, 1] = np.nan  # 3 * 2 + 1 * 1
    >>> model = NMF(2, tol=1e-9, max_iter=5000, random_state=0)
    >>> round(float(model.inverse_transform(model.fit_transform(X))[2, 1]), 3)
    7.0
    """

    card = Card(tasks=("transform",), search_space={"n_components": [2, 4]})

    def __init__(
        self,
        n_components: Any = "auto",
        *,
        init: str | None = None,
        solver: str = "cd",
        beta_loss: Any = "frobenius",
        tol: float = 1e-4,
        max_iter: int = 200,
        random_state: Any = None,
        alpha_W: float = 0.0,
        alpha_H: Any = "same",
        l1_ratio: float = 0.0,
        verbose: int = 0,
        shuffle: bool = False,
    ) -> None:
        self.n_components = n_components
        self.init = init
        self.solver = solver
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.verbose = verbose
        self.shuffle = shuffle

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Find the parts.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Non-negative; NaN is unobserved.
        y : None
            Without effect, for pipelines.
        **params : dict
            ``W`` and ``H`` to start from, with ``init="custom"``.

        Returns
        -------
        self
        """
        self.fit_transform(X, **params)
        return self

    @atomic
    def fit_transform(
        self,
        X: Any,
        y: Any = None,
        W: Any = None,
        H: Any = None,
    ) -> Array:
        """Fit, and the weights of the parts.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Non-negative; NaN is unobserved.
        y : None
            Without effect, for pipelines.
        W : array-like of shape (n_samples, n_components), optional
            Start, with ``init="custom"``.
        H : array-like of shape (n_components, n_features), optional
            Start, with ``init="custom"``.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        self._check_params()
        X = self._table(X, reset=True)
        dtype = X.dtype
        k = self._count(X, H)
        problem = self._problem(X)
        if self.init == "custom":
            check_types(dtype, W=W, H=H)
        solution = self._solve(problem, self._start(problem, k, W, H))
        factors: Factors = solution.x
        self.components_ = factors.H.astype(dtype, copy=False)
        self.n_components_ = self._n_features_out = k
        error = problem.divergence(factors.W, factors.H)
        self.reconstruction_err_ = float(np.sqrt(2.0 * max(error, 0.0)))
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        return factors.W.astype(dtype, copy=False)

    def _check_params(self) -> None:
        check.params(
            self,
            count="max_iter",
            nonnegative="tol alpha_W",
            fraction="l1_ratio",
            flag="shuffle",
            one_of={"init": _INITS, "solver": ("cd", "mu")},
        )
        k = self.n_components
        if k is not None and not (isinstance(k, str) and k == "auto"):
            check.params(self, count="n_components")
        if not (isinstance(self.alpha_H, str) and self.alpha_H == "same"):
            check.params(self, nonnegative="alpha_H")
        names = ", ".join(map(repr, _beta_divergence.NAMES))
        number = isinstance(self.beta_loss, int | float) and np.isfinite(self.beta_loss)
        if not number and not (
            isinstance(self.beta_loss, str) and self.beta_loss in _beta_divergence.NAMES
        ):
            raise check.fail(self, "beta_loss", f"a number or one of {names}", self.beta_loss)
        if self.solver == "cd" and _beta_divergence.order_of(self.beta_loss) != 2.0:
            raise ValueError(
                "NMF: solver must be 'mu' for another loss than 'frobenius', got 'cd': Invalid "
                f"beta_loss parameter: solver 'cd' does not handle beta_loss = {self.beta_loss!r}"
            )

    def _table(self, X: Any, reset: bool = False) -> Any:
        """Checked rows; refuses negative numbers and rows or columns without any number."""
        X = check.table(self, X, sparse=True, missing=True, reset=reset)
        values = X.data if issparse(X) else X
        check_non_negative(np.nan_to_num(values) if np.isnan(values).any() else X, "NMF (input X)")
        beta = _beta_divergence.order_of(self.beta_loss)
        if beta <= 0 and self.solver == "mu" and values.size and np.nanmin(values) == 0:
            raise ValueError(
                "NMF: X must be above 0 everywhere, got 0: When beta_loss <= 0 and X contains "
                "zeros, the solver may diverge. Please add small values to X, or use a positive "
                "beta_loss."
            )
        if issparse(X) and np.isnan(values).any():
            raise check.fail(self, "X", "dense where entries are NaN", "a sparse matrix")
        if reset and not issparse(X):
            for axis, what in ((1, "row"), (0, "column")):
                empty = np.flatnonzero(np.isnan(X).all(axis=axis))
                if len(empty):
                    wanted = f"observed somewhere in every {what}"
                    raise check.fail(self, "X", wanted, f"only NaN in {what} {empty[0]}")
        return X

    def _count(self, X: Any, H: Any) -> int:
        if self.n_components is None:
            return int(X.shape[1])
        if self.n_components == "auto":
            given = self.init == "custom" and H is not None
            return int(np.shape(H)[0]) if given else int(X.shape[1])
        return int(self.n_components)

    def _problem(self, X: Any, fixed_parts: bool = False) -> NMFProblem:
        n, p = X.shape
        seen = None
        if not issparse(X):
            X = X.astype(np.float64)
            gaps = np.isnan(X)
            if gaps.any():
                seen, X = ~gaps, np.where(gaps, 0.0, X)
        else:
            X = X.astype(np.float64)
        alpha_H = self.alpha_W if self.alpha_H == "same" else self.alpha_H
        r = float(self.l1_ratio)
        # The penalty of a fixed factor is a constant.
        strength = (float(self.alpha_W) * p, 0.0 if fixed_parts else float(alpha_H) * n)
        (lasso_weights, lasso_parts), (ridge_weights, ridge_parts) = (
            [share * s for s in strength] for share in (r, 1.0 - r)
        )
        beta = _beta_divergence.order_of(self.beta_loss)
        return NMFProblem(
            X, seen, beta, lasso_weights, lasso_parts, ridge_weights, ridge_parts, fixed_parts
        )

    def _start(self, problem: NMFProblem, k: int, W: Any, H: Any) -> Factors:
        X = problem.X
        if self.init == "custom":
            given = [(W, (X.shape[0], k), "W"), (H, (k, X.shape[1]), "H")]
            return Factors(*(self._given(*one) for one in given))
        if W is not None or H is not None:
            warnings.warn(
                "When init!='custom', provided W or H are ignored. Set init='custom' to use them "
                "as initialization.",
                RuntimeWarning,
                stacklevel=4,
            )
        small = k <= min(X.shape)
        if self.init is not None and self.init != "random" and not small:
            raise ValueError(
                f"NMF: init must be 'random' for more components than samples or features, got "
                f"{self.init!r}: init = '{self.init}' can only be used when n_components <= "
                "min(n_samples, n_features)"
            )
        name = self.init or ("nndsvda" if small else "random")
        if problem.seen is not None:
            counts = np.maximum(problem.seen.sum(axis=0), 1)
            X = np.where(problem.seen, X, X.sum(axis=0) / counts)
        rng = random.generator(self.random_state)
        W, H = _nmf_start.start_factors(X, k, name, rng)
        return Factors(np.asarray(W, dtype=np.float64), np.asarray(H, dtype=np.float64))

    def _given(self, value: Any, shape: tuple[int, int], name: str) -> Floats:
        if value is None:
            raise check.fail(self, name, "given with init='custom'", None)
        array = check_array(value, dtype=check.FLOATS, input_name=name)
        if array.shape != shape:
            which = "first" if array.shape[0] != shape[0] else "second"
            raise ValueError(
                f"NMF: {name} must be of shape {shape}, got {array.shape}: Array with wrong "
                f"{which} dimension passed to NMF (input {name})"
            )
        check_non_negative(array, f"NMF (input {name})")
        if not array.any():
            raise ValueError(f"NMF: Array passed to NMF (input {name}) is full of zeros.")
        return np.asarray(array, dtype=np.float64)

    def _solve(self, problem: NMFProblem, start: Factors) -> Solution:
        engine = coordinate_descent if self.solver == "cd" else multiplicative
        return engine(problem, start, tol=float(self.tol), max_iter=int(self.max_iter))

    def with_parts(self, parts: Array) -> Self:
        """Take these parts for those of a fit.

        Parameters
        ----------
        parts : ndarray of shape (n_components, n_features)

        Returns
        -------
        self
        """
        self._check_params()
        self.components_ = parts
        self.n_components_ = self._n_features_out = len(parts)
        self.n_features_in_ = parts.shape[1]
        return self

    def transform(self, X: Any) -> Array:
        """Weights of the parts; NaN in ``X`` is unobserved.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        X = self._table(X)
        problem = self._problem(X, fixed_parts=True)
        H = self.components_.astype(np.float64)
        if self.solver == "cd" or (problem.beta == 2.0 and problem.seen is None):
            return _exact_rows(problem, H).astype(X.dtype)
        level = np.sqrt(max(float(problem.X.mean()), 0.0) / len(H))
        start = Factors(np.full((X.shape[0], len(H)), level), H)
        solution = self._solve(problem, start)
        return np.asarray(solution.x.W.astype(X.dtype))

    def inverse_transform(self, X: Any) -> Array:
        """Rows that the weights stand for.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_components)

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        return np.asarray(X @ self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _exact_rows(problem: NMFProblem, H: Floats) -> Floats:
    """Weights of least squares; rows with the same gaps are solved together."""
    ridge = problem.ridge_weights * np.eye(len(H))
    if problem.seen is None:
        return nonnegative_rows(
            H @ H.T + ridge, np.asarray(problem.X @ H.T) - problem.lasso_weights
        )
    W = np.zeros((problem.X.shape[0], len(H)))
    keys, group = np.unique(problem.seen, axis=0, return_inverse=True)
    for j, seen in enumerate(keys):
        rows, part = group.ravel() == j, H[:, seen]
        product = problem.X[np.ix_(rows, seen)] @ part.T - problem.lasso_weights
        W[rows] = nonnegative_rows(part @ part.T + ridge, product)
    return W


def check_types(dtype: Any, **factors: Any) -> None:
    """Refuse factors of another precision than that of the table.

    Examples
    --------
    >>> check_types(np.dtype("f8"), H=np.ones((1, 2), dtype="f4"))
    Traceback (most recent call last):
    TypeError: NMF: H must be of type float64, got float32: H should have the same dtype as X. Got \
H.dtype = float32.
    """
    for name, value in factors.items():
        kind = getattr(value, "dtype", dtype)
        if kind.kind == "f" and kind != dtype:
            raise TypeError(
                f"NMF: {name} must be of type {dtype}, got {kind}: {name} should have the same "
                f"dtype as X. Got {name}.dtype = {kind}."
            )
