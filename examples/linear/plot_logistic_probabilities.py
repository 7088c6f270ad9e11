r"""
Logistic regression: where it is sure
=====================================

Logistic regression gives probabilities, not only decisions. With two classes (linear.32) they
change along one direction, and all their level lines are parallel to the boundary; with more
(linear.35), the plane is cut into regions with straight borders, and the probabilities of three
classes can be mixed as colours.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_rgb

from margin.linear import LogisticRegression

rng = np.random.default_rng(3)
centres = np.array([[-1.6, -0.8], [1.5, -0.9], [0.1, 1.7]])
labels = np.repeat(["left", "right", "top"], 60)
X = np.repeat(centres, 60, axis=0) + 0.95 * rng.standard_normal((180, 2))

two = LogisticRegression().fit(X[:120], labels[:120])
three = LogisticRegression().fit(X, labels)

# %%
# Every fit keeps the evidence that it is done: why it stopped, and how far the gradient still was
# from zero.

print(two.fit_report_)
print(three.fit_report_)

# %%
# The colour of a point of the plane is the mixture of the class colours, weighted by probability:
# pale means undecided. The black lines are where the two best classes tie.

first, second = np.meshgrid(np.linspace(-4.2, 4.2, 300), np.linspace(-3.8, 4.4, 300))
plane = np.column_stack([first.ravel(), second.ravel()])
colours = np.array([to_rgb(c) for c in ("#2e86ab", "#e4572e", "#2a9d5c")])


def draw(ax, model, X, labels, title):
    """Show the probabilities of a model over the plane, and its data."""
    probability = model.predict_proba(plane)
    sure = probability.max(axis=1, keepdims=True)
    white = 0.35 + 0.5 * (1 - (sure - 1 / len(model.classes_)) / (1 - 1 / len(model.classes_)))
    mixed = (1 - white) * (probability @ colours[: len(model.classes_)]) + white
    image = mixed.reshape(*first.shape, 3)
    ax.imshow(image, origin="lower", extent=(-4.2, 4.2, -3.8, 4.4), aspect="auto")
    for k, name in enumerate(model.classes_):
        lead = probability[:, k] - np.delete(probability, k, axis=1).max(axis=1)
        ax.contour(first, second, lead.reshape(first.shape), levels=[0], colors="black")
        here = labels == name
        ax.scatter(*X[here].T, s=22, color=colours[k], edgecolor="white", lw=0.6, label=name)
    ax.set(title=title, xlabel="$x_1$", ylabel="$x_2$", xlim=(-4.2, 4.2), ylim=(-3.8, 4.4))
    ax.legend(loc="upper left", framealpha=0.9)


figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
draw(left, two, X[:120], labels[:120], "two classes")
chance = two.predict_proba(plane)[:, 1].reshape(first.shape)
lines = left.contour(
    first, second, chance, levels=[0.05, 0.25, 0.75, 0.95], colors="black", linewidths=0.6
)
left.clabel(lines, fmt=lambda p: f"{p:.0%}", fontsize=8)
draw(right, three, X, labels, "three classes")
plt.show()
