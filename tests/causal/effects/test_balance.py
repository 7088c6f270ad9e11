import matplotlib as mpl
import numpy as np
from numpy.testing import assert_allclose

from margin.causal.effects._balance import balance_report

mpl.use("Agg")


def test_differences_by_hand():
    """causal.19: before and after weighting"""
    X = np.array([[0.0, 1], [2.0, 1], [1.0, 1], [3.0, 1]])
    treated = np.array([False, False, True, True])
    report = balance_report(
        X, ("a", "b"), treated, ~treated, np.ones(4), np.array([1.0, 3, 3, 1]), np.full(4, 0.5)
    )
    assert_allclose(report.before, [1, 0])
    assert_allclose(report.after, [0, 0])
    assert report.worst == 0
    assert report.overlap == (0.5, 0.5)
    assert_allclose(report.effective_rows, 16 / 10)
    assert report.to_frame().loc["a", "before"] == 1


def test_love_plot():
    X, treated = np.random.default_rng(0).random((10, 3)), np.arange(10) % 2 == 0
    ax = balance_report(X, tuple("abc"), treated, ~treated, np.ones(10), None).plot()
    assert len(ax.get_yticklabels()) == 3
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["before", "after"]
