r"""
Losses: hinge, logistic, squared and robust as curves
=====================================================

What a wrong prediction costs (plotting.06). For classification with :math:`y = \pm 1` the losses
are functions of the margin :math:`y z` (losses.04 to losses.10): the 0-1 loss counts errors and has
no slope to follow, the others stand in for it and are convex. For regression they are functions of
the residual :math:`z - y` (losses.11, losses.14): the faster a loss grows, the more it listens to
outliers.

A loss in :mod:`margin.losses` is a value with three vectorised methods, ``value``, ``slope`` and
``curvature``, and it says what may be relied on. Solvers read that before they start.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin import losses

margins = {
    "0-1": losses.ZeroOne(),
    "perceptron": losses.Perceptron(),
    "hinge": losses.Hinge(),
    "squared hinge": losses.SquaredHinge(),
    "logistic": losses.Logistic(),
    "exponential": losses.Exponential(),
}
residuals = {
    "squared": losses.Squared(),
    "absolute": losses.Absolute(),
    "Huber": losses.Huber(),
    "Tukey": losses.Tukey(),
    "insensitive, 0.5": losses.EpsilonInsensitive(0.5),
    "quantile, 0.8": losses.Quantile(0.8),
}

print(f"{'loss':18}convex  differentiable  at least the 0-1 loss")
for name, loss in margins.items():
    print(f"{name:18}{loss.convex!s:8}{loss.differentiable!s:16}{loss.bounds_zero_one}")

# %%
# The logistic loss takes labels 0 and 1, the others -1 and 1. At a margin of zero it is
# :math:`\log 2`, so it lies below the 0-1 loss there; divided by :math:`\log 2` it would bound it.
# The slope of a residual loss is how hard one row pulls: without bound for squares, with a
# bound for Huber, and not at all for Tukey's biweight once the residual is absurd.

m = np.linspace(-2.2, 2.8, 600)
r = np.linspace(-6.5, 6.5, 600)
palette = ["black", "#8a94a6", "#e4572e", "#f2b134", "#2e86ab", "#2a9d5c"]
figure, axes = plt.subplots(2, 2, figsize=(10, 7.4), layout="constrained", sharex="col")
for (name, loss), colour in zip(margins.items(), palette, strict=True):
    style = {"color": colour, "lw": 2, "label": name}
    label = np.ones_like(m)
    axes[0, 0].plot(m, loss.value(m, label), **style)
    if not loss.piecewise_constant:
        axes[1, 0].plot(m, loss.slope(m, label), **style)
for (name, loss), colour in zip(residuals.items(), palette, strict=True):
    style = {"color": colour, "lw": 2, "label": name}
    truth = np.zeros_like(r)
    axes[0, 1].plot(r, loss.value(r, truth), **style)
    axes[1, 1].plot(r, loss.slope(r, truth), **style)
axes[0, 0].set(title="classification", ylabel="loss", ylim=(-0.1, 4.2), xlim=(m[0], m[-1]))
axes[1, 0].set(xlabel="margin $y z$", ylabel="slope", ylim=(-4.2, 0.3))
axes[0, 1].set(title="regression", ylim=(-0.2, 9), xlim=(r[0], r[-1]))
axes[1, 1].set(xlabel="residual $z - y$", ylim=(-2.6, 2.6))
for ax in axes.ravel():
    ax.axvline(0, color="black", lw=0.6)
    ax.axhline(0, color="black", lw=0.6)
axes[0, 0].legend(frameon=False, loc="upper right")
axes[0, 1].legend(frameon=False, loc="upper center", ncols=2)
plt.show()
