"""Quadratic discriminant analysis."""

import numpy as np
from scipy.linalg import eigh

from margin.core import Card, Solution, Status, atomic, check, threads
from margin.linear._class_priors import class_priors
from margin.linear._class_statistics import ClassScatter
from margin.linear._generative_classifier import GenerativeClassifier
from margin.linear.discriminant._covariance_shrinkage import check_shrinkage, shrunk


class QuadraticDiscriminantAnalysis(GenerativeClassifier):
    r"""Gaussian classes, each with a covariance of its own (linear.37).

    The model is :math:`x \mid k \sim N(\mu_k, \Sigma_k)` with priors :math:`\pi_k`; the decision
    compares

    .. math:: -\tfrac12 (x - \mu_k)^\top \Sigma_k^{-1} (x - \mu_k) - \tfrac12 \log|\Sigma_k|
              + \log \pi_k .

    Parameters
    ----------
    priors : array-like of shape (n_classes,) or "uniform", optional
        Class priors; frequencies when absent.
    reg_param : float, default=0.0
        Share of the identity mixed into every covariance, between 0 and 1.
    shrinkage : None, "auto" or float, default=None
        Shrinkage of every covariance towards a multiple of the identity; ``"auto"`` is Ledoit and
        Wolf's.
    tol : float, default=1e-4
        Least standard deviation of a class in any direction, in units of that over all classes.
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
    fit_report_ : FitReport
        Negative log likelihood per row; repairs where a covariance was singular.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p^2 + K p^3)` operations, :math:`O(K p^2)` memory.

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

    def __init__(self, *, priors=None, reg_param=0.0, shrinkage=None, tol=1e-4, n_jobs=None):
        self.priors = priors
        self.reg_param = reg_param
        self.shrinkage = shrinkage
        self.tol = tol
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
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
        check.params(self, fraction="reg_param", positive="tol")
        check_shrinkage(self)
        X, y, weight = check.data(self, X, y, sample_weight, target="classes")
        self.classes_, code = check.classes(self, y)
        stats = ClassScatter.of(
            X, code, len(self.classes_), weight, n_threads=threads.count(self.n_jobs)
        )
        if stats.total.min() <= 1:
            small = self.classes_[stats.total.argmin()]
            raise ValueError(
                f"{type(self).__name__}: every class must hold more than 1 sample, got "
                f"{stats.total.min():g} for class {small}"
            )
        self.priors_ = class_priors(self, self.priors, stats.total)
        self.means_ = stats.mean
        self.covariance_ = self._covariances(X, code, stats)
        repairs = self._factor()
        self.fit_report_ = check.report(self, self._solution(stats, repairs))
        return self

    def _factor(self):
        """Whitening of every class, in units of the standard deviation over all classes.

        In those units a variance below ``tol`` squared is taken for rounding or chance and raised
        to it, so that a constant column cannot decide alone.
        """
        p = self.means_.shape[1]
        away = self.means_ - self.priors_ @ self.means_
        variances = np.einsum("kjj->kj", self.covariance_) + away**2
        scale = np.sqrt(self.priors_ @ variances)
        scale[scale == 0] = 1.0
        self._whiten = np.empty_like(self.covariance_)
        self._log_det = np.empty(len(self.classes_))
        repairs = []
        for k, covariance in enumerate(self.covariance_):
            values, vectors = eigh(covariance / np.outer(scale, scale))
            raised = np.maximum(values, self.tol**2)
            rank = int(np.sum(values >= self.tol**2))
            if rank < p:
                repairs.append(
                    f"covariance of class {self.classes_[k]} has rank {rank} of {p}: the missing "
                    f"variances were set to tol squared; a larger reg_param would be safer"
                )
            self._whiten[k] = (vectors / np.sqrt(raised)).T / scale
            self._log_det[k] = np.sum(np.log(raised)) + 2.0 * np.sum(np.log(scale))
        return tuple(repairs)

    def _covariances(self, X, code, stats):
        p = X.shape[1]
        found = np.empty((len(self.classes_), p, p))
        for k in range(len(found)):
            covariance = stats.scatter[k] / stats.total[k]
            centred = lambda k=k: X[code == k] - stats.mean[k]  # noqa: E731
            mixed = shrunk(covariance, self.shrinkage, centred)
            found[k] = (1 - self.reg_param) * mixed + self.reg_param * np.eye(p)
        return found

    def _solution(self, stats, repairs):
        """Mean negative log joint likelihood, from the statistics alone."""
        fit = np.einsum("kij,kij->k", self._whiten @ stats.scatter, self._whiten)
        p = stats.mean.shape[1]
        constant = 0.5 * (self._log_det + p * np.log(2 * np.pi)) - np.log(
            np.maximum(self.priors_, 1e-300)
        )
        return Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=float(np.sum(stats.total * constant + 0.5 * fit) / stats.total.sum()),
            solver="eigendecomposition of the class covariances",
            repairs=repairs,
        )

    def log_joint(self, X):
        """Logarithm of prior times density, for every row and class."""
        X = check.table(self, X)
        p = X.shape[1]
        joint = np.empty((len(X), len(self.classes_)))
        for k, whiten in enumerate(self._whiten):
            away = (X - self.means_[k]) @ whiten.T
            joint[:, k] = -0.5 * np.einsum("ij,ij->i", away, away)
        joint += np.log(np.maximum(self.priors_, 1e-300))
        return joint - 0.5 * (self._log_det + p * np.log(2 * np.pi))

    def decision_function(self, X):
        """Log-odds of the second class for two classes, else the log joint of every class."""
        joint = self.log_joint(X)
        return joint[:, 1] - joint[:, 0] if len(self.classes_) == 2 else joint

    def _draw(self, code, rng):
        X = np.empty((len(code), self.means_.shape[1]))
        for k in range(len(self.classes_)):
            rows = code == k
            X[rows] = rng.multivariate_normal(
                self.means_[k], self.covariance_[k], size=int(rows.sum()), method="eigh"
            )
        return X
