"""An effect as a formula over what can be observed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from margin.causal.graph._as_graph import CausalClass
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node
from margin.causal.identification._districts import Hedge
from margin.causal.identification._expressions import LATEX, OBSERVED, Expression, Source
from margin.causal.identification._laws import observed_laws, refuse_undefined
from margin.core import check
from margin.core.types import Floats

EstimandKind = Literal["backdoor", "frontdoor", "general", "experiments", "missing", "none"]


@dataclass(frozen=True, eq=False)
class EffectTable:
    """Values of an effect for every setting.

    Parameters
    ----------
    names : tuple of nodes
        Treatments, conditions, outcomes: one axis each, in this order.
    values : ndarray
        Probabilities of the outcomes.
    levels : mapping of node to tuple, optional
        Levels along the axes.
    """

    names: tuple[Node, ...]
    values: Floats = field(repr=False)
    levels: Mapping[Node, tuple[Any, ...]] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, eq=False)
class Estimand:
    """What :func:`identify` returns: a formula, or the reason why there is none.

    Parameters
    ----------
    graph : CausalGraph, or the PDAG or PAG of a class
    treatment, outcome, given : tuple of nodes
    kind : {"backdoor", "frontdoor", "general", "experiments", "missing", "none"}
        Adjustment for covariates, a front door, a formula of the complete procedure, one that needs
        experiments, one over rows in which values are missing, or nothing.
    expression : Expression or None
        The formula.
    adjustment : tuple of nodes
        Covariates of a back-door formula, mediators of a front-door formula.
    obstacle : tuple of nodes
        Edge of a PDAG or PAG that may, but need not, begin a causal path.
    hedge : Hedge or None
        Two sets that no observation tells apart, where the effect is not identifiable.
    home : Source
        What ``evaluate`` calls its model: the observations, of the target if effects are carried.
    reason : str
        Why values that are missing leave no formula.
    """

    graph: CausalClass = field(repr=False)
    treatment: tuple[Node, ...]
    outcome: tuple[Node, ...]
    given: tuple[Node, ...]
    kind: EstimandKind
    expression: Expression | None = field(repr=False)
    adjustment: tuple[Node, ...] = ()
    obstacle: tuple[Node, ...] = ()
    hedge: Hedge | None = None
    home: Source = field(default=OBSERVED, repr=False)
    reason: str = ""

    @property
    def identifiable(self) -> bool:
        """Whether there is a formula."""
        return self.expression is not None

    @property
    def effect(self) -> str:
        """What is asked, as text."""
        set_to = [f"do({', '.join(map(str, self.treatment))})"] if self.treatment else []
        right = ", ".join([*set_to, *map(str, self.given)])
        return f"P({', '.join(map(str, self.outcome))}{' | ' if right else ''}{right})"

    def formula(self, style: Literal["text", "latex"] = "text") -> str:
        """The formula as text or in LaTeX.

        Examples
        --------
        >>> graph = CausalGraph.from_edges([("x", "m"), ("m", "y")], [("x", "y")])
        >>> from margin.causal import identify
        >>> print(identify(graph, "x", "y").formula())
        Σ_{m} P(m | x) Σ_{x'} P(x') P(y | x', m)
        """
        if style not in ("text", "latex"):
            raise check.fail("Estimand", "style", "'text' or 'latex'", style)
        expression = self._known()
        return str(expression) if style == "text" else expression.written(LATEX)

    def explain(self) -> str:
        """The answer in words: the formula, or what stands in the way and what would help."""
        if self.expression is not None:
            return f"{self.effect} = {self.formula()}"
        if self.reason:
            return f"{self.effect} cannot be recovered: {self.reason}"
        if self.hedge is None or not isinstance(self.graph, CausalGraph):
            return f"{self.effect} cannot be computed by adjustment: {self._why_not()}"
        larger, smaller = (", ".join(map(str, p)) for p in (self.hedge.larger, self.hedge.smaller))
        inside = set(self.hedge.larger)
        hidden = [f"{a} <-> {b}" for a, b in self.graph.bidirected if a in inside and b in inside]
        return (
            f"{self.effect} cannot be computed from observations: {{{larger}}} and {{{smaller}}} "
            f"form a hedge. Hidden causes join them ({', '.join(hidden)}); measuring the cause "
            "behind one of these edges, or an experiment on a member of the larger set, may help."
        )

    def _why_not(self) -> str:
        if not self.obstacle:
            return "no set of covariates closes the back doors in every graph of the class."
        a, b = self.obstacle
        return (
            f"the edge between {a} and {b} may, but need not, begin a causal path, so that the "
            "graphs of the class disagree about the effect. Knowledge of its direction and that "
            f"nothing hidden causes both, or an experiment on {a}, would help."
        )

    def evaluate(self, model: Any, experiments: Mapping[Any, Any] | None = None) -> EffectTable:
        """The effect on a model of the observed variables.

        Parameters
        ----------
        model : BayesianNetwork, mapping of names to a table, or data frame
            A network over the observed variables; ``(names, table)`` of a joint distribution; or a
            frame of categorical columns, whose frequencies are taken. Conditions of the formula
            that never occur there, such as no treated in a stratum, are refused by name.
        experiments : mapping, optional
            The same for every experiment that the formula names: from the variable (or tuple of
            variables) that was assigned at random to a table or a frame; ``()`` for observations
            of another population.

        Returns
        -------
        EffectTable
        """
        expression = self._known()
        names = (*self.treatment, *self.given, *self.outcome)
        joint, levels = observed_laws(
            self.graph.nodes, expression, names, model, experiments or {}, self.home
        )
        value = expression.evaluate(joint)
        shape = [
            length if name in names else 1
            for name, length in zip(joint.names, joint.table.shape, strict=True)
        ]
        full = np.broadcast_to(value, shape)
        kept = [joint.names.index(name) for name in names]
        squeezed = np.squeeze(full, axis=tuple(i for i in range(full.ndim) if i not in kept))
        order = [sorted(kept).index(axis) for axis in kept]
        values = np.ascontiguousarray(squeezed.transpose(order))
        refuse_undefined(expression, joint, values, names, levels)
        shown = {name: levels[name] for name in names if name in levels}
        return EffectTable(names, values, shown)

    def _known(self) -> Expression:
        if self.expression is None:
            raise ValueError(f"Estimand: {self.explain()}")
        return self.expression

    def __repr__(self) -> str:
        answer = "not identifiable" if self.expression is None else self.formula()
        return f"Estimand({self.effect}: {answer})"
