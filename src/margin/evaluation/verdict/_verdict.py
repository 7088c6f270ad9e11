"""What the figures mean, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from margin.evaluation.race._baselines import Improvement
from margin.evaluation.verdict._final import Verified
from margin.evaluation.verdict._paired import PairedTest
from margin.evaluation.verdict._result import Baseline, LearningCurve, ModelResult
from margin.evaluation.verdict._size_report import SizeReport

CLEAR = 0.05
_MOST_RIVALS = 4


def verdict(
    results: Sequence[ModelResult],
    test: Verified,
    baseline: Baseline,
    against_baseline: PairedTest | None,
    curve: LearningCurve | None,
    *,
    metric: str,
) -> str:
    """The outcome of a comparison in a few sentences.

    Parameters
    ----------
    results : sequence of ModelResult
        Leaderboard; the first is the winner.
    test : Verified
        The winner on the test rows.
    baseline : Baseline
        The best baseline on the test rows.
    against_baseline : PairedTest or None
        Winner minus baseline over the folds; ``None`` when a baseline won.
    curve : LearningCurve or None
        Learning curve of the winner.
    metric : str
        Name of the score.
    """
    sentences = [_winner(results, metric), _gain(results, baseline, against_baseline)]
    sentences += _test(test, baseline, against_baseline is not None, metric)
    if curve is not None:
        sentences.append(curve.verdict[0].upper() + curve.verdict[1:])
    return " ".join(f"{sentence}." for sentence in sentences)


def p_in_words(p: float) -> str:
    """A p-value with as many digits as it deserves.

    Examples
    --------
    >>> p_in_words(0.00002), p_in_words(0.0312), p_in_words(0.4)
    ('p < 0.001', 'p = 0.031', 'p = 0.40')
    """
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def _winner(results: Sequence[ModelResult], metric: str) -> str:
    best = results[0]
    text = f"{best.model} is best: {metric} {best.score:.3f}"
    if len(best.scores) == 1:
        return f"{text} in the one fold that was finished"
    text += f" ± {best.score_se:.3f} over {len(best.scores)} folds"
    rivals = [
        r.model
        for r in results[1:]
        if not r.is_baseline and r.p_value >= CLEAR and r.score == r.score
    ]
    if best.is_baseline or not rivals:
        return text
    if len(rivals) > _MOST_RIVALS:
        rivals = [*rivals[: _MOST_RIVALS - 1], f"{len(rivals) - _MOST_RIVALS + 1} others"]
    shown = " and ".join([", ".join(rivals[:-1]), rivals[-1]]) if rivals[1:] else rivals[0]
    return f"{text}; not clearly better than {shown}"


def _gain(results: Sequence[ModelResult], baseline: Baseline, test: PairedTest | None) -> str:
    if all(r.is_baseline or r.score != r.score for r in results):
        return "No model but the baselines was finished"
    if test is None:
        return f"No model beats the baseline ({baseline.model}): these columns help nobody yet"
    if test.se != test.se:
        return (
            f"That is {test.difference:.3f} more than the best baseline ({baseline.model}); "
            "one fold is too few for a test"
        )
    if test.p_value < CLEAR:
        return (
            f"It beats the best baseline ({baseline.model}) by {test.difference:.3f} "
            f"({p_in_words(test.p_value)}, corrected paired test)"
        )
    return (
        f"It does not clearly beat the best baseline ({baseline.model}): the difference of "
        f"{test.difference:.3f} may be chance ({p_in_words(test.p_value)}, corrected paired test)"
    )


def _test(test: Verified, baseline: Baseline, beaten: bool, metric: str) -> list[str]:
    n = len(test.y_pred)
    low, high = test.interval
    first = f"On {n} test rows it scores {test.score:.3f} (95 % interval {low:.3f} to {high:.3f})"
    if beaten:
        gain = Improvement(test.score, baseline.score, n)
        first += f", {gain.text}"
    if metric != "accuracy":
        return [first]
    size = SizeReport(n, accuracy=test.score)
    return [first, f"One per cent is {size.examples:.2g} of these rows"]
