r"""
Gaussian process on a grid: a field by Kronecker products
=========================================================

Forty thousand noisy pixels are far too many for a dense covariance matrix. But they are the cells
of a grid, and the kernel is a product of one factor per axis, so that the matrix is a tensor
product :math:`K_1 \otimes K_2` (gp.11): its eigenvectors come from two matrices of 200 rows.
Likelihood, hyper-parameters, mean and error bars are those of the full matrix, in a second.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

from margin.gp import GaussianProcessRegressor
from margin.kernels import RBF, White

rng = np.random.default_rng(0)
axis = np.linspace(0, 10, 200)
down, across = np.meshgrid(axis, axis, indexing="ij")
X = np.column_stack([down.ravel(), across.ravel()])
field = np.sin(down + 0.4 * across**1.3) * np.exp(-((across - 5) ** 2) / 30)
y = field.ravel() + 0.5 * rng.standard_normal(len(X))

start = time.perf_counter()
model = GaussianProcessRegressor(kernel=1.0 * RBF((1.0, 1.0)) + White(0.1)).fit(X, y)
print(f"{len(X)} rows in {time.perf_counter() - start:.1f} s: {model.kernel_}")
print(model.fit_report_)

mean = model.predict(X).reshape(field.shape)
figure, axes = plt.subplots(1, 3, figsize=(12, 3.9), layout="constrained", sharey=True)
panels = {"seen": y.reshape(field.shape), "mean of the process": mean, "truth": field}
for panel, (title, values) in zip(axes, panels.items(), strict=True):
    drawn = panel.pcolormesh(axis, axis, values, vmin=-1.5, vmax=1.5, cmap="RdBu_r")
    panel.set_title(title)
figure.colorbar(drawn, ax=axes, shrink=0.9)
plt.show()

# %%
# Cells may be missing: here a window, and of the others every third. Then there is no basis in
# which the matrix is diagonal, but products with it still go axis by axis, and conjugate gradients
# need nothing else. The error bars say where the picture is made up.

coarse = X.reshape(200, 200, 2)[::4, ::4].reshape(-1, 2)
truth, noisy = field[::4, ::4], y.reshape(200, 200)[::4, ::4]
hole = (np.abs(coarse - [2.5, 6.0]) < 1.2).all(axis=1)
kept = ~hole & (rng.uniform(size=len(coarse)) < 0.67)
part = GaussianProcessRegressor(kernel=model.kernel_, optimizer=None, method="grid")
found = part.fit(coarse[kept], noisy.ravel()[kept]).predict_dist(coarse, latent=True)
print(part.fit_report_)

figure, axes = plt.subplots(1, 3, figsize=(12, 3.9), layout="constrained", sharey=True)
like = {"vmin": -1.5, "vmax": 1.5, "cmap": "RdBu_r"}
panels = {
    f"{kept.sum()} of {len(coarse)} cells seen": (np.where(kept, noisy.ravel(), np.nan), like),
    "completed": (found.mean, like),
    "standard deviation": (np.sqrt(found.var), {"vmin": 0, "cmap": "magma"}),
}
for panel, (title, (values, scale)) in zip(axes, panels.items(), strict=True):
    drawn = panel.pcolormesh(axis[::4], axis[::4], values.reshape(truth.shape), **scale)
    panel.set_title(title)
figure.colorbar(drawn, ax=axes[2])
plt.show()
