"""Variational proportions of topics, document by document."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


class Proportions(NamedTuple):
    """What the documents say.

    Parameters
    ----------
    gamma : ndarray of shape (n_documents, n_topics)
        Dirichlet parameters of the proportions.
    theta : ndarray of the same shape
        Exponential of the expected log proportions.
    ratio : ndarray
        Count over the weight of all topics, for every entry of the table.
    value : ndarray of shape (n_documents,)
        Sum over words of count times log weight of all topics.
    """

    gamma: Floats
    theta: Floats
    ratio: Floats
    value: Floats


def variational(
    X: Any, topics: Floats, prior: Floats, start: Floats, max_iter: int, tol: float, n_threads: int
) -> Proportions:
    r"""Iterate :math:`\gamma_k = a_k + \theta_k \sum_w c_w \phi_{wk} / \sum_j \theta_j \phi_{wj}`.

    Parameters
    ----------
    X : compressed rows of float64
        Counts.
    topics : ndarray of shape (n_words, n_topics)
        :math:`\phi`, the exponential of the expected log probability of each word.
    prior : ndarray of shape (n_topics,)
        :math:`a`.
    start : ndarray of shape (n_documents, n_topics)
        First :math:`\gamma`.
    max_iter, tol : int, float
        An iteration that changes :math:`\gamma` by less than ``tol`` in the mean is the last.
    n_threads : int

    Returns
    -------
    Proportions
    """
    gamma, theta = start.copy(), np.empty(start.shape)
    ratio, value = np.empty(len(X.data)), np.empty(len(start))
    _native.variational_documents(
        X.indptr,
        X.indices,
        X.data,
        topics,
        prior,
        max_iter,
        tol,
        gamma,
        theta,
        ratio,
        value,
        n_threads,
    )
    return Proportions(gamma, theta, ratio, value)
