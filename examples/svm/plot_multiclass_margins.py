r"""
Multi-class machines: three classes, four reductions
====================================================

A margin lies between two classes. With more, pairs of classes can vote (one against one), each
class can be held against the rest, or all functions are fitted in one problem: with the loss of the
strongest rival (Crammer and Singer, svm.18) or the sum over all rivals (Weston and Watkins,
svm.16). With a linear kernel the regions are where they differ most: the middle class here has no
half plane of its own, which is hard on one against the rest.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

from margin.svm import SVC, CrammerSingerSVC, WestonWatkinsSVC

rng = np.random.default_rng(2)
centres = np.array([[-2.4, 0.0], [0.0, 0.9], [2.4, 0.0]])
y = np.repeat([0, 1, 2], 40)
X = centres[y] + rng.normal(size=(120, 2)) * [0.75, 0.75]

machines = {
    "one against one": SVC(kernel="linear"),
    "one against the rest": SVC(kernel="linear", multi_class="ovr"),
    "Crammer and Singer": CrammerSingerSVC(kernel="linear", fit_intercept=True),
    "Weston and Watkins": WestonWatkinsSVC(kernel="linear", fit_intercept=True),
}

# %%
# Dashed: where the function of a class held against the rest is zero. Where every pair of classes
# elects another winner, at the bottom of the first picture, the decision values settle the vote.
# Machines fitted together need no such rule.

shades = ListedColormap(["#dce7f5", "#e3efda", "#f7e0da"])
colours = np.array(["#3b6fb6", "#5a9a3a", "#c8553d"])
first, second = np.meshgrid(np.linspace(-4.6, 4.6, 321), np.linspace(-2.6, 3.4, 261))
points = np.column_stack([first.ravel(), second.ravel()])

fig, axes = plt.subplots(2, 2, figsize=(9, 6.6), sharex=True, sharey=True, layout="constrained")
for ax, (name, machine) in zip(axes.flat, machines.items(), strict=True):
    machine.fit(X, y)
    labels = machine.predict(points).reshape(first.shape)
    ax.pcolormesh(first, second, labels, cmap=shades, vmin=0, vmax=2, shading="nearest")
    ax.contour(first, second, labels, levels=[0.5, 1.5], colors="0.35", linewidths=1.2)
    if name == "one against the rest":
        for k, values in enumerate(machine.decision_function(points).T):
            ax.contour(
                first,
                second,
                values.reshape(first.shape),
                levels=[0.0],
                colors=colours[k],
                linestyles="--",
                linewidths=1.3,
            )
    ax.scatter(*X.T, c=colours[y], s=14, lw=0)
    ax.set_title(f"{name}: {machine.score(X, y):.3f} of the rows right")
    ax.set(xticks=[], yticks=[])
plt.show()
