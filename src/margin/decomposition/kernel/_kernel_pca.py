"""Kernel principal component analysis."""

from collections.abc import Mapping
from numbers import Real
from typing import Any, Literal, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_array, check_is_fitted

from margin.core import Card, Solution, Status, atomic, check, random
from margin.core.types import Array, Floats, Matrix
from margin.decomposition.kernel._centred_kernel import (
    SOLVERS,
    Centre,
    KernelSpectrum,
    Settings,
    centred,
    row_spectrum,
    spectrum,
    without_rounding,
)
from margin.decomposition.kernel._pairwise_function import PairwiseFunction
from margin.kernels import Custom, Kernel, Linear, apply, resolve
from margin.linalg import cholesky

NAMES = ("cosine", "laplacian", "linear", "poly", "precomputed", "rbf", "sigmoid")


class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Principal components in the feature space of a kernel (decomposition.12).

    With the centred matrix :math:`H K H = V M V^\top` the coordinates of a new object are

    .. math:: z_j(x) = \mu_j^{-1/2} \sum_i v_{ij}\, \tilde k(x, x_i), \qquad
              \tilde k(x, x_i) = \langle \phi(x) - \bar\phi, \phi(x_i) - \bar\phi \rangle .

    With the linear kernel it is :class:`PCA`.

    Parameters
    ----------
    n_components : int, optional
        How many; by default all whose eigenvalue is not zero.
    kernel : str, Kernel or callable, default="linear"
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"sigmoid"``, ``"cosine"``, ``"laplacian"``,
        ``"precomputed"``, a kernel of :mod:`margin.kernels` (of strings, trees or graphs too), or
        a function of two rows.
    gamma, degree, coef0 : float
        Of the named kernels; ``gamma`` is 1 / number of columns by default.
    kernel_params : dict, optional
        Further arguments of a function.
    alpha : float, default=1.0
        Ridge of the inverse transform.
    fit_inverse_transform : bool, default=False
        Learn the way back, by kernel ridge regression of the rows on their coordinates.
    eigen_solver : {"auto", "dense", "arpack", "randomized"}, default="auto"
        ``"auto"`` takes block Krylov spaces for few components, all eigenvectors otherwise.
    tol : float, default=0
        Tolerance of iterative solvers; 0 is machine precision.
    max_iter : int, optional
        Most iterations of ``"arpack"``.
    iterated_power : int or "auto", default="auto"
        Power iterations of ``"randomized"``.
    remove_zero_eig : bool, default=False
        Drop components whose eigenvalue is zero; done anyway without ``n_components``.
    random_state : None, int, Generator or RandomState
        First vectors of iterative solvers; None is the same as 0.
    copy_X : bool, default=True
        Whether to keep a copy of the rows, so that later changes of ``X`` do no harm.
    n_jobs : int, optional
        Threads of the kernel; the answer does not depend on it.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        Of the centred kernel matrix, largest first.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        Its eigenvectors, the largest entry of each positive.
    X_fit_ : array-like or list
        The objects of the fit.
    X_transformed_fit_, dual_coef_ : ndarray
        Their coordinates, and the coefficients of the way back.
    gamma_ : float
        The gamma used.
    fit_report_ : FitReport
        Share of the variance in feature space that is left out; the residual of iterative solvers.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^2 k)` operations for few components, :math:`O(n^3)` for all; :math:`O(n^2)` memory.

    References
    ----------
    Schoelkopf, Smola and Mueller (1998). Nonlinear component analysis as a kernel eigenvalue
    problem. Neural Computation 10.

    Examples
    --------
    >>> from margin.decomposition import KernelPCA
    >>> model = KernelPCA(1).fit([[0.0, 1.0], [2.0, 1.0], [4.0, 1.0]])
    >>> abs(model.transform([[3.0, 7.0]])).round(6)
    array([[1.]])
    """

    card = Card(
        tasks=("transform",),
        cost="cubic",
        search_space={"kernel": ["rbf"], "gamma": (0.01, 10.0, "log")},
        max_rows=10_000,
    )

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: Any = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: Mapping[str, Any] | None = None,
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: Literal["auto", "dense", "arpack", "randomized"] = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: int | str = "auto",
        remove_zero_eig: bool = False,
        random_state: Any = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
            Or their kernel matrix, for ``"precomputed"``.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check_params()
        X, dtype = self._objects(X, reset=True)
        kernel = self._resolved(X)
        # Scalar products of rows far from zero would lose the digits of their differences.
        far = isinstance(kernel, Linear) and not issparse(X)
        self._shift = X.mean(axis=0) if far else None
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        k = n if self.n_components is None else min(n, self.n_components)
        if self.eigen_solver == "arpack" and k == n:
            need = f"below the number of samples, {n}, for eigen_solver='arpack'"
            if self.n_components is not None:
                raise check.fail(self, "n_components", need, self.n_components)
            k = n - 1
        if self._spanned(kernel, X):
            axes, centre, whole = row_spectrum(self._near(X), min(k, X.shape[1]))
        else:
            K, centre = centred(self._matrix(kernel, self._near(X)))
            whole = float(np.trace(K))
            axes = spectrum(K, k, self._settings())
        self._keep(axes, centre, dtype)
        self._kernel, self.X_fit_ = kernel, X
        repair = self._learn_way_back(X) if self.fit_inverse_transform else ""
        self.fit_report_ = check.report(self, _solution(axes, whole, repair))
        return self

    def _spanned(self, kernel: Kernel | None, X: Any) -> bool:
        """Whether few columns span all that is asked for, so that no kernel matrix is needed."""
        plain = isinstance(kernel, Linear) and kernel.matrix is None and not issparse(X)
        if not plain or self.eigen_solver != "auto" or 4 * X.shape[1] > X.shape[0]:
            return False
        return self.n_components is None or self.n_components <= X.shape[1]

    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Array:
        """Fit, and the coordinates of the same objects."""
        self.fit(X, y, **params)
        return np.asarray(self.eigenvectors_ * np.sqrt(self.eigenvalues_))

    def transform(self, X: Any) -> Array:
        """Coordinates of objects, of shape (n_samples, n_components).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
            Or their kernel matrix with the objects of the fit.
        """
        check_is_fitted(self)
        X, dtype = self._objects(X, reset=False)
        some = self.eigenvalues_ > 0
        scaled = np.zeros(self.eigenvectors_.shape)
        scaled[:, some] = self.eigenvectors_[:, some] / np.sqrt(self.eigenvalues_[some])
        # Centred coefficients take the mean of every row of the kernel off by themselves.
        scaled -= scaled.mean(axis=0)
        out = (
            X @ scaled
            if self._kernel is None
            else apply(self._kernel, self._near(X), self._near(self.X_fit_), scaled)
        )
        return np.asarray(out - self._centre.columns @ scaled, dtype=dtype)

    def inverse_transform(self, X: Matrix) -> Array:
        """Rows whose coordinates are close to those given, of shape (n_samples, n_features).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
        """
        if not self.fit_inverse_transform:
            raise NotFittedError(
                f"{type(self).__name__}: fit_inverse_transform must be True for the inverse "
                "transform, got False"
            )
        check_is_fitted(self)
        Z = check_array(check.structure(self, X), dtype=np.float64)
        assert self._kernel is not None
        return np.asarray(self._kernel(Z, self.X_transformed_fit_) @ self.dual_coef_ + self._mean)

    def _check_params(self) -> None:
        check.params(
            self,
            nonnegative="alpha tol degree",
            flag="fit_inverse_transform remove_zero_eig copy_X",
            one_of={"eigen_solver": SOLVERS},
        )
        for name in ("n_components", "max_iter"):
            if getattr(self, name) is not None:
                check.params(self, count=name)
        if self.gamma is not None:
            check.params(self, positive="gamma")
        constant: Any = self.coef0
        if not isinstance(constant, Real) or not np.isfinite(float(constant)):
            raise check.fail(self, "coef0", "a finite number", constant)
        if self.kernel_params is not None and not isinstance(self.kernel_params, Mapping):
            raise check.fail(self, "kernel_params", "None or a mapping", self.kernel_params)
        power = self.iterated_power
        if power != "auto" and (not isinstance(power, int | np.integer) or power < 0):
            raise check.fail(self, "iterated_power", "'auto' or an integer of at least 0", power)
        if self.fit_inverse_transform and self._precomputed:
            raise ValueError(
                f"{type(self).__name__}: Cannot fit_inverse_transform with a precomputed kernel."
            )

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _settings(self) -> Settings:
        power = None if self.iterated_power == "auto" else int(self.iterated_power)
        rng = random.generator(0 if self.random_state is None else self.random_state)
        return Settings(self.eigen_solver, self.tol, self.max_iter, power, rng)

    def _objects(self, X: Any, *, reset: bool) -> tuple[Any, Any]:
        """Rows, or objects of another kind, and the type of numbers to answer with."""
        kernel = self.kernel
        if isinstance(kernel, Kernel) and kernel.input not in ("vectors", "any"):
            return check.objects(self, X, None, target=None)[0], np.float64
        X = check.table(self, X, sparse=True, reset=reset)
        dtype = X.dtype
        if reset and self._precomputed and X.shape[0] != X.shape[1]:
            raise check.fail(self, "X", "a square kernel matrix", f"shape {X.shape}")
        if self._precomputed and issparse(X):
            X = X.toarray()
        fresh = reset and self.copy_X
        return X.astype(np.float64, copy=fresh), dtype

    def _resolved(self, X: Any) -> Kernel | None:
        kernel = self.kernel
        self.gamma_ = None
        if isinstance(kernel, Kernel):
            return kernel
        if callable(kernel):
            return Custom(PairwiseFunction(kernel, dict(self.kernel_params or {})))
        if not isinstance(kernel, str) or kernel not in NAMES:
            need = f"one of {', '.join(map(repr, NAMES))}, a Kernel or a function"
            raise check.fail(self, "kernel", need, kernel)
        self.gamma_ = 1 / X.shape[1] if self.gamma is None else self.gamma
        degree: Any = self.degree
        return resolve(kernel, gamma=self.gamma_, degree=degree, coef0=self.coef0, X=X)

    def _near(self, X: Any) -> Any:
        """Rows about the mean of the fit, where the kernel does not mind."""
        if self._shift is None:
            return X
        return (X.toarray() if issparse(X) else X) - self._shift

    def _matrix(self, kernel: Kernel | None, X: Any) -> Floats:
        if kernel is None:
            return np.array(X, dtype=np.float64)
        return np.asarray(kernel(X), dtype=np.float64)

    def _keep(self, axes: KernelSpectrum, centre: Centre, dtype: Any) -> None:
        values, vectors = without_rounding(type(self).__name__, axes.values), axes.vectors
        if self.remove_zero_eig or self.n_components is None:
            values, vectors = values[values > 0], vectors[:, values > 0]
        self.eigenvalues_ = values.astype(dtype)
        self.eigenvectors_ = np.ascontiguousarray(vectors, dtype=dtype)
        self._centre = centre

    def _learn_way_back(self, X: Any) -> str:
        """Coefficients of the rows, about their mean, on the kernel of their coordinates."""
        if self._kernel is None or self._kernel.input not in ("vectors", "any"):
            raise check.fail(self, "fit_inverse_transform", "False for objects", True)
        rows = X.toarray() if issparse(X) else X
        Z = np.asarray(self.eigenvectors_ * np.sqrt(self.eigenvalues_), dtype=np.float64)
        K = np.asarray(self._kernel(Z), dtype=np.float64)
        K[np.diag_indices_from(K)] += self.alpha
        factor = cholesky(K, name="kernel matrix of the coordinates")
        self._mean = rows.mean(axis=0)
        self.dual_coef_ = factor.solve(rows - self._mean)
        self.X_transformed_fit_ = Z
        return factor.repair

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._precomputed
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _solution(axes: KernelSpectrum, whole: float, repair: str) -> Solution:
    kept = float(np.maximum(axes.values, 0.0).sum())
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=1 if axes.search is None else axes.search.n_iter,
        objective=max(1 - kept / whole, 0.0) if whole > 0 else 0.0,
        certificate=None if axes.search is None else axes.search.certificate,
        solver=axes.solver,
        repairs=(repair,) if repair else (),
    )
