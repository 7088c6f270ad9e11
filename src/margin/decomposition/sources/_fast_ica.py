"""Independent component analysis."""

import warnings
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from margin.core import Card, Solution, atomic, check, random
from margin.core.types import Array, Floats
from margin.decomposition.sources import _contrasts
from margin.decomposition.sources._contrasts import Derivative
from margin.decomposition.sources._unmixing import Rules, deflation, infomax, parallel
from margin.decomposition.sources._whitening import whitened


class FastICA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Independent component analysis: sources that were mixed linearly (decomposition.16).

    .. math:: x = A s + \mu, \qquad s_1, \dots, s_k \text{ independent}, \qquad
              \hat s = W K (x - \mu)

    White data :math:`K (x - \mu)` are rotated until projections are as far from normal as can be;
    at most one source may be normal. Order and signs of the sources are arbitrary, their variances
    too.

    Parameters
    ----------
    n_components : int, optional
        Sources; as many as features by default. Without effect where ``whiten`` is False.
    algorithm : {"parallel", "deflation"}, default="parallel"
        All sources at once, or one after the other.
    whiten : {"unit-variance", "arbitrary-variance"} or False, default="unit-variance"
        Whether sources get variance one, or keep what the rotation gives; False takes ``X`` as
        white already.
    fun : {"logcosh", "exp", "cube"} or callable, default="logcosh"
        Contrast; a callable gives :math:`g(u)` and the mean of :math:`g'(u)` per row.
    fun_args : dict, optional
        Arguments of the contrast: ``{"alpha": a}`` with :math:`1 \le a \le 2` for "logcosh".
    max_iter : int, default=200
        Most iterations.
    tol : float, default=1e-4
        Turn of a direction, or gradient of the likelihood, that counts as converged.
    w_init : array-like of shape (n_components, n_components), optional
        Rotation to start from; normal numbers by default.
    whiten_solver : {"svd", "eigh"}, default="svd"
        How white data are made; "eigh" is quicker for many rows, with half the digits.
    random_state : int, Generator, RandomState or None, default=None
        Where the start comes from.
    method : {"fixed-point", "infomax"}, default="fixed-point"
        "infomax" maximises the likelihood with densities of heavy or light tails, chosen per
        source, instead of a contrast; ``algorithm`` and ``fun`` have no effect then.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Maps centred rows to sources.
    mixing_ : ndarray of shape (n_features, n_components)
        Its pseudo-inverse.
    mean_ : ndarray of shape (n_features,)
        Means of the features, where ``whiten`` is on.
    whitening_ : ndarray of shape (n_components, n_features)
        Map to white data, where ``whiten`` is on.
    n_iter_ : int
        Iterations made, the most of any source.
    fit_report_ : FitReport
        Turn of the last iteration, or minus the log-likelihood; the certificate.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p \min(n, p))` for white data, then :math:`O(n k^2)` an iteration.

    References
    ----------
    A. Hyvärinen and E. Oja, Independent component analysis (2000); P. Ablin, J.-F. Cardoso and
    A. Gramfort, Faster independent component analysis by preconditioning (2018).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import FastICA
    >>> t = np.linspace(0, 8, 2000)
    >>> S = np.column_stack([np.sin(2 * t), np.sign(np.sin(3 * t))])
    >>> found = FastICA(random_state=0).fit_transform(S @ [[1.0, 1.0], [0.5, 2.0]])
    >>> np.abs(np.corrcoef(S.T, found.T)[:2, 2:]).max(axis=1).round(2)
    array([1., 1.])
    """

    card = Card(tasks=("transform",), search_space={"fun": ["logcosh", "exp", "cube"]})

    def __init__(
        self,
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
        method: str = "fixed-point",
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.whiten = whiten
        self.fun = fun
        self.fun_args = fun_args
        self.max_iter = max_iter
        self.tol = tol
        self.w_init = w_init
        self.whiten_solver = whiten_solver
        self.random_state = random_state
        self.method = method

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the map to the sources.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._fitted(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and the sources.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self._fitted(X)

    @atomic
    def _fitted(self, X: Any) -> Array:
        g = self._check_params()
        X = check.validated(
            self, check.structure(self, X), dtype=check.FLOATS, ensure_min_samples=2
        )
        dtype, rows = X.dtype, X.T.astype(np.float64)
        k = self._count(*X.shape)
        mean = rows.mean(axis=1, keepdims=True) if self.whiten else np.zeros((len(rows), 1))
        centred = rows - mean
        small = 0
        if self.whiten:
            white = whitened(centred, k, self.whiten_solver)
            Z, K, small = white.rows, white.matrix, white.small
        else:
            Z, K = centred, np.eye(len(rows))
        self._tell(small, k)
        solution = self._search(Z, g, self._start(k))
        W = np.asarray(solution.x).reshape(k, k)
        sources = W @ Z
        if self.whiten == "unit-variance":
            spread = sources.std(axis=1, keepdims=True)
            spread[spread < 1e-150] = 1.0
            W, sources = W / spread, sources / spread
        self.components_ = (W @ K).astype(dtype)
        self.mixing_ = np.linalg.pinv(W @ K).astype(dtype)
        self._unmixing = W.astype(dtype)
        if self.whiten:
            self.mean_, self.whitening_ = mean[:, 0].astype(dtype), K.astype(dtype)
        self._n_features_out = k
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        return np.asarray(sources.T.astype(dtype))

    def _check_params(self) -> Derivative:
        """Refuse bad parameters; the contrast."""
        check.params(
            self,
            count="max_iter",
            nonnegative="tol",
            one_of={
                "algorithm": ("parallel", "deflation"),
                "whiten": ("unit-variance", "arbitrary-variance", False),
                "whiten_solver": ("svd", "eigh"),
                "method": ("fixed-point", "infomax"),
            },
        )
        if self.n_components is not None:
            check.params(self, count="n_components")
        if self.fun_args is not None and not isinstance(self.fun_args, dict):
            raise check.fail(self, "fun_args", "None or a dict", self.fun_args)
        arguments = dict(self.fun_args or {})
        alpha = arguments.get("alpha", 1.0)
        if not isinstance(alpha, int | float) or not 1 <= alpha <= 2:
            raise ValueError(f"FastICA: alpha must be in [1,2], got {alpha!r}")
        if isinstance(self.fun, str) and self.fun in _contrasts.NAMES:
            return _contrasts.derivative(self.fun, float(alpha))
        if not callable(self.fun):
            names = ", ".join(map(repr, _contrasts.NAMES))
            raise check.fail(self, "fun", f"a callable or one of {names}", self.fun)
        return _contrasts.foreign(self.fun, arguments)

    def _count(self, n: int, p: int) -> int:
        if not self.whiten:
            if self.n_components is not None and self.n_components != p:
                warnings.warn("Ignoring n_components with whiten=False.", stacklevel=4)
            return p
        most = min(n, p)
        if self.n_components is not None and self.n_components > most:
            wanted = f"at most {most}, the samples and the features"
            raise check.fail(self, "n_components", wanted, self.n_components)
        return most if self.n_components is None else int(self.n_components)

    def _tell(self, small: int, k: int) -> None:
        if self.whiten_solver == "eigh" and small:
            warnings.warn(
                "There are some small singular values, using whiten_solver = 'svd' might lead to "
                "more accurate solutions.",
                stacklevel=4,
            )

    def _start(self, k: int) -> Floats:
        if self.w_init is None:
            return random.generator(self.random_state).standard_normal((k, k))
        try:
            start = np.asarray(self.w_init, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise check.fail(self, "w_init", "an array of numbers", self.w_init) from error
        if start.shape != (k, k):
            raise ValueError(
                f"FastICA: w_init must be of shape {(k, k)}, got {start.shape}: w_init has invalid "
                f"shape -- should be {(k, k)}"
            )
        return start

    def _search(self, Z: Floats, g: Derivative, start: Floats) -> Solution:
        rules = Rules(float(self.tol), int(self.max_iter))
        if self.method == "infomax":
            return infomax(Z, start, rules)
        search = parallel if self.algorithm == "parallel" else deflation
        return search(Z, g, start, rules)

    def transform(self, X: Any, copy: bool = True) -> Array:
        """Sources of rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        copy : bool, default=True
            Without effect, for scikit-learn's namesake: ``X`` stays as it is.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        X = check.table(self, X)
        centred = X - self.mean_ if self.whiten else X
        return np.asarray(centred @ self.components_.T)

    def inverse_transform(self, X: Any, copy: bool = True) -> Array:
        """Rows that the sources mix to.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
        copy : bool, default=True
            Without effect, for scikit-learn's namesake.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        X = check_array(check.structure(self, X), dtype=check.FLOATS)
        back = X @ self.mixing_.T
        return np.asarray(back + self.mean_ if self.whiten else back)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
