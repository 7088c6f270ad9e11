"""Pegasos with kernels."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from margin.core import Card, Certificate, Solution, Status, atomic, check, random
from margin.svm._classifier_answers import set_kernel_tags
from margin.svm._kernel_counts import labels, scores, start, store


class KernelPegasos(ClassifierMixin, BaseEstimator):
    r"""Pegasos with kernels: the same steps in terms of counts (svm.06, svm.11).

    Step :math:`t` draws a row and, where :math:`y_i f_{t-1}(x_i) < 1`, raises its count:

    .. math:: f_t(x) = \frac1{\lambda t} \sum_j c_j y_j k(x_j, x), \qquad
        c_j = \bigl| \{ t' \le t : i_{t'} = j,\; y_j f_{t'-1}(x_j) < 1 \} \bigr| .

    For the linear kernel these are the iterates of :class:`Pegasos` without intercept and with
    ``offset=0``. The objective is
    :math:`\tfrac\lambda2 \|f\|^2 + \tfrac1n \sum_i \max(0, 1 - y_i f(x_i))`, that of :class:`SVC`
    without bias for :math:`\lambda = 1 / (C n)`.

    Parameters
    ----------
    alpha : float, default=1e-2
        Strength :math:`\lambda` of the penalty, above 0.
    tol : float, default=0.1
        Duality gap, divided by the objective, above which a warning is given; it falls like the
        inverse of the number of steps.
    kernel : str, Kernel or callable, default="rbf"
        As for :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of the named kernels.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    max_iter : int, default=100
        Epochs; every one visits all rows once, in random order.
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
        Objective after every epoch, and the relative duality gap at the end.
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

    >>> from margin.svm import KernelPegasos
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> KernelPegasos(alpha=0.1, gamma=2.0).fit(X, y).predict(X)
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
        alpha=1e-2,
        tol=0.1,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        max_iter=100,
        random_state=0,
        n_jobs=None,
    ):
        self.alpha = alpha
        self.tol = tol
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y):
        """Make ``max_iter`` epochs of steps.

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
        check.params(self, positive="alpha tol", count="max_iter")
        X, kernel, K, signs = start(self, X, y)
        rng = random.generator(self.random_state)
        n, lam = K.shape[0], float(self.alpha)
        orders = [rng.permutation(n) for _ in range(self.max_iter)]
        found = [_learn(K, sign, orders, lam) for sign in signs]
        counts = np.array([f[0] for f in found])
        coef = counts * signs / (lam * n * self.max_iter)
        store(self, X, kernel, counts, coef)
        trace = np.sum([f[1] for f in found], axis=0)
        gap = trace[-1] - sum(_dual(K, c, lam) for c in coef)
        relative = float(gap / max(trace[-1], 1e-300))
        met = relative <= self.tol
        message = (
            f"made max_iter={self.max_iter} epochs with a relative duality gap of {relative:.3g} "
            f"above tol={self.tol:g}; raise max_iter, alpha or tol, or use SVC"
        )
        solution = Solution(
            x=coef.ravel(),
            status=Status.CONVERGED if met else Status.MAX_ITER,
            n_iter=self.max_iter,
            objective=float(trace[-1]),
            trace={"objective": trace},
            certificate=Certificate("relative duality gap", relative, self.tol),
            solver="kernel Pegasos",
            message="" if met else message,
        )
        self.n_iter_ = self.max_iter
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


def _learn(K, sign, orders, lam):
    """Counts, and the objective after every epoch."""
    n = len(sign)
    counts, f, t, trace = np.zeros(n), np.zeros(n), 0, []
    for order in orders:
        for i in order.tolist():
            # f holds the sum without the factor 1 / (lam t) of the last step.
            if sign[i] * f[i] < lam * t or t == 0:
                counts[i] += 1
                f += sign[i] * K[i]
            t += 1
        z = f / (lam * t)
        square = float((counts * sign) @ f) / (lam * t) ** 2
        trace.append(0.5 * lam * square + float(np.maximum(0.0, 1.0 - sign * z).mean()))
    return counts, np.array(trace)


def _dual(K, coef, lam):
    """Lower bound of the objective from the coefficients, cut to what the dual allows."""
    n = len(coef)
    b = np.clip(lam * coef, -1.0 / n, 1.0 / n)
    return float(np.abs(b).sum() - 0.5 / lam * b @ K @ b)
