r"""
Canonical correlation: what two tables share
============================================

Two tables are measured on the same rows. Most of the variance in each is its own; two hidden
variables are common. Canonical correlation analysis (decomposition.11) finds these, strongest
first, also with a tenth of the entries missing.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.decomposition import CCA, ProbabilisticCCA

rng = np.random.default_rng(0)
n = 400
shared = rng.normal(size=(n, 2))
X = shared @ rng.normal(size=(2, 5)) + 3 * rng.normal(size=(n, 2)) @ rng.normal(size=(2, 5))
y = shared @ rng.normal(size=(2, 4)) + 3 * rng.normal(size=(n, 1)) @ rng.normal(size=(1, 4))
X, y = X + 0.4 * rng.normal(size=X.shape), y + 0.4 * rng.normal(size=y.shape)
holes = np.where(rng.random(X.shape) < 0.1, np.nan, X)

# %%
# The correlations fall where the tables share nothing more; the density that integrates the gaps
# out loses little.

full = CCA(4).fit(X, y)
gaps = ProbabilisticCCA(n_components=4).fit(holes, y)
T, U = full.transform(X, y)

fig, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
for j, ax in enumerate(axes[:2]):
    ax.plot(T[:, j], U[:, j], ".", ms=4, color="#3b6fb6")
    ax.set(
        title=f"pair {j + 1}: correlation {full.correlations_[j]:.2f}",
        xlabel="variate of the first table",
        ylabel="variate of the second table",
    )
places = np.arange(1, 5)
axes[2].bar(places - 0.2, full.correlations_, 0.4, label="all entries", color="#3b6fb6")
axes[2].bar(places + 0.2, gaps.correlations_, 0.4, label="a tenth missing", color="#c8553d")
axes[2].set(title="canonical correlations", xlabel="pair", xticks=places, ylim=(0, 1))
axes[2].legend(frameon=False)
plt.show()
