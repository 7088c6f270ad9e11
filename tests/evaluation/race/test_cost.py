"""What a fit will cost."""

import math

import pytest

from margin.evaluation.race._cost import Trial, predicted, steps


@pytest.mark.parametrize("power", [1, 2, 3])
def test_a_pure_power_is_continued_exactly(power):
    trials = [Trial(n, 4, 1e-7 * n**power) for n in (256, 1024)]
    assert predicted(trials, 8192, 4, power) == pytest.approx(1e-7 * 8192**power)


def test_a_fixed_part_does_not_grow():
    trials = [Trial(n, 4, 0.1 + 1e-8 * n**2) for n in (64, 256)]
    estimate = predicted(trials, 1024, 4, 2)
    assert estimate < 0.5
    assert estimate >= 0.1 + 1e-8 * 1024**2


def test_growth_that_was_seen_counts_where_the_card_promises_worse():
    trials = [Trial(n, 4, 1e-4 * n) for n in (256, 1024)]
    assert predicted(trials, 4096, 4, 3) == pytest.approx(0.4096)


def test_a_trial_that_was_stopped_grows_as_the_card_promises():
    trials = [Trial(64, 4, 0.1), Trial(256, 4, 0.2, finished=False)]
    assert predicted(trials, 1024, 4, 2) == pytest.approx(3.2)


def test_columns_grow_as_seen_and_by_the_square_when_nothing_was_seen():
    seen = [Trial(60, 200, 0.02), Trial(60, 500, 0.02 * 2.5**3)]
    assert predicted(seen, 60, 1000, 1) == pytest.approx(0.02 * 5**3)
    assert predicted(seen[:1], 60, 400, 1) == pytest.approx(0.08)


def test_times_never_shrink_with_noise():
    trials = [Trial(64, 4, 0.3), Trial(256, 4, 0.1)]
    assert predicted(trials, 1024, 4, 1) > 0.1
    assert predicted(trials, 10, 4, 1) == pytest.approx(0.1)


def test_no_trial_is_no_cost():
    assert predicted([], 1000, 10, 2) == math.inf


def test_steps_start_at_few_rows_and_end_below_half_of_the_table():
    assert steps(50, 3) == [(50, 3)] * 2
    assert steps(200_000, 3) == [(64, 3), (64, 3), (256, 3), (1024, 3), (4096, 3)]
    wide = steps(5000, 3000)
    assert wide[:2] == [(64, 200)] * 2
    assert wide[-1] == (1024, 3000)
    assert all(rows == 64 for rows, columns in wide if columns < 3000)
