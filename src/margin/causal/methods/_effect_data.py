"""What a method of estimation is given: outcome, treatment, covariates, weights."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from margin.causal.tables._columns import column, design, expanded, is_words, levels, numbers
from margin.core import check
from margin.core.types import Floats, Indices

MOST_LEVELS = 10


@dataclass(frozen=True, eq=False)
class EffectData:
    """Rows of a study.

    Parameters
    ----------
    owner : str
        Who speaks in errors.
    y : ndarray of shape (n,)
        Outcomes.
    t : ndarray of shape (n, m)
        Treatments as numbers: one column each where they are continuous, one per level but the
        baseline where they are discrete.
    names : tuple of str
        What the columns of ``t`` compare.
    arms : ndarray of shape (n,) or None
        Level of each row, 0 the baseline, where the treatment is discrete.
    levels : tuple
        The levels, baseline first.
    X : ndarray of shape (n, p)
        Covariates, standardised.
    columns : tuple of str
        Their names.
    left_out : tuple of str
        Covariates that others determine.
    strata : tuple of arrays
        Covariates before they became numbers.
    mediators : ndarray of shape (n, q)
        Columns through which the effect goes, for the front door.
    weight : ndarray of shape (n,)
        Weights of mean one.
    target : {"ate", "att", "atc"}
        Whose effect: of all, of the treated, of the untreated.
    modifiers : ndarray of shape (n, r)
        What effects may depend on, where that is asked.
    """

    owner: str
    y: Floats
    t: Floats
    names: tuple[str, ...]
    arms: Indices | None
    levels: tuple[Any, ...]
    X: Floats
    columns: tuple[str, ...]
    left_out: tuple[str, ...]
    strata: tuple[Any, ...]
    weight: Floats
    mediators: Floats = field(default_factory=lambda: np.empty((0, 0)))
    target: str = "ate"
    modifiers: Floats = field(default_factory=lambda: np.empty((0, 0)))

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    @cached_property
    def lines(self) -> Floats:
        """Covariates with a column of ones before them."""
        return np.column_stack([np.ones(self.n), self.X])

    @property
    def codes(self) -> Indices:
        """Levels of a discrete treatment; a continuous one is refused."""
        if self.arms is None:
            raise check.fail(self.owner, "method", "one for continuous treatments ('dml' or "
                             "'regression') with this treatment", self.names)  # fmt: skip
        return self.arms

    @property
    def smallest_arm(self) -> int:
        """Rows of the smallest level, of which there must be two for anything to be learned."""
        count = np.bincount(self.codes, minlength=len(self.levels))
        if count.min() < 2:
            rare = self.levels[int(np.argmin(count))]
            need = "with at least two rows of every level"
            shown = f"{count.min()} of {rare!r}"
            raise check.fail(self.owner, "treatment", need, shown)
        return int(count.min())

    @cached_property
    def indicators(self) -> Floats:
        """One column per level of a discrete treatment."""
        return np.asarray(self.codes[:, None] == np.arange(len(self.levels)), dtype=np.float64)

    @cached_property
    def population(self) -> Floats:
        """One for the rows whose effect is asked for."""
        if self.target == "ate":
            return np.ones(self.n)
        return np.asarray(self.indicators[:, self.population_level], dtype=np.float64)

    @property
    def population_level(self) -> int:
        """Level of the rows whose effect is asked for, where it is not that of all."""
        if self.target == "atc":
            return 0
        if len(self.levels) > 2:
            raise check.fail(self.owner, "target", "'ate' with more than two levels", self.target)
        return 1

    def weighted(self, weight: Floats) -> "EffectData":
        """The same rows with other weights, scaled to mean one."""
        return replace(self, weight=weight * (len(weight) / weight.sum()))

    def rows(self, chosen: Any) -> "EffectData":
        """Some of the rows."""
        weight = self.weight[chosen]
        return replace(
            self, y=self.y[chosen], t=self.t[chosen], X=self.X[chosen],
            arms=None if self.arms is None else self.arms[chosen],
            strata=tuple(part[chosen] for part in self.strata),
            mediators=self.mediators[chosen] if len(self.mediators) else self.mediators,
            modifiers=self.modifiers[chosen] if len(self.modifiers) else self.modifiers,
            weight=weight * (len(weight) / weight.sum()),
        )  # fmt: skip

    def pair(self, level: int) -> "EffectData":
        """The rows of one level and of the baseline alone."""
        part = self.rows(np.flatnonzero((self.codes == 0) | (self.codes == level)))
        held, names = (self.levels[0], self.levels[level]), (self.names[level - 1],)
        arms = (part.codes == level).astype(np.int64)
        return replace(part, levels=held, names=names, arms=arms, t=arms[:, None] * 1.0)

    def shuffled(self, order: Indices) -> "EffectData":
        """The same rows with the treatments of others."""
        arms = None if self.arms is None else self.arms[order]
        return replace(self, t=self.t[order], arms=arms)

    def assigned(self, arms: Indices) -> "EffectData":
        """The same rows with other levels of the treatment."""
        t = (arms[:, None] == np.arange(1, len(self.levels))).astype(np.float64)
        return replace(self, t=t, arms=arms)

    def with_column(self, values: Floats) -> "EffectData":
        """The same rows with one more covariate."""
        return replace(
            self, X=np.column_stack([self.X, values]), columns=(*self.columns, "noise"),
            strata=(*self.strata, values),
        )  # fmt: skip


def effect_data(
    owner: str,
    frame: Any,
    treatment: tuple[Hashable, ...],
    outcome: Hashable,
    covariates: tuple[Hashable, ...],
    *,
    mediators: tuple[Hashable, ...] = (),
    others: tuple[Hashable, ...] = (),
    baseline: Any = None,
    discrete: bool | None = None,
    target: str = "ate",
    modifiers: Floats | None = None,
    sample_weight: Any = None,
) -> EffectData:
    """Rows of a study from a frame, with everything that could not be estimated refused.

    ``others`` are discrete columns of a formula, which become no covariates of a regression.

    Examples
    --------
    >>> frame = {"x": ["a", "b", "b"], "y": [0, 1, 1], "z": [1.0, 2.0, 4.0]}
    >>> data = effect_data("AverageEffect", frame, ("x",), "y", ("z",))
    >>> data.names, data.arms
    (('b - a',), array([0, 1, 1]))
    """
    y = _outcome(owner, frame, outcome)
    if len(y) == 0:
        raise check.fail(owner, "frame", "at least one row", 0)
    arms: Indices | None = None
    held: tuple[Any, ...] = ()
    if _is_discrete(owner, frame, treatment, discrete):
        held, arms = _arms(owner, frame, treatment, baseline)
        t = (arms[:, None] == np.arange(1, len(held))).astype(np.float64)
        names = tuple(f"{level} - {held[0]}" for level in held[1:])
    else:
        t, names = _amounts(owner, frame, treatment, baseline)
        for called, values in zip(names, t.T, strict=True):
            if np.ptp(values) == 0:
                need = "of at least two values"
                raise check.fail(owner, f"treatment {called!r}", need, values[0])
    if len(t) != len(y):
        raise check.fail(owner, "frame", f"of {len(y)} rows in every column", len(t))
    if arms is None and target != "ate":
        raise check.fail(owner, "target", "'ate' with a continuous treatment", target)
    designed = design(owner, frame, covariates, len(y))
    through = expanded(owner, frame, mediators, len(y))[0]
    for name in others:
        levels(owner, frame, name)
    weight = check.weights(owner, sample_weight, len(y))
    weight = np.ones(len(y)) if weight is None else weight * (len(y) / weight.sum())
    return EffectData(
        owner, y, t, names, arms, held, designed.X, designed.columns, designed.left_out,
        tuple(column(owner, frame, name) for name in (*covariates, *others)), weight,
        through if mediators else np.empty((0, 0)), target,
        np.empty((0, 0)) if modifiers is None else modifiers,
    )  # fmt: skip


def _outcome(owner: str, frame: Any, name: Hashable) -> Floats:
    values = column(owner, frame, name)
    if not is_words(values):
        return numbers(owner, frame, name)
    held, codes = levels(owner, frame, name)
    if len(held) > 2:
        raise check.fail(owner, f"outcome {name!r}", "numbers or two levels", held)
    return codes.astype(np.float64)


def _is_discrete(
    owner: str, frame: Any, treatment: tuple[Hashable, ...], discrete: bool | None
) -> bool:
    if discrete is not None:
        return discrete
    return all(looks_discrete(column(owner, frame, name)) for name in treatment)


def looks_discrete(values: Any) -> bool:
    """Whether values are levels rather than amounts: words, two values, few whole numbers."""
    if is_words(values):
        return True
    distinct = np.unique(values[: MOST_LEVELS**3])
    if len(distinct) > MOST_LEVELS or len(distinct := np.unique(values)) > MOST_LEVELS:
        return False
    return len(distinct) <= 2 or bool((distinct == np.round(distinct)).all())


def _amounts(
    owner: str, frame: Any, treatment: tuple[Hashable, ...], baseline: Any
) -> tuple[Floats, tuple[str, ...]]:
    """Treatments as columns of numbers; words beside them as one column per level."""
    parts, names = [], []
    for name in treatment:
        if not is_words(column(owner, frame, name)):
            parts.append(numbers(owner, frame, name)[:, None])
            names.append(str(name))
            continue
        known = levels(owner, frame, name)[0]
        held, arms = _arms(owner, frame, (name,), baseline if baseline in known else None)
        parts.append((arms[:, None] == np.arange(1, len(held))).astype(np.float64))
        names += [f"{level} - {held[0]}" for level in held[1:]]
    if len({len(part) for part in parts}) > 1:
        raise check.fail(owner, "frame", "of as many rows in every column", list(map(len, parts)))
    return np.hstack(parts), tuple(names)


def _arms(
    owner: str, frame: Any, treatment: tuple[Hashable, ...], baseline: Any
) -> tuple[tuple[Any, ...], Indices]:
    """Levels of one treatment, or combinations of levels of several; the baseline first."""
    parts = [levels(owner, frame, name) for name in treatment]
    if len(parts) == 1:
        held, codes = parts[0]
    else:
        shape = tuple(len(part[0]) for part in parts)
        joint = np.ravel_multi_index(tuple(part[1] for part in parts), shape)
        present, codes = np.unique(joint, return_inverse=True)
        places = np.array(np.unravel_index(present, shape)).T
        held = tuple(
            tuple(p[0][i] for p, i in zip(parts, row, strict=True)) for row in places.tolist()
        )
    if len(held) < 2:
        shown = treatment[0] if len(treatment) == 1 else treatment
        raise check.fail(owner, f"treatment {shown!r}", "of at least two levels", held)
    first = held[0] if baseline is None else baseline
    if first not in held:
        raise check.fail(owner, "baseline", f"one of the levels {held}", baseline)
    order = [held.index(first), *(i for i in range(len(held)) if held[i] != first)]
    rank = np.argsort(order)
    return tuple(held[i] for i in order), rank[codes].astype(np.int64)
