"""The models of a comparison, put to the question that this table asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from margin.core import Card
from margin.evaluation.models._ordered_classifier import OrderedClassifier
from margin.evaluation.models._params import INSIDE
from margin.evaluation.models._scaled_target import ScaledTarget
from margin.evaluation.models._tuned_classifier import TunedClassifier, takes_weights
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.table._column_info import TaskName
from margin.evaluation.table._metric import Metric
from margin.evaluation.table._problem import Problem


def posed(
    field: Sequence[Entrant], problem: Problem
) -> tuple[tuple[Entrant, ...], tuple[tuple[str, str], ...]]:
    """Entrants that weigh, decide and scale as the score and the target ask for.

    Returns them, and those that the score cannot judge, with the reason. Where plain models
    answer the question, they stay as they are.
    """
    refused = tuple((e.name, why) for e in field if (why := problem.metric.refuses(e.estimator)))
    out = {name for name, _ in refused}
    kept = [e for e in field if e.name not in out]
    if problem.nature.levels:
        ordered = OrderedClassifier(levels=list(problem.nature.levels))
        kept.append(Entrant("OrderedClassifier", "evaluation", ordered))
    return tuple(_posed(e, problem) for e in kept), refused


def _posed(entrant: Entrant, problem: Problem) -> Entrant:
    if entrant.is_baseline:
        return entrant
    if problem.task == "regression":
        return _scaled(entrant, problem)
    if problem.metric.name in ("accuracy", "log loss"):
        return entrant
    return _tuned(entrant, problem.metric)


def _tuned(entrant: Entrant, metric: Metric) -> Entrant:
    model = entrant.estimator
    decides = hasattr(model, "predict_proba") or hasattr(model, "decision_function")
    weighs = takes_weights(model)
    space: dict[str, Any] = {}
    if weighs and decides:
        space["weights"] = ["none", "balanced"]
    usual = "none" if decides or not weighs else "balanced"
    return replace(
        entrant,
        estimator=TunedClassifier(model, metric, weights=usual),
        card=_wrapped(entrant.card, "classification", space),
    )


def _scaled(entrant: Entrant, problem: Problem) -> Entrant:
    nature = problem.nature
    if not (nature.logarithm or nature.lower is not None or nature.upper is not None):
        return entrant
    space = {"scale": ["none", "log"]} if nature.logarithm else {}
    model = ScaledTarget(
        entrant.estimator,
        mean=problem.metric.name not in ("MAE", "D² absolute"),
        lower=nature.lower,
        upper=nature.upper,
    )
    return replace(entrant, estimator=model, card=_wrapped(entrant.card, "regression", space))


def _wrapped(card: Card | None, task: TaskName, more: dict[str, Any]) -> Card:
    """The card of a model inside another: its search space, and what the outer one adds."""
    if card is None:
        return Card(tasks=(task,), search_space=more)
    inside = {f"{INSIDE}{name}": values for name, values in card.search_space.items()}
    return replace(card, search_space={**more, **inside})
