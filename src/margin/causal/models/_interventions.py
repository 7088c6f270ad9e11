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
        In a discrete network (:func:`intervened`) probabilities, as a vector or by state.
    """

    law: Any

    def apply(
        self, natural: Floats, values: Mapping[Hashable, Floats], rng: np.random.Generator
    ) -> Floats:
        """A draw for every row."""
        draw = self.law.sample if hasattr(self.law, "sample") else self.law
        return _shaped("Stochastic", "law", draw(natural.size, rng), natural.shape)


@dataclass(frozen=True)
class Conditional(Intervention):
    """Ruled by other variables: a plan of action (causal.05).

    Parameters
    ----------
    rule : callable
        Takes the values of ``given`` and returns those of the variable.
    given : name or tuple of names
        Variables that are no effects of the one that is set.
    """

    rule: Callable[..., Any]
    given: tuple[Hashable, ...]

    def __post_init__(self) -> None:
        if not callable(self.rule):
            raise check.fail(self, "rule", "a function of the values of given", self.rule)
        names = tuple(self.given) if isinstance(self.given, list | tuple) else (self.given,)
        object.__setattr__(self, "given", names)

    def apply(
        self, natural: Floats, values: Mapping[Hashable, Floats], rng: np.random.Generator
    ) -> Floats:
        """The rule at the values of this world."""
        answer = self.rule(*(values[name] for name in self.given))
        return _shaped("Conditional", "rule", answer, natural.shape)


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


def _shaped(owner: str, parameter: str, answer: Any, shape: tuple[int, ...]) -> Floats:
    """Finite numbers, one per row or one for all."""
    try:
        values = np.asarray(answer, dtype=np.float64)
        values = np.broadcast_to(values.reshape(shape) if values.size > 1 else values, shape).copy()
    except (TypeError, ValueError):
        values = np.full(1, np.nan)
    if not np.isfinite(values).all():
        raise check.fail(owner, parameter, f"such that it gives {shape[0]} numbers", answer)
    return values


def interventions(
    owner: object, names: tuple[Hashable, ...], do: Mapping[Hashable, Any] | None
) -> dict[Hashable, Intervention]:
    """Interventions by name; a number means that the variable is set to it.

    Examples
    --------
    >>> interventions("LinearSEM", ("x",), {"x": 1.0})
    {'x': Hard(value=1.0)}
    """
    by_node: dict[Hashable, Intervention] = {}
    for name, given in (do or {}).items():
        if name not in names:
            raise check.fail(owner, "do", f"of the variables {names}", name)
        act = given if isinstance(given, Intervention) else Hard(given)
        if isinstance(act, Hard):
            act = Hard(_number(owner, name, act.value))
        elif isinstance(act, Shift):
            act = Shift(_number(owner, name, act.by), _number(owner, name, act.times))
        elif isinstance(act, Stochastic):
            if not (callable(act.law) or callable(getattr(act.law, "sample", None))):
                need = "Stochastic of a law with sample(n, rng), or of a function of n and rng"
                raise check.fail(owner, f"do[{name!r}]", need, act.law)
        elif isinstance(act, Conditional):
            for other in act.given:
                if other not in names:
                    need = f"Conditional on variables among {names}"
                    raise check.fail(owner, f"do[{name!r}]", need, other)
        by_node[name] = act
    return by_node


def _number(owner: object, name: Hashable, given: Any) -> float:
    try:
        value = float(given)
    except (TypeError, ValueError):
        value = np.nan
    if not np.isfinite(value):
        raise check.fail(owner, f"do[{name!r}]", "a number or an intervention", given)
    return value


def order_under(
    owner: object,
    parents: Mapping[Hashable, tuple[Hashable, ...]],
    acts: Mapping[Hashable, Intervention],
) -> tuple[Hashable, ...]:
    """An order in which every variable comes after all that it listens to under interventions.

    Examples
    --------
    >>> rule = Conditional(lambda b: b, ("b",))
    >>> order_under("LinearSEM", {"a": (), "b": ()}, {"a": rule})
    ('b', 'a')
    >>> order_under("LinearSEM", {"a": (), "b": ("a",)}, {"a": rule})
    Traceback (most recent call last):
    ValueError: LinearSEM: do['a'] must be Conditional on no effects of 'a', got 'b'
    """
    rules = {name: act for name, act in acts.items() if isinstance(act, Conditional)}
    if not rules:
        return tuple(parents)
    hears = {
        name: rules[name].given if name in rules else above
        for name, above in parents.items()
        if name not in acts or acts[name].keeps_edges or name in rules
    }
    done: dict[Hashable, None] = {}
    while len(done) < len(parents):
        ready = next(
            (n for n in parents if n not in done and all(p in done for p in hears.get(n, ()))), None
        )
        if ready is None:
            name, other = next((n, p) for n in rules for p in rules[n].given if p not in done)
            need = f"Conditional on no effects of {name!r}"
            raise check.fail(owner, f"do[{name!r}]", need, other)
        done[ready] = None
    return tuple(done)


def refuse_contradictions(
    owner: object,
    names: tuple[Hashable, ...],
    rows: Floats,
    acts: Mapping[Hashable, Intervention],
) -> None:
    """Refuse evidence that says of a variable what it was not set to.

    Examples
    --------
    >>> refuse_contradictions("LinearSEM", ("x",), np.array([[3.0]]), {"x": Hard(1.0)})
    Traceback (most recent call last):
    ValueError: LinearSEM: evidence must be in agreement with do['x'] = 1.0, got 3.0
    """
    for name, act in acts.items():
        seen = rows[:, names.index(name)]
        seen = seen[np.isfinite(seen)]
        if isinstance(act, Conditional) and len(seen):
            need = f"not about {name!r}, which follows a rule"
            raise check.fail(owner, "evidence", need, float(seen[0]))
        if isinstance(act, Hard) and (seen != act.value).any():
            need = f"in agreement with do[{name!r}] = {act.value!r}"
            raise check.fail(owner, "evidence", need, float(seen[seen != act.value][0]))
