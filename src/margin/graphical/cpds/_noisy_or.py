"""Noisy-or: every cause that is present can produce the effect on its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.graphical.cpds._cpd import DiscreteCPD, named, parent_codes


@dataclass(frozen=True, eq=False)
class NoisyOr(DiscreteCPD):
    r"""Noisy-or :math:`p(x{=}0 \mid u) = (1 - \lambda) \prod_{i: u_i = 1} (1 - p_i)`.

    One number per parent instead of :math:`2^n`. All variables have two states, the second one is
    "present".

    Parameters
    ----------
    strengths : array-like of shape (n_parents,)
        Probability :math:`p_i` that parent i alone produces the effect.
    leak : float, default=0.0
        Probability :math:`\lambda` of the effect without any cause.
    parents : sequence of str, optional
        Order of the parents; that of the edges by default.

    Notes
    -----
    In inference the table of many parents is never written out: a chain of small or-gates over
    auxiliary variables is equivalent, linear in the number of parents.

    Examples
    --------
    >>> NoisyOr([0.9, 0.3], leak=0.1).table("alarm", 2, [2, 2])[..., 1].round(4)
    array([[0.1  , 0.37 ],
           [0.91 , 0.937]])
    """

    strengths: Any
    leak: float = 0.0
    parents: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        strengths = np.array(self.strengths, dtype=np.float64).reshape(-1)
        if not ((strengths >= 0) & (strengths <= 1)).all():
            raise ValueError(
                f"NoisyOr: strengths must be between 0 and 1, got {strengths.tolist()}"
            )
        if not 0 <= self.leak <= 1:
            raise ValueError(f"NoisyOr: leak must be between 0 and 1, got {self.leak!r}")
        strengths.flags.writeable = False
        object.__setattr__(self, "strengths", strengths)
        object.__setattr__(self, "parents", named(self.parents))

    def states_implied(self) -> int | None:
        return 2

    def n_parameters(self, card: int, parent_cards: Sequence[int]) -> int:
        """One per parent, and the leak."""
        return len(parent_cards) + 1

    def check(self, label: str, card: int, parent_cards: Sequence[int]) -> None:
        """Refuse variables of other than two states, or another number of parents."""
        if card != 2 or any(c != 2 for c in parent_cards):
            raise ValueError(f"{label} must have two states each, got {(*parent_cards, card)}")
        if len(parent_cards) != len(self.strengths):
            raise ValueError(
                f"{label} must have {len(self.strengths)} parents, got {len(parent_cards)}"
            )

    def table(self, label: str, card: int, parent_cards: Sequence[int]) -> Floats:
        self.check(label, card, parent_cards)
        present = parent_codes(parent_cards) == 1
        absent = (1 - self.leak) * np.where(present, 1 - self.strengths, 1.0).prod(axis=1)
        return np.stack([absent, 1 - absent], axis=-1).reshape(*parent_cards, 2)

    def gates(self) -> list[Floats]:
        """Tables [before, parent, after] of the chain of or-gates; the first has no ``before``."""
        first = np.array([1 - self.leak, self.leak])
        gates: list[Floats] = []
        for strength in self.strengths:
            gate = np.zeros((2, 2, 2))
            gate[0, 0] = [1.0, 0.0]
            gate[0, 1] = [1 - strength, strength]
            gate[1, :, 1] = 1.0
            gates.append(gate if gates else np.einsum("b,bpa->pa", first, gate))
        return gates or [first]
