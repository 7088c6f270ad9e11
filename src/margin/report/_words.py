"""Numbers and judgements as a reader wants them: scores, p-values, durations, the headline."""

from __future__ import annotations

import math

from margin.evaluation import Comparison
from margin.report._axes import minus


def score(value: float, digits: int = 3) -> str:
    """A score with fixed decimals and a true minus sign; a dash when there is none.

    Examples
    --------
    >>> score(-0.12345), score(float("nan"))
    ('−0.123', '–')
    """
    if value is None or not math.isfinite(value):
        return "–"
    if round(value, digits) == 0:
        value = 0.0
    if abs(value) >= 1e5:
        return minus(f"{value:.3g}")
    return minus(f"{value:.{digits}f}")


def number(value: float) -> str:
    """A number with three digits that count, written out as far as a reader can count its zeros.

    Examples
    --------
    >>> number(1436.2), number(0.0123456), number(2e-9), number(-5.0)
    ('1436', '0.0123', '2e-09', '−5')
    """
    return minus(f"{value:.0f}" if 1e3 <= abs(value) < 1e7 else f"{value:.3g}")


def probability(value: float) -> str:
    """A probability with three decimals; the ends are certain only where it says so.

    Examples
    --------
    >>> probability(0.37), probability(9.68e-8), probability(0.99999), probability(1.0)
    ('0.370', '< 0.001', '> 0.999', '1.000')
    """
    if 0 < value < 0.0005:
        return "< 0.001"
    return "> 0.999" if 0.9995 <= value < 1 else f"{value:.3f}"


def p_value(value: float) -> str:
    """A p-value, not more precise than it deserves.

    Examples
    --------
    >>> p_value(0.0004), p_value(0.034), p_value(0.51)
    ('p < 0.001', 'p = 0.034', 'p = 0.51')
    """
    if not math.isfinite(value):
        return "p –"
    if value < 0.001:
        return "p < 0.001"
    return f"p = {value:.3f}" if value < 0.1 else f"p = {value:.2f}"


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them.

    Examples
    --------
    >>> duration(2e-5), duration(0.0123), duration(3.21), duration(125)
    ('20 µs', '12 ms', '3.2 s', '2 min 5 s')
    """
    if not math.isfinite(seconds):
        return "–"
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 0.9995:
        return f"{seconds * 1e3:.0f} ms" if seconds >= 0.00995 else f"{seconds * 1e3:.1f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def count(number: int) -> str:
    """A whole number with thin spaces between thousands.

    Examples
    --------
    >>> count(1234567)
    '1\u202f234\u202f567'
    """
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def percent(share: float, digits: int = 0) -> str:
    """A share as a percentage, with a narrow space before the sign.

    Examples
    --------
    >>> percent(0.25)
    '25\u202f%'
    """
    return f"{100 * share:.{digits}f}\N{NARROW NO-BREAK SPACE}%"


def sentence(words: str) -> str:
    """Words with a capital in front and a full stop behind.

    Examples
    --------
    >>> sentence("still rising")
    'Still rising.'
    """
    words = words.strip()
    if not words:
        return ""
    return words[0].upper() + words[1:] + ("" if words[-1] in ".!?" else ".")


def headline(comparison: Comparison) -> str:
    """One sentence: which model, what it predicts, how well."""
    gain = comparison.test_score - comparison.baseline.score
    baselines = all(result.is_baseline for result in comparison.results)
    if baselines or comparison.limits.only_baselines:
        return f"Only the baselines were finished on {comparison.target}"
    if comparison.winner == comparison.baseline.model:
        return f"No model beats the baseline on {comparison.target}"
    value = f"{comparison.metric} of {score(comparison.test_score)}"
    if comparison.test_interval[0] > comparison.baseline.score:
        return f"{comparison.winner} predicts {comparison.target} with {article(value)} {value}"
    verb = "is not clearly better than" if gain > 0 else "is no better than"
    return f"{comparison.winner} {verb} the baseline on {comparison.target}"


def article(noun: str) -> str:
    """``"a"`` or ``"an"``, by the sound of the first letter.

    Examples
    --------
    >>> article("accuracy"), article("R² of 0.5"), article("balanced accuracy")
    ('an', 'an', 'a')
    """
    sounds_open = noun[:1].lower() in "aeio" or noun.startswith(("R²", "R2", "F1", "MAE", "RMSE"))
    return "an" if sounds_open else "a"
