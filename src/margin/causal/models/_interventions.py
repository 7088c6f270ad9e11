"""What may be done to a variable: set, drawn, ruled by others, or nudged."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats


class Intervention(ABC):
    """A change of one mechanism (causal.05, causal.06)."""

    keeps_edges: ClassVar[bool] = False

    @abstractmethod
    def apply(
        self, natural: Floats, values: Mapping[Hashable, Floats], rng: np.random.Generator
    ) -> Floats:
        """Values under the intervention, from what the mechanism would have given."""


@dataclass(frozen=True)
class Hard(Intervention):
    """Set to a number (causal.05)."""

    value: Any

    def apply(
        self, natural: Floats, values: Mapping[Hashable, Floats], rng: np.random.Generator
    ) -> Floats:
        """The number for every row."""
        return np.broadcast_to(np.asarray(self.value, dtype=np.float64), natural.shape).copy()


@dataclass(frozen=True)
class Stochastic(Intervention):
    """Drawn from a law, whatever the causes (causal.05).

    Parameters
    ----------
    law : distribution with ``sample(n, rng)``, or callable ``(n, rng)``
    """

    law: Any

    def apply(
        self, natural: Floats, values: Mapping[Hashable, Floats], rng: np.random.Generator
    ) -> Floats:
        """A draw for every row."""
        draw = self.law.sample if hasattr(self.law, "sample") else self.law
        return np.asarray(draw(natural.size, rng), dtype=np.float64).reshape(natural.shape)


@dataclass(frozen=True)
class Conditional(Intervention):
    """Ruled by other variables: a plan of action (causal.05).

    Parameters
    ----------
    rule : callable
        Takes the values of ``given`` and returns those of the variable.
    given : tuple of names
        Variables that are no effects of the one that is set.
    """

    rule: Callable[..., Any]
    given: tuple[Hashable, ...]

    def apply(
        self, natural: Floats, values: Mapping[Hashable, Floats], rng: np.random.Generator
    ) -> Floats:
        """The rule at the values of this world."""
        answer = self.rule(*(values[name] for name in self.given))
        return np.broadcast_to(np.asarray(answer, dtype=np.float64), natural.shape).copy()


@dataclass(frozen=True)
class Shift(Intervention):
    r"""The mechanism stays and its value is changed, :math:`x := c\, x + d` (causal.06).

    A parametric intervention: no arrow is cut.
    """

    by: float = 0.0
    times: float = 1.0
    keeps_edges: ClassVar[bool] = True

    def apply(
        self, natural: Floats, values: Mapping[Hashable, Floats], rng: np.random.Generator
    ) -> Floats:
        """What the mechanism gave, scaled and moved."""
        return self.times * natural + self.by


def interventions(
    owner: object, names: tuple[Hashable, ...], do: Mapping[Hashable, Any] | None
) -> dict[Hashable, Intervention]:
    """Interventions by name; a number means that the variable is set to it.

    Examples
    --------
    >>> interventions("LinearSEM", ("x",), {"x": 1.0})
    {'x': Hard(value=1.0)}
    """
    found: dict[Hashable, Intervention] = {}
    for name, given in (do or {}).items():
        if name not in names:
            raise check.fail(owner, "do", f"of the variables {names}", name)
        if not isinstance(given, Intervention):
            try:
                value = float(given)
            except (TypeError, ValueError):
                value = np.nan
            if not np.isfinite(value):
                raise check.fail(owner, f"do[{name!r}]", "a number or an intervention", given)
            given = Hard(value)
        found[name] = given
    return found
