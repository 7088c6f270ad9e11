"""Logistic and softmax conditional distributions: few parameters for many parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, softmax

from margin.core.types import Floats
from margin.graphical.cpds._cpd import DiscreteCPD, named, parent_codes, refuse_large


@dataclass(frozen=True, eq=False)
class LogisticCPD(DiscreteCPD):
    r"""Sigmoid table :math:`p(x{=}1 \mid u) = 1 / (1 + e^{-(w^\top u + b)})` (graphical.10).

    With :math:`n` parents it has :math:`n` weights and an intercept where a table has
    :math:`2^n` entries.

    Parameters
    ----------
    coef : array-like of shape (n_parents,)
        Weights :math:`w`; a parent enters by the code 0, 1, … of its state.
    intercept : float, default=0.0
        Intercept :math:`b`.
    parents : sequence of str, optional
        Order of the parents; that of the edges by default.

    Examples
    --------
    >>> LogisticCPD([2.0, -1.0], intercept=0.5).table("x", 2, [2, 2])[..., 1].round(4)
    array([[0.6225, 0.3775],
           [0.9241, 0.8176]])
    >>> LogisticCPD([0.0] * 10).n_parameters(2, [2] * 10)
    11
    """

    coef: Any
    intercept: float = 0.0
    parents: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        coef = np.array(self.coef, dtype=np.float64).reshape(-1)
        if not (np.isfinite(coef).all() and np.isfinite(self.intercept)):
            raise ValueError("LogisticCPD: coef and intercept must be finite, got NaN or infinity")
        coef.flags.writeable = False
        object.__setattr__(self, "coef", coef)
        object.__setattr__(self, "parents", named(self.parents))

    def states_implied(self) -> int | None:
        return 2

    def n_parameters(self, card: int, parent_cards: Sequence[int]) -> int:
        """One per parent, and the intercept."""
        return len(parent_cards) + 1

    def table(self, label: str, card: int, parent_cards: Sequence[int]) -> Floats:
        if card != 2:
            raise ValueError(f"{label} must have two states, got {card}")
        if len(parent_cards) != len(self.coef):
            raise ValueError(f"{label} must have {len(self.coef)} parents, got {len(parent_cards)}")
        refuse_large(label, card, parent_cards)
        score = parent_codes(parent_cards) @ self.coef + self.intercept
        return np.stack([expit(-score), expit(score)], axis=-1).reshape(*parent_cards, 2)


@dataclass(frozen=True, eq=False)
class SoftmaxCPD(DiscreteCPD):
    r"""Softmax table :math:`p(x{=}k \mid u) \propto \exp(b_k + \sum_i W_{k, i}[u_i])`.

    Every state of every parent has a weight of its own, additive in the logarithm:
    :math:`K \sum_i C_i` numbers instead of :math:`K \prod_i C_i` (graphical.10).

    Parameters
    ----------
    coef : array-like of shape (n_states, n_columns)
        Weights; the columns are the states of the first parent, then of the second, and so on.
    intercept : array-like of shape (n_states,), optional
        Intercepts :math:`b`; zero by default.
    parents : sequence of str, optional
        Order of the parents; that of the edges by default.

    Examples
    --------
    >>> import numpy as np
    >>> SoftmaxCPD([[0.0, 0.0], [0.0, np.log(3)]]).table("x", 2, [2])
    array([[0.5 , 0.5 ],
           [0.25, 0.75]])
    """

    coef: Any
    intercept: Any = None
    parents: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        coef = np.array(self.coef, dtype=np.float64)
        if coef.ndim != 2:
            raise ValueError(f"SoftmaxCPD: coef must be two-dimensional, got shape {coef.shape}")
        given = np.zeros(len(coef)) if self.intercept is None else self.intercept
        intercept = np.array(given, dtype=np.float64).reshape(-1)
        if intercept.shape != coef.shape[:1]:
            raise ValueError(
                f"SoftmaxCPD: intercept must have shape {coef.shape[:1]}, got {intercept.shape}"
            )
        if not (np.isfinite(coef).all() and np.isfinite(intercept).all()):
            raise ValueError("SoftmaxCPD: coef and intercept must be finite, got NaN or infinity")
        object.__setattr__(self, "coef", coef)
        object.__setattr__(self, "intercept", intercept)
        object.__setattr__(self, "parents", named(self.parents))

    def states_implied(self) -> int | None:
        return len(self.coef)

    def n_parameters(self, card: int, parent_cards: Sequence[int]) -> int:
        """Weights that can be told apart: a state of each variable is the origin."""
        return (card - 1) * (1 + sum(c - 1 for c in parent_cards))

    def table(self, label: str, card: int, parent_cards: Sequence[int]) -> Floats:
        columns = sum(parent_cards)
        if self.coef.shape != (card, columns):
            raise ValueError(
                f"{label} must have coef of shape {(card, columns)}, got {self.coef.shape}"
            )
        refuse_large(label, card, parent_cards)
        starts = np.concatenate([[0], np.cumsum(parent_cards)[:-1]]).astype(np.intp)
        chosen = parent_codes(parent_cards) + starts[: len(parent_cards)]
        score = self.intercept + self.coef.T[chosen].sum(axis=1)
        return np.asarray(softmax(score, axis=1)).reshape(*parent_cards, card)
