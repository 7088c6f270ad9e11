"""Naive Bayes with normal columns."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, check
from margin.core.types import Floats
from margin.distributions import ColumnMoments, NormalInverseGamma
from margin.linear._class_priors import class_priors
from margin.linear._class_statistics import ClassMoments
from margin.linear._log_domain import log
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import ColumnLikelihood
from margin.linear.naive_bayes._gaussian_columns import GaussianLikelihood, or_one, overall
from margin.linear.naive_bayes._naive_bayes import NaiveBayes
from margin.linear.naive_bayes._student_columns import StudentLikelihood


class GaussianNB(NaiveBayes):
    r"""Naive Bayes with normal columns (linear.43); NaN is unobserved.

    The model is :math:`p(x, k) = \pi_k \prod_j N(x_j; \theta_{kj}, \sigma^2_{kj})`. A value that is
    NaN is integrated out: it counts neither in the fit nor in a prediction.

    Parameters
    ----------
    priors : array-like of shape (n_classes,) or "uniform", optional
        Class priors; frequencies when absent (linear.25).
    var_smoothing : float, default=1e-9
        Share of the largest variance of a column that is added to every variance.
    estimate : {"ml", "map", "bayes"}, default="ml"
        ``"ml"`` takes means and variances of the class. ``"map"`` takes the posterior mode under a
        normal-inverse-gamma prior at the mean and the variance of the column over all classes.
        ``"bayes"`` integrates over that posterior: the prediction is Student's t, which is wider
        where a class has few rows.
    prior_strength : float, default=1.0
        Observations the prior of ``"map"`` and ``"bayes"`` is worth.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    class_count_, class_prior_ : ndarray of shape (n_classes,)
        Weight of the rows of each class, and priors.
    theta_, var_ : ndarray of shape (n_classes, n_features)
        Means and variances; with ``estimate="bayes"`` centres and squared widths.
    df_ : ndarray of shape (n_classes, n_features)
        Degrees of freedom, with ``estimate="bayes"`` only.
    epsilon_ : float
        What was added to the variances.
    fit_report_ : FitReport
        Mean negative log joint likelihood, or log evidence with ``estimate="bayes"``.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    One read of the data and :math:`O(n p)` operations, no copy. Weights count rows everywhere, also
    in ``epsilon_``, and batches of ``partial_fit`` give the same ``epsilon_`` as all rows at once.

    Examples
    --------
    >>> from margin.linear import GaussianNB
    >>> model = GaussianNB().fit([[1, 5], [3, 7], [8, float("nan")], [10, 1]], [0, 0, 1, 1])
    >>> model.theta_
    array([[2., 6.],
           [9., 1.]])
    >>> model.predict([[2.5, float("nan")], [8.5, 1]])
    array([0, 1])
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"var_smoothing": (1e-10, 1e-1, "log")},
    )

    def __init__(
        self,
        *,
        priors: ArrayLike | str | None = None,
        var_smoothing: float = 1e-9,
        estimate: Literal["ml", "map", "bayes"] = "ml",
        prior_strength: float = 1.0,
        n_jobs: int | None = None,
    ) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.estimate = estimate
        self.prior_strength = prior_strength
        self.n_jobs = n_jobs

    def _check_params(self) -> None:
        check.params(
            self,
            nonnegative="var_smoothing",
            positive="prior_strength",
            one_of={"estimate": ("ml", "map", "bayes")},
        )

    def _check_rows(self, X: Any, *, fitting: bool) -> Any:
        return X

    def _count(self, X: Any, members: Membership) -> ClassMoments:
        return members.moments(X)

    def _class_log_prior(self, total: Floats) -> Floats:
        self.class_prior_ = class_priors(self, self.priors, total)
        return log(self.class_prior_)

    def _estimate(self, stats: ClassMoments) -> tuple[ColumnLikelihood, tuple[str, ...]]:
        mean, var = overall(stats)
        self.epsilon_ = self.var_smoothing * float(var.max(initial=0.0))
        if self.estimate == "ml":
            return self._most_likely(stats, mean, var)
        guess = or_one(var) + self.epsilon_
        prior = NormalInverseGamma(
            mean, self.prior_strength, self.prior_strength / 2, self.prior_strength / 2 * guess
        )
        moments = ColumnMoments(stats.count, stats.mean, stats.scatter)
        posterior = prior.posterior(moments)
        if self.estimate == "map":
            self.theta_, self.var_ = (np.ascontiguousarray(v) for v in posterior.mode)
            return GaussianLikelihood(self.theta_, self.var_, 0.0, self._n_threads), ()
        student = posterior.predictive()
        self.theta_, self.var_, self.df_ = student.loc, student.scale**2, student.df
        evidence = float(np.sum(prior.log_evidence(moments)))
        return StudentLikelihood(student.df, student.loc, student.scale, evidence), ()

    def _most_likely(
        self, stats: ClassMoments, mean: Floats, var: Floats
    ) -> tuple[ColumnLikelihood, tuple[str, ...]]:
        seen = stats.count > 0
        self.theta_ = np.where(seen, stats.mean, mean)
        self.var_ = np.where(seen, stats.scatter / np.where(seen, stats.count, 1.0), or_one(var))
        self.var_ += self.epsilon_
        repairs: tuple[str, ...] = ()
        flat = self.var_ <= 0
        if flat.any():
            repairs = (
                f"{int(flat.sum())} variances are zero: a billionth of the variance over all "
                f"classes stands in for them (1 in a constant column)",
            )
            self.var_ = np.where(flat, or_one(1e-9 * var), self.var_)
        return GaussianLikelihood(self.theta_, self.var_, 0.0, self._n_threads), repairs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
