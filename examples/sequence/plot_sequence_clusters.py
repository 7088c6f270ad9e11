r"""
Mixture of Markov chains: clusters of visitors
==============================================

Visitors of a shop walk from page to page. Some search, some browse, some buy at once: a mixture of
chains (sequence.05) sorts visits by how they move, not by where they are.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.sequence import MarkovChain, MarkovChainMixture

pages = ["home", "search", "item", "cart"]
kinds = {
    "searchers": [
        [0.1, 0.8, 0.1, 0.0],
        [0.05, 0.6, 0.3, 0.05],
        [0.05, 0.8, 0.1, 0.05],
        [0.2, 0.6, 0.1, 0.1],
    ],
    "browsers": [
        [0.3, 0.05, 0.65, 0.0],
        [0.4, 0.1, 0.5, 0.0],
        [0.35, 0.05, 0.58, 0.02],
        [0.4, 0.1, 0.4, 0.1],
    ],
    "buyers": [
        [0.05, 0.15, 0.6, 0.2],
        [0.05, 0.05, 0.7, 0.2],
        [0.05, 0.05, 0.2, 0.7],
        [0.1, 0.0, 0.3, 0.6],
    ],
}
rng = np.random.default_rng(0)
visits, truth = [], []
for kind, table in enumerate(kinds.values()):
    for length in rng.integers(8, 40, 120):
        seed = int(rng.integers(2**31))
        visits.append(
            MarkovChain.of(table, [0.7, 0.1, 0.2, 0.0]).sample(1, length, random_state=seed)[0]
        )
        truth.append(kind)

# %%
# Three chains are found from the visits alone.

model = MarkovChainMixture(3, n_init=10, prior=1.1, random_state=0).fit(visits)
order = [int(np.bincount(model.labels_[np.array(truth) == k]).argmax()) for k in range(3)]
right = np.mean(np.array(order)[truth] == model.labels_)
print(f"visits in the right cluster: {right:.0%}")

fig, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
for ax, name, h in zip(axes, kinds, order, strict=True):
    image = ax.imshow(model.transition_[h], vmin=0, vmax=1, cmap="Blues")
    ax.set_title(f"{name}, {model.weights_[h]:.0%} of visits")
    ax.set_xticks(range(4), pages)
    ax.set_yticks(range(4), pages)
    for i, j in np.ndindex(4, 4):
        p = model.transition_[h, i, j]
        ax.text(j, i, f"{p:.2f}", ha="center", va="center", color="w" if p > 0.5 else "k")
axes[0].set_ylabel("from")
fig.colorbar(image, ax=axes, shrink=0.8)
plt.show()
