"""What ``verbose`` prints: a line per stage, fewer and fewer of them."""

from __future__ import annotations

import sys
from time import monotonic


class StageTable:
    """Lines of a table of stages, printed as they come.

    Parameters
    ----------
    verbose : int
        1: every stage up to 10, every tenth up to 100 and so on; more: every stage.
    n_stages : int
        Stages that will be made, for the time that is left.
    out_of_bag : bool
        Whether there is a column for the improvement on rows that were not drawn.
    first_stage : int
        Stages made before.

    Examples
    --------
    >>> table = StageTable(1, 20, out_of_bag=False)
          Iter       Train Loss   Remaining Time
    >>> table.line(1, 0.5, 0.0).split()[:2]
    ['1', '0.5000']
    """

    def __init__(
        self, verbose: int, n_stages: int, *, out_of_bag: bool, first_stage: int = 0
    ) -> None:
        self.verbose, self.n_stages, self.out_of_bag = verbose, n_stages, out_of_bag
        self.first_stage, self.every, self.started = first_stage, 1, monotonic()
        words = ["Train Loss", *(["OOB Improve"] if out_of_bag else []), "Remaining Time"]
        sys.stdout.write(" ".join([f"{'Iter':>10}", *(f"{word:>16}" for word in words)]) + "\n")

    def line(self, stage: int, loss: float, improvement: float) -> str:
        """The line of a stage."""
        rounds = stage - self.first_stage
        seconds = (self.n_stages - stage) * (monotonic() - self.started) / rounds
        left = f"{seconds / 60:.2f}m" if seconds > 60 else f"{seconds:.2f}s"
        numbers = [loss, improvement] if self.out_of_bag else [loss]
        return " ".join([f"{stage:>10}", *(f"{x:>16.4f}" for x in numbers), f"{left:>16}"])

    def show(self, stage: int, loss: float, improvement: float) -> None:
        """Print the line of a stage if it is its turn."""
        rounds = stage - self.first_stage
        if rounds % self.every:
            return
        sys.stdout.write(self.line(stage, loss, improvement) + "\n")
        if self.verbose == 1 and rounds // (self.every * 10) > 0:
            self.every *= 10
