"""A conditional probability table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.graphical.cpds._cpd import DiscreteCPD, check_rows, named


@dataclass(frozen=True, eq=False)
class TableCPD(DiscreteCPD):
    r"""Table of :math:`p(x_j \mid x_{\mathrm{pa}(j)})` (graphical.01).

    Parameters
    ----------
    values : array-like with one axis per parent, then one for the variable
        Probabilities: one axis per parent, the node last, whose axis sums to one. A table of shape
        (configurations, cardinality), the last parent varying fastest, is taken as well.
    parents : sequence of str, optional
        Order of the parents; that of the edges by default.

    Examples
    --------
    >>> TableCPD([[0.9, 0.1], [0.2, 0.8]], parents=["rain"]).n_parameters(2, [2])
    2
    >>> TableCPD([0.5, 0.6])
    Traceback (most recent call last):
    ValueError: TableCPD: column of 'values' must sum to 1, got 1.1
    """

    values: Any
    parents: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        try:
            table = np.array(self.values, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"TableCPD: values must be an array of numbers, {error}") from None
        if table.ndim == 0 or not table.size:
            raise ValueError(f"TableCPD: values must have a state, got shape {table.shape}")
        parents = named(self.parents)
        check_rows("TableCPD", "values", table, parents or ())
        table.flags.writeable = False
        object.__setattr__(self, "values", table)
        object.__setattr__(self, "parents", parents)

    def states_implied(self) -> int | None:
        return int(self.values.shape[-1])

    def n_parameters(self, card: int, parent_cards: Sequence[int]) -> int:
        r"""Free parameters :math:`(C_j - 1) \prod_{i \in \mathrm{pa}(j)} C_i` (graphical.02)."""
        return (card - 1) * prod(parent_cards)

    def table(self, label: str, card: int, parent_cards: Sequence[int]) -> Floats:
        shape = (*parent_cards, card)
        flat = (prod(parent_cards), card)
        if self.values.shape not in (shape, flat):
            raise ValueError(f"{label} must have shape {shape}, got {self.values.shape}")
        table: Floats = self.values.reshape(shape)
        return table
