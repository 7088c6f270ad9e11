"""Which models take part, and how much tuning each can afford."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from margin.core import Card
from margin.evaluation.race import _tuning
from margin.evaluation.race._baselines import baselines
from margin.evaluation.race._discovery import all_estimators, family
from margin.evaluation.race._foreign import as_model, foreign
from margin.evaluation.table._column_info import TaskName
from margin.evaluation.table._columns import near

POWER = {"linear": 1, "quadratic": 2, "cubic": 3}
# Settings that a search may try, and what to say of less than all.
LEVELS = {
    0: "not tuned, to keep to the budget",
    4: "tuned less, to keep to the budget",
    _tuning.LIMIT: "",
}


@dataclass(frozen=True)
class Entrant:
    """One model of a comparison: how to make it, and how long to tune it.

    ``chosen`` is a setting that needs no search any more.
    """

    name: str
    family: str
    estimator: BaseEstimator
    card: Card | None = None
    is_baseline: bool = False
    limit: int = _tuning.LIMIT
    note: str = ""
    chosen: dict[str, Any] | None = None

    def settings(self, seed: int) -> list[dict[str, Any]]:
        """Hyper-parameters to choose from."""
        if self.chosen is not None:
            return [self.chosen]
        return _tuning.candidates(self.card, limit=self.limit, seed=seed)

    def tuned(self, level: int) -> Entrant:
        """The same with a search over that many settings, one of :data:`LEVELS`."""
        note = LEVELS[level] if len(self.settings(0)) > 1 or self.note else ""
        return replace(self, limit=level, note=note)

    @property
    def power(self) -> int:
        """Growth of a fit with the rows, as the card promises."""
        return POWER[self.card.cost] if self.card else 1

    def seeded(self, seed: int) -> BaseEstimator:
        """Unfitted copy whose randomness, if any, depends on the seed and the model only."""
        estimator = clone(self.estimator)
        if not self.is_baseline and "random_state" in estimator.get_params(deep=False):
            mixed = np.random.SeedSequence([seed, zlib.crc32(self.name.encode())])
            estimator.set_params(random_state=int(mixed.generate_state(1)[0] >> 1))
        return estimator

    def pipeline(
        self, preprocessor: ColumnTransformer, setting: dict[str, Any], seed: int
    ) -> Pipeline:
        """Unfitted pipeline from the raw table to predictions."""
        model = self.seeded(seed).set_params(**setting)
        return Pipeline([("columns", clone(preprocessor)), ("model", model)])


def entrants(
    task: TaskName,
    models: Iterable[Any] | None,
    n_rows: int,
    *,
    lowest_target: float = 0.0,
    n_classes: int = 2,
    extra: Iterable[Any] | None = None,
) -> tuple[list[Entrant], list[tuple[str, str]]]:
    """Baselines and models for the task, and those left out with the reason.

    Parameters
    ----------
    task : {"classification", "regression"}
        What is predicted.
    models : iterable of str, estimator or (name, estimator or class), optional
        Models to compare, ``"module:Class"`` for those of other installed libraries; all of
        margin's that take a table when absent.
    n_rows : int
        Rows to train on: models made for fewer are left out unless named.
    lowest_target : float
        Smallest target of a regression: models of counts are left out below 0.
    n_classes : int
        Classes of a classification: models of two are left out above 2.
    extra : iterable, optional
        Further models, in the same forms.
    """
    skipped: list[tuple[str, str]] = []
    admitted = [
        Entrant(name, "baseline", estimator, is_baseline=True)
        for name, estimator in baselines(task).items()
    ]
    chosen = _asked(task, models)
    if extra is not None:
        chosen = _different([*chosen, *_listed(task, extra)])
    named = {name for name, _ in (_listed(task, extra) if extra else ())}
    for name, thing in chosen:
        card: Card | None = getattr(thing, "card", None)
        model = as_model(name, thing, task)
        why_not = _unsuited(model, lowest_target, n_classes)
        if models is None and name not in named and card is not None and not why_not:
            why_not = _not_worth_it(card, task, n_rows, n_classes)
        if why_not:
            skipped.append((name, why_not))
        else:
            admitted.append(Entrant(name, family(type(model)), model, card))
    return admitted, skipped


def _unsuited(model: BaseEstimator, lowest_target: float, n_classes: int) -> str:
    """Why the model cannot be fitted to this table, or nothing."""
    tags = get_tags(model)
    if tags.input_tags.positive_only:
        return "takes no negative features, and ours are standardised"
    if tags.target_tags.positive_only and lowest_target < 0:
        return "takes no negative targets"
    if n_classes > 2 and tags.classifier_tags and not tags.classifier_tags.multi_class:
        return "tells two classes apart, not more"
    return ""


def _not_worth_it(card: Card, task: TaskName, n_rows: int, n_classes: int) -> str:
    """Why the model takes part only when named, or nothing."""
    if card.on_request:
        return "needs parameters of yours"
    if card.max_rows is not None and n_rows > card.max_rows:
        return f"made for at most {card.max_rows} rows"
    if task == "classification" and n_classes < card.min_classes:
        return f"made for {card.min_classes} classes or more"
    return ""


def _asked(task: TaskName, models: Iterable[Any] | None) -> list[tuple[str, Any]]:
    if models is None:
        return list(all_estimators(task=task, input="table"))
    return _different(_listed(task, models))


def _listed(task: TaskName, models: Iterable[Any]) -> list[tuple[str, Any]]:
    """Names and classes or instances of the models that were asked for."""
    known: dict[str, type] | None = None
    chosen: list[tuple[str, Any]] = []
    for model in models:
        if isinstance(model, str) and ":" in model:
            chosen.append(foreign(model))
        elif isinstance(model, str):
            known = dict(all_estimators(input="table")) if known is None else known
            if model not in known:
                raise ValueError(f"no model {model!r}{near(model, known)}")
            if task not in known[model].card.tasks:  # type: ignore[attr-defined]
                raise ValueError(f"model {model!r} is not made for {task}")
            chosen.append((model, known[model]))
        elif isinstance(model, tuple):
            chosen.append((str(model[0]), model[1]))
        else:
            kind = model if isinstance(model, type) else type(model)
            chosen.append((kind.__name__, model))
    return chosen


def _different(chosen: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    names = [name for name, _ in chosen]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"models must be different, got {twice!r} more than once")
    return chosen
