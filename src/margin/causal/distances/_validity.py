"""For which outcomes a set of covariates is the wrong one to adjust for."""

from __future__ import annotations

from margin.causal.distances._compared import Bits, walk


def invalid_outcomes(parents: Bits, children: Bits, treatment: int, adjusted: int) -> int:
    """Outcomes for which adjusting for a set does not give the effect of the treatment.

    The adjustment criterion for all outcomes in one pass over the edges. A set is wrong where it
    has an effect of a node on a causal path, or leaves a path open that is not causal. A walk
    notes, beside the direction in which it enters a node, whether it was causal so far; it does
    not come back to the treatment. Members of the set are not among the answers.

    Parameters
    ----------
    parents, children : tuple of int
        Bit sets of a directed acyclic graph.
    treatment : int
    adjusted : int
        Bit set, without the treatment.

    Examples
    --------
    >>> parents, children = (0, 0b001, 0b011), (0b110, 0b100, 0)  # 0 -> 1 -> 2 <- 0
    >>> [bin(invalid_outcomes(parents, children, 1, Z)) for Z in (0b000, 0b001)]
    ['0b101', '0b0']
    """
    own = 1 << treatment
    effects = walk(children[treatment], children, 0)
    opened = walk(adjusted, parents, 0)
    hidden = walk(effects & opened, children, 0)
    causal = walk_unblocked(children[treatment], children, adjusted)
    # A causal walk turns at a common effect that is opened, and is causal no more.
    up, down = _parents_of(causal & opened, parents) & ~own | parents[treatment], 0
    was_up = was_down = 0
    while up or down:
        was_up |= up
        was_down |= down
        to_parents = up & ~adjusted | down & opened
        to_children = (up | down) & ~adjusted
        up = _parents_of(to_parents, parents) & ~own & ~was_up
        down = _parents_of(to_children, children) & ~own & ~was_down
    return (hidden | was_up | was_down) & ~adjusted & ~own


def walk_unblocked(start: int, steps: Bits, wall: int) -> int:
    """Everything reached from ``start``, included; members of ``wall`` are entered, not left.

    Examples
    --------
    >>> walk_unblocked(0b001, (0b010, 0b100, 0), 0b010)
    3
    """
    reached = fresh = start
    while fresh:
        low = fresh & -fresh
        fresh ^= low
        if low & wall:
            continue
        ahead = steps[low.bit_length() - 1] & ~reached
        reached |= ahead
        fresh |= ahead
    return reached


def _parents_of(nodes: int, steps: Bits) -> int:
    ahead = 0
    while nodes:
        low = nodes & -nodes
        nodes ^= low
        ahead |= steps[low.bit_length() - 1]
    return ahead
