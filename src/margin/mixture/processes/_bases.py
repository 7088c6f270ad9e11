"""Base measures of a Dirichlet-process mixture: beliefs about the parameters of a component."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Bools, Floats, Ints
from margin.distributions import (
    Bernoulli,
    BetaBernoulli,
    Categorical,
    ColumnMoments,
    DirichletCategorical,
    GammaPoisson,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalMean,
    Poisson,
)
from margin.linalg import cholesky
from margin.native.processes import partitions

FAMILIES: dict[type, Any] = {
    NormalInverseGamma: Normal,
    NormalMean: Normal,
    DirichletCategorical: Categorical,
    BetaBernoulli: Bernoulli,
    GammaPoisson: Poisson,
}


class Base(ABC):
    """A belief about one component, and what mixtures ask of it."""

    @abstractmethod
    def sweeps(
        self,
        X: Floats,
        label: Ints,
        log_alpha: float,
        n_sweeps: int,
        seed: int,
        step: int,
        holes: Bools | None = None,
    ) -> tuple[Ints, float]:
        """Labels after sweeps of collapsed Gibbs sampling, and the log evidence given them.

        ``X`` is written to where ``holes`` are, with values drawn in their place.
        """

    @abstractmethod
    def completed(self, X: Floats) -> tuple[Floats, Bools | None]:
        """A table for :meth:`sweeps`, and the holes in it that sampling has to fill."""

    @abstractmethod
    def statistics(self, X: Floats, share: Floats, before: Any = None) -> tuple[Any, ...]:
        """What beliefs need of rows with shares (n, k) in all components; sums over rows.

        ``before`` are the beliefs under which the holes of rows are filled.
        """

    @abstractmethod
    def updated(self, statistics: tuple[Any, ...]) -> Any:
        """Beliefs of all components given statistics."""

    def members(self, X: Floats, share: Floats, before: Any = None) -> Any:
        """Beliefs of all components given the shares (n, k) of the rows in them."""
        return self.updated(self.statistics(X, share, before))

    @abstractmethod
    def log_predictive(self, members: Any, X: Floats) -> Floats:
        """Log density of every row as the next of every component, of shape (n, k)."""

    @abstractmethod
    def expected_log_prob(self, members: Any, X: Floats) -> Floats:
        """Expected log density of every row under every component, of shape (n, k)."""

    @abstractmethod
    def kl(self, members: Any) -> float:
        """Divergence of all components from this belief."""

    @abstractmethod
    def sample(self, members: Any, k: int, n: int, rng: np.random.Generator) -> Floats:
        """``n`` rows of component ``k``, its parameters integrated out, of shape (n, d)."""

    def own(self, X: Floats) -> Floats:
        """Log density of every row in a component of its own."""
        return self.log_predictive(self.members(X[:0], np.zeros((0, 1))), X)[:, 0]


@dataclass(frozen=True)
class NormalBase(Base):
    """Normal rows with a covariance of their own in every component."""

    belief: NormalInverseWishart

    def sweeps(
        self,
        X: Floats,
        label: Ints,
        log_alpha: float,
        n_sweeps: int,
        seed: int,
        step: int,
        holes: Bools | None = None,
    ) -> tuple[Ints, float]:
        belief = self.belief
        lower = np.ascontiguousarray(cholesky(belief.scale, name="scale of the prior").lower)
        rows = np.ascontiguousarray(X - belief.mean)
        drawn = partitions.normal_sweeps(
            rows,
            label,
            lower,
            float(belief.strength),
            float(belief.df),
            log_alpha,
            n_sweeps,
            seed,
            step,
            holes,
        )
        if holes is not None:
            X[holes] = (rows + belief.mean)[holes]
        return drawn

    def completed(self, X: Floats) -> tuple[Floats, Bools | None]:
        holes = np.isnan(X)
        return (np.where(holes, self.belief.mean, X), holes) if holes.any() else (X, None)

    def statistics(self, X: Floats, share: Floats, before: Any = None) -> tuple[Any, ...]:
        if not np.isnan(X).any():
            return (MultivariateNormal.statistics(X, share),)
        if before is None:
            filled = np.where(np.isnan(X), self.belief.mean, X)
            return (MultivariateNormal.statistics(filled, share),)
        return (before.plug_in().expected_statistics(X, share),)

    def updated(self, statistics: tuple[Any, ...]) -> Any:
        return self.belief.posterior(statistics[0])

    def log_predictive(self, members: Any, X: Floats) -> Floats:
        return np.column_stack(
            [members[k].predictive().log_prob_rows(X) for k in range(len(members.mean))]
        )

    def expected_log_prob(self, members: Any, X: Floats) -> Floats:
        return np.asarray(members.expected_log_prob(X))

    def kl(self, members: Any) -> float:
        return float(members.kl(self.belief).sum())

    def sample(self, members: Any, k: int, n: int, rng: np.random.Generator) -> Floats:
        return np.asarray(members[k].predictive().sample(n, rng))


@dataclass(frozen=True)
class ColumnsBase(Base):
    """Rows of independent columns, each with a belief of one of the kinds of FAMILIES."""

    beliefs: tuple[Any, ...]

    def completed(self, X: Floats) -> tuple[Floats, Bools | None]:
        return X, None

    def sweeps(
        self,
        X: Floats,
        label: Ints,
        log_alpha: float,
        n_sweeps: int,
        seed: int,
        step: int,
        holes: Bools | None = None,
    ) -> tuple[Ints, float]:
        codes, parameters = zip(*(_native_form(b) for b in self.beliefs), strict=True)
        return partitions.column_sweeps(
            np.ascontiguousarray(X),
            label,
            np.array([partitions.KINDS.index(code) for code in codes], dtype=np.int32),
            np.cumsum([0, *map(len, parameters)]).astype(np.int64),
            np.concatenate(parameters),
            log_alpha,
            n_sweeps,
            seed,
            step,
        )

    def statistics(self, X: Floats, share: Floats, before: Any = None) -> tuple[Any, ...]:
        return tuple(
            FAMILIES[type(belief)].statistics(X[:, j], share)
            for j, belief in enumerate(self.beliefs)
        )

    def updated(self, statistics: tuple[Any, ...]) -> Any:
        pairs = zip(self.beliefs, statistics, strict=True)
        return tuple(belief.posterior(stats) for belief, stats in pairs)

    def log_predictive(self, members: Any, X: Floats) -> Floats:
        tables = [m.predictive().log_prob_rows(X[:, j]) for j, m in enumerate(members)]
        return np.asarray(sum(tables))

    def expected_log_prob(self, members: Any, X: Floats) -> Floats:
        return np.asarray(sum(m.expected_log_prob(X[:, j]) for j, m in enumerate(members)))

    def kl(self, members: Any) -> float:
        each = zip(members, self.beliefs, strict=True)
        return float(sum(np.sum(m.kl(belief)) for m, belief in each))

    def sample(self, members: Any, k: int, n: int, rng: np.random.Generator) -> Floats:
        return np.column_stack([m[k].predictive().sample(n, rng) for m in members])


def _native_form(belief: Any) -> tuple[str, Floats]:
    """Kind and parameters of a column for the compiled loops."""
    if isinstance(belief, NormalInverseGamma):
        return "normal", np.array([belief.mean, belief.strength, belief.shape, belief.scale])
    if isinstance(belief, NormalMean):
        return "normal_mean", np.array([belief.mean, belief.std, belief.noise])
    if isinstance(belief, GammaPoisson):
        return "poisson", np.array([belief.concentration, belief.rate])
    if isinstance(belief, BetaBernoulli):
        return "categorical", np.array([belief.b, belief.a])
    return "categorical", np.asarray(belief.concentration)


def base_of(owner: object, given: Any, X: Floats, weight: Floats | None = None) -> Base:
    """The base measure that a person asked for, checked against the table.

    ``None`` is a normal component a third as wide as the data, its centre spread as the data are.
    """
    return base_of_blocks(owner, given, [(X, weight)])


def base_of_blocks(
    owner: object, given: Any, blocks: Iterable[tuple[Floats, Floats | None]]
) -> Base:
    """The same for blocks of rows with weights, which are read twice."""
    moments: Any = sum(ColumnMoments.of(X, weight) for X, weight in blocks)
    if not isinstance(moments, ColumnMoments):
        raise check.fail(owner, "blocks", "at least one block of rows", "none")
    d = len(moments.mean)
    if not (moments.weight > 0).all():
        column = int(np.flatnonzero(moments.weight == 0)[0])
        raise check.fail(owner, "X", "observed somewhere in every column", f"none in {column}")
    if given is None:
        return NormalBase(_default(moments))
    if isinstance(given, NormalInverseWishart):
        if given.mean.ndim != 1 or given.dim != d:
            raise check.fail(owner, "base_prior", f"a single belief of {d} coordinates", given)
        return NormalBase(given)
    beliefs = given if isinstance(given, list | tuple) else [given]
    if not beliefs or not all(type(b) in FAMILIES for b in beliefs):
        names = ", ".join(kind.__name__ for kind in FAMILIES)
        need = f"None, a NormalInverseWishart, or one of {names} or a list of them"
        raise check.fail(owner, "base_prior", need, given)
    columns = [part for belief in beliefs for part in _columns(owner, belief, d, len(beliefs))]
    if len(columns) != d:
        raise check.fail(owner, "base_prior", f"a belief for each of {d} columns", len(columns))
    for X, _ in blocks:
        for j, belief in enumerate(columns):
            _check_column(owner, belief, X[:, j], j)
    return ColumnsBase(tuple(columns))


def _columns(owner: object, belief: Any, d: int, n_beliefs: int) -> list[Any]:
    shape = belief.kl(belief).shape
    if shape == ():
        return [belief] * (d if n_beliefs == 1 else 1)
    if len(shape) > 1:
        raise check.fail(owner, "base_prior", "beliefs of one number or one per column", belief)
    return [belief[j] for j in range(shape[0])]


def _check_column(owner: object, belief: Any, x: Floats, j: int) -> None:
    seen = x[~np.isnan(x)]
    if not len(seen):
        return
    whole = bool((seen == np.floor(seen)).all() and (seen >= 0).all())
    if isinstance(belief, GammaPoisson) and not whole:
        raise check.fail(owner, "X", f"whole numbers of at least 0 in column {j}", seen.min())
    if isinstance(belief, BetaBernoulli | DirichletCategorical):
        states = 2 if isinstance(belief, BetaBernoulli) else belief.n_states
        if not whole or (seen >= states).any():
            raise check.fail(owner, "X", f"states from 0 to {states - 1} in column {j}", seen.max())


def _default(moments: ColumnMoments) -> NormalInverseWishart:
    seen = np.maximum(moments.weight, 1)
    mean, var = np.where(moments.weight > 0, moments.mean, 0.0), moments.scatter / seen
    size = np.maximum(np.abs(mean), np.finfo(np.float64).tiny ** 0.25)
    var = np.where(var > (1e-12 * size) ** 2, var, np.where(var.any(), size**2, 1.0))
    return NormalInverseWishart(mean, 1 / 9, np.diag(var) / 9, len(mean) + 2.0)
