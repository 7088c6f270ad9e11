"""What chains of any order say of sequences: log probabilities, and states that were not seen."""

import numpy as np

from margin.core.types import Floats, Indices
from margin.inference import chain_log_likelihood, chain_smooth
from margin.sequence.markov._contexts import Coded, contexts, shown_states
from margin.sequence.markov._gaps import Tables, backward, forward


def log_probabilities(data: Coded, tables: Tables) -> Floats:
    """Log probability of every sequence; the m-th table is of order ``m``."""
    order, k = len(tables) - 1, data.n_states
    values = np.zeros(data.n)
    if (data.codes < 0).any():
        if order > 1:
            return np.array([forward(codes, tables)[1] for codes in data])
        start, A = _first_order(tables, k)
        return chain_log_likelihood(shown_states(data), data.offsets, start, A)
    which = np.repeat(np.arange(data.n), np.diff(data.offsets))
    with np.errstate(divide="ignore"):
        for m, table in enumerate(tables):
            at, number = contexts(data, m, first=m < order)
            np.add.at(values, which[at], np.log(table).ravel()[number])
    return values


def state_posteriors(codes: Indices, tables: Tables) -> Floats:
    """Probabilities of the states of one sequence (T, K); zeros where it is impossible.

    Examples
    --------
    >>> state_posteriors(np.array([0, -1, 1]), (np.full((1, 2), 0.5), np.full((2, 2), 0.5)))[1]
    array([0.5, 0.5])
    """
    k = tables[0].shape[1]
    if len(tables) <= 2:
        whole = Coded(codes, np.array([0, len(codes)]), k, "one")
        return chain_smooth(shown_states(whole), whole.offsets, *_first_order(tables, k)).posterior
    posterior = np.zeros((len(codes), k))
    laws, value = forward(codes, tables)
    if value > -np.inf:
        for t, pairs in backward(codes, tables, laws):
            posterior[t] = pairs.sum(axis=0)
    return posterior


def _first_order(tables: Tables, k: int) -> tuple[Floats, Floats]:
    """Start and transitions of a chain without a longer memory."""
    return tables[0][0], tables[1] if len(tables) > 1 else np.tile(tables[0], (k, 1))
