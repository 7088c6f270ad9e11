r"""
Kernel density estimation: kernels, widths and bins
===================================================

A kernel density (neighbors.03) puts a bump on every row, a histogram (neighbors.04) counts rows in
cells. Both have a width to choose: here by leaving rows out.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

from margin.neighbors import HistogramDensity, KernelDensity

rng = np.random.default_rng(1)
x = np.concatenate([rng.normal(-2.0, 0.4, size=150), rng.normal(1.0, 1.0, size=250)])[:, None]
grid = np.linspace(-4.5, 5.0, 600)[:, None]
truth = 150 / 400 * norm.pdf(grid[:, 0], -2.0, 0.4) + 250 / 400 * norm.pdf(grid[:, 0], 1.0, 1.0)

# %%
# Too narrow, chosen by the likelihood of left-out rows, and too wide; then the histogram with the
# least estimated risk.

chosen = KernelDensity(bandwidth="cv").fit(x)
print(f"bandwidth by leaving rows out: {chosen.bandwidth_:.3f}")

fig, axes = plt.subplots(1, 3, figsize=(12, 3.4), sharey=True, layout="constrained")
for width, colour in ((0.05, "#b9c7d8"), (chosen.bandwidth_, "#3b6fb6"), (1.5, "#c8553d")):
    model = KernelDensity(bandwidth=width).fit(x)
    density = np.exp(model.score_samples(grid))
    axes[0].plot(grid, density, color=colour, label=f"h = {width:.2f}")
axes[0].set_title("Gaussian kernel, three widths")

for kernel in ("epanechnikov", "tophat", "exponential"):
    model = KernelDensity(kernel=kernel, bandwidth="cv").fit(x)
    label = f"{kernel}, h = {model.bandwidth_:.2f}"
    axes[1].plot(grid, np.exp(model.score_samples(grid)), lw=1, label=label)
axes[1].set_title("Other kernels, widths by leaving out")

histogram = HistogramDensity().fit(x)
axes[2].fill_between(
    grid[:, 0],
    np.exp(histogram.score_samples(grid)),
    color="#dce7f5",
    step="mid",
    label=f"{histogram.n_bins_[0]} bins",
)
axes[2].set_title("Histogram of least risk")
for ax in axes:
    ax.plot(grid, truth, "k--", lw=1, label="truth")
    ax.legend(frameon=False, fontsize=8)
plt.show()
