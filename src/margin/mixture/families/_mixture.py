"""Mixtures of any distributions by expectation maximisation."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import numpy as np

from margin.core import Blocks, Card, Solution, Status, atomic, check, random
from margin.core.types import Array, Floats
from margin.distributions import Distribution, MixtureDistribution
from margin.inference import (
    Anderson,
    Assignment,
    Drawn,
    Gain,
    Hard,
    OnlineState,
    OnlineSteps,
    Repaired,
    Soft,
    Squarem,
    StepSize,
    annealed_em,
    expectation_maximisation,
)
from margin.mixture.families._component_priors import checked_prior, supported
from margin.mixture.families._component_vector import ComponentVector, has_vector
from margin.mixture.families._family_model import FamilyModel
from margin.mixture.families._family_starts import family_of, seeded
from margin.mixture.families._family_steps import FamilySteps, ImpossibleRowError
from margin.mixture.families._mixture_checks import checked_components, filled
from margin.mixture.families._scaled_statistics import blended_families, keeps_rows
from margin.mixture.finite._gaussian_model import MOST_SEEDS, CollapsedError
from margin.mixture.finite._online_report import online_solution
from margin.mixture.finite._row_groups import Stream, Table, sample_rows

_BETAS = (0.5, 0.65, 0.8, 0.9)


class Mixture(FamilyModel):
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
        A conjugate prior for each component, or None for it: the fit is then the most probable,
        and the bound counts the log density of the priors.
    weight_concentration : float, default=1.0
        Dirichlet prior of the weights; above 1 it keeps components alive.
    fixed : sequence of bool, optional
        Components that keep their parameters: known noise, say.
    assignment : {"soft", "hard", "stochastic", "annealed"}, default="soft"
        The E step, as of :class:`GaussianMixture`.
    acceleration : {None, "squarem", "anderson"}, default=None
        Longer steps where they do not lower the bound, for families whose parameters are known
        as free numbers: normal, exponential, Poisson, gamma, Bernoulli, states …
    tol : float, default=1e-4
        Gain of the mean log-likelihood, log priors included, that counts as converged.
    max_iter : int, default=200
    n_init : int, default=1
        Searches from different clusters, where components are families.
    learning_decay : float, default=0.7
        How fast :meth:`partial_fit` comes to rest: batch ``t`` weighs :math:`t^{-\text{decay}}`.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    mixture_ : MixtureDistribution
        The fitted mixture: ``components``, ``weights``, ``marginal``, ``condition``, ``sample`` …
    weights_ : ndarray of shape (n_components,)
    converged_ : bool
    n_iter_ : int
    lower_bound_ : float
        Log-likelihood plus log density of the priors, divided by the weight of the rows.
    lower_bounds_ : list of float
        After every iteration; it never falls, except with ``assignment="stochastic"`` and with
        priors whose density has a pole (a concentration below 1).
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
        acceleration: str | None = None,
        tol: float = 1e-4,
        max_iter: int = 200,
        n_init: int = 1,
        learning_decay: float = 0.7,
        random_state: Any = None,
    ) -> None:
        self.components = components
        self.n_components = n_components
        self.weights = weights
        self.priors = priors
        self.weight_concentration = weight_concentration
        self.fixed = fixed
        self.assignment = assignment
        self.acceleration = acceleration
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.learning_decay = learning_decay
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
        given = checked_components(self)
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
        given = checked_components(self)
        first = True

        def checked(X: Any, weight: Any) -> tuple[Array, Floats | None]:
            nonlocal first
            rows, first = check.table(self, X, missing=True, reset=first), False
            return rows, check.weights(self, weight, len(rows), part=True)

        return self._fit_rows(Stream(self, Blocks.of(self, blocks), checked, False), given)

    @atomic
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """One step of online expectation maximisation on a batch of rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Families are started from the first batch.
        y : None
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
            Of families with statistics of a fixed size: not of those that keep all rows, as
            Laplace's and Student's do.
        """
        given = checked_components(self)
        before: OnlineState | None = getattr(self, "_online", None)
        rows = check.table(self, X, missing=True, reset=before is None)
        weight = check.weights(self, sample_weight, len(rows))
        rng = random.generator(self.random_state)
        given = tuple(filled(c, rows.shape[1]) for c in given)
        steps = self._steps(Table.of(rows, weight, split=False), given, self._rule(rng))
        if before is None:
            table = np.asarray(rows, dtype=np.float64)
            before = OnlineState(next(self._starts(steps, given, table, weight, rng)))
        online = OnlineSteps(
            lambda at, _: steps.expect(at),
            steps.maximise,
            blended_families,
            StepSize(power=float(self.learning_decay)),
        )
        with self._named():
            seen = online.expect(before)
        if any(map(keeps_rows, seen.statistics.members)):
            need = "families with statistics of a fixed size for partial_fit"
            raise check.fail(self, "components", need, self.components)
        new = online.maximise(seen.statistics, before)
        state: OnlineState = new.parameters if isinstance(new, Repaired) else new
        told = new.repairs if isinstance(new, Repaired) else ()
        self._store(state.parameters, online_solution(state, seen.bound, told))
        self.converged_ = False
        self.lower_bounds_ = [seen.bound]
        self._online: OnlineState | None = state
        return self

    def _fit_rows(self, rows: Table | Stream, given: tuple[Any, ...]) -> Self:
        rng = random.generator(self.random_state)
        k = len(given)
        sample, weight = sample_rows(self, rows, max(MOST_SEEDS, 50 * k))
        given = tuple(filled(c, sample.shape[1]) for c in given)
        steps = self._steps(rows, given, self._rule(rng))
        table = np.asarray(sample, dtype=np.float64)
        starts = list(self._starts(steps, given, table, weight, rng))
        with self._named():
            solution = self._climb(steps, starts)
        if solution.status is Status.FAILED:
            raise CollapsedError(f"{type(self).__name__}: {solution.message}")
        distribution: Any = solution.x
        self._store(distribution, solution)
        self.converged_ = solution.status.ok
        self.lower_bounds_ = [-float(v) for v in solution.trace["objective"][1:]]
        self._online = None
        return self

    def _steps(self, rows: Table | Stream, given: tuple[Any, ...], rule: Assignment) -> FamilySteps:
        k = len(given)
        return FamilySteps(
            rows,
            tuple(family_of(self, c) for c in given),
            tuple(self.priors) if self.priors is not None else (None,) * k,
            tuple(map(bool, self.fixed)) if self.fixed is not None else (False,) * k,
            float(self.weight_concentration),
            rule,
        )

    def _climb(self, steps: FamilySteps, starts: list[MixtureDistribution]) -> Solution:
        options: dict[str, Any] = {
            "tol": float(self.tol),
            "max_iter": int(self.max_iter),
            "measure": Gain(),
            "monotone": 1e-9 if steps.monotone else None,
            "keep": "lowest" if steps.monotone else "last",
            "advice": ("raise tol", "start elsewhere"),
        }
        if self.acceleration is not None:
            options["accelerate"] = self._accelerated(starts[0], steps.fixed)
        if self.assignment == "annealed":
            return annealed_em(steps.at_beta, steps.maximise, starts, betas=_BETAS, **options)
        return expectation_maximisation(steps.expect, steps.maximise, starts, **options)

    def _accelerated(self, like: MixtureDistribution, fixed: tuple[bool, ...]) -> Any:
        for component, still in zip(like.components, fixed, strict=True):
            if not still and not has_vector(component):
                need = f"None for components such as {type(component).__name__}"
                raise check.fail(self, "acceleration", need, self.acceleration)
        form = ComponentVector(like, fixed)
        kind = Squarem if self.acceleration == "squarem" else Anderson
        return kind(form.to_vector, form.from_vector)

    def _store(self, distribution: MixtureDistribution, solution: Solution) -> None:
        self.mixture_: MixtureDistribution = distribution
        self.weights_ = distribution.weights
        self.n_iter_ = solution.n_iter
        self.lower_bound_ = -solution.objective
        self.fit_report_ = check.report(self, solution)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Errors about impossible rows in the name of the class."""
        try:
            yield
        except ImpossibleRowError as error:
            raise CollapsedError(f"{type(self).__name__}: {error}") from error

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
            members = [
                c if still else supported(c, prior)
                for c, prior, still in zip(start.components, steps.priors, steps.fixed, strict=True)
            ]
            for member, prior in zip(members, steps.priors, strict=True):
                checked_prior(self, member, prior)
            yield MixtureDistribution(start.weights, members)
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
