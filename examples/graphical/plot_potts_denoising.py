r"""
Potts model: cleaning an image
==============================

Every pixel of an image has one of four labels, most neighbours have the same. A Potts model says
so: each pixel pays an energy for a label that disagrees with what was seen, each pair of
neighbours pays for disagreeing with each other,

.. math:: E(x) = \sum_i U_i(x_i) + J \sum_{i \sim j} [x_i \ne x_j].

Exact inference would need a table over a whole row of pixels. Belief propagation passes messages
between neighbours until they settle; with a coupling :math:`J` near the truth it removes most of
the noise.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.graphical import Potts

rng = np.random.default_rng(0)
size = 72
row, column = np.mgrid[:size, :size]
truth = np.zeros((size, size), dtype=int)
truth[(row - 22) ** 2 + (column - 24) ** 2 < 17**2] = 1
truth[(row > 38) & (row < 64) & (column > 12) & (column < 44)] = 2
truth[np.abs(row - 30) + np.abs(column - 56) < 14] = 3

flipped = rng.random(truth.shape) < 0.35
seen = np.where(flipped, rng.integers(0, 4, truth.shape), truth)

# %%
# The energies are those of the noise: a label that was not seen costs the logarithm of the ratio
# of being right to being wrong.

right, wrong = 0.65 + 0.35 / 4, 0.35 / 4
unary = np.log(right / wrong) * (seen[..., None] != np.arange(4))
couplings = np.linspace(0.0, 2.0, 9)
cleaned = [
    Potts((size, size), unary, coupling=j).beliefs(schedule="sweep", max_iter=60, tol=1e-4)
    for j in couplings
]
errors = [np.mean(b.states.reshape(truth.shape) != truth) for b in cleaned]
for coupling, belief, error in zip(couplings, cleaned, errors, strict=True):
    wrong_share = f"coupling {coupling:.2f}: {error:6.1%} wrong"
    print(f"{wrong_share}, {belief.status.value} after {belief.n_iter} rounds")

# %%
# What was seen, what is inferred, and where the model is unsure: at the borders.

best = cleaned[int(np.argmin(errors))]
labels = best.states.reshape(truth.shape)
doubt = 1 - best.marginals.max(axis=1).reshape(truth.shape)

fig, axes = plt.subplots(
    1, 4, figsize=(12.5, 3.4), layout="constrained", width_ratios=[1, 1, 1, 1.1]
)
style = {"cmap": "viridis", "vmin": 0, "vmax": 3, "interpolation": "nearest"}
axes[0].imshow(seen, **style)
axes[0].set_title(f"seen: {np.mean(seen != truth):.0%} wrong")
axes[1].imshow(labels, **style)
axes[1].set_title(f"inferred: {min(errors):.1%} wrong")
axes[2].imshow(doubt, cmap="magma", interpolation="nearest")
axes[2].set_title("doubt")
for ax in axes[:3]:
    ax.set_axis_off()
axes[3].plot(couplings, np.array(errors) * 100, "o-", color="#2e86ab", ms=4)
axes[3].set(xlabel="coupling J", ylabel="wrong pixels (%)", title="strength of the prior")
axes[3].grid(alpha=0.3)
plt.show()
