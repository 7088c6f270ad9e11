r"""
Principal components, probabilistic PCA and factor analysis
===========================================================

Principal components (decomposition.02) follow the variance, whatever it comes from. Factor
analysis (decomposition.09) gives every column noise of its own, and follows what columns share.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.decomposition import PCA, FactorAnalysis, ProbabilisticPCA

rng = np.random.default_rng(0)
loadings = np.array([2.0, 1.5, 1.0, 1.5, 2.0, 1.0])
noise = np.array([0.5, 0.5, 0.5, 0.5, 0.5, 5.0])
z = rng.normal(size=(1000, 1))
X = z * loadings + noise * rng.normal(size=(1000, 6))

# %%
# One cause behind six columns; the last column is mostly noise. The first principal axis runs
# after it, the loadings of factor analysis do not.

models = {
    "PCA": PCA(1).fit(X),
    "probabilistic PCA": ProbabilisticPCA(n_components=1).fit(X),
    "factor analysis": FactorAnalysis(1).fit(X),
}
colours = ("#b9c7d8", "#3b6fb6", "#c8553d")
fig, axes = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
places = np.arange(6)
for shift, (name, model), colour in zip((-0.27, 0, 0.27), models.items(), colours, strict=True):
    axis = model.components_[0] / np.linalg.norm(model.components_[0])
    axes[0].bar(places + shift, axis, width=0.25, color=colour, label=name)
axes[0].plot(places, loadings / np.linalg.norm(loadings), "k_", ms=22, label="truth")
axes[0].set(title="Direction found", xlabel="column", ylabel="share")
axes[0].legend(frameon=False)

axes[1].bar(list(models), [-model.score(X) for model in models.values()], color=colours)
axes[1].set(title="Surprise of a row: lower is better", ylabel="mean negative log-density")
plt.show()

# %%
# How well does each recover the cause itself?

for name, model in models.items():
    score = abs(np.corrcoef(model.transform(X)[:, 0], z[:, 0])[0, 1])
    print(f"{name:18s} correlation with the cause {score:.3f}")
