"""Naive Bayes with labels missing: expectation maximisation on sufficient statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp

from margin.core import Certificate, Solution, Status
from margin.core.types import Floats, Indices
from margin.linear._log_domain import log, weighted_sum
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import ColumnLikelihood, ColumnModel

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Rows:
    """Labelled and unlabelled rows of one table.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, p)
    code : ndarray of shape (n,)
        Class of each row, -1 where it is not known.
    n_classes : int
    weight : ndarray of shape (n,) or None
    """

    X: Any
    code: Indices
    n_classes: int
    weight: Floats | None = None

    def part(self, *, labelled: bool) -> Rows:
        """The rows whose class is known, or those whose class is not."""
        rows = np.flatnonzero((self.code >= 0) == labelled)
        if len(rows) == len(self.code):
            return self
        weight = None if self.weight is None else self.weight[rows]
        return Rows(self.X[rows], self.code[rows], self.n_classes, weight)


@dataclass(frozen=True)
class Driver:
    r"""Maximises the likelihood of all that was observed, classes of unlabelled rows summed out.

    .. math:: \sum_{i \in L} s_i \log \pi_{y_i} p(x_i \mid y_i)
              + \sum_{i \in U} s_i \log \sum_k \pi_k p(x_i \mid k) + \log p(\text{parameters})

    Every step computes the posterior of the classes of unlabelled rows, then the most probable
    parameters given these shares; the value never falls. With all rows labelled one step is the
    supervised fit, with none the model is a mixture, that is, a clustering.

    Parameters
    ----------
    model : ColumnModel
        What is assumed of the columns.
    priors : ndarray of shape (n_classes,) or None
        Class priors; estimated when absent.
    tol : float
        Least relative improvement of the value to go on.
    max_iter : int
        Most steps.
    """

    model: ColumnModel
    priors: Floats | None
    tol: float
    max_iter: int

    def run(self, rows: Rows, start: Floats | None) -> Solution:
        """Steps from shares of the unlabelled rows; from the labelled rows alone when absent."""
        known, open_rows = rows.part(labelled=True), rows.part(labelled=False)
        members = Membership.hard(known.code, rows.n_classes, known.weight)
        fixed, fixed_total = self.model.statistics(known.X, members), members.total
        share = start
        if share is None:
            likelihood, log_prior = self.model.fit(fixed), self._log_prior(fixed_total)
            share = _posterior(likelihood, log_prior, open_rows.X)[0]
        trace: list[float] = []
        n = rows.X.shape[0] if rows.weight is None else float(rows.weight.sum())
        status = Status.MAX_ITER
        while len(trace) < self.max_iter:
            members = Membership.soft(share, open_rows.weight)
            stats, total = fixed, fixed_total
            if len(share):
                stats = fixed + self.model.statistics(open_rows.X, members)
                total = fixed_total + members.total
            likelihood, log_prior = self.model.fit(stats), self._log_prior(total)
            share, evidence = _posterior(likelihood, log_prior, open_rows.X)
            value = likelihood.total_log_prob(fixed) + weighted_sum(fixed_total, log_prior)
            value += float(
                evidence.sum() if open_rows.weight is None else evidence @ open_rows.weight
            )
            trace.append(-(value + likelihood.log_penalty) / n)
            if not len(share) or self._settled(trace):
                status = Status.CONVERGED
                break
        return self._solution(trace, status, likelihood, log_prior)

    def _log_prior(self, total: Floats) -> Floats:
        return log(total / total.sum() if self.priors is None else self.priors)

    def _settled(self, trace: list[float]) -> bool:
        return len(trace) > 1 and trace[-2] - trace[-1] <= self.tol * max(1.0, abs(trace[-1]))

    def _solution(
        self, trace: list[float], status: Status, likelihood: ColumnLikelihood, log_prior: Floats
    ) -> Solution:
        objective = np.array(trace)
        scale = max(1.0, float(np.abs(objective).max()))
        message = ""
        if status is Status.MAX_ITER:
            message = (
                f"the likelihood still improved after {self.max_iter} steps; raise max_iter or tol"
            )
        worst = float(np.diff(objective).max(initial=-np.inf))
        if worst > _ROUNDING * scale:
            status, message = Status.STALLED, f"the objective rose by {worst:.3g} in a step"
        certificate = None
        if len(trace) > 1:
            last = float(objective[-2] - objective[-1])
            certificate = Certificate("improvement in the last step", last, self.tol * scale)
        return Solution(
            x=np.empty(0),
            status=status,
            n_iter=len(trace),
            objective=trace[-1],
            trace={"objective": objective},
            certificate=certificate,
            solver="expectation maximisation" if len(trace) > 1 else "sums over the rows",
            message=message,
            extras={"likelihood": likelihood, "log_prior": log_prior},
        )


def seeds(model: ColumnModel, rows: Rows, rng: np.random.Generator) -> Floats:
    """Shares of the rows by how well each of ``n_classes`` rows drawn far apart explains them.

    The first row is drawn evenly, every other with a chance that grows with how badly the rows
    drawn so far explain it.
    """
    gentle = model.smoothed(1.0)
    n = rows.X.shape[0]
    weight = np.ones(n) if rows.weight is None else rows.weight
    scores = np.empty((n, rows.n_classes))
    chance = weight
    for k in range(rows.n_classes):
        total = chance.sum()
        chosen = rng.choice(n, p=chance / total if total > 0 else weight / weight.sum())
        one = Membership.hard(np.zeros(1), 1)
        fitted = gentle.fit(gentle.statistics(rows.X[[chosen]], one))
        scores[:, k] = fitted.log_prob(rows.X)[:, 0]
        explained = scores[:, : k + 1].max(axis=1)
        chance = weight * (explained.max() - explained)
    return np.exp(scores - logsumexp(scores, axis=1, keepdims=True))


def _posterior(likelihood: ColumnLikelihood, log_prior: Floats, X: Any) -> tuple[Floats, Floats]:
    """Posterior of the classes and log evidence of every row."""
    if not X.shape[0]:
        return np.empty((0, len(log_prior))), np.empty(0)
    joint = likelihood.log_prob(X) + log_prior
    evidence = logsumexp(joint, axis=1)
    return np.exp(joint - evidence[:, None]), evidence
