"""Naive Bayes with labels missing: expectation maximisation on sufficient statistics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from margin.core import Solution, Status
from margin.core.progress import Callback
from margin.core.types import Floats, Indices
from margin.inference import Expectation, expectation_maximisation
from margin.linear._log_domain import log, weighted_sum
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import ColumnLikelihood, ColumnModel


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


class ClassDensities(NamedTuple):
    """The parameters of naive Bayes: a density and a log prior for every class."""

    likelihood: ColumnLikelihood
    log_prior: Floats

    def posterior(self, X: Any) -> tuple[Floats, Floats]:
        """Posterior of the classes and log evidence of every row."""
        if not X.shape[0]:
            return np.empty((0, len(self.log_prior))), np.empty(0)
        joint = self.likelihood.log_prob(X) + self.log_prior
        evidence = logsumexp(joint, axis=1)
        return np.exp(joint - evidence[:, None]), evidence


@dataclass(frozen=True)
class PartlyLabelled:
    r"""The likelihood of all that was observed, classes of unlabelled rows summed out.

    .. math:: \sum_{i \in L} s_i \log \pi_{y_i} p(x_i \mid y_i)
              + \sum_{i \in U} s_i \log \sum_k \pi_k p(x_i \mid k) + \log p(\text{parameters})

    The E step computes the posterior of the classes of unlabelled rows, the M step the most
    probable parameters given these shares; the value never falls. With all rows labelled one M step
    is the supervised fit, with none the model is a mixture, that is, a clustering.

    Parameters
    ----------
    model : ColumnModel
        What is assumed of the columns.
    rows : Rows
    priors : ndarray of shape (n_classes,) or None
        Class priors; estimated when absent.
    """

    model: ColumnModel
    rows: Rows
    priors: Floats | None = None

    @cached_property
    def open_rows(self) -> Rows:
        """Rows without a label."""
        return self.rows.part(labelled=False)

    @cached_property
    def labelled(self) -> tuple[Any, Floats]:
        """Statistics and class weights of the labelled rows, which no step changes."""
        known = self.rows.part(labelled=True)
        members = Membership.hard(known.code, self.rows.n_classes, known.weight)
        return self.model.statistics(known.X, members), members.total

    @property
    def from_labels(self) -> ClassDensities:
        """Parameters from the labelled rows alone."""
        return self._fitted(*self.labelled)

    def expect(self, at: ClassDensities) -> Expectation[Floats]:
        """Mean value per row, and the shares of the unlabelled rows in the classes."""
        stats, total = self.labelled
        share, evidence = at.posterior(self.open_rows.X)
        value = at.likelihood.total_log_prob(stats) + weighted_sum(total, at.log_prior)
        weight = self.open_rows.weight
        value += float(evidence.sum() if weight is None else evidence @ weight)
        return Expectation((value + at.likelihood.log_penalty) / self._n_rows, share)

    def maximise(self, share: Floats, at: ClassDensities | None = None) -> ClassDensities:
        """Most probable parameters for these shares."""
        members = Membership.soft(share, self.open_rows.weight)
        stats, total = self.labelled
        return self._fitted(
            stats + self.model.statistics(self.open_rows.X, members), total + members.total
        )

    def _fitted(self, stats: Any, total: Floats) -> ClassDensities:
        priors = total / total.sum() if self.priors is None else self.priors
        return ClassDensities(self.model.fit(stats), log(priors))

    @property
    def _n_rows(self) -> float:
        rows = self.rows
        return float(rows.X.shape[0] if rows.weight is None else rows.weight.sum())


def fit_partly_labelled(
    problem: PartlyLabelled,
    *,
    tol: float,
    max_iter: int,
    n_init: int,
    rng: np.random.Generator,
    callback: Callback | None = None,
) -> Solution:
    """Class densities by expectation maximisation; in one step where every row has a label.

    Parameters
    ----------
    problem : PartlyLabelled
    tol : float
        Least relative improvement of the value to go on.
    max_iter : int
        Most steps.
    n_init : int
        Starts where no row has a label, drawn from ``rng``; the best is kept. Labelled rows are
        themselves a start.
    callback : callable, optional
        Called as ``callback(step, objective)``.

    Returns
    -------
    Solution
        ``x`` is of :class:`ClassDensities`, the objective minus the mean value per row.
    """
    rows = problem.rows
    if not len(problem.open_rows.code):
        return _supervised(problem)
    starts = (problem.from_labels for _ in range(1))
    if (rows.code < 0).all():
        shares = (seeds(problem.model, rows, rng) for _ in range(n_init))
        starts = (problem.maximise(share) for share in shares)
    return expectation_maximisation(
        problem.expect,
        problem.maximise,
        starts,
        tol=tol,
        max_iter=max_iter,
        callback=callback,
    )


def _supervised(problem: PartlyLabelled) -> Solution:
    """The fit to labelled rows, by sums over them."""
    densities: Any = problem.from_labels
    return Solution(
        x=densities,
        status=Status.CONVERGED,
        n_iter=1,
        objective=-problem.expect(densities).bound,
        solver="sums over the rows",
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
    return np.asarray(np.exp(scores - logsumexp(scores, axis=1, keepdims=True)))
