"""The parameters of gradient boosting, and what they mean for one table."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from margin.core import check
from margin.ensemble.boosting._boost_settings import BoostSettings
from margin.ensemble.boosting._boosted_trees import BoostedTrees
from margin.ensemble.boosting._fit_boosting import Sample
from margin.ensemble.boosting._growth_settings import (
    CRITERIA,
    Weights,
    checked_rules,
    growth_rules,
)
from margin.search import TreeRules, directions_of, interaction_sets

OF_TREES = (
    *("max_depth", "min_samples_split", "min_weight_fraction_leaf", "max_features"),
    *("max_leaf_nodes", "min_impurity_decrease"),
)
_MANY_ROWS = 10_000  # from which early_stopping="auto" stops early
_PATIENCE = 10  # stages without progress where early_stopping=True says no number


class BoostParameters(BoostedTrees):
    """Parameters of boosted trees: checked, and as settings of the engine."""

    def _check_params(self) -> TreeRules:
        check.params(
            self,
            positive="learning_rate",
            nonnegative="l2_regularization min_child_weight min_gain tol ccp_alpha",
            count="n_estimators",
            flag="warm_start",
            one_of={"sampling": ("uniform", "goss"), "early_stopping": (True, False, "auto", None)},
        )
        rules = TreeRules(
            criterion=self.criterion,
            min_samples_leaf=self.min_samples_leaf,
            **{name: getattr(self, name) for name in OF_TREES},
        )
        if not (self.scoring is None or isinstance(self.scoring, str) or callable(self.scoring)):
            raise check.fail(self, "scoring", "'loss', a scorer or None", self.scoring)
        if not (_is_count(self.max_bins) and 2 <= self.max_bins <= 255):
            raise check.fail(self, "max_bins", "an integer from 2 to 255", self.max_bins)
        patience = self.n_iter_no_change
        if not (patience is None or (_is_count(patience) and patience >= 1)):
            need = "None or an integer of at least 1"
            raise check.fail(self, "n_iter_no_change", need, patience)
        for name, absent in (("subsample", False), ("validation_fraction", True)):
            value = getattr(self, name)
            if value is None and absent:
                continue
            most = "at most" if name == "subsample" else "below"
            fits = isinstance(value, float | int) and not isinstance(value, bool) and value > 0
            if not fits or not (value <= 1 if name == "subsample" else value < 1):
                raise check.fail(self, name, f"a number above 0 and {most} 1", value)
        checked = checked_rules(self, rules)
        if CRITERIA[self.criterion] != "newton" and self.monotonic_cst is not None:
            raise check.fail(self, "criterion", "'newton' with monotonic_cst", self.criterion)
        return checked

    def _patience(self, n_rows: int) -> int:
        """Stages without progress that end the fit; 0 for none."""
        given = self.n_iter_no_change
        stops = self.early_stopping
        if stops is None:
            return 0 if given is None else int(given)
        if stops is False or (stops == "auto" and n_rows <= _MANY_ROWS):
            return 0
        return _PATIENCE if given is None else int(given)

    def _settings(
        self, rules: TreeRules, sample: Sample, patience: int, first: int, seed: int, bends: bool
    ) -> BoostSettings:
        """What the parameters mean for this table; ``bends``: curvatures are no weights."""
        n, p = sample.X.shape
        least_squares = CRITERIA[rules.criterion] == "squared_error" or (
            bends and rules.min_weight_fraction_leaf > 0 and sample.weight is not None
        )
        names = getattr(self, "feature_names_in_", None)
        columns = self.category_columns_
        directions = directions_of(
            self,
            self.monotonic_cst,
            p,
            names=names,
            categorical=None if columns is None else columns.mask,
        )
        if least_squares and directions:
            need = "0 with monotonic_cst and weights for this loss"
            share = rules.min_weight_fraction_leaf
            raise check.fail(self, "min_weight_fraction_leaf", need, share)
        growth = growth_rules(
            rules,
            n,
            p,
            Weights.of(n, sample.weight, float(self.subsample)),
            min_child_weight=0.0 if least_squares else float(self.min_child_weight),
            min_gain=float(self.min_gain),
            l2=float(self.l2_regularization),
            monotonic=directions,
            interaction=interaction_sets(self, self.interaction_cst, p, names=names),
        )
        return BoostSettings(
            n_stages=self.n_estimators - first,
            rate=float(self.learning_rate),
            rules=growth,
            subsample=float(self.subsample),
            one_side=self.sampling == "goss",
            patience=patience,
            tol=float(self.tol),
            least_squares=least_squares,
            pruning=float(self.ccp_alpha),
            first_stage=first,
            seed=seed,
        )


def _is_count(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
