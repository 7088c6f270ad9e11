r"""
Matrix completion: a picture with gaps
======================================

Two thirds of the entries are lost. A matrix of low rank through the others (decomposition.15)
brings them back; the duality gap proves that no matrix does better on the objective.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.decomposition import NMF, MatrixCompletion

rng = np.random.default_rng(0)
u, v = np.meshgrid(np.linspace(0, 1, 90), np.linspace(0, 1, 60))
truth = 1 + np.sin(9 * u) * np.cos(4 * v) + np.exp(-((u - 0.6) ** 2 + (v - 0.4) ** 2) * 12)
truth -= truth.min()
holes = np.where(rng.random(truth.shape) < 0.67, np.nan, truth)

# %%
# NaN means unobserved, for the convex problem and for non-negative factors alike.

convex = MatrixCompletion(alpha=0.05, tol=1e-5, max_iter=5000).fit(holes)
print(convex.fit_report_)
parts = NMF(4, random_state=0, max_iter=20_000, tol=1e-5)
filled = parts.inverse_transform(parts.fit_transform(holes))

fig, axes = plt.subplots(2, 2, figsize=(10, 6.4), layout="constrained")
panels = {
    "truth": truth,
    "a third is known": holes,
    f"nuclear norm, rank {convex.rank_}": convex.completed_,
    "four non-negative parts": filled,
}
gaps = np.isnan(holes)
for ax, (title, picture) in zip(axes.flat, panels.items(), strict=True):
    error = np.sqrt(np.mean((picture - truth)[gaps] ** 2))
    ax.imshow(picture, vmin=0, vmax=truth.max(), cmap="viridis")
    ax.set(title=title if np.isnan(error) or error == 0 else f"{title}: error {error:.3f}")
    ax.axis("off")
plt.show()
