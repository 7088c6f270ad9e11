"""Primal stochastic subgradient steps for the hinge."""

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Certificate, Solution, Status, atomic, check, random


class Pegasos(ClassifierMixin, BaseEstimator):
    r"""Linear machine by stochastic subgradients of step :math:`1 / (\lambda t)` (svm.06, svm.10).

    Minimises :math:`\tfrac\lambda2 \|w\|^2 + \tfrac1n \sum_i \max(0, 1 - y_i x_i^\top w)`, which is
    the soft margin without bias for :math:`\lambda = 1 / (C n)`. Step :math:`t` takes one row:

    .. math:: w \leftarrow \left(1 - \tfrac1t\right) w
        + \tfrac1{\lambda t} [\, y_i x_i^\top w < 1 \,]\, y_i x_i ,

    so that :math:`\lambda t\, w` is a sum of signed rows, and a step costs their stored entries.

    Parameters
    ----------
    alpha : float, default=1e-2
        Strength :math:`\lambda` of the penalty, above 0.
    fit_intercept : bool, default=True
        Whether to add a constant feature of value one, penalised like the others.
    projection : bool, default=False
        Whether :math:`w` is brought back into the ball of radius :math:`1/\sqrt\lambda`, which
        holds the minimum, after every step.
    average : bool, default=True
        Whether the answer is the mean of the iterates of the last epoch.
    tol : float, default=0.1
        Duality gap, divided by the objective, that counts as converged: it falls like the inverse
        of the number of steps, so do not ask for much.
    max_iter : int, default=300
        Most epochs; every one visits all rows once, in random order.
    random_state : int, Generator, RandomState or None, default=0
        Order of the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights; one row for two classes, otherwise one per class against all others.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    fit_report_ : FitReport
        Objective after every epoch, and the relative duality gap.
    t_ : int
        Steps made.
    n_iter_ : int
        Epochs made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    References
    ----------
    Shalev-Shwartz, Singer, Srebro and Cotter, Pegasos: primal estimated sub-gradient solver for
    SVM, Mathematical Programming 2011.

    Examples
    --------
    >>> from margin.svm import Pegasos
    >>> Pegasos(alpha=0.1).fit([[0], [1], [2], [3]], [0, 0, 1, 1]).predict([[0], [3]])
    array([0, 1])
    """

    card = Card(
        tasks=("classification",), cost="linear", search_space={"alpha": (1e-6, 1e-1, "log")}
    )

    def __init__(
        self,
        *,
        alpha=1e-2,
        fit_intercept=True,
        projection=False,
        average=True,
        tol=0.1,
        max_iter=300,
        random_state=0,
    ):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.projection = projection
        self.average = average
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X, y):
        """Make epochs of steps until the duality gap is small.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes.

        Returns
        -------
        self
        """
        self._check_params()
        X, y, _ = check.data(self, X, y, target="classes", sparse=True, order="C")
        self.classes_, codes = check.classes(self, y)
        self._sums, self.t_, self.n_iter_ = None, 0, 0
        rng = random.generator(self.random_state)
        orders = (rng.permutation(len(codes)) for _ in range(self.max_iter))
        trace, relative = self._learn(X, codes, orders)
        met = relative <= self.tol
        self._report(
            trace,
            Status.CONVERGED if met else Status.MAX_ITER,
            Certificate("relative duality gap", relative, self.tol),
            ""
            if met
            else f"stopped after max_iter={self.max_iter} epochs with a relative duality gap of "
            f"{relative:.3g} above tol={self.tol:g}; scale the features, raise alpha, max_iter or "
            "tol, or use LinearSVC",
        )
        return self

    @atomic
    def partial_fit(self, X, y, classes=None):
        """One epoch over these rows in their order, continuing from the last call.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like, optional
            All labels that will ever occur; asked for in the first call only.

        Returns
        -------
        self
        """
        self._check_params()
        first = not hasattr(self, "_sums")
        X, y, _ = check.data(self, X, y, target="classes", sparse=True, order="C", reset=first)
        if first:
            self.classes_ = check.classes(self, y if classes is None else classes)[0]
            self._sums, self.t_, self.n_iter_ = None, 0, 0
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise check.fail(self, "y", f"of the classes {self.classes_.tolist()}", unknown[0])
        trace, _ = self._learn(X, np.searchsorted(self.classes_, y), [np.arange(len(y))])
        self._report(trace, Status.CONVERGED, None, "")
        return self

    def _check_params(self):
        check.params(
            self, positive="alpha tol", count="max_iter", flag="fit_intercept projection average"
        )

    def _learn(self, X, codes, orders):
        """Epochs of steps; the objective after each, and the relative duality gap at the end."""
        classes = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        signs = np.array([np.where(codes == k, 1.0, -1.0) for k in classes])
        sums = np.zeros((len(signs), X.shape[1] + 1)) if self._sums is None else self._sums.copy()
        counts, dual, trace, relative = np.zeros(signs.shape), -np.inf, [], np.inf
        row, fresh = _rows(X, float(self.fit_intercept)), self.t_ == 0
        for order in orders:
            mean = np.zeros_like(sums)
            for i in order.tolist():
                counts[:, i] += self._step(sums, signs[:, i], *row(i))
                self.t_ += 1
                if self.average:
                    mean += sums / (self.alpha * self.t_ * len(order))
            self.n_iter_ += 1
            w = mean if self.average else sums / (self.alpha * self.t_)
            z = np.asarray(X @ w[:, :-1].T) + self.fit_intercept * w[:, -1]
            loss = np.maximum(0.0, 1.0 - signs.T * z).mean(axis=0).sum()
            trace.append(0.5 * self.alpha * float(np.square(w).sum()) + float(loss))
            if fresh:
                dual = max(dual, self._dual(X, counts * signs / self.t_))
                relative = (trace[-1] - dual) / trace[-1] if trace[-1] > 0 else 0.0
            if relative <= self.tol:
                break
        self._sums = sums
        self.coef_, self.intercept_ = w[:, :-1].astype(X.dtype), w[:, -1].astype(X.dtype)
        return np.array(trace), float(relative)

    def _dual(self, X, b):
        """Lower bound of the objective: shares of corrections never exceed one in n."""
        square = float(np.square(np.asarray(X.T @ b.T)).sum())
        square += self.fit_intercept * float(np.square(b.sum(axis=1)).sum())
        return float(np.abs(b).sum()) - 0.5 / self.alpha * square

    def _report(self, trace, status, certificate, message):
        solution = Solution(
            x=np.append(self.coef_.ravel(), self.intercept_),
            status=status,
            n_iter=self.n_iter_,
            objective=float(trace[-1]),
            trace={"objective": trace},
            certificate=certificate,
            solver="Pegasos",
            message=message,
        )
        self.fit_report_ = check.report(self, solution)

    def _step(self, sums, sign, columns, values):
        """One step of all machines; ``sums`` are the weights times alpha and the step number."""
        scale, t = self.alpha, self.t_
        margins = sign * (sums[:, columns] @ values)
        short = (margins < scale * t) | (t == 0)
        for k in np.flatnonzero(short):
            sums[k, columns] += sign[k] * values
        if self.projection:
            norms = np.sqrt(np.square(sums).sum(axis=1))
            radius = np.sqrt(scale) * (t + 1)
            sums *= np.minimum(1.0, radius / np.maximum(norms, 1e-300))[:, None]
        return short

    def decision_function(self, X):
        """Scores: of the second of two classes, or one per class."""
        check_is_fitted(self)
        X = check.table(self, X, sparse=True)
        scores = np.asarray(X @ self.coef_.T + self.intercept_)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X):
        """Label of every row."""
        scores = self.decision_function(X)
        codes = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[codes]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _rows(X, constant):
    """Function from a row to its columns and values, the constant feature last."""
    p = X.shape[1]
    if not issparse(X):
        whole = slice(None)
        return lambda i: (whole, np.append(X[i], constant))

    def row(i):
        part = slice(X.indptr[i], X.indptr[i + 1])
        return np.append(X.indices[part], p), np.append(X.data[part], constant)

    return row
