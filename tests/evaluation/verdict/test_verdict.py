"""The figures in words."""

import numpy as np
import pytest

from margin.evaluation import Baseline, LearningCurve, ModelResult, PairedTest
from margin.evaluation.verdict._final import Verified
from margin.evaluation.verdict._verdict import p_in_words, verdict

NAN = float("nan")
TEST = Verified(0.9, (0.83, 0.94), np.zeros(100), None, None)


def result(name, score, *, p_value=0.001, is_baseline=False):
    return ModelResult(
        name, "x", score, 0.01, (score, score), 1.0, 1.0, "ok",
        p_value=p_value, is_baseline=is_baseline,
    )  # fmt: skip


def test_a_clear_win():
    curve = LearningCurve((1, 2), (1, 1), (0, 0), (1, 1), (0, 0), "flattened, all is known")
    text = verdict(
        [
            result("Good", 0.91, p_value=1.0),
            result("Poor", 0.6),
            result("base", 0.5, is_baseline=True),
        ],
        TEST,
        Baseline("base", 0.5),
        PairedTest(0.41, 0.02, 20.0, 1e-6, (0.3, 0.5)),
        curve,
        metric="accuracy",
    )
    assert text == (
        "Good is best: accuracy 0.910 ± 0.010 over 2 folds. "
        "It beats the best baseline (base) by 0.410 (p < 0.001, corrected paired test). "
        "On 100 test rows it scores 0.900 (95 % interval 0.830 to 0.940), "
        "0.400 above the baseline, 80 % of the way to perfect. "
        "One per cent is 1 of these rows. "
        "Flattened, all is known."
    )


def test_rivals_that_are_not_clearly_worse_are_named():
    results = [
        result("A", 0.9),
        result("B", 0.89, p_value=0.5),
        result("C", 0.88, p_value=0.2),
        result("D", 0.5),
        result("E", NAN, p_value=1.0),
        result("base", 0.4, p_value=0.3, is_baseline=True),
    ]
    test = PairedTest(0.5, 0.4, 1.2, 0.3, (-1, 1))
    text = verdict(results, TEST, Baseline("base", 0.4), test, None, metric="R²")
    assert "not clearly better than B and C." in text
    assert "does not clearly beat the best baseline (base)" in text
    assert "may be chance (p = 0.30" in text
    assert "One per cent" not in text


def test_many_rivals_are_counted():
    results = [result("A", 0.9), *(result(f"R{i}", 0.89, p_value=0.5) for i in range(7))]
    test = PairedTest(0.5, 0.1, 5, 0.001, (0, 1))
    text = verdict(results, TEST, Baseline("base", 0.4), test, None, metric="R²")
    assert "not clearly better than R0, R1, R2 and 4 others." in text


def test_a_baseline_that_nothing_beats():
    results = [result("base", 0.5, is_baseline=True), result("A", 0.4)]
    text = verdict(results, TEST, Baseline("base", 0.5), None, None, metric="accuracy")
    assert "No model beats the baseline (base)" in text
    assert "above the baseline" not in text


def test_one_fold_is_no_test():
    one = ModelResult("A", "x", 0.9, NAN, (0.9,), 1.0, 1.0, "ok")
    base = ModelResult("base", "x", 0.5, NAN, (0.5,), 1.0, 1.0, "ok", is_baseline=True)
    test = PairedTest(0.4, NAN, NAN, 1.0, (-np.inf, np.inf))
    text = verdict([one, base], TEST, Baseline("base", 0.5), test, None, metric="R²")
    assert text.startswith(
        "A is best: R² 0.900 in the one fold that was finished. "
        "That is 0.400 more than the best baseline (base); one fold is too few for a test."
    )


def test_nothing_but_baselines():
    results = [result("base", 0.5, is_baseline=True), result("A", NAN)]
    text = verdict(results, TEST, Baseline("base", 0.5), None, None, metric="accuracy")
    assert "No model but the baselines was finished" in text


@pytest.mark.parametrize(
    ("p", "text"), [(0.0, "p < 0.001"), (0.001, "p = 0.001"), (0.1, "p = 0.10"), (1.0, "p = 1.00")]
)
def test_p_values(p, text):
    assert p_in_words(p) == text
