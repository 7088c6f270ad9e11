"""A kernel machine as a linear machine of explicit features."""

from typing import Any, Literal, Self, get_args

import numpy as np
from scipy import sparse
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from margin import kernels
from margin.core import Card, Solution, Status, atomic, check
from margin.core import random as randomness
from margin.core.objects import count, take
from margin.core.types import Array
from margin.svm._kernel_input import KernelInput

Method = Literal["nystroem", "pivoted", "fourier", "polynomial"]
_PROBE = 200


class KernelFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, KernelInput):
    r"""Features :math:`\phi(x)` with :math:`\phi(x)^\top \phi(z) \approx k(x, z)` (kernels.33).

    Any linear model of these columns is a kernel machine whose cost grows with the number of rows
    and not with its square: :class:`~margin.svm.LinearSVC` behind it is nearly ``SVC``,
    :class:`~margin.linear.Ridge` nearly ``KernelRidge``, and logistic regression, for which there
    is no kernel form here, becomes non-linear. One word says how the features are made.

    Parameters
    ----------
    method : {"nystroem", "pivoted", "fourier", "polynomial"}, default="nystroem"
        ``"nystroem"``: kernel values with rows drawn at random; ``"pivoted"``: with rows chosen one
        after the other where the approximation is worst, which needs fewer of them; ``"fourier"``:
        waves of random frequencies, for stationary kernels of tables; ``"polynomial"``: all
        monomials, exact, for the polynomial kernel.
    n_components : int, default=100
        Number of features; fewer if the kernel has no more dimensions on these rows. An odd number
        is rounded up for ``"fourier"``; ignored by ``"polynomial"``.
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`; kernels of strings, trees and graphs take lists of such objects.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Of ``"rbf"``, ``"poly"``, ``"sigmoid"`` and ``"laplacian"``, as in :class:`SVC`.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    random_state : int, Generator or None, default=None
        Seed of the rows or frequencies drawn.

    Attributes
    ----------
    map_ : margin.kernels.FeatureMap
        The features as a function.
    fit_report_ : FitReport
        Number of features; the objective is the largest error of the kernel, in units of its
        largest value, between up to 200 of the training rows.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    See Also
    --------
    margin.kernels.approximate : The same as a function.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.svm import KernelFeatures, LinearSVC
    >>> from sklearn.pipeline import make_pipeline
    >>> X = np.random.default_rng(0).normal(size=(400, 2))
    >>> inside = (X**2).sum(axis=1) < 1
    >>> features = KernelFeatures(method="pivoted", n_components=30)
    >>> bool(make_pipeline(features, LinearSVC(C=10.0)).fit(X, inside).score(X, inside) > 0.97)
    True
    """

    card = Card(tasks=("transform",), cost="linear")

    def __init__(
        self,
        *,
        method: Method = "nystroem",
        n_components: int = 100,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.method = method
        self.n_components = n_components
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose rows or frequencies.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
        y : ignored

        Returns
        -------
        self
        """
        check.params(self, count="n_components", one_of={"method": get_args(Method)})
        self._check_kernel()
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            need = "a kernel that can be evaluated at new objects"
            raise check.fail(self, "kernel", need, self.kernel)
        X, _, _ = self._training(X, None, None, None)
        kernel = self._choice().resolve(X)
        assert kernel is not None
        if isinstance(X, list) and self.method in ("fourier", "polynomial"):
            need = "'nystroem' or 'pivoted' for objects that are not a table"
            raise check.fail(self, "method", need, self.method)
        rng = randomness.generator(self.random_state)
        features = kernels.approximate(
            kernel, X, int(self.n_components), method=self.method, rng=rng
        )

        self.map_, self._n_features_out = features, features.n_features
        solver = f"{features.n_features} features by the method {self.method!r}"
        self.fit_report_ = check.report(self, _solution(features, kernel, X, solver))
        return self

    def transform(self, X: Any) -> Array:
        """Features of the rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        X = self._query(X)
        return _columns(self.map_, X)


def _columns(features: kernels.FeatureMap, X: Any) -> Array:
    """Features of a set; waves and monomials need dense tables."""
    anchored = isinstance(features, kernels.NystroemFeatures)
    return features(X.toarray() if sparse.issparse(X) and not anchored else X)


def _solution(
    features: kernels.FeatureMap, kernel: kernels.Kernel, X: Any, solver: str
) -> Solution:
    """The largest error of the kernel between some of the objects."""
    some = take(X, np.unique(np.linspace(0, count(X) - 1, _PROBE).astype(np.int64)))
    exact, columns = kernel(some), _columns(features, some)
    largest = float(np.abs(exact).max(initial=0.0)) or 1.0
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=1,
        objective=float(np.abs(columns @ columns.T - exact).max(initial=0.0)) / largest,
        solver=solver,
    )
