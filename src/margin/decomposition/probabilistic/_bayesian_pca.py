"""Bayesian principal component analysis, which finds the number of components."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, Solution, atomic, check, random
from margin.core.types import Floats, Matrix
from margin.decomposition._blocks import (
    RowBlocks,
    block_moments,
    checked_blocks,
    extent,
    scaled,
)
from margin.decomposition.linear._dimension import most_evident_rank
from margin.decomposition.probabilistic import _variational as variational
from margin.decomposition.probabilistic._gap_em import ColumnTotals, column_totals
from margin.decomposition.probabilistic._latent_model import LatentModel
from margin.decomposition.probabilistic._latent_normal import LatentNormal
from margin.decomposition.probabilistic._noise_floor import check_observed
from margin.decomposition.probabilistic._ppca_fit import (
    Settings,
    fit_blocks_complete,
    fit_gaps,
    fit_rows,
)
from margin.decomposition.probabilistic._second_moments import SecondMoments


class BayesianPCA(LatentModel):
    r"""Probabilistic PCA that switches off the components it does not need (decomposition.07).

    .. math:: x = \mu + W z + \epsilon, \quad w_j \sim N(0, \alpha_j^{-1} I), \quad
              \alpha_j \sim \mathrm{Ga}(a, b), \quad \sigma^{-2} \sim \mathrm{Ga}(a, b)

    with broad priors :math:`a = b = 10^{-6}` for data of unit variance. Variational Bayes finds a
    factorised posterior of loadings, latent variables, relevances and noise; where the data say
    nothing of :math:`w_j`, :math:`\alpha_j` grows and the component vanishes: the number of
    components is found and not chosen. NaN is unobserved and integrated out.

    Parameters
    ----------
    n_components : int, optional
        The most components; by default one less than the least of rows and columns.
    tol : float, default=1e-6
        Stop when the bound of the log-evidence gains less than this part of itself.
    max_iter : int, default=2000
        Most iterations.
    random_state : None, int, Generator or RandomState, default=0
        First loadings where there are gaps.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Expected loadings of the components kept: orthogonal, longest first.
    explained_variance_ : ndarray of shape (n_components,)
        Variances along them, noise included.
    relevance_ : ndarray
        Expected :math:`\alpha` of all components tried, smallest (most relevant) first, in units
        of the rows.
    determined_ : ndarray
        How far the data decide each of them: the share of the expected squared loadings that is
        not mere uncertainty. Those above one half are kept.
    noise_variance_ : float
        Inverse of the expected noise precision.
    mean_ : ndarray of shape (n_features,)
        :math:`\mu`.
    n_components_, n_samples_, n_iter_ : int
        Components kept, rows, iterations.
    fit_report_ : FitReport
        Minus the bound of the log-evidence, in units of the scaled rows.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    One pass over complete rows, then :math:`O(p k^2 + k^3)` an iteration; :math:`O(n p k^2)` with
    gaps. Densities use the expected loadings.

    References
    ----------
    C. M. Bishop (1999). Variational principal components. ICANN.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import BayesianPCA
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 2)) @ rng.normal(size=(2, 6)) + 0.3 * rng.normal(size=(200, 6))
    >>> BayesianPCA().fit(X).n_components_
    2
    """

    card = Card(tasks=("transform", "density"), seeded=False)

    def __init__(
        self,
        *,
        n_components: int | None = None,
        tol: float = 1e-6,
        max_iter: int = 2000,
        random_state: Any = 0,
    ) -> None:
        self.n_components = n_components
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Matrix, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the posterior.

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
        check.params(self, nonnegative="tol", count="max_iter")
        X = check.table(self, X, missing=True, reset=True)
        weight = check.weights(self, sample_weight, len(X))
        settings, blocks = self._settings(*X.shape), RowBlocks([(X, weight)])
        totals = self._totals(blocks)
        gaps = bool(np.isnan(X).any())
        return self._find(blocks, totals, gaps, fit_rows(X, weight, settings).law, len(X))

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Find the posterior for a table that comes in blocks of rows.

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
        check.params(self, nonnegative="tol", count="max_iter")
        rows = checked_blocks(self, blocks, missing=True)
        n, gaps = extent(rows)
        settings, totals = self._settings(n, self.n_features_in_), self._totals(rows)
        if gaps:
            first = fit_gaps(rows, totals, settings).law
        else:
            first = fit_blocks_complete(rows, settings).law
        return self._find(rows, totals, gaps, first, n)

    def _totals(self, blocks: RowBlocks) -> ColumnTotals:
        totals = column_totals(blocks)
        check_observed(self, totals.weight)
        return totals

    def _find(
        self, blocks: RowBlocks, totals: ColumnTotals, gaps: bool, first: LatentNormal, n: int
    ) -> Self:
        spread = float(totals.variance.mean())
        scale = np.sqrt(spread) if spread > 0 else 1.0
        solution, centre = self._posterior(blocks, totals, gaps, first, scale)
        self._keep(solution, centre, scale, n)
        return self

    def _settings(self, n: int, p: int) -> Settings:
        if n < 2:
            raise ValueError(f"{type(self).__name__}: X must hold at least 2 samples, got 1 sample")
        most = min(n, p)
        k = max(most - 1, 1) if self.n_components is None else self.n_components
        if not isinstance(k, int | np.integer) or isinstance(k, bool) or not 1 <= k <= most:
            need = f"None or an integer between 1 and min(n_samples, n_features)={most}"
            raise check.fail(self, "n_components", need, k)
        return Settings(int(k), True, 1e-4, 100, random.generator(self.random_state))

    def _posterior(
        self,
        blocks: RowBlocks,
        totals: ColumnTotals,
        gaps: bool,
        first: LatentNormal,
        scale: float,
    ) -> tuple[Solution, Floats]:
        """The search in units of the scale, and what its mean is relative to."""
        centre, p = totals.mean, len(totals.mean)
        noise, loadings = max(float(first.noise[0]) / scale**2, 1e-6), first.loadings / scale
        if gaps:
            at = variational.start(
                (first.mean - centre) / scale, loadings, noise, float(totals.weight.sum())
            )
            solution = variational.fit_gaps(
                scaled(blocks, scale), centre / scale, at, tol=self.tol, max_iter=self.max_iter
            )
            return solution, centre
        stats, _ = block_moments(blocks)
        second = SecondMoments.of_moments(replace(stats, scatter=stats.scatter / scale**2))
        variances = np.sort(np.sum(loadings**2, axis=0) + noise)[::-1]
        rank = most_evident_rank(np.append(variances, noise), float(stats.weight))
        # From all components, and from those that stand out: the bound tells which is better.
        starts = [
            variational.start(np.zeros(p), held, noise, float(stats.weight) * p)
            for held in (loadings, loadings * np.where(np.arange(len(variances)) < rank, 1, 1e-3))
        ]
        solution = variational.fit_covariance(second, starts, tol=self.tol, max_iter=self.max_iter)
        return solution, stats.mean

    def _keep(self, solution: Solution, centre: Floats, scale: float, n: int) -> None:
        belief: variational.Belief = solution.x
        determined = belief.determined()
        kept = determined > 0.5
        order = np.argsort(belief.relevance)
        noise = scale**2 / belief.precision
        p = len(centre)
        mean = centre + scale * belief.mean
        law = LatentNormal(mean, scale * belief.loadings[:, kept], np.full(p, noise)).canonical()
        self._law = law
        self.mean_, self.components_ = law.mean, np.ascontiguousarray(law.loadings.T)
        self.noise_variance_ = float(noise)
        self.explained_variance_ = np.sum(law.loadings**2, axis=0) + self.noise_variance_
        self.relevance_ = belief.relevance[order] / scale**2
        self.determined_ = determined[order]
        self.n_components_, self.n_samples_ = int(kept.sum()), n
        self.n_iter_ = solution.n_iter
        note = f"{self.n_components_} of {len(kept)} components are relevant"
        self.fit_report_ = check.report(self, solution, (note,))
