r"""
Discriminants, naive Bayes, logistic regression: shapes of boundaries
=====================================================================

Three classes, two of them stretched, and four models of them. Linear discriminant analysis
(linear.36) gives all classes one covariance and cuts the plane with straight lines; with a
covariance each (linear.37) the cuts are conics; naive Bayes (linear.43) has a covariance each too,
but believes that the features are independent within a class, so its ellipses cannot lean.
Logistic regression (linear.35) models the boundary alone and draws straight lines where they err
least. The regions are plotting.05.

A posterior is also a reason to give no answer: where no class is likely enough, "don't know" is the
decision of least risk (linear.24).
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

from margin.linear import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    LogisticRegression,
    QuadraticDiscriminantAnalysis,
)

rng = np.random.default_rng(7)
centres = np.array([[-1.5, -0.9], [1.7, -0.7], [0.2, 1.9]])
shapes = np.array([[[1.1, 0.9], [0.0, 0.45]], [[0.6, 0.0], [0.0, 0.6]], [[1.2, -0.75], [0.0, 0.4]]])


def draw_rows(count):
    """Return rows of three Gaussian classes, the same number of each, and their labels."""
    noise = rng.standard_normal((3, count, 2))
    return (centres[:, None] + noise @ shapes).reshape(-1, 2), np.repeat(np.arange(3), count)


X, y = draw_rows(70)
X_new, y_new = draw_rows(20_000)
models = {
    "linear discriminant": LinearDiscriminantAnalysis(),
    "quadratic discriminant": QuadraticDiscriminantAnalysis(),
    "naive Bayes": GaussianNB(),
    "logistic regression": LogisticRegression(),
}
for name, model in models.items():
    accuracy = model.fit(X, y).score(X_new, y_new)
    print(f"{name:24} {accuracy:.1%} of 60 000 new rows")

# %%
# Where no class has a probability of 80 %, ask a person. On the rows that are left the model errs
# less.

quadratic = models["quadratic discriminant"]
answers = quadratic.predict_or_reject(X_new, threshold=0.8)
answered = answers != None  # noqa: E711
print(f"{answered.mean():.1%} answered, {np.mean(answers[answered] == y_new[answered]):.1%} right")

# %%
# The ellipses hold 68 % of a class as the model sees it; the hatched strip is where the quadratic
# model would rather not answer.

colours = ["#2e86ab", "#e4572e", "#2a9d5c"]
first, second = np.meshgrid(np.linspace(-5, 4.6, 320), np.linspace(-4, 4.6, 320))
plane = np.column_stack([first.ravel(), second.ravel()])
circle = np.sqrt(2.28) * np.array([np.cos(t := np.linspace(0, 2 * np.pi, 100)), np.sin(t)])


def ellipses(model):
    """Return the means and covariances that a model gives the classes, if it has them."""
    if isinstance(model, GaussianNB):
        return model.theta_, [np.diag(v) for v in model.var_]
    if isinstance(model, LogisticRegression):
        return (), ()
    covariance = np.asarray(model.covariance_)
    return model.means_, np.broadcast_to(covariance, (3, 2, 2))


figure, axes = plt.subplots(2, 2, figsize=(10, 8), layout="constrained", sharex=True, sharey=True)
for ax, (name, model) in zip(axes.ravel(), models.items(), strict=True):
    region = model.predict(plane).reshape(first.shape)
    ax.pcolormesh(first, second, region, cmap=ListedColormap(colours), alpha=0.22, lw=0)
    for k, colour in enumerate(colours):
        ax.contour(first, second, region == k, levels=[0.5], colors="black", linewidths=0.9)
        ax.scatter(*X[y == k].T, s=16, color=colour, edgecolor="white", lw=0.5)
    for mean, covariance, colour in zip(*ellipses(model), colours, strict=False):
        ax.plot(*(mean[:, None] + np.linalg.cholesky(covariance) @ circle), color=colour, lw=2)
    if model is quadratic:
        unsure = (model.predict_proba(plane).max(axis=1) < 0.8).reshape(first.shape).astype(float)
        ax.contourf(first, second, unsure, levels=[0.5, 1.5], colors="none", hatches=["////"])
    ax.set(title=f"{name}: {model.score(X_new, y_new):.1%}", xlim=(-5, 4.6), ylim=(-4, 4.6))
plt.show()
