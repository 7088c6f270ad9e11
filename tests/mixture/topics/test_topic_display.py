"""Topics drawn."""

import matplotlib as mpl
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import NotFittedError

from margin.mixture import LatentDirichletAllocation, TopicDisplay

mpl.use("Agg")


def test_bars_are_the_probabilities():
    from matplotlib import pyplot as plt

    X = np.random.default_rng(0).poisson(1.0, size=(20, 6))
    model = LatentDirichletAllocation(3, random_state=0).fit(X)
    names = [f"word {j}" for j in range(6)]
    shown = TopicDisplay.from_estimator(model, names, n_words=4)
    assert len(shown.axes_) == 3
    share = model.components_ / model.components_.sum(axis=1, keepdims=True)
    for k, ax in enumerate(shown.axes_):
        assert_allclose([bar.get_width() for bar in ax.patches], np.sort(share[k])[::-1][:4])
        assert [t.get_text() for t in ax.get_yticklabels()] == shown.words[k]
    plt.close(shown.figure_)


def test_given_axes_and_unfitted():
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2)
    shown = TopicDisplay.from_topics([[3.0, 1.0], [1.0, 3.0]]).plot(ax=axes)
    assert shown.figure_ is figure
    assert shown.words == [["0", "1"], ["1", "0"]]
    plt.close(figure)
    with pytest.raises(NotFittedError):
        TopicDisplay.from_estimator(LatentDirichletAllocation())
