"""Gaussian mixtures with priors, by variational Bayes."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from margin.core import Card, atomic, check, random, threads
from margin.core.types import Floats
from margin.distributions import ColumnMoments
from margin.inference import Gain, OnlineState, OnlineSteps, StepSize, variational_bayes
from margin.mixture.finite._gaussian_mixture import ADVICE
from margin.mixture.finite._gaussian_model import MOST_SEEDS, GaussianModel
from margin.mixture.finite._gaussian_starts import GaussianStarts, Given, first_seed
from margin.mixture.finite._gaussians import Gaussians
from margin.mixture.finite._mixture_statistics import blended
from margin.mixture.finite._online_report import online_solution
from margin.mixture.finite._prior_of_rows import prior_of
from margin.mixture.finite._row_groups import Stream, Table, sample_rows
from margin.mixture.finite._variational_steps import (
    GaussianBelief,
    GaussianPrior,
    VariationalSteps,
)
from margin.mixture.finite._variational_weights import WeightBelief

_PRIORS = ("dirichlet_process", "dirichlet_distribution")


class BayesianGaussianMixture(GaussianModel):
    r"""Mixture of normal vectors with priors on all parameters, by variational Bayes.

    .. math:: \log p(X) \ge E_q[\log p(X, Z, \pi, \mu, \Lambda)] + H(q), \qquad
              q = q(Z)\, q(\pi) \prod_k q(\mu_k, \Lambda_k)

    with :math:`\mu_k \mid \Lambda_k \sim N(m_0, (\beta_0\Lambda_k)^{-1})` and
    :math:`\Lambda_k \sim W` (a gamma distribution for each variance where covariances are
    diagonal). Components that the data do not need fade away. NaN means unobserved, and is
    integrated out. The bound is exact for every kind of covariance and never falls.

    Parameters
    ----------
    n_components : int, default=1
        Most components.
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
    tol : float, default=1e-3
        Gain of the bound that counts as converged.
    reg_covar : float, default=1e-6
        Variance added to that of the rows.
    max_iter, n_init : int
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
        As of :class:`GaussianMixture`.
    weight_concentration_prior_type : {"dirichlet_process", "dirichlet_distribution"}
        Weights as broken sticks (the default), or of a symmetric Dirichlet distribution.
    weight_concentration_prior : float, optional
        The smaller, the fewer components; 1 / n_components by default.
    mean_precision_prior : float, optional
        :math:`\beta_0`, 1 by default.
    mean_prior : array-like of shape (n_features,), optional
        :math:`m_0`, the mean of the rows by default.
    degrees_of_freedom_prior : float, optional
        Of the precisions, the number of columns by default.
    covariance_prior : float or array-like, optional
        Scale of the covariances, that of the rows by default.
    random_state : int, Generator, RandomState or None
    warm_start : bool, default=False
    verbose, verbose_interval : int
        As of :class:`GaussianMixture`.
    learning_decay : float, default=0.7
        How fast :meth:`partial_fit` comes to rest; with 1 and batches of one size all count alike.
    n_jobs : int, optional
        Threads, all by default; the answer does not depend on it.

    Attributes
    ----------
    weights_, means_, covariances_, precisions_, precisions_cholesky_ : ndarray
        Expected weights and means, inverses of the expected precisions, and these.
    weight_concentration_, mean_precision_, degrees_of_freedom_ : ndarray
        The posterior; one number of degrees of freedom where the covariance is shared.
    weight_concentration_prior_, mean_precision_prior_, degrees_of_freedom_prior_ : float
    mean_prior_, covariance_prior_ : ndarray
        The prior.
    converged_ : bool
    n_iter_ : int
    lower_bound_ : float
        Of the log evidence of all rows; of the last batch after :meth:`partial_fit`.
    lower_bounds_ : list of float
        After every iteration; it never falls.
    fit_report_ : FitReport
    n_features_in_ : int

    Notes
    -----
    As :class:`GaussianMixture`.

    Examples
    --------
    Of five components two are needed.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, (100, 2)), rng.normal(8, 1, (50, 2))])
    >>> model = BayesianGaussianMixture(
    ...     n_components=5, weight_concentration_prior=0.01, max_iter=500, random_state=0
    ... ).fit(X)
    >>> np.sort(model.weights_.round(1))
    array([0. , 0. , 0. , 0.3, 0.7])
    """

    card = Card(
        tasks=("density", "clustering"),
        search_space={"n_components": [2, 5, 10], "covariance_type": ["full", "diag"]},
    )

    def __init__(
        self,
        *,
        n_components: int = 1,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weight_concentration_prior_type: str = "dirichlet_process",
        weight_concentration_prior: float | None = None,
        mean_precision_prior: float | None = None,
        mean_prior: Any = None,
        degrees_of_freedom_prior: float | None = None,
        covariance_prior: Any = None,
        random_state: Any = None,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
        learning_decay: float = 0.7,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weight_concentration_prior_type = weight_concentration_prior_type
        self.weight_concentration_prior = weight_concentration_prior
        self.mean_precision_prior = mean_precision_prior
        self.mean_prior = mean_prior
        self.degrees_of_freedom_prior = degrees_of_freedom_prior
        self.covariance_prior = covariance_prior
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval
        self.learning_decay = learning_decay
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the posterior.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN means unobserved.
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._check_params()
        rows, dtype = self._table(X, sample_weight)
        return self._fit_rows(rows, dtype)

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Find the posterior for rows that are read block by block in every pass.

        Parameters
        ----------
        blocks : callable or iterable
            Gives arrays of rows, or pairs of rows and weights, anew each time it is read.

        Returns
        -------
        self
            Equal to the fit in memory up to rounding.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.random.default_rng(0).normal(size=(60, 2))
        >>> whole = BayesianGaussianMixture(n_components=2, random_state=0, tol=0.1).fit(X)
        >>> parts = BayesianGaussianMixture(n_components=2, random_state=0, tol=0.1)
        >>> np.allclose(whole.means_, parts.fit_blocks([X[:25], X[25:]]).means_)
        True
        """
        self._check_params()
        return self._fit_rows(self._stream(blocks), np.float64)

    @atomic
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """One step of online variational Bayes on a batch of rows.

        The prior counts once, against the rows of all batches together.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The first batch is also the start, and what the prior takes from the rows is taken
            from it; it needs ``n_components`` rows.
        y : None
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._check_params()
        before: OnlineState | None = getattr(self, "_online", None)
        X = check.table(self, X, missing=True, reset=before is None)
        weight = check.weights(self, sample_weight, len(X))
        rows = Table.of(X, weight, split=self.covariance_type in ("full", "tied"))
        notes: tuple[str, ...] = ()
        if before is None:
            self._enough(len(X))
            self._online_prior, notes = prior_of(self, rows)
        steps = VariationalSteps(
            rows, self._online_prior, float(self.reg_covar), threads.count(self.n_jobs)
        )
        if before is None:
            start = next(self._beliefs(steps, random.generator(self.random_state)))
            before = OnlineState(start)
        online = OnlineSteps(
            lambda at, _: steps.expect(at),
            steps.maximise,
            blended,
            StepSize(power=float(self.learning_decay)),
        )
        seen = online.expect(before)
        self._online = state = online.maximise(seen.statistics, before)
        self._keep(state.parameters, self._online_prior, X.dtype)
        self.converged_, self.n_iter_ = False, state.n_steps
        self.lower_bound_, self.lower_bounds_ = seen.bound, [seen.bound]
        solution = online_solution(state, seen.bound, ())
        self.fit_report_ = check.report(self, solution, notes)
        return self

    def _check_params(self) -> None:
        self._check_shared()
        check.params(
            self,
            fraction="learning_decay",
            one_of={"weight_concentration_prior_type": _PRIORS},
        )

    def _fit_rows(self, rows: Table | Stream, dtype: Any) -> Self:
        rng = random.generator(self.random_state)
        prior, notes = prior_of(self, rows)
        steps = VariationalSteps(rows, prior, float(self.reg_covar), threads.count(self.n_jobs))
        starts = self._beliefs(steps, rng)
        if self._goes_on(len(prior.mean)):
            starts = iter([self._believed()])
        solution = self._ended(
            lambda: variational_bayes(
                steps.expect,
                steps.maximise,
                starts,
                tol=float(self.tol) if self.max_iter else None,
                max_iter=int(self.max_iter),
                measure=Gain(),
                advice=ADVICE,
                callback=self._callback(),
            )
        )
        belief: Any = solution.x
        self._keep(belief, prior, dtype)
        self.converged_ = solution.status.ok and self.max_iter > 0
        self.n_iter_ = solution.n_iter
        self.lower_bound_ = -solution.objective
        self.lower_bounds_ = [-float(v) for v in solution.trace["objective"][1:]]
        self.fit_report_ = check.report(self, solution, notes)
        self._online = None
        return self

    def _beliefs(
        self, steps: VariationalSteps, rng: np.random.Generator
    ) -> Iterator[GaussianBelief]:
        """Beliefs after one look at the rows with the components of a start."""
        k = int(self.n_components)
        X, weight = sample_rows(self, steps.rows, max(MOST_SEEDS, 50 * k))
        self._enough(len(X))
        moments = ColumnMoments.of(X, weight)
        scale = moments.scatter / moments.weight
        floor = max(float(self.reg_covar), 1e-6 * float(scale.mean()) or 1e-6)
        source = GaussianStarts(
            X,
            weight,
            k,
            self.covariance_type,
            floor,
            self.init_params,
            Given(),
            scale,
            first_seed(self.random_state),
        )
        for start in source.draw(self.n_init, rng):
            weights = WeightBelief.posterior(
                start.weights * len(X), steps.prior.concentration, sticks=steps.prior.sticks
            )
            df = np.asarray(steps.prior.df + len(X) * start.weights)
            tied = self.covariance_type == "tied"
            first = GaussianBelief(
                weights,
                steps.prior.mean_precision + len(X) * start.weights,
                np.asarray(df.sum()) if tied else df,
                start,
            )
            yield steps.maximise(steps.expect(first).statistics, first)

    def _keep(self, belief: GaussianBelief, prior: GaussianPrior, dtype: Any) -> None:
        plug_in: Gaussians = belief.plug_in
        self.weight_concentration_ = belief.weights.concentration
        self.mean_precision_ = belief.mean_precision
        self.degrees_of_freedom_ = belief.df if belief.df.ndim else float(belief.df)
        self.weights_ = plug_in.weights.astype(dtype)
        self.means_ = plug_in.means.astype(dtype)
        self.covariances_ = plug_in.covariances.astype(dtype)
        self.precisions_cholesky_ = plug_in.precisions_cholesky.astype(dtype)
        self.precisions_ = plug_in.precisions.astype(dtype)
        self.weight_concentration_prior_ = prior.concentration
        self.mean_precision_prior_ = prior.mean_precision
        self.mean_prior_ = prior.mean
        self.degrees_of_freedom_prior_ = prior.df
        self.covariance_prior_ = (
            prior.covariance if prior.covariance.ndim else float(prior.covariance)
        )

    def _believed(self) -> GaussianBelief:
        """The fitted belief."""
        given = self.weight_concentration_
        pair = given if isinstance(given, tuple) else (given, None)
        return GaussianBelief(
            WeightBelief(*pair),
            self.mean_precision_,
            np.asarray(self.degrees_of_freedom_),
            self._parameters(),
        )

    def _log_levels(self, at: Gaussians) -> Floats:
        return self._believed().levels
