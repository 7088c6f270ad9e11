"""The score forward in time, beside the one of a random split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from margin.evaluation.race._quiet_fit import fit_quietly
from margin.evaluation.table._problem import Problem
from margin.evaluation.table._shown import shown
from margin.evaluation.table.order._hidden_order import HiddenOrder
from margin.evaluation.table.order._plan import Plan

# Less than this is what another draw of test rows would change too.
_NOTICEABLE = 0.02


@dataclass(frozen=True)
class ForwardScore:
    """What the winner scores on the latest rows when it learns from the earlier ones.

    Parameters
    ----------
    column : str
        Where the order comes from; empty for the order of the rows.
    reason : str
        Why an order in time was suspected.
    score : float
        Forward in time.
    random_score : float
        On test rows drawn at random.
    n_train, n_test : int
        Earlier and later rows.
    """

    column: str
    reason: str
    score: float
    random_score: float
    n_train: int
    n_test: int

    @property
    def text(self) -> str:
        """The warning in a sentence or two.

        Examples
        --------
        >>> ForwardScore("day", "column 'day' holds dates", 0.645, 0.936, 750, 250).text[:59]
        "column 'day' holds dates: forward in time the winner scores"
        """
        option = f"time:{self.column}" if self.column else "time"
        words = (
            f"{self.reason}: forward in time the winner scores {shown(self.score)} "
            f"({self.n_train} earlier rows learned, {self.n_test} later ones judged), against "
            f"{shown(self.random_score)} by a random split"
        )
        if self.random_score - self.score > _NOTICEABLE:
            return f"{words}; if later rows are to be predicted, compare with split {option!r}"
        return f"{words}; the order makes no difference here"


def unmeasured(suspected: HiddenOrder, why: str) -> str:
    """The warning where the score forward in time is not known.

    Examples
    --------
    >>> import numpy as np
    >>> unmeasured(HiddenOrder(np.arange(3), "day", "column 'day' holds dates"), "no time")[:57]
    "column 'day' holds dates, so rows may follow one another "
    """
    option = f"time:{suspected.name}" if suspected.name else "time"
    return (
        f"{suspected.reason}, so rows may follow one another in time, which a random split "
        f"ignores; the score forward in time was not measured: {why}. If later rows are to be "
        f"predicted, compare with split {option!r}"
    )


def forward_score(
    problem: Problem,
    suspected: HiddenOrder,
    model: Any,
    *,
    test_size: float,
    random_score: float = float("nan"),
) -> ForwardScore:
    """Fit a copy of the winner's pipeline to the earlier rows and score the later ones.

    Raises
    ------
    ValueError
        If the earlier rows cannot be learned from, or the later ones not be judged.
    """
    plan = Plan("time", suspected.order)
    split = plan.holdout(problem.y, test_size=test_size, stratify=False, seed=0)
    copy = clone(model)
    fit_quietly(copy, problem.X.iloc[split.train], problem.y[split.train])
    answers = problem.metric.answers(copy, problem.X.iloc[split.test])
    score = problem.metric(problem.y[split.test], answers)
    if score != score:
        raise ValueError("the later rows have too few kinds of answers to be judged")
    return ForwardScore(
        suspected.name,
        suspected.reason,
        score,
        random_score,
        len(split.train),
        len(split.test),
    )
