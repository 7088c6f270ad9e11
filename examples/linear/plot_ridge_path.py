r"""
Ridge regression: what it shrinks
=================================

Ridge regression (linear.13) minimises
:math:`\tfrac12 \|y - Xw - b\|^2 + \tfrac\alpha2 \|w\|^2`. Seen along the singular directions of the
centred data it multiplies each least-squares coordinate by :math:`d_j^2 / (d_j^2 + \alpha)`:
directions in which the data hardly vary are shrunk first, and those are the ones that least squares
gets most wrong.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from margin.linear import LinearRegression, Ridge

X, y = load_diabetes(return_X_y=True, as_frame=True)
X = (X - X.mean()) / X.std()
alphas = np.geomspace(1e-2, 1e5, 120)
paths = np.array([Ridge(alpha=alpha).fit(X, y).coef_ for alpha in alphas])
least_squares = LinearRegression().fit(X, y)

# %%
# The factors, and their sum, the effective number of parameters that the fit still uses.

d = np.linalg.svd(X.to_numpy(), compute_uv=False)
factors = d**2 / (d**2 + alphas[:, None])
parameters = factors.sum(axis=1)
for alpha in (0.01, 100.0, 10_000.0):
    used = float(np.sum(d**2 / (d**2 + alpha)))
    print(f"alpha {alpha:8g}: {used:5.2f} effective parameters of {len(d)}")

# %%
# The blood measurements ``s1`` and ``s2`` have a correlation of 0.9, so least squares gives them
# large coefficients of opposite sign. A little shrinkage undoes that, long before ``bmi`` and
# ``bp``, which no other column imitates, are touched.

colours = dict(zip(["s1", "s2", "s5", "bmi", "bp", "sex"], plt.cm.tab10.colors, strict=False))
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
for name, path, start in zip(X.columns, paths.T, least_squares.coef_, strict=True):
    left.semilogx(alphas, path, lw=2, color=colours.get(name, "lightgrey"), label=name)
    if name in colours:
        height = start + 1.2 * ((name == "bmi") - (name == "s2"))
        left.text(0.7 * alphas[0], height, name, ha="right", va="center", color=colours[name])
left.axhline(0, color="black", lw=0.6)
left.set(xlabel=r"penalty $\alpha$", ylabel="coefficient", title="coefficient paths")
left.set_xlim(alphas[0] / 8, alphas[-1])

right.semilogx(alphas, factors, lw=1.2, color="#2e86ab", alpha=0.6)
right.set(xlabel=r"penalty $\alpha$", ylabel=r"shrinkage $d_j^2 / (d_j^2 + \alpha)$")
right.set_title("one curve per singular direction")
count = right.twinx()
count.semilogx(alphas, parameters, lw=2.5, color="#e4572e")
count.set_ylabel("effective number of parameters", color="#e4572e")
count.set_ylim(0, len(d) * 1.05)
right.set(xlim=(alphas[0], alphas[-1]), ylim=(0, 1.05))
plt.show()
