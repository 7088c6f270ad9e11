"""One round of boosting, and what every rule for it is told and asks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from margin.core import Iterate, check
from margin.core.types import Array, Floats, Places


@dataclass(frozen=True)
class Round:
    """A weak learner with its vote.

    Parameters
    ----------
    learner : estimator
        Fitted.
    vote : float
        Its coefficient in the ensemble.
    error : float
        Its error on the rows as they were weighted when it was trained.
    side : ndarray of bool or None
        Of a learner for two groups of classes: whether each class is in the second.
    """

    learner: Any
    vote: float
    error: float
    side: Array | None = None


EXHAUSTED = "no learner better than guessing is left"
PERFECT = "a learner makes no error"


class Weak(NamedTuple):
    """How a rule trains a learner on weighted rows, and asks it about them."""

    train: Callable[[Array, Floats], Any]
    codes: Callable[[Any], Array]
    log_shares: Callable[[Any], Floats]


class Rows(NamedTuple):
    """The classes of the rows as codes, their number, the weights of the rows; and who asks."""

    codes: Places
    n_classes: int
    weight: Floats
    owner: str


def refuse_guessing(rows: Rows, error: float) -> ValueError:
    """Error for a first learner that is no help; raise what this returns."""
    need = "better than guessing on the rows as they are weighted (it is worse than random)"
    return check.fail(rows.owner, "estimator", need, f"an error of {error:.4g}")


def normalised(weight: Floats) -> Floats:
    """Weights that sum to one."""
    return np.asarray(weight / weight.sum())


def with_mean_weight(states: Iterator[Iterate]) -> Iterator[Iterate]:
    """The same states, whose weights are the means over the rounds so far."""
    total: Floats | None = None
    for n, state in enumerate(states, 1):
        weight = state.extras["weight"]
        total = weight if total is None else total + weight
        yield state._replace(extras={"weight": total / n})
