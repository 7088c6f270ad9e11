r"""
Multiple kernel learning: which kernel, which columns?
======================================================

Multiple kernel learning (svm.19) gives every kernel a weight and learns the weights together with
the machine. Here each kernel sees one column at one width, so that the weights say which columns
matter and how finely. The labels depend on the first column coarsely and on the second finely; the
other four are noise.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.kernels import RBF, on_columns
from margin.svm import SVC, MultipleKernelSVC

rng = np.random.default_rng(1)


def sample(n):
    """Labels by a slow wave of one column and a quick one of another."""
    X = rng.uniform(-2, 2, size=(n, 6))
    return X, np.where(np.cos(1.2 * X[:, 0]) + np.sin(4.0 * X[:, 1]) > 0.4, 1, 0)


X, y = sample(400)
new, truth = sample(2000)
widths = (0.2, 0.5, 1.0, 2.0)
kernels = [on_columns(RBF(width), [column]) for column in range(6) for width in widths]

# %%
# The larger the norm, the more equal the weights: ``norm=1`` chooses, ``inf`` takes the mean.

machines = {
    f"norm {norm:g}": MultipleKernelSVC(kernels=kernels, norm=norm, C=10.0).fit(X, y)
    for norm in (1.0, 2.0, np.inf)
}
machines["alignment"] = MultipleKernelSVC(kernels=kernels, strategy="alignment", C=10.0).fit(X, y)
plain = SVC(C=10.0).fit(X, y)
print(machines["norm 1"].fit_report_)

fig, axes = plt.subplots(1, 4, figsize=(11, 3.6), sharey=True, layout="constrained")
for ax, (name, machine) in zip(axes, machines.items(), strict=True):
    weights, top = machine.weights_.reshape(6, 4), max(0.1, machine.weights_.max())
    picture = ax.imshow(weights, cmap="Blues", vmin=0, vmax=top, aspect="auto")
    fig.colorbar(picture, ax=ax, location="bottom", shrink=0.8, label="weight")
    ax.set_title(f"{name}\naccuracy {machine.score(new, truth):.3f}")
    ax.set(xticks=range(4), xticklabels=widths, xlabel="width")
axes[0].set(yticks=range(6), yticklabels=[f"column {k}" for k in range(6)])
fig.suptitle(f"one Gaussian kernel of all columns: accuracy {plain.score(new, truth):.3f}")
plt.show()
