"""Filtering and smoothing of a hidden chain, on tables of log likelihoods."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.inference.chains._arguments import (
    chain_arguments,
    integer,
    probabilities,
    state_arguments,
)
from margin.native.chains import messages, paths


class SmoothedChain(NamedTuple):
    r"""What is known of the hidden states given all that was seen.

    Parameters
    ----------
    posterior : ndarray of shape (T, K)
        :math:`p(h_t = k \mid v_{1:T})`; zeros for a sequence that is impossible.
    counts : ndarray of shape (K, K)
        Expected numbers of transitions, all sequences together.
    log_likelihood : ndarray of shape (n,)
        Of every sequence; minus infinity where it is impossible.
    """

    posterior: Floats
    counts: Floats
    log_likelihood: Floats


def chain_filter(
    log_emission: ArrayLike,
    offsets: ArrayLike,
    start: ArrayLike,
    transition: ArrayLike,
    *,
    normalised: bool = True,
    n_threads: int = 1,
) -> tuple[Floats, Floats]:
    r"""Hidden states given what was seen so far (sequence.07).

    .. math:: p(h_t, v_{1:t}) = p(v_t \mid h_t) \sum_{h_{t-1}} p(h_t \mid h_{t-1})\,
              p(h_{t-1}, v_{1:t-1})

    The sum predicts, the factor before it corrects. Every message is scaled to sum to one, and the
    product of the scales is the likelihood (sequence.11).

    Parameters
    ----------
    log_emission : array-like of shape (T, K)
        :math:`\log p(v_t \mid h_t = k)`, all sequences one after the other.
    offsets : array-like of shape (n + 1,)
        Where each sequence begins, and the end of the last.
    start, transition : array-like of shape (K,), (K, K)
        Probabilities; rows of ``transition`` sum to one.
    normalised : bool
        False for factors in their place, any numbers of at least 0.
    n_threads : int
        Sequences are shared among them.

    Returns
    -------
    filtered : ndarray of shape (T, K)
        :math:`p(h_t \mid v_{1:t})`.
    log_likelihood : ndarray of shape (n,)

    Notes
    -----
    :math:`O(T K^2)` time.

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> filtered, value = chain_filter(np.log(B[:, [0, 0, 1]].T), [0, 3], [0.6, 0.4], A)
    >>> filtered[:, 0].round(6), np.exp(value).round(6)
    (array([0.870968, 0.89781 , 0.201938]), array([0.13623]))
    """
    table, places, first, matrix = chain_arguments(
        "chain_filter", log_emission, offsets, start, transition, normalised=normalised
    )
    return messages.filtered_states(table, places, first, matrix, n_threads)


def chain_log_likelihood(
    log_emission: ArrayLike,
    offsets: ArrayLike,
    start: ArrayLike,
    transition: ArrayLike,
    *,
    n_threads: int = 1,
) -> Floats:
    """Log likelihood of every sequence, as :func:`chain_filter` finds it (sequence.11).

    Examples
    --------
    >>> import numpy as np
    >>> chain_log_likelihood(np.log([[0.5, 0.5]]), [0, 1], [0.5, 0.5], np.eye(2)).round(6)
    array([-0.693147])
    """
    table, places, first, matrix = chain_arguments(
        "chain_log_likelihood", log_emission, offsets, start, transition
    )
    return messages.log_likelihoods(table, places, first, matrix, n_threads)


def chain_smooth(
    log_emission: ArrayLike,
    offsets: ArrayLike,
    start: ArrayLike,
    transition: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    form: Literal["scaled", "log"] = "scaled",
    normalised: bool = True,
    n_threads: int = 1,
) -> SmoothedChain:
    r"""Hidden states given all that was seen, by forward and backward messages (sequence.08).

    .. math:: p(h_t \mid v_{1:T}) \propto \alpha(h_t)\, \beta(h_t), \qquad
              \beta(h_{t-1}) = \sum_{h_t} p(v_t \mid h_t)\, p(h_t \mid h_{t-1})\, \beta(h_t)

    Parameters
    ----------
    log_emission, offsets, start, transition, normalised, n_threads
        As for :func:`chain_filter`.
    weight : array-like of shape (n,), optional
        Of the sequences; posterior and counts are multiplied by it.
    form : {"scaled", "log"}
        Messages scaled to sum to one, with logarithms only for a sequence where that would lose
        states; or logarithms throughout, which is slower and gives the same.

    Returns
    -------
    SmoothedChain

    Notes
    -----
    :math:`O(T K^2)` time and :math:`O(T K)` memory.

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> chain_smooth(np.log(B[:, [0, 0, 1]].T), [0, 3], [0.6, 0.4], A).posterior[:, 0].round(6)
    array([0.89782 , 0.839683, 0.201938])
    """
    table, places, first, matrix = chain_arguments(
        "chain_smooth", log_emission, offsets, start, transition, normalised=normalised
    )
    w = None if weight is None else _weights(weight, len(places) - 1)
    if form == "scaled":
        return SmoothedChain(
            *messages.forward_backward(table, places, first, matrix, n_threads, weight=w)
        )
    if form != "log" or w is not None:
        raise check.fail("chain_smooth", "form", "'scaled', or 'log' without weight", form)
    with np.errstate(divide="ignore"):
        logs = np.log(first), np.log(matrix)[None]
    posterior, counts, values, _ = messages.log_forward_backward(table, places, *logs, n_threads)
    return SmoothedChain(posterior, counts, values)


def chain_correct(filtered: ArrayLike, offsets: ArrayLike, transition: ArrayLike) -> Floats:
    r"""SmoothedChain states out of filtered ones: correction smoothing (sequence.09).

    .. math:: \gamma(h_t) = \sum_{h_{t+1}} p(h_t \mid h_{t+1}, v_{1:t})\, \gamma(h_{t+1})

    The observations are not needed again: the form of Rauch, Tung and Striebel.

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> filtered, _ = chain_filter(np.log(B[:, [0, 0, 1]].T), [0, 3], [0.6, 0.4], A)
    >>> chain_correct(filtered, [0, 3], A)[:, 0].round(6)
    array([0.89782 , 0.839683, 0.201938])
    """
    table, places, matrix = state_arguments("chain_correct", filtered, offsets, transition)
    return paths.corrected(table, places, matrix)


def chain_pairs(
    filtered: ArrayLike, posterior: ArrayLike, offsets: ArrayLike, transition: ArrayLike
) -> Floats:
    r"""Pairwise marginals :math:`p(h_t, h_{t+1} \mid v_{1:T})` (sequence.10).

    Returns
    -------
    ndarray of shape (T, K, K)
        Of every row and the next; zeros at the last row of a sequence.

    Examples
    --------
    >>> import numpy as np
    >>> states = [[0.5, 0.5], [1, 0]]
    >>> chain_pairs(states, states, [0, 2], np.full((2, 2), 0.5))[0]
    array([[0.5, 0. ],
           [0.5, 0. ]])
    """
    alpha, places, A = state_arguments("chain_pairs", filtered, offsets, transition)
    gamma, _, _ = state_arguments("chain_pairs", posterior, offsets, transition)
    pairs = np.zeros((*alpha.shape, alpha.shape[1]))
    if len(alpha) < 2:
        return pairs
    predicted = alpha[:-1] @ A
    ratio = np.where(predicted > 0, gamma[1:] / np.where(predicted > 0, predicted, 1.0), 0.0)
    pairs[:-1] = alpha[:-1, :, None] * A * ratio[:, None, :]
    ends = places[1:][places[1:] > 0] - 1
    pairs[ends] = 0.0
    return pairs


def chain_predict(state: ArrayLike, transition: ArrayLike, steps: int) -> Floats:
    r"""Distribution of the state so many steps later, :math:`p A^h` (sequence.14).

    Examples
    --------
    >>> chain_predict([1.0, 0.0], [[0.9, 0.1], [0.5, 0.5]], 2)
    array([0.86, 0.14])
    """
    owner, k = "chain_predict", len(np.atleast_1d(state))
    p = probabilities(owner, "state", state, (k,))
    A = probabilities(owner, "transition", transition, (k, k))
    return np.asarray(p @ np.linalg.matrix_power(A, integer(owner, "steps", steps, 0)))


def _weights(weight: ArrayLike, n: int) -> Floats:
    w = np.ascontiguousarray(weight, dtype=np.float64)
    if w.shape != (n,) or not (np.isfinite(w) & (w >= 0)).all():
        wanted = f"{n} finite numbers of at least 0, one for each sequence"
        raise check.fail("chain_smooth", "weight", wanted, weight)
    return w
