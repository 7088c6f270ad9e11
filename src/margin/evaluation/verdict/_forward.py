"""The score forward in time, beside the one of a random split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from margin.evaluation.race._quiet_fit import fit_quietly
from margin.evaluation.table._problem import Problem
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
            f"{self.reason}: forward in time the winner scores {self.score:.3f} "
            f"({self.n_train} earlier rows learned, {self.n_test} later ones judged), against "
            f"{self.random_score:.3f} by a random split"
        )
        if self.random_score - self.score > _NOTICEABLE:
            return f"{words}; if later rows are to be predicted, compare with split {option!r}"
        return f"{words}; the order makes no difference here"


def forward_score(
    problem: Problem, suspected: HiddenOrder, model: Any, *, test_size: float, random_score: float
) -> ForwardScore:
    """Fit a copy of the winner's pipeline to the earlier rows and score the later ones."""
    plan = Plan("time", suspected.order)
    split = plan.holdout(problem.y, test_size=test_size, stratify=False, seed=0)
    copy = clone(model)
    fit_quietly(copy, problem.X.iloc[split.train], problem.y[split.train])
    answers = problem.metric.answers(copy, problem.X.iloc[split.test])
    return ForwardScore(
        suspected.name,
        suspected.reason,
        problem.metric(problem.y[split.test], answers),
        random_score,
        len(split.train),
        len(split.test),
    )
