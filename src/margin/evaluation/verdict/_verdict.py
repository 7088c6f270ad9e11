"""What the figures mean, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from margin.evaluation.race._baselines import RULE, Improvement
from margin.evaluation.table._metric import Metric
from margin.evaluation.table._shown import shown, signed
from margin.evaluation.verdict._final import Verified
from margin.evaluation.verdict._paired import FEWEST_FOLDS, PairedTest
from margin.evaluation.verdict._result import NO_TIME, Baseline, LearningCurve, ModelResult
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
    metric: Metric,
    over_rows: PairedTest | None = None,
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
    metric : Metric
        The score.
    over_rows : PairedTest, optional
        Winner minus baseline over the test rows.
    """
    sentences = [
        _winner(results, metric.title),
        *_late(results),
        _gain(results, baseline, against_baseline, over_rows),
        *_test(test, baseline, against_baseline is not None, metric),
    ]
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
    late = any(r.status == NO_TIME for r in results)
    verb = "is taken" if late else "is best"
    text = f"{best.model} {verb}: {metric} {shown(best.score)}"
    if len(best.scores) == 1:
        return f"{text} in the one fold that was finished"
    text += f" ± {shown(best.score_se)} over {len(best.scores)} folds"
    if len(best.scores) < FEWEST_FOLDS:
        return f"{text}, too few to tell it from the others by a test"
    rivals = [
        r.model
        for r in results[1:]
        if not (r.is_baseline or r.p_value < CLEAR or r.status == NO_TIME) and r.score == r.score
    ]
    if best.is_baseline or not rivals:
        return text
    if len(rivals) > _MOST_RIVALS:
        rivals = [*rivals[: _MOST_RIVALS - 1], f"{len(rivals) - _MOST_RIVALS + 1} others"]
    names = " and ".join([", ".join(rivals[:-1]), rivals[-1]]) if rivals[1:] else rivals[0]
    return f"{text}; not clearly better than {names}"


def _late(results: Sequence[ModelResult]) -> list[str]:
    """The models that led over the folds and could not be taken."""
    late = [f"{r.model} ({shown(r.score)})" for r in results if r.status == NO_TIME]
    if not late:
        return []
    them = "it" if len(late) == 1 else "them"
    return [
        f"{' and '.join(late)} led over the folds, but there was no time to fit {them} "
        "on all training rows"
    ]


def _gain(
    results: Sequence[ModelResult],
    baseline: Baseline,
    folds: PairedTest | None,
    rows: PairedTest | None,
) -> str:
    """Whether the winner beats the best baseline: folds and test rows are both evidence."""
    if all(r.is_baseline or r.score != r.score for r in results):
        return "No model but the baselines was finished"
    if folds is None and any(r.status == NO_TIME for r in results):
        return f"No other model beats the baseline ({baseline.model})"
    if folds is None:
        simple = "one question about one column does as well" if baseline.model == RULE else ""
        constant = "these columns help nobody yet"
        return f"No model beats the baseline ({baseline.model}): {simple or constant}"
    tests = [(folds, "corrected paired test over the folds")]
    if rows is not None:
        tests.append((rows, "paired test over the test rows"))
    clear = [(t, how) for t, how in tests if t.p_value < CLEAR]
    won = [(t, how) for t, how in clear if t.difference > 0]
    if won and len(won) == len(clear):
        test, how = won[0]
        return (
            f"It beats the best baseline ({baseline.model}) by {shown(test.difference)} "
            f"({p_in_words(test.p_value)}, {how})"
        )
    if won:
        return (
            f"Folds and test rows disagree whether it beats the best baseline ({baseline.model}): "
            f"{signed(folds.difference)} over the folds, {signed(clear[-1][0].difference)} on "
            "the test rows, each beyond chance"
        )
    if clear:
        test, how = clear[0]
        return (
            f"On the test rows it falls short of the best baseline ({baseline.model}) by "
            f"{shown(-test.difference)} ({p_in_words(test.p_value)}, {how})"
        )
    return _unclear(baseline, folds, rows, len(results[0].scores))


def _unclear(baseline: Baseline, folds: PairedTest, rows: PairedTest | None, n: int) -> str:
    """Neither test is clear, or there was none."""
    if folds.p_value == folds.p_value:
        return (
            f"It does not clearly beat the best baseline ({baseline.model}): the difference of "
            f"{shown(folds.difference)} may be chance ({p_in_words(folds.p_value)}, corrected "
            "paired test over the folds)"
        )
    few = "one fold is" if n == 1 else f"{n} folds are"
    more = f"{_distance(folds.difference)} the best baseline ({baseline.model})"
    if rows is None or rows.p_value != rows.p_value:
        return f"{more}; {few} too few for a test"
    return (
        f"{more}; {few} too few for a test, and on the test rows the difference of "
        f"{shown(rows.difference)} may be chance ({p_in_words(rows.p_value)})"
    )


def _distance(difference: float) -> str:
    """How far a score is from another, before the name of the other.

    Examples
    --------
    >>> _distance(0.1), _distance(-0.1), _distance(-0.0001)
    ('That is 0.100 more than', 'That is 0.100 less than', 'That is the same as')
    """
    size = shown(abs(difference))
    if size == shown(0.0):
        return "That is the same as"
    return f"That is {size} {'more' if difference > 0 else 'less'} than"


def _test(test: Verified, baseline: Baseline, beaten: bool, metric: Metric) -> list[str]:
    n = len(test.y_pred)
    low, high = test.interval
    rows = "1 test row" if n == 1 else f"{n} test rows"
    first = f"On {rows} it scores {shown(test.score)} (95 % interval {shown(low)} to {shown(high)})"
    if beaten:
        gain = Improvement(test.score, baseline.score, n, perfect=metric.perfect)
        first += f", {gain.text}"
    if metric.name != "accuracy":
        return [first]
    return [first, f"One per cent is {_rows(SizeReport(n).examples)} of these rows"]


def _rows(number: float) -> str:
    """A number of rows as a reader counts them.

    Examples
    --------
    >>> _rows(150.0), _rows(4.5), _rows(1.0), _rows(0.3)
    ('150', '4.5', '1', 'less than one')
    """
    if number < 1:
        return "less than one"
    return f"{number:.0f}" if number >= 10 or number == round(number) else f"{number:.1f}"
