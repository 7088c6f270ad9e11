r"""
Sparse Gaussian processes: many rows through few points
=======================================================

The exact Gaussian process factors a matrix with one row for every datum, :math:`O(n^3)` work.
Sparse methods see the process through its values at ``m`` inducing points, :math:`O(n m^2)`.

The variational bound never exceeds the exact marginal likelihood, so more points can only help, and
the gap says how much is lost. FITC keeps the variances right instead and may exceed it.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.gp import GaussianProcessRegressor
from margin.kernels import RBF, White

rng = np.random.default_rng(0)
x = np.sort(rng.uniform(0, 10, size=600))[:, None]
truth = np.sin(2 * x[:, 0]) + 0.5 * np.sin(5.3 * x[:, 0])
y = truth + 0.3 * rng.standard_normal(600)
kernel = 1.0 * RBF(0.4) + White(0.1)
exact = GaussianProcessRegressor(kernel=kernel).fit(x, y)

# %%
# With the kernel of the exact fit, how good is the approximation? Inducing points are the centres
# of clusters of the rows.

counts = (5, 8, 12, 16, 20, 25, 30, 40)
values = {"variational": [], "fitc": []}
for method, found in values.items():
    for count in counts:
        model = GaussianProcessRegressor(
            kernel=exact.kernel_, optimizer=None, method=method, n_inducing=count, random_state=0
        ).fit(x, y)
        found.append(model.log_marginal_likelihood_value_)

few = GaussianProcessRegressor(
    kernel=kernel, method="variational", n_inducing=12, learn_inducing=True, random_state=0
).fit(x, y)
print(few.fit_report_)

# %%
# Twelve points are too few for this curve, even at their best places: the model takes the fast wave
# for noise, and its band says so. Forty are as good as all six hundred rows.

enough = GaussianProcessRegressor(
    kernel=kernel, method="variational", n_inducing=40, random_state=0
).fit(x, y)
grid = np.linspace(0, 10, 400)[:, None]
blue, red, green = "#2e86ab", "#e4572e", "#2a9d5c"
figure, axes = plt.subplots(1, 3, figsize=(12.5, 3.8), layout="constrained")
for axis, model, title in ((axes[0], few, "12 points"), (axes[1], enough, "40 points")):
    low, high = model.predict_dist(grid).interval(0.95)
    axis.scatter(x, y, s=3, color="#b8c0cc")
    axis.fill_between(grid[:, 0], low, high, color=blue, alpha=0.2, lw=0)
    axis.plot(grid, model.predict(grid), color=blue, lw=1.8, label="sparse")
    axis.plot(grid, exact.predict(grid), color="black", lw=0.9, ls="--", label="exact")
    axis.plot(model.inducing_points_, np.full(len(model.inducing_points_), -2.6), "|", color=red)
    axis.set(title=f"{title} (ticks below)", xlabel="$x$", ylim=(-2.8, 2.8))
    axis.legend(loc="upper right", frameon=False)
axes[2].axhline(exact.log_marginal_likelihood_value_, color="black", lw=1, ls="--", label="exact")
axes[2].plot(counts, values["variational"], "o-", color=blue, label="variational bound")
axes[2].plot(counts, values["fitc"], "s-", color=green, label="FITC")
axes[2].set_ylim(exact.log_marginal_likelihood_value_ - 900, None)
axes[2].set(xlabel="inducing points", title="log marginal likelihood")
axes[2].legend(frameon=False)
plt.show()
