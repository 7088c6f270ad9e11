r"""
Basis expansion: curves from a linear model
===========================================

A model :math:`f(x) = \sum_m \beta_m h_m(x)` is linear in :math:`\beta`, whatever the functions
:math:`h_m` are (linear.17). :class:`~margin.linear.BasisExpansion` turns a feature into columns
:math:`h_m(x)`, and least squares does the rest. What the curve can look like, between the rows and
outside of them, is decided by the functions.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline

from margin.linear import BasisExpansion, LinearRegression

rng = np.random.default_rng(3)
x = np.sort(rng.uniform(0, 1, 80))
y = np.sin(9 * x**2) + 0.25 * rng.standard_normal(80)
grid = np.linspace(-0.15, 1.15, 600)

# %%
# Four ways to spend seven or eight coefficients. Separate straight lines on every piece jump at the
# knots. Joined cubics do not, but run away outside of the data; natural ones go on as lines. Waves
# repeat themselves after twice the range of the data, and outside of it they mean nothing.

models = {
    "separate lines": BasisExpansion(basis="truncated-power", degree=1, smoothness=-1),
    "cubic spline": BasisExpansion(basis="truncated-power", n_knots=6),
    "natural cubic spline": BasisExpansion(n_knots=8),
    "waves": BasisExpansion(basis="fourier", degree=3),
}
figure, axes = plt.subplots(2, 2, figsize=(10, 6.4), layout="constrained", sharex=True, sharey=True)
for ax, (name, expansion) in zip(axes.flat, models.items(), strict=True):
    model = make_pipeline(expansion, LinearRegression()).fit(x[:, None], y)
    ax.plot(x, y, "o", color="#8a94a6", ms=3.5, alpha=0.7)
    ax.plot(grid, np.sin(9 * grid**2), color="#f2b134", lw=1.5, ls="--", label="truth")
    curve = model.predict(grid[:, None])
    if name == "separate lines":
        inner = model[0].functions_[0].knots[1:-1]
        curve[np.searchsorted(grid, inner)] = np.nan  # no line across a jump
    ax.plot(grid, curve, color="#173f5f", lw=2, label="fit")
    if hasattr(model[0].functions_[0], "knots"):
        for knot in model[0].functions_[0].knots:
            ax.axvline(knot, color="#8a94a6", lw=0.7, alpha=0.5)
    count = len(model[1].coef_) + 1
    ax.set(title=f"{name}, {count} coefficients", ylim=(-2.2, 2.2))
axes[0, 0].legend(frameon=False, loc="lower left")
plt.show()

# %%
# The functions themselves: a fit is a sum of these, each times its coefficient.

figure, axes = plt.subplots(1, 3, figsize=(10, 3), layout="constrained")
inside = np.linspace(0, 1, 300)[:, None]
for ax, name in zip(axes, ("natural cubic spline", "waves", "bells"), strict=True):
    expansion = models.get(name, BasisExpansion(basis="radial", knots="uniform"))
    columns = expansion.fit(x[:, None]).transform(inside)
    ax.plot(inside, columns / np.abs(columns).max(axis=0), lw=1.6)
    ax.set(title=name, xlabel="x")
axes[0].set_ylabel("function, scaled to 1")
plt.show()
