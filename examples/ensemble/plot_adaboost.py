r"""
AdaBoost: boosting after the last error
=======================================

AdaBoost (tree.12) goes on to improve when it makes no error on its training rows any more: it
raises the margins, the share of the votes for the right class minus that for the wrong one
(tree.18). The rows with the highest weights in the end are those that it could not win over: wrong
labels come first (tree.17).
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.ensemble import AdaBoostClassifier, margin_distribution
from margin.tree import DecisionTreeClassifier

rng = np.random.default_rng(3)
X = rng.uniform(-1, 1, size=(600, 2))
truth = np.hypot(*X.T) < 0.75
y = truth.copy()
turned = rng.choice(300, size=8, replace=False)
y[turned] = ~y[turned]

base = DecisionTreeClassifier(max_depth=3)
model = AdaBoostClassifier(base, n_estimators=400, random_state=0).fit(X[:300], y[:300])
training = 1 - np.array(list(model.staged_score(X[:300], y[:300])))
unseen = 1 - np.array(list(model.staged_score(X[300:], truth[300:])))
print(f"errors on training rows end in round {training.argmin() + 1}")
print(f"error on new rows: {unseen[training.argmin()]:.3f} then, {unseen[-1]:.3f} at the end")

# %%
# Left: errors by round. Middle: the margins of the training rows after some rounds; further right
# is safer. Right: the rows with the most weight, ringed, among those whose labels were turned.

fig, axes = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
rounds = np.arange(1, len(training) + 1)
axes[0].plot(rounds, training, label="training rows", color="#3b6fb6")
axes[0].plot(rounds, unseen, label="new rows", color="#c8553d")
axes[0].set(xscale="log", xlabel="round", ylabel="error")
axes[0].legend(frameon=False)

for n, colour in [(10, "0.7"), (60, "0.45"), (400, "0.1")]:
    part = AdaBoostClassifier(base, n_estimators=n, random_state=0).fit(X[:300], y[:300])
    margins = margin_distribution(part, X[:300], y[:300])
    axes[1].step(margins.atoms, margins.cumulative, where="post", color=colour, label=f"{n} rounds")
axes[1].axvline(0, color="0.6", lw=0.8)
axes[1].set(xlabel="margin", ylabel="share of rows below", xlim=(-0.6, 1))
axes[1].legend(frameon=False)

heavy = model.outlier_ranking()[:8]
axes[2].scatter(*X[:300].T, c=np.where(y[:300], "#c8553d", "#3b6fb6"), s=14, lw=0)
axes[2].scatter(*X[turned].T, marker="x", c="0.1", s=40, lw=1.1, label="label turned")
axes[2].scatter(
    *X[heavy].T, s=110, facecolors="none", edgecolors="0.1", lw=1.2, label="most weight"
)
axes[2].set(xlabel="x0", ylabel="x1", aspect="equal")
axes[2].legend(loc="upper right", fontsize=8)
plt.show()
