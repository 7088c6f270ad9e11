"""What each feature adds to each prediction, as a value and as pictures."""

import matplotlib as mpl
import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inspection import Explanation
from margin.inspection._explanation import _ranks, _spread

mpl.use("Agg")


@pytest.fixture
def shown():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(60, 15))
    data[0, 0] = np.nan
    names = tuple(f"feature {j}" for j in range(15))
    values = rng.normal(size=(60, 15, 2)) * np.arange(15)[:, None]
    return Explanation(values, np.array([0.5, -1.0]), data, names)


def test_sums_and_importance(shown):
    assert_allclose(shown.prediction, shown.values.sum(axis=1) + np.array([0.5, -1.0]))
    assert_allclose(shown.importance(1), np.abs(shown.values[:, :, 1]).mean(axis=0))


def test_summary_has_a_line_per_feature_most_important_on_top(shown):
    ax = shown.plot_summary(most=5)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    best = np.argsort(shown.importance())[::-1][:5]
    assert labels == [f"feature {j}" for j in best[::-1]]


def test_waterfall_runs_from_base_to_prediction(shown):
    ax = shown.plot_waterfall(3, output=1, most=4)
    bars = ax.patches
    assert len(bars) == 5  # four features and the rest
    ends = [bar.get_x() + bar.get_width() for bar in bars]
    assert ends[0] == pytest.approx(shown.prediction[3, 1])
    assert bars[-1].get_x() == pytest.approx(-1.0)
    assert ax.get_yticklabels()[-1].get_text().startswith("11 others")


def test_dependence_by_name(shown):
    ax = shown.plot_dependence("feature 2")
    assert ax.get_xlabel() == "feature 2"
    with pytest.raises(ValueError, match="feature must be one of"):
        shown.plot_dependence("height")


def test_colours_and_heights():
    assert_allclose(_ranks(np.array([5.0, 5.0])), 0.5)
    assert_allclose(_ranks(np.array([1.0, 9e9, np.nan, 2.0])), [0.0, 1.0, 0.5, 0.5])
    heights = _spread(np.array([0.0, 0.0, 0.0, 1.0]))
    assert len(np.unique(heights[:3])) == 3
    assert heights[3] == 0.0
