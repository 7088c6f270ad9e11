"""Probabilistic principal component analysis."""

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, atomic, check, random
from margin.core.types import Matrix
from margin.decomposition._blocks import (
    RowBlocks,
    checked_blocks,
    complete_batch,
    extent,
    moments,
)
from margin.decomposition.probabilistic._gap_em import column_totals
from margin.decomposition.probabilistic._latent_model import LatentModel
from margin.decomposition.probabilistic._noise_floor import check_observed
from margin.decomposition.probabilistic._ppca_fit import (
    PPCAFit,
    Settings,
    fit_blocks_complete,
    fit_complete,
    fit_gaps,
    fit_statistics,
)
from margin.distributions import Moments


class ProbabilisticPCA(LatentModel):
    r"""Principal components as a density (decomposition.06).

    .. math:: x = \mu + W z + \epsilon, \quad z \sim N(0, I_M), \quad
              \epsilon \sim N(0, \sigma^2 I), \qquad x \sim N(\mu, W W^\top + \sigma^2 I)

    Maximum likelihood is :math:`\sigma^2 = \frac{1}{D - M}\sum_{j > M} \lambda_j`,
    :math:`W = U_M^\top (\Lambda_M - \sigma^2 I)^{1/2}` with the eigenvalues of the covariance
    (divisor :math:`n`). NaN is unobserved: expectation maximisation over what is observed, exactly,
    without filling.

    Parameters
    ----------
    n_components : int, optional
        :math:`M`; by default one less than the least of rows and columns.
    solver : {"auto", "closed", "em"}, default="auto"
        Eigenvectors, or expectation maximisation; with NaN it is always the latter.
    tol : float, default=1e-6
        EM stops when the log-likelihood gains less than this part of itself.
    max_iter : int, default=1000
        Most iterations of EM.
    random_state : None, int, Generator or RandomState, default=0
        First loadings of EM.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Loadings :math:`W^\top`: orthogonal, longest first, the largest entry of each positive.
    explained_variance_ : ndarray of shape (n_components,)
        Variances :math:`\|w_j\|^2 + \sigma^2` along them.
    noise_variance_ : float
        :math:`\sigma^2`.
    mean_ : ndarray of shape (n_features,)
        :math:`\mu`.
    n_components_, n_samples_, n_iter_ : int
        Number of components, of rows, of iterations.
    n_parameters_ : int
        Free numbers of the covariance, :math:`D M + 1 - M (M - 1) / 2`.
    fit_report_ : FitReport
        Minus the log-likelihood; the trace of EM.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p^2 + p^3)` operations in closed form; :math:`O(n p k^2)` per iteration with gaps.

    References
    ----------
    Tipping and Bishop (1999). Probabilistic principal component analysis. JRSS B 61, 611-622.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import ProbabilisticPCA
    >>> X = np.array([[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> model = ProbabilisticPCA(n_components=1).fit(X)
    >>> float(model.noise_variance_), (model.components_ ** 2).round(6)
    (0.5, array([[4., 0.]]))
    >>> model.transform([[4.5, np.nan]])
    array([[2.]])
    """

    card = Card(tasks=("transform", "density"), search_space={"n_components": [1, 2, 3]})

    def __init__(
        self,
        *,
        n_components: int | None = None,
        solver: Literal["auto", "closed", "em"] = "auto",
        tol: float = 1e-6,
        max_iter: int = 1000,
        random_state: Any = 0,
    ) -> None:
        self.n_components = n_components
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Matrix, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fit mean, loadings and noise.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is unobserved.
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X = check.table(self, X, missing=True, reset=True)
        weight = check.weights(self, sample_weight, len(X))
        settings = self._settings(*X.shape)
        if np.isnan(X).any():
            self._keep(self._gaps(RowBlocks([(X, weight)]), settings), len(X))
        else:
            self._keep(fit_complete(X, weight, settings), len(X))
        return self

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Fit to a table that comes in blocks of rows.

        Parameters
        ----------
        blocks : iterable or callable
            Tables ``X`` or tuples ``(X, sample_weight)``, from something that can be read again or
            from a function that opens it: a few times for complete rows, with NaN in every
            iteration. The answer is that of :meth:`fit` on all rows, up to rounding.

        Returns
        -------
        self
        """
        self._check_params()
        rows = checked_blocks(self, blocks, missing=True)
        n, gaps = extent(rows)
        settings = self._settings(n, self.n_features_in_)
        self._keep(self._gaps(rows, settings) if gaps else fit_blocks_complete(rows, settings), n)
        return self

    @atomic
    def partial_fit(self, X: Matrix, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Take one more batch of complete rows into account.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Without gaps: what a gap means depends on all rows, which :meth:`fit_blocks` reads again
            and again.
        y : None
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
            Equal to :meth:`fit` on all batches since the last one, up to rounding: they are kept
            as their moments.
        """
        self._check_params()
        before: tuple[Moments, int] | None = getattr(self, "_seen", None)
        X = complete_batch(self, X, first=before is None)
        weight = check.weights(self, sample_weight, len(X))
        part, n = moments(X, weight), len(X)
        stats, n = (part, n) if before is None else (before[0] + part, before[1] + n)
        self._keep(fit_statistics(stats, self._settings(n, X.shape[1])), n)
        self._seen: tuple[Moments, int] | None = (stats, n)
        return self

    def _check_params(self) -> None:
        check.params(
            self,
            nonnegative="tol",
            count="max_iter",
            one_of={"solver": ("auto", "closed", "em")},
        )

    def _settings(self, n: int, p: int) -> Settings:
        most = min(n, p)
        if n < 2:
            raise ValueError(f"{type(self).__name__}: X must hold at least 2 samples, got 1 sample")
        k = max(most - 1, 0) if self.n_components is None else self.n_components
        if not isinstance(k, int | np.integer) or isinstance(k, bool) or not 0 <= k <= most:
            need = f"None or an integer between 0 and min(n_samples, n_features)={most}"
            raise check.fail(self, "n_components", need, k)
        rng = random.generator(self.random_state)
        return Settings(int(k), self.solver != "em", self.tol, self.max_iter, rng)

    def _gaps(self, blocks: RowBlocks, settings: Settings) -> PPCAFit:
        totals = column_totals(blocks)
        check_observed(self, totals.weight)
        return fit_gaps(blocks, totals, settings)

    def _keep(self, fit: PPCAFit, n: int) -> None:
        law, solution, repairs = fit
        p, k = law.loadings.shape
        self._law, self._seen = law, None
        self.mean_, self.components_ = law.mean, np.ascontiguousarray(law.loadings.T)
        self.noise_variance_ = float(law.noise[0])
        self.explained_variance_ = np.sum(law.loadings**2, axis=0) + self.noise_variance_
        self.n_components_, self.n_samples_, self.n_iter_ = k, n, solution.n_iter
        self.n_parameters_ = p * k + 1 - k * (k - 1) // 2
        self.fit_report_ = check.report(self, replace(solution, repairs=repairs))
