"""What mixtures of regressions answer, with or without a gate."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Blocks, FitError, Status, atomic, check, random
from margin.core.types import Floats
from margin.distributions import Normal
from margin.inference import Gain, Soft, Squarem, expectation_maximisation
from margin.mixture.regression._linear_experts import (
    ExpertSteps,
    FromVector,
    LinearExperts,
    exact_repairs,
    to_vector,
)
from margin.mixture.regression._predicted_mixture import PredictedMixture
from margin.mixture.regression._target_rows import TargetRows


class ExpertModel(RegressorMixin, BaseEstimator, ABC):
    """Fit and answers of linear regressions that share the rows."""

    n_components: int
    reg_var: float
    tol: float
    max_iter: int
    n_init: int
    random_state: Any
    _gated = False

    @abstractmethod
    def __init__(self) -> None:
        """Store the parameters."""

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the regressions and the weights, or the gate, that choose among them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._check_params()
        X, y, weight = check.data(self, X, y, sample_weight)
        w = np.ones(len(y)) if weight is None else weight
        return self._search(TargetRows(((self._design(X), y, w),)))

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Find the regressions for rows that are read block by block in every pass.

        Parameters
        ----------
        blocks : callable or iterable
            Gives tuples ``(X, y)`` or ``(X, y, sample_weight)``, anew each time it is read.

        Returns
        -------
        self
            Equal to the fit in memory up to rounding.
        """
        self._check_params()
        return self._search(TargetRows(_Blocks(self, Blocks.of(self, blocks))))

    def _check_params(self) -> None:
        check.params(
            self, nonnegative="tol", positive="reg_var", count="n_components max_iter n_init"
        )
        if self._gated:
            check.params(self, nonnegative="alpha")

    def _search(self, rows: TargetRows) -> Self:
        k, alpha = int(self.n_components), float(getattr(self, "alpha", 0.0))
        totals = rows.totals()
        if totals.n_weighted < k:
            need = f"at least {k} samples with weight"
            raise check.fail(self, "X", need, totals.n_weighted)
        floor = float(self.reg_var) * (totals.variance or 1.0)
        steps = ExpertSteps.of(rows, totals, gated=self._gated, floor=floor, alpha=alpha)
        rng = random.generator(self.random_state)
        solution = expectation_maximisation(
            steps.expect,
            steps.maximise,
            (steps.start(k, rng) for _ in range(self.n_init)),
            tol=float(self.tol),
            max_iter=int(self.max_iter),
            measure=Gain(),
            accelerate=Squarem(to_vector, FromVector(len(totals.gram), k, self._gated)),
            advice=("raise tol", "use fewer components"),
        )
        if solution.status is Status.FAILED:
            raise FitError(f"{type(self).__name__}: {solution.message}")
        experts: Any = solution.x
        self._keep(experts)
        self.n_iter_ = solution.n_iter
        self.lower_bound_ = -solution.objective
        self.converged_ = solution.status.ok
        told = dict.fromkeys((*solution.repairs, *exact_repairs(experts, floor)))
        self.fit_report_ = check.report(self, replace(solution, repairs=tuple(told)))
        return self

    def _keep(self, experts: LinearExperts) -> None:
        self.intercepts_ = experts.weights[0]
        self.coefs_ = experts.weights[1:].T.copy()
        self.variances_ = experts.variances
        if self._gated:
            self.gate_intercept_ = experts.gate[0]
            self.gate_coef_ = experts.gate[1:].T.copy()
        else:
            self.weights_ = np.exp(experts.gate[0])

    def _experts(self) -> LinearExperts:
        weights = np.concatenate([self.intercepts_[None], self.coefs_.T])
        if self._gated:
            gate = np.concatenate([self.gate_intercept_[None], self.gate_coef_.T])
        else:
            with np.errstate(divide="ignore"):
                gate = np.log(self.weights_)[None]
        return LinearExperts(weights, self.variances_, gate)

    @staticmethod
    def _design(X: Any) -> Floats:
        return np.column_stack([np.ones(len(X)), np.asarray(X, dtype=np.float64)])

    def predict_dist(self, X: Any) -> PredictedMixture:
        """The distribution of the target of every row, with all its modes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        PredictedMixture
        """
        check_is_fitted(self)
        Z, at = self._design(check.table(self, X)), self._experts()
        width = np.broadcast_to(np.sqrt(at.variances), (len(Z), len(at.variances)))
        return PredictedMixture(np.exp(at.log_choice(Z)), Normal(Z @ at.weights, width))

    def predict(self, X: Any) -> Floats:
        """Expected target of every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self.predict_dist(X).mean

    def predict_component(self, X: Any, y: Any) -> Floats:
        """Probability of every regression given row and target.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return Soft()(self._log_joint(X, y)).share

    def log_likelihoods(self, X: Any, y: Any) -> Floats:
        """Log density of the target of every row, of shape (n_samples,)."""
        return np.asarray(logsumexp(self._log_joint(X, y), axis=1))

    def _log_joint(self, X: Any, y: Any) -> Floats:
        law = self.predict_dist(X)
        with np.errstate(divide="ignore"):
            level = np.log(law.weights)
        return law.components.log_prob(np.asarray(y, dtype=np.float64)[:, None]) + level


@dataclass(frozen=True, eq=False)
class _Blocks:
    """Checked blocks, with a column of ones and weights."""

    owner: ExpertModel
    blocks: Blocks

    def __iter__(self) -> Iterator[tuple[Floats, Floats, Floats]]:
        for number, block in enumerate(self.blocks):
            if len(block) not in (2, 3):
                need = "of tuples (X, y) or (X, y, sample_weight)"
                raise check.fail(self.owner, "blocks", need, f"a block of {len(block)} parts")
            X, y, weight = check.data(self.owner, *block, reset=number == 0, part=True)
            design = np.column_stack([np.ones(len(X)), np.asarray(X, dtype=np.float64)])
            yield design, y, np.ones(len(y)) if weight is None else weight
