"""
Classifiers compared: what they believe between the rows
========================================================

Four tables and eight families of classifiers. The colour is the probability of the blue class, pale
where a model does not know; bright points are test rows, and the number is the accuracy on them.

A straight boundary (logistic regression) is right for the first table and for no other. Gaussian
classes (quadratic discriminant) can be round. Trees cut along the axes, forests and boosting soften
the steps. Machines with a kernel and processes bend smoothly, and a process is unsure far from all
rows, where the others are as sure as ever. Neighbours follow every row.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from margin.ensemble import GradientBoostingClassifier, RandomForestClassifier
from margin.gp import GaussianProcessClassifier
from margin.kernels import RBF
from margin.linear import LogisticRegression, QuadraticDiscriminantAnalysis
from margin.neighbors import KNeighborsClassifier
from margin.svm import SVC
from margin.tree import DecisionTreeClassifier


def overlapping(rng, n):
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 2)) + np.outer(2 * y - 1, [0.9, 0.6]), y


def moons(rng, n):
    y = rng.integers(0, 2, n)
    turn = np.pi * rng.random(n)
    X = np.column_stack([np.cos(turn), np.sin(turn)]) * np.where(y, 1, -1)[:, None]
    return X + np.outer(1 - y, [1.0, 0.45]) + 0.22 * rng.normal(size=(n, 2)), y


def rings(rng, n):
    y = rng.integers(0, 2, n)
    turn, radius = 2 * np.pi * rng.random(n), 0.7 + 1.1 * y + 0.28 * rng.normal(size=n)
    return np.column_stack([radius * np.cos(turn), radius * np.sin(turn)]), y


def chequered(rng, n):
    X = rng.uniform(-2, 2, size=(n, 2))
    y = (np.floor(X[:, 0]) + np.floor(X[:, 1])).astype(int) % 2
    return X, np.where(rng.random(n) < 0.05, 1 - y, y)


# %%
# Settings are those that one would try first; ``margin compare`` would tune them.

models = {
    "logistic regression": LogisticRegression(),
    "quadratic discriminant": QuadraticDiscriminantAnalysis(),
    "5 neighbours": KNeighborsClassifier(5),
    "support vectors": make_pipeline(
        StandardScaler(), SVC(C=3.0, gamma=1.0, probability="sigmoid")
    ),
    "Gaussian process": GaussianProcessClassifier(kernel=4.0 * RBF(0.8)),
    "tree": DecisionTreeClassifier(max_depth=5),
    "random forest": RandomForestClassifier(100, min_samples_leaf=3, random_state=0),
    "boosting": GradientBoostingClassifier(n_estimators=40, max_leaf_nodes=8),
}
tables = {f.__name__: f for f in (overlapping, moons, rings, chequered)}
colours = LinearSegmentedColormap.from_list("two", ["#e4572e", "#f7f5f0", "#2e86ab"])

# %%
# One row of pictures per table, one column per model.

rng = np.random.default_rng(0)
figure, axes = plt.subplots(
    len(tables), len(models), figsize=(15.5, 8.2), layout="constrained", squeeze=False
)
for row, (name, draw) in zip(axes, tables.items(), strict=True):
    X, y = draw(rng, 160)
    X_test, y_test = draw(rng, 400)
    low, high = X.min(axis=0) - 0.7, X.max(axis=0) + 0.7
    across, up = np.meshgrid(*(np.linspace(low[j], high[j], 70) for j in range(2)))
    grid = np.column_stack([across.ravel(), up.ravel()])
    for ax, model in zip(row, models.values(), strict=True):
        model.fit(X, y)
        belief = model.predict_proba(grid)[:, 1].reshape(across.shape)
        ax.pcolormesh(across, up, belief, cmap=colours, vmin=0, vmax=1, shading="nearest")
        ax.contour(across, up, belief, levels=[0.5], colors="black", linewidths=0.8)
        ax.scatter(*X_test[:120].T, c=y_test[:120], cmap=colours, s=9, ec="black", lw=0.3)
        score = np.mean(model.predict(X_test) == y_test)
        ax.text(0.97, 0.03, f"{score:.2f}", transform=ax.transAxes, ha="right", va="bottom")
        ax.set(xticks=[], yticks=[], xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    row[0].set_ylabel(name)
for ax, label in zip(axes[0], models, strict=True):
    ax.set_title(label, fontsize=11)
plt.show()
