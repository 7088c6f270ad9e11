"""How the classifier and the regressor are fitted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import Solution, check, progress, random, threads
from margin.core.types import Bools, Floats
from margin.ensemble.boosting._boost import Stage
from margin.ensemble.boosting._boost_parameters import OF_TREES, BoostParameters
from margin.ensemble.boosting._boost_settings import BoostSettings
from margin.ensemble.boosting._fit_boosting import BoostedModel, Sample, divided, fit_boosting
from margin.ensemble.boosting._objective import Objective
from margin.ensemble.boosting._stage_table import StageTable
from margin.search import TreeRules

Model = Callable[[], BoostedModel]
_KEPT = ("loss", "quantile", "alpha", "max_bins", "init")  # what a warm start must not change
_OUT_OF_BAG = ("oob_improvement_", "oob_scores_", "oob_score_")


class GradientBoosting(BoostParameters):
    """The fit of boosted trees; see the two estimators."""

    @abstractmethod
    def _objective(self, y: NDArray[Any], weight: Floats | None, n_threads: int) -> Objective:
        """The loss of coded targets."""

    @abstractmethod
    def _score(self, X: Any, y: NDArray[Any], weight: Floats | None, raw: Floats) -> float:
        """Score of the scorer that ``scoring`` names, larger is better."""

    @abstractmethod
    def _fit_init(self, sample: Sample) -> Any:
        """The model given as ``init``, fitted on coded targets."""

    def _learn(self, rules: TreeRules, sample: Sample, monitor: Any, *, stratify: bool) -> None:
        """Fit on checked data with coded targets, and keep what was learnt."""
        n_threads = threads.count(self.n_jobs)
        rng = random.generator(self.random_state)
        seed = int(rng.integers(2**63))
        before = self._before(sample.X.shape[1])
        first = 0 if before is None else self.n_iter_
        aside: Sample | None = None
        if sample.weight is not None and not sample.weight.all():
            sample = sample.part(np.flatnonzero(sample.weight > 0))
        patience = self._patience(len(sample.y))
        if patience and self.validation_fraction is not None:
            sample, aside = self._divided(sample, rng, stratify)
        if before is None:
            self._init_model = self._fit_init(sample)
        sample = self._with_offset(sample)
        aside = None if aside is None else self._with_offset(aside)
        objective = self._objective(sample.y[:1], _first(sample.weight), n_threads)
        scale = objective.loss_scale
        history = self._history(first > 0)
        settings = replace(
            self._settings(rules, sample, patience, first, seed, objective.bends), history=history
        )
        self.max_features_ = rules.columns_per_split(sample.X.shape[1])

        by_loss = isinstance(self.scoring, str) and self.scoring == "loss"

        def measure(rows: Any, labels: Any, own: Floats | None, raw: Floats) -> float:
            if by_loss:
                return scale * self._objective(labels, own, n_threads).mean_loss(raw)
            return -self._score(rows, labels, own, raw)

        # Without rows set aside a score is taken on those learnt from; their loss is known anyway.
        watched = sample if patience and aside is None and not by_loss else aside
        self._forget(first > 0)
        with progress.bar(type(self).__name__, self.n_estimators) as tick:
            model, solution = fit_boosting(
                sample,
                watched,
                make=lambda labels, own: self._objective(labels, own, n_threads),
                measure=measure,
                settings=settings,
                categorical=self._category_mask(),
                max_bins=self.max_bins,
                before=before,
                rng=rng,
                n_threads=n_threads,
                callback=tick,
                after=self._after(sample, settings, scale, monitor),
            )
        self._keep(model, solution, settings, scale, aside is not None)

    def _divided(
        self, sample: Sample, rng: np.random.Generator, stratify: bool
    ) -> tuple[Sample, Sample]:
        """Rows to learn from and rows set aside."""
        fewest = np.unique(sample.y, return_counts=True)[1].min() if stratify else len(sample.y)
        if fewest < 2:
            kind = "of every class" if stratify else "in all"
            need = f"None where there are not two rows {kind} to divide"
            raise check.fail(self, "validation_fraction", need, self.validation_fraction)
        labels = sample.y.astype(np.float64) if stratify else None
        train, held = divided(len(sample.y), labels, float(self.validation_fraction), rng)
        if stratify and len(np.unique(sample.y[train])) < len(np.unique(sample.y)):
            raise ValueError(
                f"{type(self).__name__}: validation_fraction must leave rows of every class: The "
                "training data after the early stopping split is missing some classes. Try using "
                f"another random seed., got {self.validation_fraction}"
            )
        return sample.part(train), sample.part(held)

    def _with_offset(self, sample: Sample) -> Sample:
        offset = self._offset(sample.X)
        offset = None if offset is None else np.ascontiguousarray(offset.T)
        return Sample(sample.X, sample.y, sample.weight, offset)

    def _forget(self, warm: bool) -> None:
        """What an earlier fit has measured."""
        if not warm:
            for name in (*_OUT_OF_BAG, "validation_score_", "train_score_"):
                if name in vars(self):
                    delattr(self, name)

    def _after(
        self, sample: Sample, settings: BoostSettings, scale: float, monitor: Any
    ) -> Callable[[Stage, Model], bool] | None:
        """What is to be done after every stage: print, and ask the monitor."""
        if monitor is not None and not callable(monitor):
            raise check.fail(self, "monitor", "None or a function of a stage", monitor)
        if not self.verbose and monitor is None:
            return None
        sampled = settings.subsample < 1.0 and not settings.one_side
        first = settings.first_stage
        table = None
        if self.verbose:
            table = StageTable(
                int(self.verbose), self.n_estimators, out_of_bag=sampled, first_stage=first
            )
        earlier = self._traces(first)
        seen: list[tuple[float, float, float]] = []

        def after(stage: Stage, model: Model) -> bool:
            seen.append((scale * stage.in_bag, scale * stage.out_of_bag, scale * stage.improvement))
            if table is not None:
                table.show(stage.number, seen[-1][0], seen[-1][2])
            if monitor is None:
                return False
            self._keep_traces(earlier, np.array(seen), sampled)
            self._keep_model(model(), stage.number, settings)
            mask = np.ones(len(sample.y), dtype=np.bool_)
            if stage.rows is not None:
                mask[:] = False
                mask[stage.rows] = True
            local = {
                "i": stage.number - 1,
                "X": sample.X,
                "y": sample.y,
                "sample_weight": sample.weight,
                "sample_mask": mask,
                "raw_predictions": stage.raw.T,
                "begin_at_stage": first,
            }
            return bool(monitor(stage.number - 1, self, local))

        return after

    def _traces(self, first: int) -> Floats:
        """Losses of the stages there were, in bag, out of bag and improvement."""
        past = np.zeros((first, 3))
        for k, name in enumerate(("train_score_", "oob_scores_", "oob_improvement_")):
            past[:, k] = vars(self).get(name, past[:, k])[:first]
        return past

    def _keep_traces(self, earlier: Floats, seen: Floats, sampled: bool) -> None:
        traces = np.concatenate([earlier, seen])
        self.train_score_ = traces[:, 0].copy()
        if sampled or "oob_scores_" in vars(self):
            self.oob_scores_ = traces[:, 1].copy()
            self.oob_improvement_ = traces[:, 2].copy()
            self.oob_score_ = float(self.oob_scores_[-1])

    def _keep_model(self, model: BoostedModel, n_stages: int, settings: BoostSettings) -> None:
        self.n_iter_ = self.n_estimators_ = n_stages
        self.bins_, self.baseline_, self.forest_ = model.bins, model.start, model.forest
        earlier = tuple(
            kind
            for kind in vars(self).get("_stage_parameters", ())
            if settings.first_stage and kind[0] <= settings.first_stage
        )
        parameters = {name: getattr(self, name) for name in OF_TREES}
        parameters["min_samples_leaf"] = settings.rules.min_samples_leaf
        kept = [name for name in _KEPT if hasattr(self, name)]
        self._kept_parameters = {name: repr(getattr(self, name)) for name in kept}
        self._stage_parameters = (*earlier, (n_stages, parameters, settings.rate))

    def _keep(
        self,
        model: BoostedModel,
        solution: Solution,
        settings: BoostSettings,
        scale: float,
        aside: bool,
    ) -> None:
        trace, first = solution.trace, settings.first_stage
        sampled = settings.subsample < 1.0 and not settings.one_side
        columns = [trace[name][1:] for name in ("in_bag", "out_of_bag", "improvement")]
        self._keep_traces(self._traces(first), scale * np.column_stack(columns), sampled)
        if aside:
            sign = 1.0 if isinstance(self.scoring, str) and self.scoring == "loss" else -1.0
            earlier = vars(self).get("validation_score_", np.empty(0)) if first else []
            self.validation_score_ = np.concatenate([earlier, sign * trace["watched"][1:]])
        self._watched = (*settings.history, *map(float, trace["watched"]))
        self._keep_model(model, first + solution.n_iter, settings)
        self.fit_report_ = check.report(self, solution)

    def _before(self, n_features: int) -> BoostedModel | None:
        """The model to go on from, if it is one of the same sums of trees."""
        if not self.warm_start or not hasattr(self, "forest_"):
            return None
        if self.n_estimators < self.n_iter_:
            need = f"at least {self.n_iter_}, the stages fitted, with warm_start=True"
            raise check.fail(self, "n_estimators", need, self.n_estimators)
        if n_features != self.bins_.n_features:
            need = f"of the {self.bins_.n_features} columns fitted, with warm_start=True"
            raise check.fail(self, "X", need, n_features)
        for name, there in self._kept_parameters.items():
            if repr(getattr(self, name)) != there:
                need = f"what it was, {there}, with warm_start=True"
                raise check.fail(self, name, need, getattr(self, name))
        return BoostedModel(self.bins_, self.baseline_, self.forest_)

    def _history(self, warm: bool) -> tuple[float, ...]:
        """What was watched in the stages there are, where the same rows are set aside again."""
        again = isinstance(self.random_state, Integral) or self.validation_fraction is None
        watched: tuple[float, ...] = vars(self).get("_watched", ())
        return watched[:-1] if warm and again else ()

    def _category_mask(self) -> Bools | None:
        columns = self.category_columns_
        return None if columns is None else columns.mask


def _first(weight: Floats | None) -> Floats | None:
    return None if weight is None else weight[:1]
