"""
Gaussian process classification: probabilities that know where the data are
===========================================================================

A classifier should be unsure far from its data. A Gaussian process classifier averages its
probabilities over everything the latent function may still be (gp.13): confidence fades with
distance, while a function that is merely most probable stays as sure as ever.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from margin.gp import GaussianProcessClassifier
from margin.kernels import RBF
from margin.linear import LogisticRegression

X, y = make_moons(80, noise=0.2, random_state=1)
across, up = np.meshgrid(np.linspace(-3, 4, 120), np.linspace(-2.6, 3, 120))
grid = np.column_stack([across.ravel(), up.ravel()])

models = {
    "logistic regression": LogisticRegression(C=10.0),
    "Laplace": GaussianProcessClassifier(kernel=1.0 * RBF(1.0)),
    "expectation propagation, probit": GaussianProcessClassifier(
        kernel=1.0 * RBF(1.0), likelihood="probit", inference="ep"
    ),
}
figure, axes = plt.subplots(1, 3, figsize=(12.5, 3.9), layout="constrained", sharey=True)
for axis, (name, model) in zip(axes, models.items(), strict=True):
    prob = model.fit(X, y).predict_proba(grid)[:, 1].reshape(across.shape)
    drawn = axis.contourf(across, up, prob, levels=np.linspace(0, 1, 21), cmap="RdBu_r")
    axis.contour(across, up, prob, levels=[0.5], colors="black", linewidths=1)
    axis.scatter(*X.T, c=y, cmap="RdBu_r", edgecolor="black", s=22)
    axis.set_title(name)
    axis.set_xlabel("$x_1$")
axes[0].set_ylabel("$x_2$")
figure.colorbar(drawn, ax=axes, label="probability of the red class", shrink=0.9)
plt.show()

# %%
# The approximate marginal likelihood compares kernels and approximations without held-out data.

for name in list(models)[1:]:
    model = models[name]
    print(f"{name}: log marginal likelihood {model.log_marginal_likelihood_value_:.2f}")
    print(f"  far away the probability is {model.predict_proba([[60.0, 60.0]])[0, 1]:.3f}")
