r"""
Spectral clustering against k-means: shapes
===========================================

k-means sees distances to means. Spectral clustering (cluster.12) cuts a graph where it is thin,
kernel k-means (cluster.11) takes means in another space, DBSCAN follows dense regions.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_circles, make_moons

from margin.cluster import DBSCAN, KernelKMeans, KMeans, SpectralClustering
from margin.kernels import RBF

tables = {
    "moons": make_moons(300, noise=0.05, random_state=0)[0],
    "rings": make_circles(300, factor=0.4, noise=0.05, random_state=0)[0],
}
models = {
    "k-means": KMeans(2, random_state=0),
    "kernel k-means": KernelKMeans(n_clusters=2, kernel=RBF(0.35), n_init=20, random_state=0),
    "spectral": SpectralClustering(2, gamma=30.0, random_state=0),
    "DBSCAN": DBSCAN(eps=0.2),
}
colours = np.array(["#3b6fb6", "#c8553d", "#5a9367", "#8b6bb1", "#888888"])

# %%

fig, axes = plt.subplots(2, 4, figsize=(13, 6), layout="constrained")
for row, (name, X) in zip(axes, tables.items(), strict=True):
    for ax, (title, model) in zip(row, models.items(), strict=True):
        ax.scatter(*X.T, s=8, c=colours[model.fit(X).labels_ % 5])
        ax.set(title=f"{title}, {name}", xticks=[], yticks=[])
