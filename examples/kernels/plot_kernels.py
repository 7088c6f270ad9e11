r"""
Kernels: as functions and as samples
====================================

A kernel says how alike two points are. Read as a covariance it says what functions to expect: how
smooth they are, whether they repeat, whether they grow (kernels.01). Each row shows a kernel as a
function of one argument, the other held at the dot, next to four functions drawn from the Gaussian
process it defines.

Smoothness at the origin is the smoothness of the draws. The exponential (Matérn 1/2) has a kink
and its functions can be differentiated nowhere, Matérn 3/2 once, the Gaussian kernel any number of
times. Products and sums of kernels are kernels: the last row multiplies a periodic kernel by a
slowly fading one, and repeats itself less and less exactly.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.kernels import RBF, Linear, Matern, Periodic, Wendland, gram_features

rows = {
    "Matern(0.6, nu=0.5)": Matern(0.6, nu=0.5),
    "Matern(0.6, nu=1.5)": Matern(0.6, nu=1.5),
    "RBF(0.6)": RBF(0.6),
    "Wendland(1.5, dimension=1)": Wendland(1.5, dimension=1),
    "0.15 * Linear() + 0.2": 0.15 * Linear() + 0.2,
    "Periodic(0.8, 1.5) * RBF(2.5)": Periodic(0.8, 1.5) * RBF(2.5),
}
x = np.linspace(-3, 3, 400)[:, None]
anchor = np.array([[0.75]])

# %%
# A draw is :math:`B \varepsilon` with white noise :math:`\varepsilon`, where
# :math:`B B^\top = K` are the features of the kernel matrix (kernels.23).

rng = np.random.default_rng(3)
draws = {}
for name, kernel in rows.items():
    features = gram_features(kernel(x)).features
    draws[name] = features @ rng.standard_normal((features.shape[1], 4))
    print(f"{name:30} {features.shape[1]:3d} features explain the matrix of 400 points")

# %%
# The Gaussian kernel needs few features on this interval, the exponential as many as points.

colours = ["#2e86ab", "#e4572e", "#2a9d5c", "#f2b134"]
figure, axes = plt.subplots(
    len(rows), 2, figsize=(10, 11), sharex=True, layout="constrained", width_ratios=(1, 2)
)
for (left, right), (name, kernel) in zip(axes, rows.items(), strict=True):
    left.plot(x, kernel(x, anchor), color="black", lw=1.8)
    left.plot(anchor[0], kernel(anchor)[0], "o", color="#e4572e")
    left.axhline(0, color="#8a94a6", lw=0.6)
    left.set_title(name, fontsize=10, family="monospace", loc="left")
    for draw, colour in zip(draws[name].T, colours, strict=True):
        right.plot(x, draw, color=colour, lw=1.2)
    right.axhline(0, color="#8a94a6", lw=0.6)
axes[0, 0].set_ylabel("$k(x, 0.75)$")
axes[0, 1].set_title("draws from the Gaussian process", fontsize=10)
for axis in axes[-1]:
    axis.set_xlabel("$x$")
plt.show()
