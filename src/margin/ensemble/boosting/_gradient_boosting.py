"""What the classifier and the regressor have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Solution, check, progress, random, threads
from margin.core.types import Bools, Floats
from margin.ensemble.boosting._boost import BoostSettings
from margin.ensemble.boosting._category_columns import CategoryColumns
from margin.ensemble.boosting._fit_boosting import BoostedModel, fit_boosting
from margin.ensemble.boosting._growth_settings import (
    interaction_sets,
    monotonic_directions,
    split_features,
)
from margin.ensemble.boosting._objective import Objective
from margin.search import Forest, GrowthRules, TreeSum
from margin.search.growing._tree_sum import Link

_MANY_ROWS = 10_000  # from which early_stopping="auto" stops early


class GradientBoosting(BaseEstimator, ABC):
    """Parameters, fit and raw scores of boosted trees; see the two estimators."""

    @abstractmethod
    def _objective(self, y: NDArray[Any], weight: Floats | None, n_threads: int) -> Objective:
        """The loss of coded targets."""

    @abstractmethod
    def _score(self, X: Any, y: NDArray[Any], weight: Floats | None, raw: Floats) -> float:
        """Score of the scorer that ``scoring`` names, larger is better."""

    def _check_params(self) -> None:
        check.params(
            self,
            positive="learning_rate",
            nonnegative="l2_regularization min_child_weight min_gain tol",
            count="n_estimators min_samples_leaf n_iter_no_change",
            flag="warm_start",
            one_of={"sampling": ("uniform", "goss"), "early_stopping": (True, False, "auto")},
        )
        for name in ("max_leaf_nodes", "max_depth"):
            value, least = getattr(self, name), 2 if name == "max_leaf_nodes" else 1
            if value is not None and not (_is_count(value) and value >= least):
                raise check.fail(self, name, f"None or an integer of at least {least}", value)
        is_model = hasattr(self.init, "fit") and hasattr(self.init, "get_params")
        if not (self.init is None or is_model or _is_zero(self.init)):
            raise check.fail(self, "init", "None, 'zero' or an estimator", self.init)
        if not (self.scoring is None or isinstance(self.scoring, str) or callable(self.scoring)):
            raise check.fail(self, "scoring", "'loss', a scorer or None", self.scoring)
        if not isinstance(self.verbose, int | np.integer | np.bool_) or self.verbose < 0:
            raise check.fail(self, "verbose", "an integer of at least 0", self.verbose)
        if not (_is_count(self.max_bins) and 2 <= self.max_bins <= 255):
            raise check.fail(self, "max_bins", "an integer from 2 to 255", self.max_bins)
        for name, absent in (("subsample", False), ("validation_fraction", True)):
            value = getattr(self, name)
            if value is None and absent:
                continue
            most = "at most" if name == "subsample" else "below"
            fits = isinstance(value, float | int) and not isinstance(value, bool) and value > 0
            if not fits or not (value <= 1 if name == "subsample" else value < 1):
                raise check.fail(self, name, f"a number above 0 and {most} 1", value)

    def _settings(self, n_features: int, n_stages: int, patient: bool) -> BoostSettings:
        rules = GrowthRules(
            max_leaf_nodes=self.max_leaf_nodes or 0,
            max_depth=self.max_depth or 0,
            min_samples_leaf=self.min_samples_leaf,
            min_child_weight=float(self.min_child_weight),
            min_gain=float(self.min_gain),
            l2=float(self.l2_regularization),
            split_features=split_features(self, self.max_features, n_features),
            monotonic=monotonic_directions(
                self, self.monotonic_cst, n_features, getattr(self, "feature_names_in_", None)
            ),
            interaction=interaction_sets(self, self.interaction_cst, n_features),
        )
        return BoostSettings(
            n_stages=n_stages,
            rate=float(self.learning_rate),
            rules=rules,
            subsample=float(self.subsample),
            one_side=self.sampling == "goss",
            patience=self.n_iter_no_change if patient else 0,
            tol=float(self.tol),
        )

    def _learn(
        self,
        X: NDArray[Any],
        y: NDArray[Any],
        weight: Floats | None,
        offset: Floats | None,
        *,
        stratify: bool,
    ) -> None:
        """Fit on checked data with coded targets, and keep what was learnt."""
        n_threads = threads.count(self.n_jobs)
        before = self._before()
        stages_before = 0 if before is None else self.n_iter_
        if before is not None and self.n_estimators < stages_before:
            need = f"at least {stages_before}, the stages fitted, with warm_start=True"
            raise check.fail(self, "n_estimators", need, self.n_estimators)
        patient = self.early_stopping is True or (
            self.early_stopping == "auto" and len(y) > _MANY_ROWS
        )
        held_out = self.validation_fraction if patient else None
        settings = self._settings(X.shape[1], self.n_estimators - stages_before, patient)

        def measure(rows: Any, labels: Any, own: Floats | None, raw: Floats) -> float:
            if isinstance(self.scoring, str) and self.scoring == "loss":
                objective = self._objective(labels, own, n_threads)
                g, h = np.empty(raw.shape, dtype=np.float32), np.empty(raw.shape, dtype=np.float32)
                total = len(labels) if own is None else own.sum()
                return float(objective.slopes(raw, g, h) / total)
            return -self._score(rows, labels, own, raw)

        with progress.bar(type(self).__name__, self.n_estimators) as tick:
            model, solution = fit_boosting(
                X,
                y,
                weight,
                make=lambda labels, own: self._objective(labels, own, n_threads),
                measure=measure,
                settings=settings,
                offset=offset,
                held_out=0.0 if held_out is None else float(held_out),
                stratify=stratify,
                categorical=self._category_mask(),
                max_bins=self.max_bins,
                before=before,
                rng=random.generator(self.random_state),
                n_threads=n_threads,
                callback=tick,
            )
        self._keep(model, solution, stages_before, patient and held_out is not None)

    def _keep(
        self, model: BoostedModel, solution: Solution, stages_before: int, aside: bool
    ) -> None:
        trace = solution.trace
        earlier = vars(self)["train_score_"] if stages_before else np.empty(0)
        self.train_score_ = np.concatenate([earlier, trace["objective"][1:]])
        if aside:
            sign = 1.0 if isinstance(self.scoring, str) and self.scoring == "loss" else -1.0
            earlier = getattr(self, "validation_score_", np.empty(0)) if stages_before else []
            self.validation_score_ = np.concatenate([earlier, sign * trace["watched"][1:]])
        self.n_iter_ = self.n_estimators_ = stages_before + solution.n_iter
        self.bins_, self.baseline_, self.forest_ = model.bins, model.start, model.forest
        self.fit_report_ = check.report(self, solution)

    def _before(self) -> BoostedModel | None:
        if not self.warm_start or not hasattr(self, "forest_"):
            return None
        return BoostedModel(self.bins_, self.baseline_, self.forest_)

    def _category_mask(self) -> Bools | None:
        columns: CategoryColumns | None = self.category_columns_
        return None if columns is None else columns.mask

    def _coded(self, X: Any) -> Any:
        """The table with numbers in the place of categories."""
        check_is_fitted(self)
        columns: CategoryColumns | None = self.category_columns_
        return X if columns is None else columns.encode(X)

    def _table(self, X: Any) -> Any:
        return check.table(self, self._coded(X), missing=True)

    @abstractmethod
    def _offset(self, X: Any) -> Floats | None:
        """Scores of the model that the trees improve on, shape (n_rows, n_outputs)."""

    def _start_scores(self, X: Any) -> Floats:
        raw = np.repeat(self.baseline_[None, :], X.shape[0], axis=0)
        offset = self._offset(X)
        return raw if offset is None else raw + offset

    def _raw(self, X: Any) -> Floats:
        """Scores, shape (n_rows, n_outputs)."""
        table = self._table(X)
        raw = self._start_scores(table)
        if self.forest_ is not None:
            self.forest_.predict(table, out=raw, n_threads=threads.count(self.n_jobs))
        return raw

    def _staged_raw(self, X: Any) -> Iterator[Floats]:
        """Scores after every stage."""
        table = self._table(X)
        raw, width = self._start_scores(table), len(self.baseline_)
        for stage in range(self.n_iter_):
            self._trees().predict(
                table,
                first=stage * width,
                last=(stage + 1) * width,
                out=raw,
                n_threads=threads.count(self.n_jobs),
            )
            yield raw.copy()

    @property
    @abstractmethod
    def _link(self) -> Link:
        """From scores to answers."""

    def coded_table(self, X: Any) -> Any:
        """The table as the trees see it: checked, with codes in the place of categories.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        return self._table(X)

    def to_trees(self) -> TreeSum:
        """The model as a sum of trees, to be explained or written to a file.

        Returns
        -------
        TreeSum
            Of the trees alone, without the scores of an ``init`` model.
        """
        check_is_fitted(self)
        names = tuple(map(str, getattr(self, "feature_names_in_", ())))
        base = tuple(float(b) for b in self.baseline_)
        return TreeSum(self._trees(), base=base, link=self._link, feature_names=names)

    def _trees(self) -> Forest:
        forest: Forest | None = self.forest_
        if forest is None:
            raise ValueError(f"{type(self).__name__}: the fit was interrupted before a tree")
        return forest

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the gains of all splits; they sum to 1, or are all 0."""
        check_is_fitted(self)
        total = np.zeros(self.n_features_in_)
        if self.forest_ is not None:
            inner = ~self.forest_.is_leaf
            np.add.at(total, self.forest_.feature[inner], self.forest_.gain[inner])
        return total / total.sum() if total.sum() > 0 else total

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Leaf of each row in each tree, shape (n_rows, n_trees)."""
        table = self._table(X)
        return self._trees().apply(table, n_threads=threads.count(self.n_jobs))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _is_count(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_zero(init: Any) -> bool:
    return isinstance(init, str) and init == "zero"
