r"""
Kernel PCA: circles unrolled
============================

Kernel PCA (decomposition.12) takes principal components in the feature space of a kernel. Two
circles, one inside the other, are told apart there; and rows can be taken back with less noise.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_circles

from margin.decomposition import PCA, KernelPCA

X, y = make_circles(400, factor=0.4, noise=0.07, random_state=0)

# %%
# Principal components only turn the picture, a Gaussian kernel takes it apart.

flat = PCA(2).fit_transform(X)
model = KernelPCA(2, kernel="rbf", gamma=8.0).fit(X)
print(model.fit_report_)
denoiser = KernelPCA(6, kernel="rbf", gamma=1.0, fit_inverse_transform=True, alpha=0.05).fit(X)
back = denoiser.inverse_transform(denoiser.transform(X))

fig, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
for ax, Z, title in zip(
    axes,
    (flat, model.transform(X), back),
    ("PCA", "kernel PCA, Gaussian kernel", "back from 6 kernel components"),
    strict=True,
):
    for label, colour in ((0, "#3b6fb6"), (1, "#c8553d")):
        ax.scatter(*Z[y == label].T, s=10, color=colour, alpha=0.6)
    ax.set(title=title, xticks=[], yticks=[])
plt.show()
