"""Jeffrey's rule: soft evidence as an average over hard evidence."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from margin.graphical._evidence import Evidence, Floats

MAX_CONFIGURATIONS = 100_000


@dataclass(frozen=True)
class Expansion:
    r"""Hard rows that stand for rows with soft evidence, and the weight of each.

    Parameters
    ----------
    evidence : Evidence
        Rows without soft evidence.
    row : ndarray of int
        Original row of each.
    weight : ndarray
        Probability :math:`\prod_j q_j(y_j)` of its configuration of the soft variables.
    """

    evidence: Evidence
    row: NDArray[np.intp]
    weight: Floats
    n_rows: int

    def average(self, values: Floats) -> Floats:
        """Weighted average over the configurations of every original row."""
        flat = values.reshape(len(values), -1) * self.weight[:, None]
        starts = np.searchsorted(self.row, np.arange(self.n_rows))
        return np.add.reduceat(flat, starts, axis=0).reshape(self.n_rows, *values.shape[1:])


def expand(owner: str, evidence: Evidence) -> Expansion:
    r"""Rows with every configuration of the soft variables that has positive probability.

    With several soft variables the rule is
    :math:`p(x \mid \tilde y) = \sum_{y_1, y_2 \dots} p(x \mid y_1, y_2, \dots) \prod_j q_j(y_j)`:
    virtual and hard evidence enter the model first, the average is taken last.

    Examples
    --------
    >>> soft = {0: np.array([[0.25, 0.75]])}
    >>> grown = expand("Net", Evidence(np.array([[-1, 1]], dtype=np.int32), soft=soft))
    >>> grown.evidence.codes.tolist(), grown.weight.tolist()
    ([[0, 1], [1, 1]], [0.25, 0.75])
    """
    variables = sorted(evidence.soft)
    cards = [evidence.soft[v].shape[1] for v in variables]
    if prod(cards) * len(evidence) > MAX_CONFIGURATIONS:
        raise ValueError(
            f"{owner}: soft evidence must have at most {MAX_CONFIGURATIONS} configurations, "
            f"got {prod(cards) * len(evidence)}"
        )
    clash = [v for v in variables if (evidence.codes[:, v] >= 0).any()]
    if clash:
        raise ValueError(f"{owner}: evidence on a variable must be soft or hard, got both")
    grid = np.indices(cards).reshape(len(cards), -1).T
    weight = np.ones((len(evidence), len(grid)))
    for at, variable in enumerate(variables):
        weight *= evidence.soft[variable][:, grid[:, at]]
    row, configuration = np.nonzero(weight > 0)
    codes = evidence.codes[row]
    codes[:, variables] = grid[configuration]
    likelihoods = {v: values[row] for v, values in evidence.likelihoods.items()}
    hard = Evidence(codes, likelihoods, batched=evidence.batched)
    return Expansion(hard, row, weight[row, configuration], len(evidence))
