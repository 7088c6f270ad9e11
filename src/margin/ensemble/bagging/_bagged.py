"""What bagged classifiers and regressors share."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils._metadata_requests import _raise_for_params, _routing_enabled
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from margin.core import FitReport, Status, atomic, by_threads, check, random
from margin.core.types import Array, Floats, Matrix, Places
from margin.ensemble.bagging._draws import Plan, feature_count, row_count
from margin.ensemble.members._members import base_model, seeded, takes_weights


def fit_member(
    base: Any, X: Any, y: Any, plan: Plan, seed: int, given: dict[str, Any]
) -> tuple[Any, Places]:
    """A member trained on its draw; rows drawn several times count as often."""
    rows, features = plan.draw(seed)
    model = seeded(base, np.random.default_rng([seed, 1]))
    table = X if plan.all_features else X[:, features]
    if takes_weights(base):
        counts = np.bincount(rows, minlength=plan.n_rows).astype(np.float64)
        model.fit(table, y, **given, sample_weight=counts)
        return model, features
    drawn = {
        name: _safe_indexing(value, rows) if np.shape(value)[:1] == (plan.n_rows,) else value
        for name, value in given.items()
    }
    model.fit(_safe_indexing(table, rows), y[rows], **drawn)
    return model, features


class Bagged(BaseEstimator, ABC):
    """An ensemble of copies of one model, each trained on a draw of rows and features.

    A subclass has the parameters of scikit-learn's bagging.
    """

    estimator: Any
    n_estimators: int
    max_samples: Any
    max_features: Any
    bootstrap: bool
    bootstrap_features: bool
    oob_score: bool
    warm_start: bool
    n_jobs: int | None
    random_state: Any
    verbose: int

    @abstractmethod
    def _default(self) -> Any:
        """The model to copy where none is given."""

    @abstractmethod
    def _targets(self, y: Any) -> Any:
        """Checked targets, as the members see them."""

    @abstractmethod
    def _judge_out_of_bag(self, X: Any, y: Array) -> None:
        """Store the predictions of rows by the members that did not see them, and their score."""

    def _base(self) -> Any:
        return base_model(self, self.estimator, self._default())

    @atomic
    def fit(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> Self:
        """Train every member on its draw.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Whatever the members take, missing values included.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Probabilities of the draws, up to a factor.
        **fit_params : dict
            Handed to ``fit`` of the members; what has an entry per row, for their rows.

        Returns
        -------
        self
        """
        self._check_settings()
        base, given = self._base(), self._routed("fit", fit_params)
        X, y = check.validated(
            self,
            check.structure(self, X),
            y,
            accept_sparse=["csr", "csc"],
            dtype=None,
            ensure_all_finite=False,
            multi_output=True,
        )
        weight = check.weights(self, sample_weight, X.shape[0])
        if weight is not None and not self.bootstrap:
            warnings.warn(
                f"When fitting {type(self).__name__} with sample_weight it is recommended to use "
                "bootstrap=True",
                UserWarning,
                stacklevel=2,
            )
        targets = self._targets(y)
        plan = self._plan_draws(X.shape, weight)
        kept = self._kept()
        if len(kept) > self.n_estimators:
            need = f"at least len(estimators_)={len(kept)} with warm_start=True"
            raise check.fail(self, "n_estimators", need, self.n_estimators)
        if len(kept) == self.n_estimators:
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new trees.",
                UserWarning,
                stacklevel=2,
            )
            return self
        rng = random.generator(self.random_state)
        seeds = [int(s) for s in rng.integers(2**31, size=self.n_estimators)]
        calls = ((base, X, targets, plan, seed, given) for seed in seeds[len(kept) :])
        members = by_threads(fit_member, calls, self.n_jobs, self.verbose)

        self.estimator_ = base
        self.estimators_ = [model for model, _ in kept] + [model for model, _ in members]
        self.estimators_features_ = [f for _, f in kept] + [f for _, f in members]
        self._plan, self._seeds = plan, seeds
        self._forget_out_of_bag()
        if self.oob_score:
            self._judge_out_of_bag(X, targets)
        self.fit_report_ = FitReport(
            type(self).__name__,
            f"{len(self.estimators_)} x {type(base).__name__}",
            Status.CONVERGED,
            len(self.estimators_),
            0.0,
            notes=(f"each of {plan.rows} rows drawn from {plan.n_rows}",),
        )
        return self

    def _check_settings(self) -> None:
        check.params(
            self,
            count="n_estimators",
            flag="bootstrap bootstrap_features oob_score warm_start",
        )
        if self.oob_score and not self.bootstrap:
            raise check.fail(self, "bootstrap", "True for an out of bag estimation", False)
        if self.oob_score and self.warm_start:
            raise check.fail(self, "warm_start", "False for an out of bag estimate", True)

    def _plan_draws(self, shape: tuple[int, int], weight: Floats | None) -> Plan:
        name, n_rows = type(self).__name__, shape[0]
        rows = row_count(name, self.max_samples, n_rows, weight)
        if not self.bootstrap and rows > n_rows:
            raise ValueError(
                f"{name}: max_samples must be <= n_samples={n_rows} without bootstrap, got {rows}: "
                f"max_samples={rows} must be <= n_samples={n_rows} to be able to sample without "
                "replacement."
            )
        return Plan(
            *shape,
            rows,
            feature_count(name, self.max_features, shape[1]),
            self.bootstrap,
            self.bootstrap_features,
            None if weight is None or np.ptp(weight) == 0.0 else weight / weight.sum(),
        )

    def _kept(self) -> list[tuple[Any, Places]]:
        """Members of an earlier fit that a warm start goes on from."""
        if not self.warm_start or not hasattr(self, "estimators_"):
            return []
        return list(zip(self.estimators_, self.estimators_features_, strict=True))

    def _forget_out_of_bag(self) -> None:
        for name in ("oob_score_", "oob_decision_function_", "oob_prediction_"):
            if hasattr(self, name):
                delattr(self, name)

    @property
    def estimators_samples_(self) -> list[Places]:
        """Rows that each member was trained on, as often as they were drawn."""
        check_is_fitted(self)
        return [self._plan.draw(seed)[0] for seed in self._seeds[: len(self.estimators_)]]

    def __len__(self) -> int:
        return len(self.estimators_)

    def __getitem__(self, index: Any) -> Any:
        return self.estimators_[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    def _table(self, X: Matrix) -> Any:
        check_is_fitted(self)
        return check.validated(
            self,
            check.structure(self, X),
            accept_sparse=["csr", "csc"],
            dtype=None,
            ensure_all_finite=False,
            reset=False,
        )

    def _ask(self, question: Callable[[Any, Any], Floats], X: Any) -> list[Floats]:
        """Answers of all members to one question about their columns of a checked table."""
        whole = self._plan.all_features
        pairs = zip(self.estimators_, self.estimators_features_, strict=True)
        calls = ((model, X if whole else X[:, features]) for model, features in pairs)
        return by_threads(question, calls, self.n_jobs, self.verbose)

    def _unseen(self, n_rows: int) -> Iterator[tuple[Any, Places, Places]]:
        """Each member with the rows that it was not trained on and its features."""
        members = zip(
            self.estimators_, self.estimators_samples_, self.estimators_features_, strict=True
        )
        for model, rows, features in members:
            yield model, np.setdiff1d(np.arange(n_rows), rows), features

    def _warn_of_gaps(self, counts: Array) -> None:
        if (counts == 0).any():
            warnings.warn(
                f"{type(self).__name__}: Some inputs do not have OOB scores. This probably means "
                "too few estimators were used to compute any reliable oob estimates.",
                UserWarning,
                stacklevel=4,
            )

    def _routed(self, method: str, given: dict[str, Any]) -> dict[str, Any]:
        if not _routing_enabled():
            return dict(given)
        return dict(process_routing(self, method, **given).estimator[method])

    @abstractmethod
    def _answering(self) -> dict[str, str]:
        """Methods that ask the members, and which method of theirs answers."""

    def _handed_on(self, method: str, given: dict[str, Any]) -> dict[str, Any]:
        """What metadata routing sends to the members that are asked."""
        _raise_for_params(given, self, method)
        if not given:
            return {}
        callee = self._answering()[method]
        return dict(process_routing(self, method, **given).estimator[callee])

    def get_metadata_routing(self) -> MetadataRouter:
        """Which parameters of ``fit`` and of predictions go to the members."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        for caller, callee in self._answering().items():
            mapping.add(caller=caller, callee=callee)
        router = MetadataRouter(owner=type(self).__name__)
        return router.add(estimator=self._base(), method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = get_tags(self._base()).input_tags
        tags.input_tags.sparse = base.sparse
        tags.input_tags.allow_nan = base.allow_nan
        return tags
