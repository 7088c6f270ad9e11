"""Answers of any fitted classifier that has probabilities, ours or another library's."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from margin.core import best_or_reject, check
from margin.core import confidence as gap_of_best
from margin.core.types import Array, Floats
from margin.losses import CostMatrix


def answer_level(model: Any) -> Literal["generative", "posterior", "decision"]:
    """How much a classifier can say of a row (linear.22).

    Parameters
    ----------
    model : classifier
        Fitted or not.

    Returns
    -------
    str
        ``"generative"`` where it models the rows of every class, and can draw some;
        ``"posterior"`` where it has probabilities of the classes; ``"decision"`` where it names a
        class only. What one level can say follows from the one before.

    Examples
    --------
    >>> from margin.decision import answer_level
    >>> from margin.linear import GaussianNB, LogisticRegression, Perceptron
    >>> [answer_level(model) for model in (GaussianNB(), LogisticRegression(), Perceptron())]
    ['generative', 'posterior', 'decision']
    """
    if hasattr(model, "log_joint") and hasattr(model, "sample"):
        return "generative"
    if hasattr(model, "predict_proba"):
        return "posterior"
    if hasattr(model, "predict"):
        return "decision"
    raise check.fail("answer_level", "model", "a classifier", model)


def confidence(model: Any, X: Any) -> Floats:
    """Probability of the best class minus that of the second best, for every row (linear.23).

    For two classes it is :math:`|2p - 1|`.

    Parameters
    ----------
    model : classifier
        Fitted, with ``predict_proba``.
    X : array-like of shape (n_samples, n_features)
        Or whatever the model takes.

    Examples
    --------
    >>> from margin.decision import confidence
    >>> from margin.linear import LogisticRegression
    >>> model = LogisticRegression().fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> confidence(model, [[1.5], [9.0]]).round(2)
    array([0., 1.])
    """
    return gap_of_best(_posterior("confidence", model, X))


def predict_or_reject(model: Any, X: Any, *, threshold: float = 0.9, reject: Any = None) -> Array:
    """Most probable class where its probability reaches a threshold, else "don't know" (linear.24).

    The rule of least risk when a wrong answer costs 1 and no answer costs ``1 - threshold``.

    Parameters
    ----------
    model : classifier
        Fitted, with ``predict_proba``.
    X : array-like of shape (n_samples, n_features)
        Or whatever the model takes.
    threshold : float, default=0.9
        Least probability to answer.
    reject : object, default=None
        What stands for "don't know".

    Returns
    -------
    ndarray of object, shape (n_samples,)

    Examples
    --------
    >>> from margin.decision import predict_or_reject
    >>> from margin.linear import LogisticRegression
    >>> model = LogisticRegression().fit([[0], [1], [2], [3]], ["no", "no", "yes", "yes"])
    >>> predict_or_reject(model, [[1.5], [9.0]], reject="?").tolist()
    ['?', 'yes']
    """
    posterior = _posterior("predict_or_reject", model, X)
    return best_or_reject(
        "predict_or_reject", posterior, np.asarray(model.classes_), threshold, reject
    )


def expected_cost(model: Any, X: Any, costs: Any) -> Floats:
    r"""Expected cost :math:`\sum_y L_{ya}\, p(y \mid x)` of every answer ``a`` to every row.

    Parameters
    ----------
    model : classifier
        Fitted, with ``predict_proba``.
    X : array-like of shape (n_samples, n_features)
        Or whatever the model takes.
    costs : array-like of shape (n_classes, n_answers), or CostMatrix
        Cost of each answer (column) when each class (row, in the order of ``classes_``) is true.

    Returns
    -------
    ndarray of shape (n_samples, n_answers)
    """
    posterior = _posterior("expected_cost", model, X)
    return _cost_matrix("expected_cost", model, costs).risk(posterior)


def decide(model: Any, X: Any, costs: Any, *, answers: Sequence[Any] | None = None) -> Array:
    r"""Answer of least expected cost to every row (linear.24).

    Parameters
    ----------
    model : classifier
        Fitted, with ``predict_proba``.
    X : array-like of shape (n_samples, n_features)
        Or whatever the model takes.
    costs : array-like of shape (n_classes, n_answers), or CostMatrix
        Cost of each answer (column) when each class (row, in the order of ``classes_``) is true.
    answers : sequence, optional
        What the columns stand for; the classes by default, and ``None``, "don't know", for one
        column more.

    Returns
    -------
    ndarray of shape (n_samples,)

    Examples
    --------
    Missing an illness is ten times worse than a false alarm, and asking a doctor costs 0.6:

    >>> from margin.decision import decide
    >>> from margin.linear import LogisticRegression
    >>> model = LogisticRegression().fit([[0], [1], [2], [3]], ["ill", "ill", "well", "well"])
    >>> decide(model, [[0], [2.2], [9]], [[0, 10, 0.6], [1, 0, 0.6]]).tolist()
    ['ill', None, 'well']
    """
    matrix = _cost_matrix("decide", model, costs)
    n_answers, classes = len(matrix.costs[0]), np.asarray(model.classes_)
    if answers is None:
        if n_answers - len(classes) not in (0, 1):
            need = f"given for {n_answers} columns of costs of {len(classes)} classes"
            raise check.fail("decide", "answers", need, None)
        names = classes
        if n_answers > len(classes):
            names = np.append(classes.astype(object), [None])
    else:
        names = np.empty(len(answers), dtype=object)
        names[:] = list(answers)
        if len(names) != n_answers:
            raise check.fail("decide", "answers", f"of length {n_answers}", len(names))
    return np.asarray(names[matrix.decide(_posterior("decide", model, X))])


def _posterior(owner: str, model: Any, X: Any) -> Floats:
    """Probabilities of the classes, of a model that has some."""
    if not hasattr(model, "predict_proba"):
        raise check.fail(owner, "model", "a classifier with predict_proba", model)
    return np.asarray(model.predict_proba(X), dtype=np.float64)


def _cost_matrix(owner: str, model: Any, costs: Any) -> CostMatrix:
    matrix = costs if isinstance(costs, CostMatrix) else CostMatrix(costs)
    if len(matrix.costs) != len(model.classes_):
        need = f"one row for each of {len(model.classes_)} classes"
        raise check.fail(owner, "costs", need, f"{len(matrix.costs)} rows")
    return matrix
