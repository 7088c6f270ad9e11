r"""
CAM, DirectLiNGAM, PC: discovery against truth
==============================================

Rows of six variables with bent functions and normal noise, and what four ways to learn a graph
make of them (causal.11, causal.12).
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.causal import (
    CAM,
    RESIT,
    CausalGraph,
    DirectLiNGAM,
    bootstrap_edges,
    structural_hamming_distance,
)
from margin.graphical import PC

rng = np.random.default_rng(3)
n = 500
sun = rng.normal(size=n)
rain = rng.normal(size=n)
grass = 2 * np.sin(1.5 * sun) + np.abs(rain) + 0.5 * rng.normal(size=n)
deer = 1.5 * np.tanh(2 * grass) + 0.5 * rng.normal(size=n)
wolves = np.abs(deer) * 1.5 + 0.5 * rng.normal(size=n)
river = 0.5 * rain**2 + np.sin(2 * deer) + 0.5 * rng.normal(size=n)
names = ["sun", "rain", "grass", "deer", "wolves", "river"]
X = np.column_stack([sun, rain, grass, deer, wolves, river])
arrows = {(0, 2), (1, 2), (2, 3), (3, 4), (1, 5), (3, 5)}
truth = CausalGraph(range(6), arrows)

# %%
# RESIT and CAM allow for functions; DirectLiNGAM takes them for lines, and PC leaves open what
# independence alone cannot tell. Arrows that are right are blue, others red.

places = {0: (0, 2), 1: (2, 2), 2: (1, 1.2), 3: (0.5, 0.2), 4: (0, -1), 5: (2, -0.6)}
learners = {"RESIT": RESIT(), "CAM": CAM(), "DirectLiNGAM": DirectLiNGAM(), "PC": PC()}
fig, axes = plt.subplots(1, 5, figsize=(15, 4), layout="constrained")
truth.draw(axes[0], positions=places, labels=dict(enumerate(names)))
axes[0].set_title("truth")
for ax, (title, learner) in zip(axes[1:], learners.items(), strict=True):
    graph = learner.fit(X).graph_
    colours = {
        (a, b): "#2b6cb0" if kind == "directed" and (a, b) in arrows else "#c53030"
        for a, b, kind in graph.links()
    }
    graph.draw(ax, positions=places, labels=dict(enumerate(names)), edge_colours=colours)
    ax.set_title(f"{title}: {structural_hamming_distance(truth, graph)} wrong")

# %%
# How often does an arrow come back in samples of the rows? True arrows are framed.

shares = bootstrap_edges(CAM(), X, n_samples=30, random_state=0)
fig, ax = plt.subplots(figsize=(5, 4.2), layout="constrained")
image = ax.imshow(shares.directed, vmin=0, vmax=1, cmap="Blues")
for cause, effect in arrows:
    ax.add_patch(plt.Rectangle((cause - 0.5, effect - 0.5), 1, 1, fill=False, ec="#c53030", lw=2))
ax.set_xticks(range(6), names, rotation=45)
ax.set_yticks(range(6), names)
ax.set_xlabel("cause")
ax.set_ylabel("effect")
fig.colorbar(image, label="share of 30 samples")
