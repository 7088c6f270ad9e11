"""Weights of the members of a vote."""

from typing import Any

import numpy as np

from margin.core import check


def check_member_weights(owner: Any) -> None:
    """Refuse weights that no mean can be taken with; what has no meaning at all is left to others.

    Examples
    --------
    >>> from margin.ensemble import VotingRegressor
    >>> from margin.linear import Ridge
    >>> check_member_weights(VotingRegressor([("ridge", Ridge())], weights=[0]))
    Traceback (most recent call last):
    ...
    ValueError: VotingRegressor: weights must be finite with a sum above 0, got [0]
    """
    members, weights = owner.estimators, owner.weights
    try:
        pairs = list(zip(members, weights, strict=True))
        kept = np.array([weight for (_, member), weight in pairs if not _is_dropped(member)], float)
    except (TypeError, ValueError):
        return
    if kept.size and not (np.isfinite(kept).all() and kept.sum() > 0.0):
        raise check.fail(owner, "weights", "finite with a sum above 0", weights)


def _is_dropped(member: Any) -> bool:
    return isinstance(member, str) and member == "drop"
