r"""
k-means: labels and means in turn
=================================

Labels given the centres, means given the labels (cluster.01): the sum of squared errors never
rises. The start decides which local minimum is reached (cluster.02).
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from margin.cluster import KMeans

rng = np.random.default_rng(4)
middle = np.array([[0, 0], [4, 1], [1, 4], [5, 5]])
X = rng.normal(size=(240, 2)) * 0.8 + np.repeat(middle, 60, axis=0)
colours = np.array(["#3b6fb6", "#c8553d", "#5a9367", "#8b6bb1"])

# %%
# From the first rows on, one iteration after the other.

fig, axes = plt.subplots(1, 4, figsize=(13, 3.3), sharey=True, layout="constrained")
for ax, n_iter in zip(axes, (1, 2, 4, 20), strict=True):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = KMeans(4, init="first", max_iter=n_iter).fit(X)
    ax.scatter(*X.T, s=8, c=colours[model.labels_], alpha=0.6)
    ax.scatter(*model.cluster_centers_.T, s=120, c=colours, marker="X", edgecolor="k")
    ax.set_title(f"{model.n_iter_} iterations: {model.inertia_:.0f}")

# %%
# The report keeps the trace of the sum.

model.fit_report_.plot()
