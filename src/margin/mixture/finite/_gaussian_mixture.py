"""Mixtures of normal vectors by expectation maximisation."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np

from margin.core import Card, Solution, atomic, check, random, threads
from margin.core.types import Floats
from margin.inference import (
    Anderson,
    Assignment,
    Drawn,
    Gain,
    Hard,
    OnlineState,
    OnlineSteps,
    Repaired,
    Squarem,
    StepSize,
    annealed_em,
    expectation_maximisation,
)
from margin.mixture.finite._collapse import collapse_repairs
from margin.mixture.finite._conjugate_prior import ConjugatePrior, checked_prior
from margin.mixture.finite._gaussian_checks import given_parameters
from margin.mixture.finite._gaussian_model import MOST_SEEDS, GaussianModel
from margin.mixture.finite._gaussian_starts import GaussianStarts, first_seed
from margin.mixture.finite._gaussian_steps import GaussianSteps
from margin.mixture.finite._gaussian_vector import GaussianVector
from margin.mixture.finite._gaussians import Gaussians
from margin.mixture.finite._mixture_statistics import blended
from margin.mixture.finite._online_report import online_solution
from margin.mixture.finite._row_groups import Stream, Table, column_variances, sample_rows

ADVICE = (
    "raise tol",
    "start elsewhere (Best performing initialization did not converge. Try different init "
    "parameters, or increase max_iter, tol, or check for degenerate data.)",
)

_BETAS = (0.5, 0.65, 0.8, 0.9)
_SHAKE = 0.05


class GaussianMixture(GaussianModel):
    r"""Mixture of normal vectors, gaps in the rows integrated out (mixture.02, mixture.03).

    .. math:: p(x) = \sum_{k=1}^K \pi_k\, N(x; \mu_k, \Sigma_k)

    maximised over weights, means and covariances by expectation maximisation. NaN means
    unobserved: a row counts with the density of what was observed of it, in the fit and in all
    answers. Beside the parameters of scikit-learn's class it has rules of assignment (mixture.05),
    acceleration, weights, ``partial_fit`` and ``fit_blocks``.

    Parameters
    ----------
    n_components : int, default=1
        :math:`K`.
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        One covariance for each component, one for all, variances, or one variance each.
    tol : float, default=1e-3
        Gain of the mean log-likelihood that counts as converged.
    reg_covar : float, default=1e-6
        Variance added to every covariance. It gives the likelihood a bound: without it, a component
        on too few distinct rows is refused.
    max_iter : int, default=100
        Most iterations of a search; 0 keeps the start.
    n_init : int, default=1
        Searches; the best is kept.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
        How a start is found: clusters, rows far apart, random shares, or random rows. Found on
        at most 50,000 rows.
    weights_init, means_init, precisions_init : array-like, optional
        Starts that are known.
    random_state : int, Generator, RandomState or None
    warm_start : bool, default=False
        Whether a fit starts from the one before.
    verbose, verbose_interval : int
        Whether to print the bound, and how often.
    assignment : {"soft", "hard", "stochastic", "annealed"}, default="soft"
        The E step: shares by probability; all to the most probable component, of which k-means is
        the limit; to one that is drawn; or by probabilities that are flat at first.
    acceleration : {None, "squarem", "anderson"}, default=None
        Longer steps where they do not lower the bound.
    learning_decay : float, default=0.7
        How fast :meth:`partial_fit` comes to rest: batch ``t`` weighs :math:`t^{-\text{decay}}`.
    prior : NormalInverseWishart or NormalInverseGamma, optional
        Belief about mean and covariance of every component, for full and tied covariances, or
        about mean and variance of every column, for diagonal ones: the fit is then the most
        probable, and the bound counts the log density of the prior.
    weight_concentration : float, default=1.0
        Dirichlet prior of the weights; above 1 it keeps components alive.
    n_jobs : int, optional
        Threads, all by default; the answer does not depend on it.

    Attributes
    ----------
    weights_, means_, covariances_ : ndarray
    precisions_, precisions_cholesky_ : ndarray
        Inverses of the covariances and their upper factors.
    converged_ : bool
    n_iter_ : int
    lower_bound_ : float
        Mean log-likelihood of the rows, less what ``reg_covar`` costs, plus the log density of the
        priors divided by the weight of the rows.
    lower_bounds_ : list of float
        After every iteration; it never falls.
    fit_report_ : FitReport
        Says also which components were put to rest because no row is left to them, and which have
        no spread but ``reg_covar`` in some direction.
    n_features_in_ : int
    mixture_ : MixtureDistribution
        To be marginalised, conditioned and drawn from.

    See Also
    --------
    BayesianGaussianMixture : With priors, unused components fade.
    Mixture : Of any distributions.

    Notes
    -----
    An iteration takes :math:`n K d^2` multiplications in one compiled pass, without a table of
    :math:`n \times K` numbers; every pattern of gaps costs :math:`K d^3` more.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.mixture import GaussianMixture
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, np.nan]])
    >>> model = GaussianMixture(2, random_state=0).fit(X)
    >>> model.means_[:, 0].round(6).tolist() in ([1.0, 10.0], [10.0, 1.0])
    True
    >>> model.predict([[0, np.nan], [12, 3]]).tolist() in ([0, 1], [1, 0])
    True
    """

    card = Card(
        tasks=("density", "clustering"),
        search_space={
            "n_components": [1, 2, 3, 5, 8],
            "covariance_type": ["full", "tied", "diag", "spherical"],
        },
    )

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weights_init: Any = None,
        means_init: Any = None,
        precisions_init: Any = None,
        random_state: Any = None,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
        assignment: str = "soft",
        acceleration: str | None = None,
        learning_decay: float = 0.7,
        prior: Any = None,
        weight_concentration: float = 1.0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval
        self.assignment = assignment
        self.acceleration = acceleration
        self.learning_decay = learning_decay
        self.prior = prior
        self.weight_concentration = weight_concentration
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the mixture.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN means unobserved.
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        rows, dtype = self._table(X, sample_weight)
        return self._fit_rows(rows, dtype)

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Find the mixture for rows that are read block by block in every pass.

        Parameters
        ----------
        blocks : callable or iterable
            Gives arrays of rows, or pairs of rows and weights: a list, an object that can be
            iterated over again and again, or a function that opens the data anew, as for files
            mapped into memory or batches of Parquet.

        Returns
        -------
        self
            Equal to the fit in memory up to rounding; with ``assignment="stochastic"`` and gaps
            only in law, for rows are drawn pattern by pattern.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.random.default_rng(0).normal(size=(60, 2))
        >>> whole = GaussianMixture(2, random_state=0).fit(X)
        >>> parts = GaussianMixture(2, random_state=0).fit_blocks([X[:25], X[25:]])
        >>> np.allclose(whole.means_, parts.means_)
        True
        """
        self._check_params()
        return self._fit_rows(self._stream(blocks), np.float64)

    @atomic
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """One step of online expectation maximisation on a batch of rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The first batch is also the start; it needs ``n_components`` rows.
        y : None
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._check_params()
        before: OnlineState | None = getattr(self, "_online", None)
        rows = check.table(self, X, missing=True, reset=before is None)
        weight = check.weights(self, sample_weight, len(rows))
        table = Table.of(rows, weight, split=self.covariance_type in ("full", "tied"))
        if before is None:
            self._enough(len(rows))
        steps = GaussianSteps(
            table,
            float(self.reg_covar),
            column_variances(self, table) if before is None else self.mixture_.var,
            self._rule(random.generator(self.random_state)),
            threads.count(self.n_jobs),
            checked_prior(self, self.covariance_type, rows.shape[1]),
        )
        if before is None:
            rng = random.generator(self.random_state)
            start = self._starts(table, steps.scale, steps.prior).one(rng)
            before = OnlineState(_alive(start, steps.prior))
        online = OnlineSteps(
            lambda at, _: steps.expect(at),
            steps.maximise,
            blended,
            StepSize(power=float(self.learning_decay)),
        )
        seen = online.expect(before)
        new = online.maximise(seen.statistics, before)
        state: OnlineState = new.parameters if isinstance(new, Repaired) else new
        self._online: OnlineState | None = state
        self._store(state.parameters, rows.dtype)
        self.n_iter_ = state.n_steps
        self.lower_bound_ = seen.bound
        self.lower_bounds_ = [seen.bound]
        self.converged_ = False
        told = new.repairs if isinstance(new, Repaired) else ()
        solution = self._told(online_solution(state, seen.bound, told), state.parameters)
        self.fit_report_ = check.report(self, solution)
        return self

    def _check_params(self) -> None:
        self._check_shared()
        check.params(
            self,
            fraction="learning_decay",
            one_of={
                "assignment": ("soft", "hard", "stochastic", "annealed"),
                "acceleration": (None, "squarem", "anderson"),
            },
        )

    def _rule(self, rng: np.random.Generator) -> Assignment | None:
        if self.assignment == "stochastic":
            return Drawn(rng)
        return Hard() if self.assignment == "hard" else None

    def _starts(
        self, rows: Table | Stream, scale: Floats, prior: ConjugatePrior | None
    ) -> GaussianStarts:
        k = int(self.n_components)
        given = given_parameters(
            self,
            self.weights_init,
            self.means_init,
            self.precisions_init,
            k,
            len(scale),
            self.covariance_type,
        )
        if given.complete:
            X, weight = np.zeros((1, len(scale))), None
        else:
            X, weight = sample_rows(self, rows, max(MOST_SEEDS, 50 * k))
            self._enough(len(X))
        return GaussianStarts(
            X,
            weight,
            k,
            self.covariance_type,
            float(self.reg_covar),
            self.init_params,
            given,
            scale,
            first_seed(self.random_state),
            prior,
        )

    def _fit_rows(self, rows: Table | Stream, dtype: Any) -> Self:
        rng = random.generator(self.random_state)
        scale = column_variances(self, rows)
        prior = checked_prior(self, self.covariance_type, len(scale))
        steps = GaussianSteps(
            rows, float(self.reg_covar), scale, self._rule(rng), threads.count(self.n_jobs), prior
        )
        source = self._starts(rows, scale, prior)
        starts = (_alive(start, prior) for start in source.draw(self.n_init, rng))
        if self._goes_on(len(scale)):
            starts = (start for start in [self._parameters()])
        solution = self._ended(lambda: self._climb(steps, starts, rng))
        gaussians: Any = solution.x
        self._store(gaussians, dtype)
        self.converged_ = solution.status.ok and self.max_iter > 0
        self.n_iter_ = solution.n_iter
        self.lower_bound_ = -solution.objective
        self.lower_bounds_ = [-float(v) for v in solution.trace["objective"][1:]]
        self.fit_report_ = check.report(self, self._told(solution, gaussians))
        self._online = None
        return self

    def _climb(
        self, steps: GaussianSteps, starts: Iterator[Gaussians], rng: np.random.Generator
    ) -> Solution:
        k, d = int(self.n_components), len(steps.scale)
        form = GaussianVector(k, d, self.covariance_type)
        mixed = {"squarem": Squarem, "anderson": Anderson, None: None}[self.acceleration]
        options: dict[str, Any] = {
            "tol": float(self.tol),
            "max_iter": int(self.max_iter),
            "measure": Gain(),
            "accelerate": mixed and mixed(form.to_vector, form.from_vector),
            "advice": ADVICE,
            "callback": self._callback(),
        }
        if self.max_iter == 0:
            options |= {"tol": None}
        if self.assignment == "annealed" and self.max_iter > 0:
            shake = partial(_moved, scale=steps.scale, rng=rng)
            starts = iter(list(starts))  # drawn before the shakes: those of the other rules
            return annealed_em(
                steps.at_beta, steps.maximise, starts, betas=_BETAS, perturb=shake, **options
            )
        if self.assignment == "stochastic":
            options |= {"monotone": None}
        return expectation_maximisation(steps.expect, steps.maximise, starts, **options)

    def _told(self, solution: Solution, gaussians: Gaussians) -> Solution:
        """The solution, with a word for components that collapsed."""
        told = (*solution.repairs, *collapse_repairs(gaussians, float(self.reg_covar)))
        return replace(solution, repairs=tuple(dict.fromkeys(told)))

    def _store(self, gaussians: Gaussians, dtype: Any) -> None:
        self.weights_ = gaussians.weights.astype(dtype)
        self.means_ = gaussians.means.astype(dtype)
        self.covariances_ = gaussians.covariances.astype(dtype)
        self.precisions_cholesky_ = gaussians.precisions_cholesky.astype(dtype)
        self.precisions_ = gaussians.precisions.astype(dtype)


def _alive(start: Gaussians, prior: ConjugatePrior | None) -> Gaussians:
    """A start whose weights the prior allows: none of them zero."""
    if prior is None or prior.concentration == 1 or start.weights.all():
        return start
    even = 1 / len(start.weights)
    return replace(start, weights=0.99 * start.weights + 0.01 * even)


def _moved(at: Gaussians, scale: Floats, rng: np.random.Generator) -> Gaussians:
    """Means shaken by a small part of the standard deviations."""
    noise = _SHAKE * np.sqrt(scale) * rng.standard_normal(at.means.shape)
    return replace(at, means=at.means + noise)
