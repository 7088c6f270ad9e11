r"""
Gradient boosting: error, stage by stage
========================================

Gradient boosting adds one tree after another, each grown on the slopes of the loss at the scores so
far (tree.15). The loss on the training rows falls for ever; on new rows it turns where the trees
begin to learn noise. :class:`~margin.ensemble.GradientBoostingRegressor` keeps every stage, so that
one fit shows the whole story, and several quantiles learnt side by side show how sure it is.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.ensemble import GradientBoostingRegressor

rng = np.random.default_rng(0)


def table(n):
    X = rng.uniform(0, 1, (n, 5))
    mean = np.sin(6 * X[:, 0]) + (X[:, 1] > 0.5) * X[:, 2]
    return X, mean + (0.2 + 0.5 * X[:, 0]) * rng.standard_normal(n)


X, y = table(600)
rows, targets = table(4000)

# %%
# A large learning rate gets there soon and turns soon. A small one takes more stages and ends
# lower; trees grown on half of the rows each (``subsample``) lower the noise once more.

settings = {
    "rate 0.5": {"learning_rate": 0.5},
    "rate 0.1": {"learning_rate": 0.1},
    "rate 0.1, half of the rows": {"learning_rate": 0.1, "subsample": 0.5, "random_state": 0},
}
figure, ax = plt.subplots(figsize=(7.4, 4.2), layout="constrained")
for colour, (name, chosen) in zip(("#c8553d", "#173f5f", "#3a7d44"), settings.items(), strict=True):
    model = GradientBoostingRegressor(n_estimators=200, max_leaf_nodes=8, **chosen).fit(X, y)
    errors = [np.mean((stage - targets) ** 2) for stage in model.staged_predict(rows)]
    ax.plot(model.train_score_, color=colour, lw=1, ls="--")
    ax.plot(errors, color=colour, lw=2, label=name)
    best = int(np.argmin(errors))
    ax.plot(best, errors[best], "o", color=colour)
ax.set(xlabel="stages", ylabel="squared error", title="new rows (solid) and training rows")
ax.legend(frameon=False)
plt.show()

# %%
# The quantile loss has no curvature: each leaf takes the quantile of the residuals of its rows.
# Three levels make a band that widens with the noise.

levels = (0.1, 0.5, 0.9)
model = GradientBoostingRegressor(
    loss="quantile", quantile=levels, n_estimators=60, max_leaf_nodes=6
).fit(X, y)
line = np.full((200, 5), 0.25)
line[:, 0] = np.linspace(0, 1, 200)
dist = model.predict_dist(line)
figure, ax = plt.subplots(figsize=(7.4, 4.2), layout="constrained")
ax.plot(X[:, 0], y, "o", color="#8a94a6", ms=2.5, alpha=0.6, label="rows, other columns anywhere")
low, middle, high = (dist.quantile(level) for level in levels)
ax.fill_between(line[:, 0], low, high, color="#173f5f", alpha=0.2, label="10 % to 90 %")
ax.plot(line[:, 0], middle, color="#173f5f", lw=2, label="median")
ax.set(xlabel="first column", ylabel="target", title="80 % of the targets, and the median")
ax.legend()
plt.show()
