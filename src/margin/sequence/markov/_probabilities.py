"""Log probabilities of sequences under chains of any order."""

import numpy as np

from margin.core.types import Floats
from margin.inference import chain_log_likelihood
from margin.sequence.markov._contexts import Coded, contexts, shown_states
from margin.sequence.markov._gaps import Tables, forward


def log_probabilities(data: Coded, tables: Tables) -> Floats:
    """Log probability of every sequence; the m-th table is of order ``m``."""
    order, k = len(tables) - 1, data.n_states
    values = np.zeros(data.n)
    if (data.codes < 0).any():
        if order > 1:
            return np.array([forward(codes, tables)[1] for codes in data])
        A = tables[1] if order else np.tile(tables[0], (k, 1))
        return chain_log_likelihood(shown_states(data), data.offsets, tables[0][0], A)
    which = np.repeat(np.arange(data.n), np.diff(data.offsets))
    with np.errstate(divide="ignore"):
        for m, table in enumerate(tables):
            at, number = contexts(data, m, first=m < order)
            np.add.at(values, which[at], np.log(table).ravel()[number])
    return values
