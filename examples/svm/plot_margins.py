r"""
Support vector machine: margins and support vectors
===================================================

A support vector machine draws the boundary with the widest band between two classes (svm.02), and
buys exceptions at the price ``C`` (svm.03). Only some rows carry it (svm.04): those on the edge of
the band (unbound) and those inside it or beyond (bound). All other rows could be thrown away.

From left to right: a wide band with many exceptions, a narrow one with few, and a Gaussian kernel
(svm.13), for which the band is as curved as the data.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D

from margin.svm import SVC

rng = np.random.default_rng(4)
y = np.repeat([0, 1], 45)
X = rng.standard_normal((90, 2)) * [1.0, 0.8]
X[:, 1] += np.where(y == 1, 1.0, -1.0) + 0.45 * X[:, 0] ** 2 - 0.4

machines = {
    "linear, C = 0.02": SVC(kernel="linear", C=0.02),
    "linear, C = 100": SVC(kernel="linear", C=100.0),
    "Gaussian kernel, C = 1": SVC(C=1.0, gamma=0.5),
}
for name, machine in machines.items():
    machine.fit(X, y)
    print(name)
    print(machine.support_report_)

# %%
# The band is where the decision function lies between -1 and 1. Rings mark the unbound support
# vectors, crosses the bound ones: no row without a mark has any influence.

colours = np.array(["#3b6fb6", "#c8553d"])
first, second = np.meshgrid(np.linspace(-3.2, 3.2, 241), np.linspace(-3.4, 4.6, 241))
points = np.column_stack([first.ravel(), second.ravel()])

fig, axes = plt.subplots(1, 3, figsize=(11, 4.2), sharex=True, sharey=True, layout="constrained")
for ax, (name, machine) in zip(axes, machines.items(), strict=True):
    values = machine.decision_function(points).reshape(first.shape)
    ax.contourf(
        first, second, values, levels=[-99, -1, 1, 99], colors=["#dce7f5", "#f4f1e8", "#f7e0da"]
    )
    ax.contour(
        first,
        second,
        values,
        levels=[-1, 0, 1],
        colors="0.35",
        linestyles=["--", "-", "--"],
        linewidths=[0.9, 1.6, 0.9],
    )
    ax.scatter(*X.T, c=colours[y], s=18, lw=0)
    report = machine.support_report_
    ax.scatter(*X[report.unbound].T, s=75, facecolors="none", edgecolors="0.1", lw=1.2)
    ax.scatter(*X[report.bound].T, s=55, marker="x", c="0.25", lw=0.9)
    ax.set_title(f"{name}\n{len(report.support)} of {report.n} rows carry it")
    ax.set(xticks=[], yticks=[], xlim=(-3.2, 3.2), ylim=(-3.4, 4.6))

handles = [
    Line2D([], [], color="0.35", lw=1.6, label="boundary"),
    Line2D([], [], color="0.35", lw=0.9, ls="--", label="edge of the band"),
    Line2D([], [], ls="", marker="o", mfc="none", mec="0.1", ms=8, label="unbound"),
    Line2D([], [], ls="", marker="x", c="0.25", ms=7, label="bound"),
]
fig.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)
plt.show()
