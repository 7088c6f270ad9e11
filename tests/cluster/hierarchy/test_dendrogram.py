"""The picture has a bracket for every merge."""

import matplotlib as mpl
import numpy as np
import pytest

from margin.cluster import AgglomerativeClustering, DendrogramDisplay


def test_brackets_and_heights():
    """cluster.07: the merge history as a picture."""
    mpl.use("Agg")
    X = np.random.default_rng(0).normal(size=(12, 2))
    model = AgglomerativeClustering(3, linkage="average").fit(X)
    display = DendrogramDisplay.from_estimator(model, labels=[f"r{i}" for i in range(12)])
    tops = [p.vertices[:, 1].max() for c in display.ax_.collections for p in c.get_paths()]
    np.testing.assert_allclose(np.sort(tops), np.sort(model.linkage_matrix_[:, 2]))
    heights = model.linkage_matrix_[:, 2]
    assert np.count_nonzero(heights > display.threshold) == 2
    assert display.figure_ is display.ax_.figure
    mpl.pyplot.close(display.figure_)


def test_unfitted_is_refused():
    with pytest.raises(ValueError, match="DendrogramDisplay: estimator must be a fitted"):
        DendrogramDisplay.from_estimator(AgglomerativeClustering())
