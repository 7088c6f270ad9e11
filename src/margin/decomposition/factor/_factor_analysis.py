"""Factor analysis."""

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, atomic, check, random
from margin.core.types import Floats, Matrix
from margin.decomposition._blocks import RowBlocks, checked_blocks, complete_batch, moments
from margin.decomposition.factor._factor_fit import (
    FactorFit,
    Settings,
    fit_complete,
    fit_gaps,
    fit_moments,
    fit_statistics,
)
from margin.decomposition.factor._rotation import METHODS, rotate_factors
from margin.decomposition.probabilistic._gap_em import column_totals
from margin.decomposition.probabilistic._latent_model import LatentModel
from margin.decomposition.probabilistic._noise_floor import check_observed
from margin.distributions import Moments


class FactorAnalysis(LatentModel):
    r"""A few common factors and noise of its own for every column (decomposition.09).

    .. math:: x = \mu + W z + \epsilon, \quad z \sim N(0, I_H), \quad
              \epsilon \sim N(0, \Psi), \ \Psi \text{ diagonal}, \qquad
              x \sim N(\mu, W W^\top + \Psi)

    Unlike :class:`ProbabilisticPCA` it does not mind the units of the columns. :math:`W` is known
    up to a rotation (decomposition.10). NaN is unobserved and integrated out exactly.

    Parameters
    ----------
    n_components : int, optional
        Number of factors :math:`H`; as many as columns by default.
    tol : float, default=1e-2
        Least gain of the log-likelihood that is worth an iteration.
    copy : bool, default=True
        Without effect: the rows of the caller are never written to.
    max_iter : int, default=1000
        Most iterations.
    noise_variance_init : array-like of shape (n_features,), optional
        First noise variances, or the known ones.
    svd_method : {"randomized", "lapack"}, default="randomized"
        Without effect: the exact decomposition of the covariance is cheap.
    iterated_power : int, default=3
        Without effect.
    rotation : {"varimax", "quartimax", "promax"}, optional
        Rotation of the loadings; promax lets the factors correlate.
    random_state : None, int, Generator or RandomState, default=0
        First loadings of EM.
    solver : {"newton", "em"}, default="newton"
        Newton's method on the noise variances, or expectation maximisation. With NaN, and for
        more than 2000 columns, it is always the latter.
    fit_noise : bool, default=True
        Whether the noise is estimated. Otherwise ``noise_variance_init`` is known, and the loadings
        come from one eigendecomposition.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Loadings :math:`W^\top`, rotated if asked for.
    noise_variance_ : ndarray of shape (n_features,)
        Diagonal of :math:`\Psi`.
    mean_ : ndarray of shape (n_features,)
        :math:`\mu`.
    loglike_ : list of float
        Log-likelihood after every iteration.
    rotation_ : ndarray of shape (n_components, n_components)
        What the loadings were multiplied by.
    factor_correlation_ : ndarray of shape (n_components, n_components)
        Correlation of the factors; the identity but for promax.
    n_iter_ : int
        Iterations made.
    n_parameters_ : int
        Free numbers of the covariance, :math:`D (H + 1) - H (H - 1) / 2`: a rotation is none.
    fit_report_ : FitReport
        Minus the log-likelihood, its trace, and the noise variances that met their bound.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    One pass over the rows, :math:`O(n p^2)`; an iteration is :math:`O(p^3)` and does not depend on
    their number. Where the likelihood has its maximum at a noise variance of zero (a Heywood case)
    it is held at 1e-8 of the variance of its column, and ``fit_report_`` says so.

    References
    ----------
    D. Barber, Bayesian Reasoning and Machine Learning (2012), chapter 21.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import FactorAnalysis
    >>> rng = np.random.default_rng(0)
    >>> z = rng.normal(size=(5000, 1))
    >>> X = z * [1.0, 2.0, 3.0] + rng.normal(size=(5000, 3)) * [1.0, 0.5, 2.0]
    >>> model = FactorAnalysis(1).fit(X)
    >>> model.noise_variance_.round(1), model.components_.round(1)
    (array([1. , 0.3, 3.9]), array([[1., 2., 3.]]))
    """

    card = Card(
        tasks=("transform", "density"), search_space={"n_components": [1, 2, 3]}, seeded=False
    )

    def __init__(
        self,
        n_components: int | None = None,
        *,
        tol: float = 1e-2,
        copy: bool = True,
        max_iter: int = 1000,
        noise_variance_init: ArrayLike | None = None,
        svd_method: Literal["randomized", "lapack"] = "randomized",
        iterated_power: int = 3,
        rotation: Literal["varimax", "quartimax", "promax"] | None = None,
        random_state: Any = 0,
        solver: Literal["newton", "em"] = "newton",
        fit_noise: bool = True,
    ) -> None:
        self.n_components = n_components
        self.tol = tol
        self.copy = copy
        self.max_iter = max_iter
        self.noise_variance_init = noise_variance_init
        self.svd_method = svd_method
        self.iterated_power = iterated_power
        self.rotation = rotation
        self.random_state = random_state
        self.solver = solver
        self.fit_noise = fit_noise

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
            self._keep(self._gaps(RowBlocks([(X, weight)]), settings))
        else:
            self._keep(fit_complete(X, weight, settings))
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
        n, gaps = 0, False
        for part, _ in rows:
            n, gaps = n + len(part), gaps or bool(np.isnan(part).any())
        settings = self._settings(n, self.n_features_in_)
        self._keep(self._gaps(rows, settings) if gaps else fit_moments(rows, settings))
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
        self._keep(fit_statistics(stats, self._settings(n, X.shape[1])))
        self._seen: tuple[Moments, int] | None = (stats, n)
        return self

    def _check_params(self) -> None:
        check.params(
            self,
            nonnegative="tol iterated_power",
            count="max_iter",
            flag="copy fit_noise",
            one_of={
                "svd_method": ("randomized", "lapack"),
                "solver": ("newton", "em"),
                "rotation": (None, *METHODS),
            },
        )

    def _settings(self, n: int, p: int) -> Settings:
        if n < 2:
            raise ValueError(f"{type(self).__name__}: X must hold at least 2 samples, got 1 sample")
        k = p if self.n_components is None else self.n_components
        if not isinstance(k, int | np.integer) or isinstance(k, bool) or not 0 <= k <= p:
            need = f"None or an integer between 0 and n_features={p}"
            raise check.fail(self, "n_components", need, k)
        return Settings(
            n_components=int(k),
            newton=self.solver == "newton",
            noise=self._first_noise(p),
            known=not self.fit_noise,
            tol=self.tol,
            max_iter=self.max_iter,
            rng=random.generator(self.random_state),
        )

    def _first_noise(self, p: int) -> Floats | None:
        if self.noise_variance_init is None:
            if not self.fit_noise:
                need = "given where fit_noise is False"
                raise check.fail(self, "noise_variance_init", need, None)
            return None
        try:
            noise = np.asarray(self.noise_variance_init, dtype=np.float64)
        except (TypeError, ValueError):
            noise = np.empty((0, 0))
        if noise.shape != (p,) or not np.all(noise > 0) or not np.isfinite(noise).all():
            need = f"positive, of length n_features={p}"
            raise check.fail(self, "noise_variance_init", need, self.noise_variance_init)
        return noise

    def _gaps(self, blocks: RowBlocks, settings: Settings) -> FactorFit:
        if settings.known:
            raise check.fail(self, "fit_noise", "True where X has gaps", False)
        totals = column_totals(blocks)
        check_observed(self, totals.weight)
        return fit_gaps(blocks, totals, settings)

    def _keep(self, fit: FactorFit) -> None:
        law, solution, repairs = fit
        solution = replace(solution, n_iter=max(solution.n_iter, 1), repairs=repairs)
        p, k = law.loadings.shape
        self._law, self._seen = law, None
        turned = law.loadings
        notes: tuple[str, ...] = ()
        self.rotation_, self.factor_correlation_ = np.eye(k), np.eye(k)
        if self.rotation is not None and k > 1:
            turn = rotate_factors(law.loadings, self.rotation)
            turned, self.rotation_ = turn.loadings, turn.rotation
            self.factor_correlation_ = turn.correlation
            notes = (f"{self.rotation} in {turn.solution.n_iter} sweeps",)
        self.mean_, self.noise_variance_ = law.mean, law.noise
        self.components_ = np.ascontiguousarray(turned.T)
        trace = solution.trace.get("objective", np.array([solution.objective]))
        self.loglike_ = [-float(value) for value in trace]
        self.n_iter_ = solution.n_iter
        self.n_parameters_ = p * (k + 1) - k * (k - 1) // 2
        self.fit_report_ = check.report(self, solution, notes)

    def _turned(self, latent: Floats) -> Floats:
        unit = np.eye(len(self.rotation_))
        if np.array_equal(self.rotation_, unit):
            return latent
        return np.asarray(latent @ np.linalg.solve(self.rotation_, unit).T)
