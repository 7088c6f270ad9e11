"""Quadratic discriminant analysis."""

from dataclasses import replace
from functools import partial
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Solution, Status, atomic, check, threads
from margin.core.types import Array, Floats, Matrix, Places
from margin.linear._class_priors import class_priors
from margin.linear._class_statistics import ClassScatter
from margin.linear._generative_classifier import GenerativeClassifier
from margin.linear.discriminant._block_classes import block_scatter, refuse_rows
from margin.linear.discriminant._covariance_shrinkage import Mix, Shrinkage, shrinking
from margin.linear.discriminant._estimated_covariance import check_covariance, estimated_covariances
from margin.linear.discriminant._gaussian_classes import class_scatter
from margin.linear.discriminant._quadratic_rule import QuadraticRule, quadratic_rule
from margin.linear.discriminant._row_span import centred_rows
from margin.linear.discriminant._span_rule import SpanRule, mixed_span_rule, span_rule


class QuadraticDiscriminantAnalysis(GenerativeClassifier):
    r"""Gaussian classes, each with a covariance of its own (linear.37).

    The model is :math:`x \mid k \sim N(\mu_k, \Sigma_k)` with priors :math:`\pi_k`; the decision
    compares

    .. math:: -\tfrac12 (x - \mu_k)^\top \Sigma_k^{-1} (x - \mu_k) - \tfrac12 \log|\Sigma_k|
              + \log \pi_k .

    NaN is unobserved: it is integrated out in the fit, by expectation maximisation, and in
    predictions.

    Parameters
    ----------
    solver : {"auto", "svd", "eigen"}, default="auto"
        One engine, an eigendecomposition of the covariances, serves all. Asked for by name,
        ``"svd"`` refuses ``shrinkage`` and ``covariance_estimator``, as in scikit-learn.
    shrinkage : None, "auto" or float, default=None
        Shrinkage of every covariance towards a multiple of the identity; ``"auto"`` is Ledoit and
        Wolf's, for complete rows.
    priors : array-like of shape (n_classes,) or "uniform", optional
        Class priors; frequencies when absent.
    reg_param : float, default=0.0
        Share of the identity mixed into every covariance, between 0 and 1.
    store_covariance : bool, default=False
        Without effect: ``covariance_`` is always kept.
    tol : float, default=1e-4
        Least standard deviation of a class in any direction, in units of that over all classes.
    covariance_estimator : covariance estimator, optional
        Estimates the covariance of each class, in place of ``shrinkage``, from complete rows
        without weights.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (n_classes,)
        Labels and their priors.
    means_ : ndarray of shape (n_classes, n_features)
        Class means.
    covariance_ : ndarray of shape (n_classes, n_features, n_features)
        Class covariances, with the weight of the class as divisor.
    rotations_ : list of ndarray of shape (n_features, n_features)
        Principal axes of each class as columns, the widest first.
    scalings_ : list of ndarray of shape (n_features,)
        Variances along them.
    fit_report_ : FitReport
        Negative log likelihood per row, of its label and observed values; repairs where a
        covariance was singular.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p^2 + K p^3)` operations, :math:`O(K p^2)` memory. With NaN :math:`p^3` more for
    every class and set of observed columns, a few dozen times.

    Examples
    --------
    >>> from margin.linear import QuadraticDiscriminantAnalysis
    >>> model = QuadraticDiscriminantAnalysis().fit([[0], [2], [9], [11], [10]], [0, 0, 1, 1, 1])
    >>> model.predict([[1], [8]])
    array([0, 1])
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"reg_param": [0.0, 0.01, 0.1, 0.5]},
    )

    def __init__(
        self,
        *,
        solver: Literal["auto", "svd", "eigen"] = "auto",
        shrinkage: Shrinkage = None,
        priors: ArrayLike | str | None = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit means and covariances.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X, y, weight = check.data(self, X, y, sample_weight, target="classes", missing=True)
        estimator = self.covariance_estimator
        check_covariance(self, self.solver, self.shrinkage, estimator, X, weight)
        labels, code = check.classes(self, y)
        totals = np.bincount(code, weights=weight).astype(np.float64)
        self._check_totals(labels, totals)
        priors = class_priors(self, self.priors, totals)

        stats, completion = class_scatter(
            X,
            code,
            len(labels),
            weight,
            pooled=False,
            floor=self.tol**2,
            n_threads=threads.count(self.n_jobs),
        )
        covariances, mixes = self._covariances(stats, X, code)
        whole = completion is None and estimator is None
        rows = centred_rows(X, code, stats.mean, weight, complete=whole)
        rule: QuadraticRule | SpanRule | None = None
        if rows is not None:
            parts = tuple(rows[code == k] for k in range(len(labels)))
            known = stats.mean, parts, stats.total, covariances, priors, self.tol
            plain = not self.reg_param and self.shrinkage is None
            rule = span_rule(*known) if plain else mixed_span_rule(*known, mixes)
        if rule is None:
            rule = quadratic_rule(stats.mean, covariances, priors, self.tol)

        self.classes_, self.priors_ = labels, priors
        return self._store(stats, covariances, rule, completion)

    @atomic
    def fit_blocks(self, blocks: Any, classes: ArrayLike | None = None) -> Self:
        """Fit to rows that come in blocks, the same as to all of them in memory.

        Sums over the rows of a class are all that is kept: there must be no NaN, and neither
        ``shrinkage="auto"`` nor a ``covariance_estimator``, which need the rows themselves.

        Parameters
        ----------
        blocks : iterable or callable
            Tuples ``(X, y)`` or ``(X, y, sample_weight)``, from something that can be read again
            or from a function that opens it.
        classes : array-like of shape (n_classes,), optional
            Every class there is; left out, they are found in a pass of its own.

        Returns
        -------
        self
        """
        self._check_params()
        refuse_rows(self, self.shrinkage, self.covariance_estimator)
        labels, stats, _ = block_scatter(self, blocks, classes, pooled=False)
        self._check_totals(labels, stats.total)
        priors = class_priors(self, self.priors, stats.total)
        covariances, _ = self._covariances(stats)
        rule = quadratic_rule(stats.mean, covariances, priors, self.tol)

        self.classes_, self.priors_ = labels, priors
        return self._store(stats, covariances, rule, None)

    def _check_totals(self, labels: Array, totals: Floats) -> None:
        if totals.min() <= 1:
            raise ValueError(
                f"{type(self).__name__}: every class must hold more than 1 sample, got "
                f"{totals.min():g} (y has only {totals.min():g} sample in class "
                f"{labels[totals.argmin()]})"
            )

    def _store(
        self,
        stats: ClassScatter,
        covariances: Floats,
        rule: QuadraticRule | SpanRule,
        completion: Solution | None,
    ) -> Self:
        self.means_, self.covariance_, self._rule = stats.mean, covariances, rule
        solution = _solution(stats, rule, self.priors_, completion)
        repairs = _repairs(rule, self.classes_)
        self.fit_report_ = check.report(self, replace(solution, repairs=repairs))
        return self

    def _check_params(self) -> None:
        check.params(
            self,
            fraction="reg_param",
            positive="tol",
            flag="store_covariance",
            one_of={"solver": ("auto", "svd", "eigen")},
        )

    def _covariances(
        self, stats: ClassScatter, X: Array | None = None, code: Places | None = None
    ) -> tuple[Floats, tuple[Mix, ...]]:
        """Covariance of each class, and how it was mixed; rows are needed by some settings only."""
        p = stats.mean.shape[1]
        if self.covariance_estimator is not None:
            assert X is not None
            assert code is not None
            each = estimated_covariances(self, self.covariance_estimator, X, code)
            return (1 - self.reg_param) * each + self.reg_param * np.eye(p), ()
        covariances, mixes = np.empty((len(stats.total), p, p)), []
        for k, scatter in enumerate(stats.scatter):
            centred = None if X is None else partial(_centred, X, code, stats.mean, k)
            covariance = scatter / stats.total[k]
            mixes.append(shrinking(covariance, self.shrinkage, centred).ridged(self.reg_param))
            covariances[k] = mixes[-1].of(covariance)
        return covariances, tuple(mixes)

    def log_joint(self, X: Matrix) -> Floats:
        """Logarithm of prior times density, for every row and class."""
        X = check.table(self, X, missing=True)
        density = self._rule.log_density(X)
        return np.asarray(density + np.log(np.maximum(self.priors_, 1e-300)))

    def decision_function(self, X: Matrix) -> Floats:
        """Log-odds of the second class for two classes, else the log joint of every class."""
        joint = self.log_joint(X)
        return joint[:, 1] - joint[:, 0] if len(self.classes_) == 2 else joint

    @property
    def rotations_(self) -> list[Floats]:
        """Principal axes of each class as columns, the widest first."""
        return [axes for _, axes in self._principal_axes()]

    @property
    def scalings_(self) -> list[Floats]:
        """Variances of each class along its principal axes."""
        return [variances for variances, _ in self._principal_axes()]

    def _principal_axes(self) -> list[tuple[Floats, Floats]]:
        check_is_fitted(self)
        pairs = (np.linalg.eigh(covariance) for covariance in self._rule.covariances)
        return [(values[::-1], vectors[:, ::-1]) for values, vectors in pairs]

    def _draw(self, code: Places, rng: np.random.Generator) -> Floats:
        X = np.empty((len(code), self.means_.shape[1]))
        for k in range(len(self.classes_)):
            rows = code == k
            X[rows] = rng.multivariate_normal(
                self.means_[k], self.covariance_[k], size=int(rows.sum()), method="eigh"
            )
        return X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _centred(X: Array, code: Places | None, means: Floats, k: int) -> Array:
    """Rows of a class about its mean."""
    return np.asarray(X[code == k] - means[k])


def _repairs(rule: QuadraticRule | SpanRule, labels: Array) -> tuple[str, ...]:
    p = rule.means.shape[1]
    return tuple(
        f"covariance of class {label} has rank {rank} of {p}: the missing variances were set to "
        f"tol squared; a larger reg_param would be safer"
        for label, rank in zip(labels, rule.ranks, strict=True)
        if rank < p
    )


def _solution(
    stats: ClassScatter, rule: QuadraticRule | SpanRule, priors: Floats, completion: Solution | None
) -> Solution:
    """Mean negative log joint likelihood, from the statistics alone."""
    surprise = -float(stats.total @ np.log(np.maximum(priors, 1e-300))) / float(stats.total.sum())
    if completion is not None:
        trace = {"objective": completion.trace["objective"] + surprise}
        objective = completion.objective + surprise
        return replace(completion, x=np.empty(0), objective=objective, trace=trace)
    constant = 0.5 * (rule.log_det + stats.mean.shape[1] * np.log(2 * np.pi))
    misfit = 0.5 * rule.misfit(stats.scatter)
    value = (float(stats.total @ constant) + misfit) / float(stats.total.sum())
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=1,
        objective=value + surprise,
        solver="eigendecomposition of the class covariances",
    )
