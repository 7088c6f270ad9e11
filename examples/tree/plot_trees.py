r"""
Decision tree: drawn, its impurities and pruning
================================================

A tree asks yes/no questions (tree.01). Each is chosen so that the impurity of the two answers is
least; how large the tree should be is decided by pruning what was grown (tree.03).
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

from margin.tree import DecisionTreeClassifier, TreeDisplay

# %%
# Impurity of a node with the share :math:`p` of one of two classes, scaled to the same height.

p = np.linspace(1e-9, 1 - 1e-9, 400)
curves = {
    "Gini": 2 * (2 * p * (1 - p)),
    "entropy": -p * np.log2(p) - (1 - p) * np.log2(1 - p),
    "misclassification": 2 * np.minimum(p, 1 - p),
}
fig, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
for name, curve in curves.items():
    ax.plot(p, curve, label=name)
ax.set(xlabel="share of the first class", ylabel="impurity (largest = 1)")
ax.legend()

# %%
# A small tree on the iris table, drawn.

iris = load_iris()
model = DecisionTreeClassifier(max_depth=3).fit(iris.data, iris.target)
fig, ax = plt.subplots(figsize=(11, 5.5), layout="constrained")
TreeDisplay.from_estimator(
    model, feature_names=iris.feature_names, class_names=iris.target_names, ax=ax, fontsize=8
)

# %%
# XOR: no first question helps, so growth that waits for a gain never starts; growth to the end with
# pruning by cross-validation finds the four corners.

rng = np.random.default_rng(0)
X = rng.random((400, 2))
y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)) ^ (rng.random(400) < 0.05)
early = DecisionTreeClassifier(min_impurity_decrease=0.03).fit(X, y)
whole = DecisionTreeClassifier().fit(X, y)
pruned = DecisionTreeClassifier(ccp_alpha="cv").fit(X, y)
corner = np.stack(np.meshgrid(np.linspace(0, 1, 200), np.linspace(0, 1, 200)), axis=-1)
fig, axes = plt.subplots(1, 3, figsize=(11, 3.7), sharey=True, layout="constrained")
for ax, tree, name in zip(
    axes, (early, whole, pruned), ("stopped early", "whole", "pruned"), strict=True
):
    shares = tree.predict_proba(corner.reshape(-1, 2))[:, 1].reshape(200, 200)
    ax.imshow(shares, origin="lower", extent=(0, 1, 0, 1), cmap="coolwarm", alpha=0.6)
    ax.scatter(*X.T, c=y, cmap="coolwarm", s=6)
    ax.set_title(f"{name}: {tree.get_n_leaves()} leaves")
