r"""
Agglomerative clustering: four linkages, four trees
===================================================

Merges of the closest clusters (cluster.07): what "close" means is the linkage (cluster.08). Single
linkage follows chains, complete linkage likes compact clusters, Ward lowers the squared error.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.cluster import AgglomerativeClustering, DendrogramDisplay

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2)) * 0.6 + np.repeat([[0, 0], [3, 0], [1.5, 3], [6, 3]], 10, axis=0)

# %%

fig, axes = plt.subplots(1, 4, figsize=(14, 3.4), layout="constrained")
for ax, linkage in zip(axes, ("single", "average", "complete", "ward"), strict=True):
    model = AgglomerativeClustering(4, linkage=linkage).fit(X)
    DendrogramDisplay.from_estimator(model, ax=ax)
    ax.set_title(f"{linkage}: {np.sort(np.bincount(model.labels_))[::-1]}")
    ax.set_xticks([])
