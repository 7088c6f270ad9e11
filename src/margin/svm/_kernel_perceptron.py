"""The perceptron with kernels."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from margin.core import Card, Certificate, Solution, Status, atomic, check, random
from margin.svm._classifier_answers import set_kernel_tags
from margin.svm._kernel_counts import labels, scores, start, store


class KernelPerceptron(ClassifierMixin, BaseEstimator):
    r"""Perceptron with kernels: counts of mistakes as coefficients (svm.14).

    Rows are visited in random order. Where :math:`y_i f(x_i) \le 0` with
    :math:`f(x) = \sum_j c_j y_j k(x_j, x)`, the count :math:`c_i` grows by one. If some function of
    norm one separates the classes with a margin :math:`\gamma` and :math:`k(x, x) \le R^2`, at most
    :math:`(R / \gamma)^2` corrections are made; otherwise the search ends
    when the number of errors falls no more.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As for :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of the named kernels.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    max_iter : int, default=1000
        Most epochs; the search ends before when nothing is wrong.
    n_iter_no_change : int, default=100
        The search also ends when so many epochs in a row have not lowered the number of errors.
    average : bool, default=True
        Whether machines that could not separate their classes take the means of the counts over
        all visits, which are steadier, in place of the counts with the fewest errors.
    random_state : int, Generator, RandomState or None, default=0
        Order of the rows.
    n_jobs : int, optional
        Threads of :meth:`predict`; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    counts_ : ndarray of shape (1, n_samples) or (n_classes, n_samples)
        Corrections made at every row.
    support_ : ndarray of int
        Rows that were corrected at least once.
    support_vectors_ : array, sparse matrix or list
        These rows; empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        Signed coefficients.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Zeros: there is no bias.
    fit_report_ : FitReport
        Least share of training errors so far, after every epoch.
    n_iter_ : int
        Epochs made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    A correction costs :math:`O(n)`; the kernel matrix is held whole, at most 2 GB. More than two
    classes: one machine per class against all others.

    Examples
    --------
    Exclusive or, which no line separates:

    >>> from margin.svm import KernelPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> KernelPerceptron(gamma=2.0).fit(X, y).predict(X)
    array([0, 1, 1, 0])
    """

    card = Card(
        tasks=("classification",),
        cost="quadratic",
        search_space={"gamma": (1e-3, 1e1, "log")},
        max_rows=10_000,
    )

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        max_iter=1000,
        n_iter_no_change=100,
        average=True,
        random_state=0,
        n_jobs=None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.max_iter = max_iter
        self.n_iter_no_change = n_iter_no_change
        self.average = average
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y):
        """Correct until nothing is wrong, or for ``max_iter`` epochs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
            The kernel matrix for ``kernel="precomputed"``.
        y : array-like of shape (n_samples,)
            Labels of at least two classes.

        Returns
        -------
        self
        """
        check.params(self, count="max_iter n_iter_no_change", flag="average")
        X, kernel, K, signs = start(self, X, y)
        # One seed for all machines: predictions must not depend on the names of the classes.
        seed = int(random.generator(self.random_state).integers(2**62))
        limits = (self.max_iter, self.n_iter_no_change)
        found = [_learn(K, sign, np.random.default_rng(seed), *limits) for sign in signs]
        counts, means = np.array([f[0] for f in found]), np.array([f[2] for f in found])
        overlap = np.array([[self.average and min(f[1]) > 0] for f in found])
        store(self, X, kernel, counts, np.where(overlap, means, counts) * signs)
        epochs = max(len(f[1]) for f in found)
        errors = np.mean([np.pad(f[1], (0, epochs - len(f[1])), "edge") for f in found], axis=0)
        best = float(np.mean([min(f[1]) for f in found]))
        settled = all(f[3] for f in found)
        message = (
            f"stopped after max_iter={self.max_iter} epochs with a share of {best:.3g} of the rows "
            "wrong; the classes may overlap: use SVC, another kernel or a larger max_iter"
        )
        solution = Solution(
            x=counts.ravel(),
            status=Status.CONVERGED if settled else Status.MAX_ITER,
            n_iter=epochs,
            objective=float(np.minimum.accumulate(errors)[-1]),
            trace={"objective": np.minimum.accumulate(errors)},
            certificate=(
                None if settled and best > 0 else Certificate("share of errors", best, 0.0)
            ),
            solver="kernel perceptron",
            message="" if settled else message,
        )
        self.n_iter_ = epochs
        self.fit_report_ = check.report(self, solution)
        return self

    def decision_function(self, X):
        """Scores: of the second of two classes, or one per class."""
        return scores(self, X)

    def predict(self, X):
        """Label of every row."""
        return labels(self, X)

    def __sklearn_tags__(self):
        return set_kernel_tags(self, super().__sklearn_tags__())


def _learn(K, sign, rng, limit, patience):
    """Counts with the fewest errors, shares of errors, mean counts, and whether it settled."""
    n = len(sign)
    counts, f, total = np.zeros(n), np.zeros(n), np.zeros(n)
    best, mean, visits, since = counts.copy(), counts.copy(), 0, 0
    errors: list[float] = []
    for _ in range(limit):
        for i in rng.permutation(n).tolist():
            if sign[i] * f[i] <= 0:
                counts[i] += 1
                # Counts that come late enter few of the means.
                total[i] += visits
                f += sign[i] * K[i]
            visits += 1
        wrong = float(np.mean(sign * f <= 0))
        since += 1
        if not errors or wrong < min(errors):
            best, since = counts.copy(), 0
        errors.append(wrong)
        mean = counts - total / visits
        if wrong == 0 or since >= patience:
            return best, errors, mean, True
    return best, errors, mean, False
