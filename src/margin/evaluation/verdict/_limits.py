"""What limited the answer of a comparison: time, folds, models that left."""

from __future__ import annotations

from dataclasses import dataclass

ENOUGH_FOLDS = 5
_LEADERS = 3
_MOST_NAMES = 4

Reasons = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Limits:
    """What limited the answer, for the top of a report.

    Parameters
    ----------
    budget : float or None
        Seconds that were given; ``None`` for no limit.
    folds : tuple of (str, int)
        Folds that each model finished, best model first, without the baselines.
    left : tuple of (str, str)
        Models that left the race because they were hopelessly behind, with the evidence.
    unfinished : tuple of (str, str)
        Models that ran fewer folds than others because the time was up.
    stopped : tuple of (str, str)
        Models of which a fit was stopped at its limit of time.
    only_baselines : bool
        Whether no model but the baselines finished a fold.
    out_of_time : bool
        Whether the budget ended the race before its last fold.

    Examples
    --------
    >>> limits = Limits(60.0, folds=(("Ridge", 10), ("SVR", 2)), left=(("SVR", "behind"),))
    >>> limits.text
    ('1 of 2 models was far behind and left the race early',)
    >>> Limits(5.0, only_baselines=True, out_of_time=True).text
    ('only baselines finished: no model did within 5 s; give more time with a larger budget',)
    """

    budget: float | None = None
    folds: tuple[tuple[str, int], ...] = ()
    left: Reasons = ()
    stopped: Reasons = ()
    only_baselines: bool = False
    out_of_time: bool = False
    unfinished: Reasons = ()

    @property
    def leaders_have_enough_folds(self) -> bool:
        """Whether each of the best three models finished at least five folds."""
        return bool(self.folds) and all(n >= ENOUGH_FOLDS for _, n in self.folds[:_LEADERS])

    @property
    def text(self) -> tuple[str, ...]:
        """What a reader should know first, a sentence each; empty when nothing limited the answer.

        ``skipped`` of the comparison has the models that never started.
        """
        if self.only_baselines:
            return (self._nobody(),)
        sentences = []
        if self.out_of_time:
            sentences.append(f"the budget{self._of()} ended the race{self._folds_run()}")
        if self.left:
            total = len({name for name, _ in (*self.folds, *self.left)})
            verb = "was" if len(self.left) == 1 else "were"
            sentences.append(
                f"{len(self.left)} of {total} models {verb} far behind and left the race early"
            )
        if self.stopped:
            names = _listed([name for name, _ in self.stopped])
            sentences.append(f"stopped at the limit of a single fit: {names}")
        return tuple(sentences)

    def _nobody(self) -> str:
        if not self.out_of_time:
            return "only baselines finished: no model could be fitted"
        within = "in time" if self.budget is None else f"within {self.budget:g} s"
        return (
            f"only baselines finished: no model did {within}; give more time with a larger budget"
        )

    def _of(self) -> str:
        return "" if self.budget is None else f" of {self.budget:g} s"

    def _folds_run(self) -> str:
        words = ""
        if self.folds and not self.leaders_have_enough_folds:
            counts = [n for _, n in self.folds[:_LEADERS]]
            fewest, most = min(counts), max(counts)
            number = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            words = f" when the leaders had {number} fold{'' if most == 1 else 's'}"
        if self.unfinished:
            words += f"; fewer folds than others: {_listed([name for name, _ in self.unfinished])}"
        return words


def _listed(names: list[str]) -> str:
    shown = names if len(names) <= _MOST_NAMES else names[: _MOST_NAMES - 1]
    rest = len(names) - len(shown)
    return ", ".join(shown) + (f" and {rest} others" if rest else "")
