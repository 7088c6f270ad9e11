r"""
SVR and one-class machine: a tube, and a region for novelty
===========================================================

Support vector regression (svm.15) ignores errors within a tube of half width epsilon. Rows inside
it carry nothing, rows on its border are unbound support vectors, rows outside are bound: their pull
is limited by ``C``, which is why the outliers here do not bend the curve. ``NuSVR`` is told what
share of the rows may lie outside and finds the width.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.svm import SVR, NuSVR, OneClassSVM

rng = np.random.default_rng(2)
x = np.sort(rng.uniform(0, 6, 80))
y = np.sin(x) + 0.12 * rng.standard_normal(80)
y[::13] += 1.2
grid = np.linspace(-0.3, 6.3, 300)

fixed = SVR(C=1.0, epsilon=0.2, gamma=0.8).fit(x[:, None], y)
found = NuSVR(C=1.0, nu=0.25, gamma=0.8).fit(x[:, None], y)
print(fixed.support_report_)
print(f"half width found for a quarter of the rows outside: {found.epsilon_:.3f}")

# %%
# On the right a one-class machine, told that one row in twenty is strange.

rows = np.concatenate([rng.standard_normal((120, 2)) * [1, 0.4], rng.normal([0, 2], 0.35, (60, 2))])
region = OneClassSVM(nu=0.05, gamma=0.6).fit(rows)
first, second = np.meshgrid(np.linspace(-4, 4, 201), np.linspace(-2.2, 3.9, 201))
level = region.decision_function(np.column_stack([first.ravel(), second.ravel()]))

fig, axes = plt.subplots(1, 2, figsize=(10.5, 4), layout="constrained")
curve = fixed.predict(grid[:, None])
report = fixed.support_report_
axes[0].fill_between(grid, curve - 0.2, curve + 0.2, color="#dce7f5", label="tube")
axes[0].plot(grid, curve, color="#3b6fb6", label="SVR")
axes[0].plot(grid, found.predict(grid[:, None]), color="0.4", ls=":", label="NuSVR")
inside = np.setdiff1d(np.arange(80), report.support)
axes[0].scatter(x[inside], y[inside], s=14, c="0.65", label="inside: carries nothing")
axes[0].scatter(x[report.unbound], y[report.unbound], s=26, c="#3b6fb6", label="border: unbound")
axes[0].scatter(x[report.bound], y[report.bound], s=26, c="#c8553d", label="outside: bound")
axes[0].set(xlabel="x", ylabel="y", title="regression", ylim=(-1.4, 3.1))
axes[0].legend(frameon=False, fontsize=8, ncols=2)

axes[1].contourf(first, second, level.reshape(first.shape), levels=[0, 99], colors=["#dce7f5"])
axes[1].contour(first, second, level.reshape(first.shape), levels=[0], colors="#3b6fb6")
strange = region.predict(rows) == -1
axes[1].scatter(*rows[~strange].T, s=12, c="0.55")
axes[1].scatter(*rows[strange].T, s=26, c="#c8553d")
axes[1].set(xlabel="first feature", ylabel="second feature", title="one class, nu = 0.05")
plt.show()
