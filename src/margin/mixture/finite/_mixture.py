"""Mixtures of any distributions by expectation maximisation."""

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Blocks, Card, Status, atomic, check, random
from margin.core.types import Array, Floats, Places
from margin.distributions import Distribution, MixtureDistribution, Normal, ProductFamily
from margin.inference import Assignment, Drawn, Gain, Hard, Soft, expectation_maximisation
from margin.mixture.finite._family_starts import family_of, seeded
from margin.mixture.finite._family_steps import FamilySteps, ImpossibleRowError, events
from margin.mixture.finite._gaussian_model import MOST_SEEDS, CollapsedError
from margin.mixture.finite._row_groups import Stream, Table, sample_rows


class Mixture(DensityMixin, BaseEstimator):
    r"""Mixture of distributions of any families (mixture.01, mixture.06).

    .. math:: p(x) = \sum_k \pi_k\, p_k(x)

    Components need not be of one family; columns of several kinds are one family by
    :class:`~margin.distributions.ProductFamily`. Fitted by expectation maximisation through the
    statistics of the families, so that weights, gaps (NaN), priors and rows read block by block
    work for all of them.

    Parameters
    ----------
    components : sequence of distributions or families, or one family, optional
        Distributions are where the search starts; families (``Normal``, a product family) are
        started from clusters of rows. Normal columns by default.
    n_components : int, optional
        How many copies of one family; 1 by default.
    weights : array-like of shape (n_components,), optional
        Weights to start from, even by default.
    priors : sequence, optional
        A conjugate prior for each component, or None for it: the fit is then the most probable.
    weight_concentration : float, default=1.0
        Dirichlet prior of the weights; above 1 it keeps components alive.
    fixed : sequence of bool, optional
        Components that keep their parameters: known noise, say.
    assignment : {"soft", "hard", "stochastic"}, default="soft"
        The E step, as of :class:`GaussianMixture`.
    tol : float, default=1e-4
        Gain of the mean log-likelihood that counts as converged.
    max_iter : int, default=200
    n_init : int, default=1
        Searches from different clusters, where components are families.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    mixture_ : MixtureDistribution
        The fitted mixture: ``components``, ``weights``, ``marginal``, ``condition``, ``sample`` …
    weights_ : ndarray of shape (n_components,)
    converged_ : bool
    n_iter_ : int
    lower_bound_ : float
    lower_bounds_ : list of float
    fit_report_ : FitReport
        Says which components could not be fitted to their share and stayed as they were.
    n_features_in_ : int

    Notes
    -----
    An iteration takes one pass over the rows for the densities and one for the statistics, and a
    table of :math:`n \times K` numbers for each block.

    Examples
    --------
    Waiting times of two kinds.

    >>> import numpy as np
    >>> from margin.distributions import Exponential
    >>> from margin.mixture import Mixture
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.exponential(1, 300), rng.exponential(20, 300)])[:, None]
    >>> model = Mixture([Exponential(0.5), Exponential(0.01)], tol=1e-8).fit(x)
    >>> [round(float(c.mean)) for c in model.mixture_.components]
    [1, 19]
    """

    card = Card(tasks=("density", "clustering"), on_request=True)

    def __init__(
        self,
        components: Any = None,
        *,
        n_components: int | None = None,
        weights: Any = None,
        priors: Sequence[Any] | None = None,
        weight_concentration: float = 1.0,
        fixed: Sequence[bool] | None = None,
        assignment: str = "soft",
        tol: float = 1e-4,
        max_iter: int = 200,
        n_init: int = 1,
        random_state: Any = None,
    ) -> None:
        self.components = components
        self.n_components = n_components
        self.weights = weights
        self.priors = priors
        self.weight_concentration = weight_concentration
        self.fixed = fixed
        self.assignment = assignment
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

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

        Returns
        -------
        self
        """
        given = self._given()
        rows = check.table(self, X, missing=True, reset=True)
        weight = check.weights(self, sample_weight, len(rows))
        return self._fit_rows(Table.of(rows, weight, split=False), given)

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Find the mixture for rows that are read block by block in every pass.

        Parameters
        ----------
        blocks : callable or iterable
            As of :meth:`GaussianMixture.fit_blocks`.

        Returns
        -------
        self
        """
        given = self._given()
        first = True

        def checked(X: Any, weight: Any) -> tuple[Array, Floats | None]:
            nonlocal first
            rows, first = check.table(self, X, missing=True, reset=first), False
            return rows, check.weights(self, weight, len(rows), part=True)

        return self._fit_rows(Stream(Blocks.of(self, blocks), checked, False), given)

    def _given(self) -> tuple[Any, ...]:
        """Checked components, one for each."""
        check.params(
            self,
            nonnegative="tol",
            positive="weight_concentration",
            count="max_iter n_init",
            one_of={"assignment": ("soft", "hard", "stochastic")},
        )
        if self.weight_concentration < 1:
            need = "a number of at least 1"
            raise check.fail(self, "weight_concentration", need, self.weight_concentration)
        many = isinstance(self.components, Sequence)
        if self.n_components is not None:
            check.params(self, count="n_components")
        if many and not len(self.components):
            raise check.fail(self, "components", "at least one", self.components)
        if many and self.n_components not in (None, len(self.components)):
            need = f"the number of components, {len(self.components)}"
            raise check.fail(self, "n_components", need, self.n_components)
        given = tuple(self.components) if many else (self.components,) * (self.n_components or 1)
        for name in ("weights", "priors", "fixed"):
            value = getattr(self, name)
            if value is not None and (not np.iterable(value) or len(list(value)) != len(given)):
                need = f"one for each of {len(given)} components"
                raise check.fail(self, name, need, value)
        started = [isinstance(c, Distribution) for c in given]
        if any(started) and not all(started):
            need = "all distributions to start from, or all families"
            raise check.fail(self, "components", need, self.components)
        if self.fixed is not None and any(self.fixed) and not all(started):
            raise check.fail(self, "fixed", "of components that are distributions", self.fixed)
        return given

    def _fit_rows(self, rows: Table | Stream, given: tuple[Any, ...]) -> Self:
        rng = random.generator(self.random_state)
        k = len(given)
        sample, weight = sample_rows(self, rows, max(MOST_SEEDS, 50 * k))
        given = tuple(_default(c, sample.shape[1]) for c in given)
        families = tuple(family_of(self, c) for c in given)
        steps = FamilySteps(
            rows,
            families,
            tuple(self.priors) if self.priors is not None else (None,) * k,
            tuple(map(bool, self.fixed)) if self.fixed is not None else (False,) * k,
            float(self.weight_concentration),
            self._rule(rng),
        )
        free = self.assignment == "stochastic" or self.priors is not None
        try:
            solution = expectation_maximisation(
                steps.expect,
                steps.maximise,
                self._starts(steps, given, np.asarray(sample, dtype=np.float64), weight, rng),
                tol=float(self.tol),
                max_iter=int(self.max_iter),
                measure=Gain(),
                monotone=None if free else 1e-9,
                advice=("raise tol", "start elsewhere"),
            )
        except ImpossibleRowError as error:
            raise CollapsedError(f"{type(self).__name__}: {error}") from error
        if solution.status is Status.FAILED:
            raise CollapsedError(f"{type(self).__name__}: {solution.message}")
        found: Any = solution.x
        self.mixture_: MixtureDistribution = found
        self.weights_ = found.weights
        self.converged_ = solution.status.ok
        self.n_iter_ = solution.n_iter
        self.lower_bound_ = -solution.objective
        self.lower_bounds_ = [-float(v) for v in solution.trace["objective"][1:]]
        self.fit_report_ = check.report(self, solution)
        return self

    def _rule(self, rng: np.random.Generator) -> Assignment:
        if self.assignment == "stochastic":
            return Drawn(rng)
        return Hard() if self.assignment == "hard" else Soft()

    def _starts(
        self,
        steps: FamilySteps,
        given: tuple[Any, ...],
        sample: Floats,
        weight: Floats | None,
        rng: np.random.Generator,
    ) -> Iterator[MixtureDistribution]:
        if isinstance(given[0], Distribution):
            even = np.full(len(given), 1 / len(given))
            start = MixtureDistribution(even if self.weights is None else self.weights, given)
            width = int(np.prod(start.event)) if start.event else 1
            if width != sample.shape[1]:
                need = f"of {sample.shape[1]} columns, as X has"
                raise check.fail(self, "components", need, f"{width}")
            yield start
            return
        if len(sample) < len(given):
            raise check.fail(self, "X", f"at least {len(given)} samples", len(sample))
        for _ in range(self.n_init):
            start = seeded(self, steps.families, steps.priors, sample, weight, rng)
            yield (
                start
                if self.weights is None
                else MixtureDistribution(self.weights, start.components)
            )

    def score_samples(self, X: Any) -> Floats:
        """Log density of what was observed of every row, of shape (n_samples,)."""
        return np.asarray(logsumexp(self._joint(X), axis=1))

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of the rows."""
        return float(np.mean(self.score_samples(X)))

    def predict(self, X: Any) -> Places:
        """Most probable component of every row."""
        return np.asarray(np.argmax(self._joint(X), axis=1))

    def predict_proba(self, X: Any) -> Floats:
        """Probability of every component given each row, of shape (n_samples, n_components)."""
        return Soft()(self._joint(X)).share

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Places:
        """Fit the mixture and tell the most probable component of every row."""
        return self.fit(X, y, sample_weight).predict(X)

    def sample(self, n_samples: int = 1) -> tuple[Floats, Places]:
        """Draw rows, in the order of their components, and tell these."""
        check_is_fitted(self)
        if n_samples < 1:
            raise check.fail(self, "n_samples", "at least 1", n_samples)
        rng = random.generator(self.random_state)
        counts = rng.multinomial(n_samples, self.weights_)
        drawn = [
            np.reshape(c.sample(int(n), rng), (int(n), -1))
            for c, n in zip(self.mixture_.components, counts, strict=True)
            if n
        ]
        return np.concatenate(drawn), np.repeat(np.arange(len(counts)), counts)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _joint(self, X: Any) -> Floats:
        check_is_fitted(self)
        rows = events(self.mixture_, check.table(self, X, missing=True))
        with np.errstate(divide="ignore"):
            level = np.log(self.weights_)
        members = [c.log_prob_rows(rows) for c in self.mixture_.components]
        return np.asarray(np.stack(members, axis=1) + level)


def _default(component: Any, d: int) -> Any:
    """Normal columns, where nothing was asked for."""
    if component is None:
        return ProductFamily([Normal], [np.arange(d)])
    return component
