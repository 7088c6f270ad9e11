"""The race so far: outcomes by model and fold, who leads, who is hopelessly behind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from margin.evaluation.race._evidence import Gap, gap, hopeless
from margin.evaluation.race._fold import Outcome
from margin.evaluation.race._plan import LEADERS
from margin.evaluation.table._shown import shown


class Scoreboard:
    """Finished folds of all models.

    Parameters
    ----------
    test_share : float
        Held-out rows per training row of a fold.
    """

    def __init__(self, test_share: float) -> None:
        self._test_share = test_share
        self._folds: dict[str, dict[int, Outcome]] = {}

    def add(self, outcome: Outcome) -> None:
        """Count the finished fold of a model."""
        self._folds.setdefault(outcome.model, {})[outcome.fold] = outcome

    def folds(self, name: str) -> Mapping[int, Outcome]:
        """Finished folds of a model."""
        return self._folds.get(name, {})

    def outcomes(self, names: Iterable[str]) -> tuple[Outcome, ...]:
        """Everything, fold by fold, the models of a fold in the given order."""
        everything = [o for name in names for o in self.folds(name).values()]
        return tuple(sorted(everything, key=lambda o: o.fold))

    def seconds(self, name: str) -> float:
        """Seconds of the longest fold of a model, tuning included; 0 if it has none."""
        return max((o.seconds for o in self.folds(name).values()), default=0.0)

    def last(self, name: str) -> Outcome:
        """The latest finished fold of a model."""
        return next(reversed(list(self.folds(name).values())))

    def ranked(self, names: Iterable[str]) -> list[str]:
        """Models with a finished fold, best first, by :func:`adjusted` means."""
        scores = {n: {f: o.score for f, o in self.folds(n).items() if not o.error} for n in names}
        means = adjusted({n: s for n, s in scores.items() if s})
        return sorted(means, key=lambda n: (-means[n] if means[n] == means[n] else math.inf, n))

    def behind(self, leader: str, name: str) -> tuple[Gap, int]:
        """How far a model is behind the leader, and over how many folds."""
        ahead, other = ({f: o.blocks for f, o in self.folds(n).items()} for n in (leader, name))
        return gap(ahead, other, test_share=self._test_share), len(set(ahead) & set(other))

    def hopeless(
        self, names: Iterable[str], credit: Mapping[str, float] | None = None
    ) -> dict[str, str]:
        """Models that can leave, with the reason; the best three never do.

        Parameters
        ----------
        names : iterable of str
            Models that are still in.
        credit : mapping of str to float, optional
            What a model may still gain.
        """
        ranked = self.ranked(names)
        credit = credit or {}
        leaving = {}
        for name in ranked[LEADERS:]:
            advantage, n_folds = self.behind(ranked[0], name)
            if hopeless(advantage, n_folds, credit=credit.get(name, 0.0)):
                folds = "1 fold" if n_folds == 1 else f"{n_folds} folds"
                leaving[name] = (
                    f"{shown(advantage.difference)} ± {shown(advantage.se)} behind {ranked[0]} "
                    f"after {folds}"
                )
        return leaving


def adjusted(scores: Mapping[str, Mapping[int, float]]) -> dict[str, float]:
    """Mean score of each model, as if all had run the folds of the best of those that ran most.

    Folds differ in difficulty: a model that ran fewer than the reference gets the mean of the
    reference plus its mean difference on the folds that both ran; without common folds, its mean.

    Examples
    --------
    >>> adjusted({"a": {0: 0.9, 1: 0.5}, "b": {0: 0.8}})
    {'a': 0.7, 'b': 0.6}
    """
    if not scores:
        return {}
    means = {name: float(np.mean(list(folds.values()))) for name, folds in scores.items()}
    most = max(len(folds) for folds in scores.values())
    reference = max(
        (n for n in scores if len(scores[n]) == most),
        key=lambda n: (means[n] == means[n], means[n]),
    )
    whole = scores[reference]
    for name, folds in scores.items():
        common = sorted(set(folds) & set(whole))
        if len(folds) < most and common:
            difference = float(np.mean([folds[f] - whole[f] for f in common]))
            means[name] = round(means[reference] + difference, 15)
    return means
