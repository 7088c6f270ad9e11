"""Statistics of rows that count more or less than once."""

from dataclasses import fields, replace
from typing import Any

from margin.distributions import WeightedSample
from margin.mixture.families._family_steps import FamilyStatistics

# What grows with the weight of the rows; means and extremes do not.
_SUMS = ("weight", "total", "counts", "scatter")


def scaled_statistics(stats: Any, factor: float) -> Any:
    """Statistics of the same rows, each counted ``factor`` times.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> twice = scaled_statistics(Normal.statistics([1.0, 3.0]), 2.0)
    >>> float(twice.weight), float(twice.mean), float(twice.scatter)
    (4.0, 2.0, 4.0)
    """
    if isinstance(stats, tuple) and not stats:
        return stats
    names = {field.name for field in fields(stats)}
    if "parts" in names:
        return replace(stats, parts=tuple(scaled_statistics(p, factor) for p in stats.parts))
    return replace(stats, **{n: getattr(stats, n) * factor for n in names.intersection(_SUMS)})


def keeps_rows(stats: Any) -> bool:
    """Whether statistics are the rows themselves, which batch after batch would pile up."""
    parts = getattr(stats, "parts", None)
    return any(map(keeps_rows, parts)) if parts else isinstance(stats, WeightedSample)


def blended_families(old: FamilyStatistics, new: FamilyStatistics, rate: float) -> FamilyStatistics:
    """Statistics of the past and of a batch, for the weight of both together.

    Priors then count against all that was seen, and not against the last batch.
    """
    both = old.weight + new.weight
    return _scaled(old, (1 - rate) * both / old.weight) + _scaled(new, rate * both / new.weight)


def _scaled(stats: FamilyStatistics, factor: float) -> FamilyStatistics:
    return FamilyStatistics(
        stats.bound * factor,
        stats.weight * factor,
        stats.total * factor,
        tuple(scaled_statistics(m, factor) for m in stats.members),
    )
