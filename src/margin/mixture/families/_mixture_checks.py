"""What a mixture of any distributions is given, checked."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from margin.core import check
from margin.distributions import Distribution, Normal, ProductFamily

ASSIGNMENTS = ("soft", "hard", "stochastic", "annealed")
ACCELERATIONS = (None, "squarem", "anderson")


def checked_components(owner: Any) -> tuple[Any, ...]:
    """The settings of a mixture checked, and its components, one entry for each."""
    check.params(
        owner,
        nonnegative="tol",
        positive="weight_concentration",
        count="max_iter n_init",
        fraction="learning_decay",
        one_of={"assignment": ASSIGNMENTS, "acceleration": ACCELERATIONS},
    )
    if owner.weight_concentration < 1:
        need = "a number of at least 1"
        raise check.fail(owner, "weight_concentration", need, owner.weight_concentration)
    given = _members(owner)
    for name in ("weights", "priors", "fixed"):
        value = getattr(owner, name)
        if value is not None and (not np.iterable(value) or len(list(value)) != len(given)):
            need = f"one for each of {len(given)} components"
            raise check.fail(owner, name, need, value)
    started = [isinstance(c, Distribution) for c in given]
    if any(started) and not all(started):
        need = "all distributions to start from, or all families"
        raise check.fail(owner, "components", need, owner.components)
    if owner.fixed is not None and any(owner.fixed) and not all(started):
        raise check.fail(owner, "fixed", "of components that are distributions", owner.fixed)
    return given


def filled(component: Any, d: int) -> Any:
    """A component, or normal columns where nothing was asked for."""
    return ProductFamily([Normal], [np.arange(d)]) if component is None else component


def _members(owner: Any) -> tuple[Any, ...]:
    many = isinstance(owner.components, Sequence)
    if owner.n_components is not None:
        check.params(owner, count="n_components")
    if many and not len(owner.components):
        raise check.fail(owner, "components", "at least one", owner.components)
    if many and owner.n_components not in (None, len(owner.components)):
        need = f"the number of components, {len(owner.components)}"
        raise check.fail(owner, "n_components", need, owner.n_components)
    return tuple(owner.components) if many else (owner.components,) * (owner.n_components or 1)
