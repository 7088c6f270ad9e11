r"""
Gaussian mixture: clusters of rows with gaps
============================================

Four of five rows lack a coordinate. A mixture that integrates the gaps out (mixture.02) uses what
is there; dropping such rows wastes most of them, filling in means draws a cross through the
picture.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Ellipse

from margin.mixture import GaussianMixture

rng = np.random.default_rng(0)
shapes = [[[1.0, 0.9], [0.9, 1.2]], [[1.0, -0.8], [-0.8, 1.0]], [[0.3, 0.0], [0.0, 2.0]]]
centres = [[0.0, 0.0], [4.0, 3.0], [6.0, -3.0]]
X = np.concatenate(
    [rng.multivariate_normal(m, s, 60) for m, s in zip(centres, shapes, strict=True)]
)
gaps = X.copy()
some = rng.random(len(X)) < 0.8
gaps[some, rng.integers(0, 2, some.sum())] = np.nan

# %%
# Three ways to deal with the gaps, and what the mixture fills in.

filled = np.where(np.isnan(gaps), np.nanmean(gaps, axis=0), gaps)
tables = {
    "gaps integrated out": gaps,
    "rows with gaps dropped": gaps[~some],
    "means in gaps": filled,
}
fig, axes = plt.subplots(1, 3, figsize=(12.5, 4), sharex=True, sharey=True, layout="constrained")
for ax, (title, table) in zip(axes, tables.items(), strict=True):
    model = GaussianMixture(3, n_init=5, random_state=0, tol=1e-6, max_iter=1000).fit(table)
    shown = model.impute(table) if np.isnan(table).any() else table
    holes = np.isnan(table).any(axis=1)
    ax.scatter(*shown[~holes].T, s=10, color="#3b6fb6", label="complete")
    if holes.any():
        ax.scatter(*shown[holes].T, s=10, color="#e8a33d", label="filled by the mixture")
    for mean, covariance in zip(model.means_, model.covariances_, strict=True):
        sizes, axes_of = np.linalg.eigh(covariance)
        angle = np.degrees(np.arctan2(axes_of[1, 1], axes_of[0, 1]))
        width, height = 4 * np.sqrt(sizes[::-1])
        ax.add_patch(Ellipse(mean, width, height, angle=angle, fill=False, color="#c8553d", lw=1.5))
    ax.set_title(f"{title}\nlog-likelihood of the true rows {model.score(X):.2f}", fontsize=10)
    ax.legend(frameon=False, fontsize=8, loc="upper left")
plt.show()
