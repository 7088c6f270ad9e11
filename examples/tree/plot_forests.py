r"""
Random forest: variance, importance, quantiles
==============================================

A forest is a mean of trees (tree.07). The mean of :math:`B` trees of variance :math:`\sigma^2` and
correlation :math:`\rho` has the variance :math:`\rho \sigma^2 + (1 - \rho) \sigma^2 / B` (tree.05).
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.ensemble import RandomForestRegressor
from margin.tree import DecisionTreeRegressor

rng = np.random.default_rng(0)


def truth(X):
    return np.sin(4 * X[:, 0]) + X[:, 1]


def draw(n=200):
    X = rng.random((n, 4))
    return X, truth(X) + 0.3 * rng.normal(size=n)


# %%
# Squared bias and variance, measured over 60 tables drawn from the same law.

asked = rng.random((200, 4))
answers = {"tree": [], "forest of 5": [], "forest of 25": []}
for seed in range(60):
    X, y = draw()
    answers["tree"].append(DecisionTreeRegressor().fit(X, y).predict(asked))
    forest = RandomForestRegressor(25, max_features=2, random_state=seed).fit(X, y)
    trees = np.array([tree.predict(asked) for tree in forest.estimators_])
    answers["forest of 5"].append(trees[:5].mean(axis=0))
    answers["forest of 25"].append(trees.mean(axis=0))
bias = [np.mean((np.mean(a, axis=0) - truth(asked)) ** 2) for a in answers.values()]
variance = [np.mean(np.var(a, axis=0)) for a in answers.values()]

fig, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
ax.barh(list(answers), bias, color="#c8553d", label="squared bias")
ax.barh(list(answers), variance, left=bias, color="#4c78a8", label="variance")
ax.invert_yaxis()
ax.set_xlabel("error beyond the noise")
ax.legend()

# %%
# Importance out of the bag (tree.11), with intervals over the trees: two columns matter, two do
# not.

X, y = draw(500)
forest = RandomForestRegressor(
    200, min_samples_leaf=10, max_features=2, keep_leaves=True, random_state=0
).fit(X, y)
fig, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
forest.out_of_bag_importance(X, y).plot(ax)

# %%
# A quantile forest: the law of a target is that of the training targets in the same leaves.

line = np.full((300, 4), 0.5)
line[:, 0] = np.linspace(0, 1, 300)
law = forest.predict_dist(line)
fig, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
near = np.abs(X[:, 1] - 0.5) < 0.25
ax.scatter(X[near, 0], y[near], s=8, color="#718096", label="rows with the second column near 0.5")
ax.fill_between(line[:, 0], law.quantile(0.05), law.quantile(0.95), alpha=0.25, label="5 % to 95 %")
ax.plot(line[:, 0], law.quantile(0.5), label="median")
ax.plot(line[:, 0], truth(line), "k--", lw=1, label="truth")
ax.set(xlabel="first column", ylabel="target")
ax.legend()
