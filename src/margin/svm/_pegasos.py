"""Primal stochastic subgradient steps for the hinge."""

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Certificate, Solution, Status, atomic, check, random


class Pegasos(ClassifierMixin, BaseEstimator):
    r"""Linear machine by stochastic subgradients of falling length (svm.06, svm.10).

    Minimises :math:`\tfrac\lambda2 \|w\|^2 + \tfrac1n \sum_i \max(0, 1 - y_i x_i^\top w)`, which is
    the soft margin without bias for :math:`\lambda = 1 / (C n)`. Step :math:`t`, counted from
    :math:`t_0 + 1`, takes one row:

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
    offset : float or "auto", default="auto"
        Where the count of steps begins, :math:`t_0`. 0 is the rule as printed, whose first steps
        overshoot by far when rows are long; ``"auto"`` is :math:`\max_i \|x_i\|^2 / \lambda`, so
        that no step is longer than the inverse of the largest squared length of a row.
    tol : float, default=1e-4
        An epoch that lowers the objective by less than this share of its value at zero weights
        makes no progress. A duality gap below this share of the objective ends the search at once.
    max_iter : int, default=1000
        Most epochs; every one visits all rows once, in random order.
    n_iter_no_change : int, default=10
        Epochs in a row without progress that end the search.
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
        Lowest objective so far, after every epoch, and the relative duality gap: the certificate
        where it is below ``tol``, otherwise a note.
    t_ : int
        Steps made.
    n_iter_ : int
        Epochs made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    An objective that no longer falls is the usual end of a stochastic search, not a proof: read the
    duality gap in the report, or use :class:`LinearSVC`, which goes on until it is small. Weights
    that are worse than none at all are never passed over in silence. The answer is that of the
    epoch with the lowest objective. Scale the features.

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

    card = Card(tasks=("classification",), cost="linear", max_rows=100_000)

    def __init__(
        self,
        *,
        alpha=1e-2,
        fit_intercept=True,
        projection=False,
        average=True,
        offset="auto",
        tol=1e-4,
        max_iter=1000,
        n_iter_no_change=10,
        random_state=0,
    ):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.projection = projection
        self.average = average
        self.offset = offset
        self.tol = tol
        self.max_iter = max_iter
        self.n_iter_no_change = n_iter_no_change
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
        self._start(X)
        rng = random.generator(self.random_state)
        orders = (rng.permutation(len(codes)) for _ in range(self.max_iter))
        trace, relative, settled = self._learn(X, codes, orders)
        self._report(trace, *self._verdict(trace, relative, settled))
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
            self._start(X)
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise check.fail(self, "y", f"of the classes {self.classes_.tolist()}", unknown[0])
        trace, _, _ = self._learn(X, np.searchsorted(self.classes_, y), [np.arange(len(y))])
        self._report(trace, Status.CONVERGED, None, "", ())
        return self

    def _check_params(self):
        check.params(
            self,
            positive="alpha tol",
            count="max_iter n_iter_no_change",
            flag="fit_intercept projection average",
        )
        if not (isinstance(self.offset, str) and self.offset == "auto"):
            check.params(self, nonnegative="offset")

    def _start(self, X):
        """Zero weights; where the count of steps begins follows from the rows."""
        self._sums, self.t_, self.n_iter_ = None, 0, 0
        self._offset = self.offset
        if isinstance(self.offset, str):
            squares = X.multiply(X) if issparse(X) else np.square(X, dtype=np.float64)
            longest = float(np.asarray(squares.sum(axis=1)).max()) + float(self.fit_intercept)
            self._offset = float(np.ceil(longest / self.alpha))

    def _learn(self, X, codes, orders):
        """Epochs of steps: objectives, relative duality gap of the best, whether it settled."""
        classes = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        signs = np.array([np.where(codes == k, 1.0, -1.0) for k in classes])
        sums = np.zeros((len(signs), X.shape[1] + 1)) if self._sums is None else self._sums.copy()
        counts, dual, relative, trace = np.zeros(signs.shape), -np.inf, np.inf, []
        row, fresh = _rows(X, float(self.fit_intercept)), self.t_ == 0
        best, answer, since = np.inf, np.zeros_like(sums), 0
        for order in orders:
            w = self._epoch(row, order, signs, sums, counts)
            self.n_iter_ += 1
            z = np.asarray(X @ w[:, :-1].T) + self.fit_intercept * w[:, -1]
            loss = np.maximum(0.0, 1.0 - signs.T * z).mean(axis=0).sum()
            trace.append(0.5 * self.alpha * float(np.square(w).sum()) + float(loss))
            # At zero weights the objective is one per machine.
            since = 0 if trace[-1] < best - self.tol * len(signs) else since + 1
            if len(trace) == 1 or trace[-1] < best:
                best, answer = trace[-1], w
            if fresh:
                dual = max(dual, self._dual(X, counts * signs / (self._offset + self.t_)))
                relative = max(best - dual, 0.0) / best if best > 0 else 0.0
            if relative <= self.tol or since >= self.n_iter_no_change:
                break
        self._sums = sums
        self.coef_, self.intercept_ = answer[:, :-1].astype(X.dtype), answer[:, -1].astype(X.dtype)
        settled = relative <= self.tol or since >= self.n_iter_no_change
        return np.array(trace), float(relative), settled

    def _epoch(self, row, order, signs, sums, counts):
        """One visit to all rows, in place; the weights, or their mean over the epoch."""
        mean = np.zeros_like(sums)
        for i in order.tolist():
            counts[:, i] += self._step(sums, signs[:, i], *row(i))
            self.t_ += 1
            if self.average:
                mean += sums / (self.alpha * (self._offset + self.t_) * len(order))
        return mean if self.average else sums / (self.alpha * (self._offset + self.t_))

    def _verdict(self, trace, relative, settled):
        """Status, certificate, message and notes of a finished search."""
        gap = f"relative duality gap {relative:.3g} at the coefficients"
        none = 1.0 if len(self.classes_) == 2 else float(len(self.classes_))
        advice = "scale the features, raise alpha or max_iter, or use LinearSVC"
        if relative <= self.tol:
            certificate = Certificate("relative duality gap", relative, self.tol)
            return Status.CONVERGED, certificate, "", ()
        if not trace.min() <= none * (1.0 + self.tol):
            text = f"the objective {trace.min():.3g} is above {none:g}, that of zero weights"
            return Status.STALLED, None, f"{text}; {advice}", (gap,)
        if settled:
            return Status.CONVERGED, None, "", (gap,)
        text = f"the objective still falls after max_iter={self.max_iter} epochs, {gap}"
        return Status.MAX_ITER, None, f"{text}; {advice}", (gap,)

    def _dual(self, X, b):
        """Lower bound of the objective: shares of corrections never exceed one in n."""
        square = float(np.square(np.asarray(X.T @ b.T)).sum())
        square += self.fit_intercept * float(np.square(b.sum(axis=1)).sum())
        return float(np.abs(b).sum()) - 0.5 / self.alpha * square

    def _report(self, trace, status, certificate, message, notes):
        solution = Solution(
            x=np.append(self.coef_.ravel(), self.intercept_),
            status=status,
            n_iter=self.n_iter_,
            objective=float(trace.min()),
            trace={"objective": np.minimum.accumulate(trace)},
            certificate=certificate,
            solver="Pegasos",
            message=message,
        )
        self.fit_report_ = check.report(self, solution, notes)

    def _step(self, sums, sign, columns, values):
        """One step of all machines; ``sums`` are the weights times alpha and the step number."""
        scale, t = self.alpha, self._offset + self.t_
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
