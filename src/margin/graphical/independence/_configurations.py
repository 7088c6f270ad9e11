"""The three ways in which two variables meet at a third, and explaining away."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from margin.core import check
from margin.graphical.answers._result import aligned

_MEANING = {
    "chain": "information flows along the chain; observing the middle blocks it",
    "fork": "a common cause associates its effects; observing the middle blocks it",
    "collider": "causes of a common effect are independent; observing it (or a descendant) "
    "makes them dependent",
}


def elementary_configuration(graph: Any, a: Any, middle: Any, b: Any) -> str:
    """How two arrows meet: ``"chain"``, ``"fork"`` or ``"collider"`` (graphical.08).

    Parameters
    ----------
    graph : DAG or BayesianNetwork
    a, middle, b : nodes
        ``a`` and ``b`` are both joined to ``middle``.

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> graph = DAG.from_edges([("rain", "wet"), ("sprinkler", "wet"), ("wet", "slippery")])
    >>> elementary_configuration(graph, "rain", "wet", "sprinkler")
    'collider'
    >>> elementary_configuration(graph, "rain", "wet", "slippery")
    'chain'
    """
    edges = set(getattr(graph, "graph", graph).edges)
    for end in (a, b):
        if (end, middle) not in edges and (middle, end) not in edges:
            raise ValueError(
                f"elementary_configuration: {end!r} must be joined to {middle!r}, got no edge"
            )
    into = ((a, middle) in edges) + ((b, middle) in edges)
    return ("fork", "chain", "collider")[into]


@dataclass(frozen=True, repr=False)
class ExplainingAway:
    """Probability of a cause as its effect and a rival cause become known (graphical.08).

    Parameters
    ----------
    cause, other, effect : (name, state)
        The events.
    configuration : str
        How the causes meet at the effect, where both are joined to it.
    prior, given_other, given_effect, given_both : float
        Probability of the cause without evidence, and given the rival, the effect, both.
    """

    cause: tuple[str, Hashable]
    other: tuple[str, Hashable]
    effect: tuple[str, Hashable]
    configuration: str
    prior: float
    given_other: float
    given_effect: float
    given_both: float

    @property
    def explained_away(self) -> bool:
        """Whether learning of the rival makes the cause less probable, given the effect."""
        return self.given_both < self.given_effect

    def __repr__(self) -> str:
        event = "{}={}".format
        cause, other, effect = event(*self.cause), event(*self.other), event(*self.effect)
        verdict = "explains" if self.explained_away else "does not explain"
        rows = [
            (f"p({cause})", f"{self.prior:.6g}"),
            (f"p({cause} | {other})", f"{self.given_other:.6g}"),
            (f"p({cause} | {effect})", f"{self.given_effect:.6g}"),
            (f"p({cause} | {effect}, {other})", f"{self.given_both:.6g}"),
        ]
        lines = [aligned(rows), f"{other} {verdict} {cause} away"]
        if self.configuration:
            lines.append(f"{self.configuration}: {_MEANING[self.configuration]}")
        return "\n".join(lines)


def explaining_away(
    model: Any,
    cause: tuple[str, Hashable],
    other: tuple[str, Hashable],
    effect: tuple[str, Hashable],
) -> ExplainingAway:
    """How a rival cause changes what the effect says about a cause (Berkson's paradox).

    Parameters
    ----------
    model : BayesianNetwork or other discrete joint model
    cause, other, effect : (variable, state)
        Events; the effect may also be a descendant of the common effect.

    Examples
    --------
    >>> from margin.datasets import load_burglary
    >>> network = load_burglary().network
    >>> report = explaining_away(
    ...     network, ("burglary", "yes"), ("earthquake", "yes"), ("alarm", "yes"))
    >>> round(report.given_effect, 6), round(report.given_both, 6), report.explained_away
    (0.565948, 0.030995, True)
    """
    events = (cause, other, effect)
    if any(isinstance(e, str) or len(e) != 2 for e in events):
        raise check.fail("explaining_away", "events", "pairs (variable, state)", events)
    if len({name for name, _ in events}) != 3:
        raise check.fail("explaining_away", "events", "of three variables", events)
    code = model._domain.code(*cause)

    def probability(*evidence: tuple[str, Hashable]) -> float:
        return float(model.query(cause[0], dict(evidence)).values[code])

    try:
        configuration = elementary_configuration(model, cause[0], effect[0], other[0])
    except (ValueError, AttributeError):
        configuration = ""
    return ExplainingAway(
        cause,
        other,
        effect,
        configuration,
        probability(),
        probability(other),
        probability(effect),
        probability(effect, other),
    )
