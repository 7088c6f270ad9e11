r"""
Random features and Nyström: how many does a kernel need?
=========================================================

A kernel matrix of :math:`n` points costs :math:`n^2`, a table of :math:`m` features of them only
:math:`n m` (kernels.33). Random Fourier features look at the kernel alone: their error falls as
:math:`1/\sqrt m`, whatever the data. Nyström features use some of the points as landmarks and see
where the data are. Landmarks drawn at random leave out the outskirts; put where the approximation
so far is worst, they follow the spectrum of the matrix, which for a smooth kernel falls
exponentially. A rough kernel has a long spectrum that no choice of features can shorten: the
dashed line is the best of all, from the eigenvectors.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.kernels import RBF, Matern, approximate, gram_features

rng = np.random.default_rng(0)
X = rng.normal(size=(500, 2))
sizes = [4, 8, 16, 32, 64, 128, 256]
methods = {"fourier": "#e4572e", "nystroem": "#2e86ab", "pivoted": "#2a9d5c"}
names = {
    "fourier": "random frequencies",
    "nystroem": "random landmarks",
    "pivoted": "chosen landmarks",
}


def error(kernel, made):
    """Return the relative error of the matrix in the Frobenius norm."""
    K = kernel(X)
    return np.linalg.norm(K - made @ made.T) / np.linalg.norm(K)


# %%
# The median of five repetitions where chance has a say.

figure, axes = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True, layout="constrained")
for axis, kernel in zip(axes, (RBF(1.0), Matern(1.0, nu=0.5)), strict=True):
    best = [error(kernel, gram_features(kernel(X), m).features) for m in sizes]
    axis.loglog(sizes, best, color="black", lw=1, ls="--", label="eigenvectors")
    for method, colour in methods.items():
        repeats = 1 if method == "pivoted" else 5
        errors = [
            [error(kernel, approximate(kernel, X, m, method=method, rng=s)(X)) for m in sizes]
            for s in range(repeats)
        ]
        middle = np.median(errors, axis=0)
        axis.loglog(sizes, middle, "o-", color=colour, lw=2, ms=4, label=names[method])
        print(f"{kernel!s:32} {method:9} error with 64 features {middle[4]:.1e}")
    axis.set_title(f"{kernel}", fontsize=10, family="monospace")
    axis.set(xlabel="features", ylim=(1e-9, 2))
    axis.set_xticks(sizes, [str(m) for m in sizes], minor=False)
    axis.set_xticks([], minor=True)
    axis.grid(color="#e5e8ee", lw=0.6)
axes[0].set_ylabel("relative error of the kernel matrix")
axes[1].legend(frameon=False, loc="lower left")
plt.show()
