"""Sparse precision matrices."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, atomic, check, missing
from margin.core.types import Floats
from margin.graphical.learning.structure._sparse_precision import sparse_precision
from margin.graphs import UndirectedGraph
from margin.linalg import is_symmetric
from margin.search import Moments


class GraphicalLasso(BaseEstimator):
    r"""Gaussian Markov network by L1-penalised maximum likelihood.

    Minimises :math:`-\log\det \Theta + \operatorname{tr} S \Theta +
    \alpha \sum_{i \ne j} |\Theta_{ij}|` over positive definite precision matrices, with
    :math:`S` the covariance with divisor :math:`n`. Zeros of :math:`\Theta` are missing edges.

    Parameters
    ----------
    alpha : float, default=0.01
        Strength of the penalty, at least 0.
    mode : {"cd", "lars"}, default="cd"
        Without effect: the lasso of a column is always solved by coordinate descent, to precision.
    covariance : "precomputed", optional
        Then ``X`` is the covariance itself.
    tol : float, default=1e-4
        Largest duality gap.
    enet_tol : float, default=1e-4
        Without effect: the lasso of a column is solved as far as the duality gap needs it.
    max_iter : int, default=100
        Most sweeps over the columns.
    verbose : bool, default=False
        Without effect: progress is shown by :mod:`margin.core.progress`.
    eps : float, default=2.2e-16
        Without effect: nothing is added to the diagonal.
    assume_centered : bool, default=False
        Whether the mean is known to be zero.

    Attributes
    ----------
    precision_, covariance_ : ndarray of shape (n_features, n_features)
        :math:`\Theta` and its inverse.
    location_ : ndarray of shape (n_features,)
        Mean; zero where it is taken to be, or the covariance was given.
    costs_ : list of (float, float)
        Objective and duality gap after every sweep.
    graph_ : UndirectedGraph
        Edges where the precision is not zero.
    n_iter_ : int
        Sweeps made.
    fit_report_ : FitReport
        Objective, and the duality gap as the certificate.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, when ``X`` had them.

    Notes
    -----
    Blocks of columns: the row of the covariance that belongs to one column solves a lasso in the
    others, by coordinate descent. Columns whose largest absolute covariance with the rest is at
    most ``alpha`` are split off exactly. The dual is :math:`\log\det W + p` over
    :math:`|W - S| \le \alpha` off the diagonal, :math:`W_{ii} = S_{ii}`. NaN means unobserved: the
    covariance is then that of EM.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.graphical import GraphicalLasso
    >>> X = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, 0.0], [-1.0, 0.0]])
    >>> GraphicalLasso(alpha=0.25).fit(X).covariance_.round(6)
    array([[1.  , 0.25],
           [0.25, 0.5 ]])
    """

    card = Card(
        tasks=("density",), cost="linear", search_space={"alpha": (1e-3, 1.0, "log")}, input="table"
    )

    def __init__(
        self,
        alpha: float = 0.01,
        *,
        mode: str = "cd",
        covariance: str | None = None,
        tol: float = 1e-4,
        enet_tol: float = 1e-4,
        max_iter: int = 100,
        verbose: bool = False,
        eps: float = float(np.finfo(np.float64).eps),
        assume_centered: bool = False,
    ) -> None:
        self.alpha = alpha
        self.mode = mode
        self.covariance = covariance
        self.tol = tol
        self.enet_tol = enet_tol
        self.max_iter = max_iter
        self.verbose = verbose
        self.eps = eps
        self.assume_centered = assume_centered

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Estimate the precision matrix.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows; NaN where unobserved. The covariance where it is given.
        y : ignored

        Returns
        -------
        self
        """
        check.params(
            self,
            nonnegative="alpha eps",
            positive="tol enet_tol",
            count="max_iter",
            flag="assume_centered",
            one_of={"mode": ("cd", "lars"), "covariance": (None, "precomputed")},
        )
        given = self.covariance == "precomputed"
        least = 1 if given else 2
        if isinstance(X, np.ndarray) and X.dtype == np.float64 and len(X) >= least:
            X = check.table(self, X, missing=not given, reset=True)
        else:
            X = check.validated(
                self,
                check.structure(self, X),
                dtype=np.float64,
                ensure_min_samples=least,
                ensure_all_finite=True if given else "allow-nan",
            )
        if given:
            if not is_symmetric(X):
                raise check.fail(self, "X", "symmetric where it is a covariance", X.tolist())
            mean, S = np.zeros(X.shape[1]), X
        elif self.assume_centered and missing.observed(X).all():
            mean, S = np.zeros(X.shape[1]), X.T @ X / len(X)
        else:
            moments = Moments.of("GraphicalLasso", X)
            mean, S = moments.mean, moments.covariance
        solution = sparse_precision(S, self.alpha, tol=self.tol, max_iter=self.max_iter)
        self.fit_report_ = check.report(self, solution)
        self.location_ = mean
        self.precision_ = solution.x
        self.covariance_ = solution.extras["covariance"]
        names = getattr(self, "feature_names_in_", np.arange(X.shape[1]))
        joined = (solution.x != 0) & ~np.eye(X.shape[1], dtype=bool)
        self.graph_ = UndirectedGraph.from_adjacency(joined.astype(int), names.tolist())
        self.n_iter_ = solution.n_iter
        trace = solution.trace
        self.costs_ = list(zip(trace["objective"].tolist(), trace["gap"].tolist(), strict=True))
        return self

    def log_prob(self, X: Any) -> Floats:
        """Log density of each row; unobserved values are integrated out."""
        squares, constants = self._distances(X)
        return -0.5 * squares - constants

    def mahalanobis(self, X: Any) -> Floats:
        """Squared Mahalanobis distance of each row, in the columns that were observed."""
        return self._distances(X)[0]

    def get_precision(self) -> Floats:
        """Precision matrix."""
        check_is_fitted(self)
        return np.asarray(self.precision_)

    def error_norm(
        self, comp_cov: Any, norm: str = "frobenius", scaling: bool = True, squared: bool = True
    ) -> float:
        """Distance of the covariance from another one.

        Parameters
        ----------
        comp_cov : array-like of shape (n_features, n_features)
        norm : {"frobenius", "spectral"}, default="frobenius"
            Root of the sum of squares, or largest singular value.
        scaling : bool, default=True
            Whether the squared norm is divided by the number of features.
        squared : bool, default=True
            Whether the norm is squared.
        """
        check_is_fitted(self)
        orders: dict[str, Any] = {"frobenius": "fro", "spectral": 2}
        if norm not in orders:
            need = "'frobenius' or 'spectral' (Only spectral and frobenius norms are implemented)"
            raise check.unserved(self, "norm", need, norm)
        size = float(np.linalg.norm(np.asarray(comp_cov) - self.covariance_, orders[norm])) ** 2
        size = size / len(self.covariance_) if scaling else size
        return size if squared else float(np.sqrt(size))

    def _distances(self, X: Any) -> tuple[Floats, Floats]:
        """Squared distance of each row, and minus the logarithm of the density at the mean."""
        check_is_fitted(self)
        X = check.validated(self, X, dtype=np.float64, reset=False, ensure_all_finite="allow-nan")
        squares, constants = np.zeros(len(X)), np.zeros(len(X))
        for rows, seen in missing.patterns(X):
            if not len(seen):
                continue
            factor = np.linalg.cholesky(self.covariance_[np.ix_(seen, seen)])
            z = np.linalg.solve(factor, (X[np.ix_(rows, seen)] - self.location_[seen]).T)
            squares[rows] = (z**2).sum(axis=0)
            constants[rows] = 0.5 * len(seen) * np.log(2 * np.pi) + np.log(np.diag(factor)).sum()
        return squares, constants

    def score_samples(self, X: Any) -> Floats:
        """The same as :meth:`log_prob`, by scikit-learn's name."""
        return self.log_prob(X)

    def score(self, X_test: Any, y: Any = None) -> float:
        """Mean log density of the rows."""
        return float(self.log_prob(X_test).mean())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
