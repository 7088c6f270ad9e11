"""Local fits, their robustness and their variance (linear.06)."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.core import Status
from margin.linear.curves._local_rows import LocalRows, LocalSettings, weighted_quantile

SETTINGS = LocalSettings(bandwidth=None, span=0.4, kernel="tricube", degree=1, n_threads=1)


def local(n=80, seed=0, **changes):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-2.0, 2.0, n))[:, None]
    y = np.sin(2 * x[:, 0]) + 0.3 * rng.normal(size=n)
    weight = rng.random(n) + 0.5
    return LocalRows(x, y, weight, np.ones(n), replace(SETTINGS, **changes))


@pytest.mark.parametrize("degree", [0, 1])
def test_variance_is_that_of_repeated_noise(degree):
    """linear.06: over new noise the predictions vary as the smoother says, the noise is found."""
    rows = local(degree=degree, span=0.3, kernel="gaussian")
    rng = np.random.default_rng(1)
    queries = np.array([[-1.9], [0.0], [1.0]])
    smooth = 0.1 * rows.rows[:, 0]  # no bias to speak of
    values, variances = [], []
    for _ in range(300):
        noise = 0.3 * rng.normal(size=80) / np.sqrt(rows.weight)
        again = replace(rows, target=smooth + noise)
        values.append(again.values(queries))
        variances.append(again.variances(queries))
    wanted = 0.09 + np.var(values, axis=0)
    assert_allclose(np.mean(variances, axis=0), wanted, rtol=0.1)


def test_a_row_of_weight_two_is_two_rows():
    rows = local(n=20)
    weight = np.where(np.arange(20) % 3 == 0, 2.0, 1.0)
    one = replace(rows, weight=weight)
    twice = np.repeat(np.arange(20), weight.astype(int))
    two = LocalRows(
        rows.rows[twice], rows.target[twice], np.ones(len(twice)), np.ones(len(twice)), SETTINGS
    )
    queries = np.linspace(-2.0, 2.0, 7)[:, None]
    assert_allclose(one.values(queries), two.values(queries), rtol=1e-9)
    assert_allclose(one.variances(queries), two.variances(queries), rtol=1e-9)


def test_reweighting_ignores_outliers_and_counts_its_passes():
    """linear.06: one pass more than reweightings; the trace is that of the passes."""
    rows = local()
    target = rows.target.copy()
    target[::16] += 30.0
    seen = []
    near, solution = replace(rows, target=target).reweighted(3, lambda k, v: seen.append(k))
    assert solution.status is Status.CONVERGED
    assert solution.n_iter == len(solution.trace["objective"]) == 4
    assert seen == [1, 2, 3, 4]
    assert (near.robustness[::16] == 0).all()
    assert near.robustness.mean() > 0.8


def test_an_exact_fit_needs_no_reweighting():
    rows = local()
    line = replace(rows, target=2.0 * rows.rows[:, 0] + 1.0)
    near, solution = line.reweighted(5, lambda k, v: None)
    assert solution.status is Status.CONVERGED
    assert solution.n_iter == 1
    assert_array_equal(near.robustness, 1.0)


def test_interruption_keeps_the_weights_so_far():
    def stop(iteration, objective):
        if iteration == 2:
            raise KeyboardInterrupt

    near, solution = local().reweighted(5, stop)
    assert solution.interrupted
    assert solution.n_iter == 2
    assert near.robustness.min() < 1.0


def test_fits_through_every_row_leave_no_freedom():
    assert local().leaves_freedom
    assert not replace(local(bandwidth=1e-9, degree=0), weight=np.ones(80)).leaves_freedom


def test_weighted_quantile_counts_weight():
    values = np.array([[5.0, 1.0, 3.0], [2.0, 2.0, 0.0]])
    weight = np.array([[1.0, 1.0, 2.0]])
    assert_array_equal(weighted_quantile(values, weight, 0.5), [3.0, 0.0])
    assert_array_equal(weighted_quantile(values, weight, 0.8), [5.0, 2.0])
    assert_array_equal(weighted_quantile(values, np.ones((1, 3)), 0.5), [3.0, 2.0])
