"""The figures in words."""

from dataclasses import replace

import numpy as np
import pytest

from margin.evaluation import Baseline, LearningCurve, Metric, ModelResult, PairedTest
from margin.evaluation.verdict._final import Verified
from margin.evaluation.verdict._result import NO_TIME
from margin.evaluation.verdict._verdict import p_in_words, verdict

NAN = float("nan")
TEST = Verified(0.9, (0.83, 0.94), np.zeros(100), None, None)


def result(name, score, *, p_value=0.001, is_baseline=False):
    return ModelResult(
        name, "x", score, 0.01, (score,) * 5, 1.0, 1.0, "ok",
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
        metric=Metric("accuracy"),
    )
    assert text == (
        "Good is best: accuracy 0.910 ± 0.010 over 5 folds. "
        "It beats the best baseline (base) by 0.410 "
        "(p < 0.001, corrected paired test over the folds). "
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
    text = verdict(results, TEST, Baseline("base", 0.4), test, None, metric=Metric("R²"))
    assert "not clearly better than B and C." in text
    assert "does not clearly beat the best baseline (base)" in text
    assert "may be chance (p = 0.30" in text
    assert "One per cent" not in text


def late(name, score):
    return replace(result(name, score, p_value=0.5), status=NO_TIME)


def test_leaders_without_time_for_a_refit_are_told_of():
    results = [result("A", 0.8), late("S", 0.9), late("T", 0.85), result("B", 0.7)]
    test = PairedTest(0.4, 0.1, 4.0, 0.01, (0.2, 0.6))
    text = verdict(results, TEST, Baseline("base", 0.4), test, None, metric=Metric("R²"))
    assert text.startswith(
        "A is taken: R² 0.800 ± 0.010 over 5 folds. S (0.900) and T (0.850) led over the folds, "
        "but there was no time to fit them on all training rows. It beats"
    )
    results = [result("base", 0.4, is_baseline=True), late("S", 0.9)]
    text = verdict(results, TEST, Baseline("base", 0.4), None, None, metric=Metric("R²"))
    assert "no time to fit it on all training rows. No other model beats the baseline" in text


def test_many_rivals_are_counted():
    results = [result("A", 0.9), *(result(f"R{i}", 0.89, p_value=0.5) for i in range(7))]
    test = PairedTest(0.5, 0.1, 5, 0.001, (0, 1))
    text = verdict(results, TEST, Baseline("base", 0.4), test, None, metric=Metric("R²"))
    assert "not clearly better than R0, R1, R2 and 4 others." in text


def test_a_baseline_that_nothing_beats():
    results = [result("base", 0.5, is_baseline=True), result("A", 0.4)]
    text = verdict(results, TEST, Baseline("base", 0.5), None, None, metric=Metric("accuracy"))
    assert "No model beats the baseline (base): these columns help nobody yet." in text
    assert "above the baseline" not in text


def test_a_rule_that_nothing_beats_shows_that_a_column_helps():
    results = [result("depth-1 rule", 0.7, is_baseline=True), result("A", 0.6)]
    rule = Baseline("depth-1 rule", 0.7)
    text = verdict(results, TEST, rule, None, None, metric=Metric("accuracy"))
    assert "No model beats the baseline (depth-1 rule): one question about one column" in text
    assert "help nobody" not in text


def test_one_fold_is_no_test():
    one = ModelResult("A", "x", 0.9, NAN, (0.9,), 1.0, 1.0, "ok")
    base = ModelResult("base", "x", 0.5, NAN, (0.5,), 1.0, 1.0, "ok", is_baseline=True)
    test = PairedTest(0.4, NAN, NAN, NAN, (-np.inf, np.inf))
    text = verdict([one, base], TEST, Baseline("base", 0.5), test, None, metric=Metric("R²"))
    assert text.startswith(
        "A is best: R² 0.900 in the one fold that was finished. "
        "That is 0.400 more than the best baseline (base); one fold is too few for a test."
    )


def test_nothing_but_baselines():
    results = [result("base", 0.5, is_baseline=True), result("A", NAN)]
    text = verdict(results, TEST, Baseline("base", 0.5), None, None, metric=Metric("accuracy"))
    assert "No model but the baselines was finished" in text


def two(n_folds):
    return [
        ModelResult("A", "x", 0.9, 0.01, (0.9,) * n_folds, 1.0, 1.0, "ok"),
        ModelResult("base", "x", 0.5, 0.01, (0.5,) * n_folds, 1.0, 1.0, "ok", is_baseline=True),
    ]


def told(n_folds, folds_p, rows_p, *, gain=0.4, rows_gain=0.4):
    folds = PairedTest(gain, 0.1, 4.0, folds_p, (0, 1))
    rows = PairedTest(rows_gain, 0.1, 4.0, rows_p, (0, 1))
    return verdict(
        two(n_folds), TEST, Baseline("base", 0.5), folds, None,
        metric=Metric("R²"), over_rows=rows,
    )  # fmt: skip


@pytest.mark.parametrize("folds_p", [NAN, 0.4, 0.06])
def test_a_decisive_test_score_is_never_chance(folds_p):
    text = told(3 if folds_p != folds_p else 10, folds_p, 1e-9)
    assert "beats the best baseline (base) by 0.400 (p < 0.001, paired test over the test" in text
    assert "chance" not in text


def test_neither_folds_nor_rows_decide():
    assert "may be chance (p = 0.40, corrected paired test over the folds)" in told(10, 0.4, 0.3)
    text = told(3, NAN, 0.3)
    assert "3 folds are too few for a test, and on the test rows the difference of 0.400" in text
    assert "over 3 folds, too few to tell it from the others by a test" in text


def test_folds_and_rows_that_disagree():
    assert "Folds and test rows disagree" in told(10, 0.001, 0.001, rows_gain=-0.2)
    assert "+0.400 over the folds, -0.200 on the test rows" in told(10, 0.01, 0.01, rows_gain=-0.2)
    assert "falls short of the best baseline (base) by 0.200" in told(10, 0.5, 0.01, rows_gain=-0.2)


@pytest.mark.parametrize(
    ("n", "words"),
    [(15000, "is 150 of"), (250, "is 2.5 of"), (40, "is less than one of"), (100, "is 1 of")],
)
def test_one_per_cent_in_rows(n, words):
    test = Verified(0.9, (0.83, 0.94), np.zeros(n), None, None)
    text = verdict(two(5), test, Baseline("base", 0.5), None, None, metric=Metric("accuracy"))
    assert f"One per cent {words} these rows" in text
    assert "e+" not in text


def test_a_single_row_is_not_rows():
    test = Verified(0.9, (0.83, 0.94), np.zeros(1), None, None)
    text = verdict(two(5), test, Baseline("base", 0.5), None, None, metric=Metric("R²"))
    assert "On 1 test row it" in text


def test_the_way_to_a_perfect_loss_of_zero():
    test = Verified(-1.0, (-1.2, -0.8), np.zeros(9), None, None)
    paired = PairedTest(1.0, 0.1, 9.0, 1e-5, (0, 1))
    text = verdict(two(5), test, Baseline("base", -2.0), paired, None, metric=Metric("MAE"))
    assert text.startswith("A is best: negative MAE 0.900")
    assert "1.000 above the baseline, 50 % of the way to perfect" in text


@pytest.mark.parametrize(
    ("p", "text"), [(0.0, "p < 0.001"), (0.001, "p = 0.001"), (0.1, "p = 0.10"), (1.0, "p = 1.00")]
)
def test_p_values(p, text):
    assert p_in_words(p) == text
