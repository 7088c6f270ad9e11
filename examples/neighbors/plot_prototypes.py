r"""
Nearest neighbours: fewer rows, a smoother boundary
===================================================

One neighbour follows every row, noise included (neighbors.01). Many neighbours smooth the boundary
out, but keep all rows. Editing drops the rows that their neighbours contradict, condensing keeps
only those that the boundary needs.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.neighbors import KNeighborsClassifier, PrototypeClassifier

rng = np.random.default_rng(3)
X = rng.uniform(-2.0, 2.0, size=(350, 2))
truth = X[:, 1] > np.sin(2.0 * X[:, 0])
y = np.where(rng.random(350) < 0.08, ~truth, truth).astype(int)

models = {
    "1 neighbour": KNeighborsClassifier(1),
    "15 neighbours": KNeighborsClassifier(15),
    "edited": PrototypeClassifier(method="edited", repeated=True),
    "edited, then condensed": PrototypeClassifier(method="both", repeated=True),
}
first, second = np.meshgrid(np.linspace(-2, 2, 201), np.linspace(-2, 2, 201))
grid = np.column_stack([first.ravel(), second.ravel()])
best = (grid[:, 1] > np.sin(2.0 * grid[:, 0])).astype(int)

# %%
# Colours are the answers, points the rows that a model keeps, the dashed line the truth.

fig, axes = plt.subplots(1, 4, figsize=(12, 3.4), sharex=True, sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    answer = model.fit(X, y).predict(grid)
    kept = getattr(model, "prototype_indices_", np.arange(len(X)))
    right = np.mean(answer == best)
    ax.contourf(
        first,
        second,
        answer.reshape(first.shape),
        levels=[-1, 0.5, 2],
        colors=["#dce7f5", "#f7e0da"],
    )
    ax.scatter(*X[kept].T, c=np.array(["#3b6fb6", "#c8553d"])[y[kept]], s=9)
    ax.plot(first[0], np.sin(2.0 * first[0]), "k--", lw=1)
    ax.set(title=f"{name}\n{len(kept)} rows, {right:.0%} right", xticks=[], yticks=[])
plt.show()
