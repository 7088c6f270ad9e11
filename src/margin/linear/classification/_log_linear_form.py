"""Softmax regression as a log-linear model: one potential per feature and class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from margin.core import check
from margin.core.types import Array, Floats


@dataclass(frozen=True, eq=False)
class LogLinearForm:
    r"""The posterior of a linear classifier as a product of potentials (linear.35).

    .. math:: p(y \mid x) = \frac1{Z(x)} \prod_{m=0}^p \psi_m(x_m, y), \qquad
              \psi_m(x_m, y) = \exp(w_{ym} x_m), \quad x_0 = 1,

    an undirected model in which the class is linked to every feature and nothing is said of the
    features themselves. Its own features are :math:`f_{km}(x, y) = x_m [y = k]` with the weights
    :math:`w_{km}`; only differences of the weights of two classes matter.

    Parameters
    ----------
    classes : ndarray of shape (K,)
        Labels.
    weights : ndarray of shape (K, p + 1)
        :math:`w`, the constants first.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import LogisticRegression, LogLinearForm
    >>> model = LogisticRegression().fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> form = LogLinearForm.of(model)
    >>> psi = np.exp(form.log_potentials([[2.0]]))[0]
    >>> product = psi.prod(axis=0)
    >>> bool(np.allclose(product / product.sum(), model.predict_proba([[2.0]])[0]))
    True
    """

    classes: Array
    weights: Floats

    @classmethod
    def of(cls, model: Any) -> LogLinearForm:
        """Form of a fitted model whose posterior is a softmax, or sigmoid, of linear scores.

        Those are :class:`LogisticRegression` and :class:`LinearDiscriminantAnalysis`, and
        scikit-learn's of the same names: what has ``classes_``, ``coef_``, ``intercept_``.
        """
        for name in ("classes_", "coef_", "intercept_"):
            if not hasattr(model, name):
                raise check.fail(cls.__name__, "model", f"a fitted model with {name}", model)
        coef = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
        offset = np.broadcast_to(np.asarray(model.intercept_, dtype=np.float64), len(coef))
        weights = np.column_stack([offset, coef])
        if len(weights) == 1:
            weights = np.vstack([np.zeros_like(weights), weights])
        if len(weights) != len(model.classes_):
            need = "with one row of coef_ per class, or one for two classes"
            raise check.fail(cls.__name__, "model", need, model)
        return cls(np.asarray(model.classes_), weights)

    def log_potentials(self, X: ArrayLike) -> Floats:
        r""":math:`\log \psi_m(x_m, y)`, of shape (n, p + 1, K): what each feature says."""
        rows = np.atleast_2d(np.asarray(X, dtype=np.float64))
        if rows.shape[1] != self.weights.shape[1] - 1:
            need = f"of shape (n, {self.weights.shape[1] - 1})"
            raise check.fail(self, "X", need, f"shape {rows.shape}")
        bordered = np.column_stack([np.ones(len(rows)), rows])
        return np.asarray(bordered[:, :, None] * self.weights.T)

    def log_partition(self, X: ArrayLike) -> Floats:
        r""":math:`\log Z(x)` of every row."""
        return np.asarray(logsumexp(self.log_potentials(X).sum(axis=1), axis=1))

    def log_prob(self, X: ArrayLike) -> Floats:
        r""":math:`\log p(y \mid x)` for every row and class, in the order of ``classes``."""
        scores = self.log_potentials(X).sum(axis=1)
        return np.asarray(scores - logsumexp(scores, axis=1, keepdims=True))

    def features(self, X: ArrayLike, y: ArrayLike) -> Floats:
        r""":math:`f_{km}(x, y)`, of shape (n, K, p + 1).

        Their sum over the rows of the fit, less its expectation under the model, is the gradient
        of the log-likelihood.
        """
        rows = np.atleast_2d(np.asarray(X, dtype=np.float64))
        bordered = np.column_stack([np.ones(len(rows)), rows])
        chosen = np.asarray(y)[:, None] == self.classes
        return np.asarray(chosen[:, :, None] * bordered[:, None, :])
