"""The corrected resampled t-test."""

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import RepeatedKFold

from margin.evaluation import corrected_paired_test, corrected_se
from margin.evaluation.verdict._paired import fold_test


def test_formula():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 10))
    d = a - b
    t = d.mean() / np.sqrt((1 / 10 + 20 / 80) * d.var(ddof=1))
    test = corrected_paired_test(a, b, n_train=80, n_test=20)
    assert test.statistic == pytest.approx(t, rel=1e-12)
    assert test.p_value == pytest.approx(2 * stats.t.sf(abs(t), 9), rel=1e-12)
    half = stats.t.ppf(0.975, 9) * test.se
    assert test.interval == pytest.approx((d.mean() - half, d.mean() + half))


def test_without_overlap_it_is_the_ordinary_paired_test():
    a, b = np.random.default_rng(1).normal(size=(2, 12))
    ours = corrected_paired_test(a, b, n_train=10**15, n_test=1)
    theirs = stats.ttest_rel(a, b)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)


def test_swapping_the_models_changes_the_sign_only():
    a, b = np.random.default_rng(2).normal(size=(2, 8))
    one, other = (corrected_paired_test(*pair, n_train=9, n_test=1) for pair in ((a, b), (b, a)))
    assert one.difference == -other.difference
    assert one.p_value == other.p_value


def test_more_repetitions_do_not_make_the_error_vanish():
    scores = np.random.default_rng(3).normal(size=10_000)
    floor = np.sqrt(20 / 80) * scores.std(ddof=1)
    assert corrected_se(scores, n_train=80, n_test=20) > floor


def test_false_alarms_are_near_the_nominal_rate():
    """Two predictors of equal true error, compared by twice five folds of small samples.

    Both predict the mean of one of two independent copies of the target, so that neither is
    better; the plain test is fooled far too often by the shared rows, the corrected one is not.
    """
    rng = np.random.default_rng(4)
    n, runs = 40, 600
    corrected = plain = 0
    for run in range(runs):
        y = rng.normal(size=(n, 2))
        folds = RepeatedKFold(n_splits=5, n_repeats=2, random_state=run).split(y)
        errors = np.array(
            [((y[test] - y[train].mean(axis=0)) ** 2).mean(axis=0) for train, test in folds]
        )
        corrected += corrected_paired_test(*errors.T, n_train=32, n_test=8).p_value < 0.05
        plain += stats.ttest_rel(*errors.T).pvalue < 0.05
    assert 0.01 <= corrected / runs <= 0.08
    assert plain / runs > 0.12


@pytest.mark.parametrize(
    ("a", "b", "p_value"), [([0.5] * 5, [0.5] * 5, 1.0), ([0.6] * 5, [0.5] * 5, 0.0)]
)
def test_differences_without_spread(a, b, p_value):
    test = corrected_paired_test(a, b, n_train=80, n_test=20)
    assert (test.p_value, test.se) == (p_value, 0.0)


def test_one_fold_decides_nothing():
    test = corrected_paired_test([0.9], [0.1], n_train=80, n_test=20)
    assert np.isnan(test.p_value)
    assert np.isnan(test.se)


@pytest.mark.parametrize(("a", "b"), [([1.0], [1.0, 2.0]), ([], []), ([[1.0]], [[1.0]])])
def test_scores_that_do_not_pair_are_refused(a, b):
    with pytest.raises(ValueError, match="one score per fold"):
        corrected_paired_test(a, b, n_train=4, n_test=1)


def test_empty_folds_are_refused():
    with pytest.raises(ValueError, match="at least 1, got 4 and 0"):
        corrected_se([1.0, 2.0], n_train=4, n_test=0)


@pytest.mark.parametrize(("n", "tested"), [(1, False), (2, False), (4, False), (5, True)])
def test_few_folds_have_no_p_value(n, tested):
    a, b = np.random.default_rng(n).normal(size=(2, n))
    test = fold_test(a, b, n_train=80, n_test=20)
    assert np.isfinite(test.p_value) == tested
    assert test.difference == corrected_paired_test(a, b, n_train=80, n_test=20).difference
