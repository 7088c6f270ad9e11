r"""
Choosing k: five rules on one table
===================================

Fit, evaluate, choose (cluster.06): the elbow of the squared error (cluster.04), the silhouette
(cluster.05), the gap statistic, the stability of samples and an information criterion.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.cluster import KMeans, choose_k

rng = np.random.default_rng(2)
middle = np.array([[0, 0], [6, 0], [0, 6], [7, 7], [3, 12]])
X = rng.normal(size=(200, 2)) + np.repeat(middle, 40, axis=0)

# %%

fig, axes = plt.subplots(1, 5, figsize=(16, 3.2), layout="constrained")
for ax, rule in zip(axes, ("elbow", "silhouette", "gap", "stability", "bic"), strict=True):
    found = choose_k(X, KMeans(n_init=5, random_state=0), range(1, 10), rule=rule)
    found.plot(ax)
    print(f"{rule:11s} k = {found.k}: {found.reason}")
