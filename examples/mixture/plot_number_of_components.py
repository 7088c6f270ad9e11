r"""
Dirichlet-process mixture: a posterior over the number of components
====================================================================

A Dirichlet-process mixture (mixture.17) has no number of components to choose: every partition of
the rows has a probability. For a few rows all partitions can be written down, which is what the
sampler is held against; for many rows it tells how many components the data speak for.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.distributions import NormalMean
from margin.mixture import (
    ChineseRestaurantProcess,
    DirichletProcessMixture,
    exact_partition_posterior,
)

# %%
# Seven numbers with 877 partitions: the posterior by enumeration, and by collapsed Gibbs sampling.

few = np.array([[-4.1], [-3.2], [-2.9], [0.4], [2.6], [3.3], [4.0]])
prior = NormalMean(0.0, 4.0, noise=1.0)
exact = exact_partition_posterior(few, prior, alpha=1.0)
model = DirichletProcessMixture(
    alpha=1.0, base_prior=prior, method="gibbs", n_draws=4000, random_state=0
).fit(few)

k = np.arange(1, 8)
sampled = np.zeros(8)
sampled[: len(model.n_components_posterior_)] = model.n_components_posterior_
fig, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
axes[0].bar(k - 0.2, exact.n_components[1:], 0.4, color="#3b6fb6", label="all 877 partitions")
axes[0].bar(k + 0.2, sampled[1:], 0.4, color="#e0a458", label="collapsed Gibbs")
axes[0].plot(k, ChineseRestaurantProcess(1.0).table_probabilities(7)[1:], "k.--", label="prior")
axes[0].set(xlabel="number of components", ylabel="probability", title="Seven rows")
axes[0].legend(frameon=False, fontsize=8)
for ax, matrix, name in (
    (axes[1], exact.co_clustering, "together, exactly"),
    (axes[2], model.co_clustering(), "together, sampled"),
):
    picture = ax.imshow(matrix, vmin=0, vmax=1, cmap="Blues")
    ax.set(title=name, xlabel="row", ylabel="row")
fig.colorbar(picture, ax=axes[1:], shrink=0.8, label="probability")
print(f"largest error of a pair: {np.abs(model.co_clustering() - exact.co_clustering).max():.3f}")
plt.show()

# %%
# Three hundred rows of four groups, two of which touch. The predictive density is a mean over
# partitions. The posterior leans to more components than there are: a small one beside a large one
# costs little, a known habit of Dirichlet processes; the most probable partition has the four.

rng = np.random.default_rng(4)
centres = np.array([[0.0, 0.0], [2.6, 0.4], [-3.0, 3.5], [4.0, 5.0]])
X = np.concatenate([c + rng.normal(scale=(0.9, 0.6), size=(75, 2)) for c in centres])
model = DirichletProcessMixture(method="gibbs", n_draws=400, random_state=0).fit(X)

side = np.linspace(-6, 7, 120)
grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
density = np.exp(model.score_samples(grid)).reshape(120, 120)
fig, (left, right) = plt.subplots(
    1, 2, figsize=(9, 3.8), width_ratios=(1.4, 1), layout="constrained"
)
left.contour(side, side, density, levels=np.geomspace(1e-4, density.max(), 9), cmap="Greys")
left.scatter(*X.T, c=[f"C{label}" for label in model.labels_], s=8)
left.set(title="most probable partition, predictive density", xlim=(-6, 7), ylim=(-3, 7))
numbers = model.n_components_posterior_
right.bar(np.arange(len(numbers)), numbers, color="#3b6fb6")
right.set(xlabel="number of components", ylabel="probability", title="300 rows", xlim=(0.5, 9.5))
print(model.chains_)
plt.show()
