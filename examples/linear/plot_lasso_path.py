r"""
Lasso: why it drops features
============================

The lasso (linear.14) minimises :math:`\tfrac1{2n} \|y - Xw - b\|^2 + \alpha \|w\|_1`. Said with a
budget instead of a penalty: least squares inside a diamond :math:`\|w\|_1 \le t`. The ellipses of
equal error usually touch a diamond at a corner, where coefficients are exactly zero; the ball of
ridge regression (linear.13) has no corners, so it shrinks everything and drops nothing. This is the
picture that every course draws (plotting.12), here from fits and not by hand.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle, Polygon
from sklearn.datasets import load_diabetes

from margin.linear import Lasso, LassoCV, LinearRegression, Ridge, lasso_path

rng = np.random.default_rng(2)
X = rng.standard_normal((80, 2)) @ np.array([[1.0, 0.45], [0.0, 0.75]])
y = X @ [0.5, 1.3] + 0.3 * rng.standard_normal(80)
least_squares = LinearRegression().fit(X, y)
lasso, ridge = Lasso(alpha=0.75).fit(X, y), Ridge(alpha=80.0).fit(X, y)
for model in (least_squares, lasso, ridge):
    print(f"{type(model).__name__:16} w = {model.coef_.round(3)}")

# %%
# The budget that belongs to a penalty is the norm of its answer: each region below is drawn through
# the fitted point, and the ellipse of equal error touches it there and nowhere else.

w1, w2 = np.meshgrid(np.linspace(-1.1, 1.7, 240), np.linspace(-1.1, 2.1, 240))
plane = np.stack([w1, w2], axis=-1)
centred, target = X - X.mean(axis=0), y - y.mean()


def error(w):
    """Return the mean squared error of coefficients, the intercept being the best one."""
    return np.mean((target - w @ centred.T) ** 2, axis=-1)


blue, orange, green = "#2e86ab", "#e4572e", "#2a9d5c"
figure, axes = plt.subplots(1, 2, figsize=(10, 5.2), layout="constrained")
size, radius = np.abs(lasso.coef_).sum(), np.linalg.norm(ridge.coef_)
diamond = Polygon([(size, 0), (0, size), (-size, 0), (0, -size)], color=orange, alpha=0.3, lw=0)
regions = {r"lasso: $\|w\|_1 \leq t$": diamond}
regions[r"ridge: $\|w\|_2 \leq t$"] = Circle((0, 0), radius, color=blue, alpha=0.3, lw=0)
for ax, (title, region), model in zip(axes, regions.items(), (lasso, ridge), strict=True):
    ax.add_patch(region)
    touching = float(error(model.coef_))
    floor = float(error(least_squares.coef_))
    levels = floor + (touching - floor) * np.array([0.1, 0.4, 1.0, 2.0, 3.5])
    widths = [0.7, 0.7, 2.0, 0.7, 0.7]
    ax.contour(w1, w2, error(plane), levels=levels, colors="grey", linewidths=widths)
    ax.plot(*least_squares.coef_, "o", color="black")
    ax.annotate("least squares", least_squares.coef_, (6, 6), textcoords="offset points")
    ax.plot(*model.coef_, "*", ms=16, color="black", zorder=4)
    ax.axhline(0, color="black", lw=0.6)
    ax.axvline(0, color="black", lw=0.6)
    ax.set(xlim=(-1.1, 1.7), ylim=(-1.1, 2.1), aspect="equal", xlabel="$w_1$", ylabel="$w_2$")
    ax.set_title(title)
plt.show()

# %%
# Ten features instead of two, and all budgets at once. One compiled call computes the whole path of
# the lasso, each strength started from the one before. Both are drawn against the size of the
# answer, as a share of that of least squares.

X, y = load_diabetes(return_X_y=True, as_frame=True)
names = X.columns
X = ((X - X.mean()) / X.std()).to_numpy()
y = y.to_numpy() - y.mean()
full = LinearRegression().fit(X, y).coef_
_, sparse, _ = lasso_path(X, y, eps=1e-4, alphas=120, tol=1e-8)
shrunk = np.array([Ridge(alpha=a).fit(X, y).coef_ for a in np.geomspace(1e6, 1e-2, 120)]).T
chosen = LassoCV().fit(X, y)
print(f"cross-validation keeps {np.count_nonzero(chosen.coef_)} of {len(names)} features:")
print(", ".join(names[chosen.coef_ != 0]))

# %%
# Lasso paths are piecewise straight: features join one at a time, and one
# that changes its sign leaves and joins again.

figure, axes = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
colours = dict(zip(["s1", "s2", "s5", "bmi", "bp", "sex"], plt.cm.tab10.colors, strict=False))
places = {"s2": -1.5, "bmi": 1.0}
for ax, paths, norm in zip(axes, (sparse, shrunk), (1, 2), strict=True):
    share = np.linalg.norm(paths, norm, axis=0) / np.linalg.norm(full, norm)
    for name, path, end in zip(names, paths, full, strict=True):
        ax.plot(share, path, lw=2, color=colours.get(name, "lightgrey"))
        if name in colours:
            ax.text(1.01, end + places.get(name, 0), name, va="center", color=colours[name])
    ax.axhline(0, color="black", lw=0.6)
    ax.set(xlim=(0, 1.08), ylabel="coefficient")
    ax.set_xlabel(rf"$\|w\|_{norm}$ as a share of least squares")
at = np.abs(chosen.coef_).sum() / np.abs(full).sum()
axes[0].axvline(at, color=green, ls="--")
axes[0].text(at - 0.015, -36, "cross-validation", color=green, ha="right")
axes[0].set_title("lasso: coefficients are exactly zero")
axes[1].set_title("ridge: small, never zero")
plt.show()
