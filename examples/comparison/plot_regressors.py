"""
Regressors compared: curves, steps and honest bands
===================================================

Three tables of one feature and eight families of regressors: a smooth wave, a jump, and a line with
a few wrong targets, each with a gap in the middle and nothing on the right. What a model does there
is its assumption: straight lines go on, trees and neighbours repeat the last value, a spline
follows its last slope, and a process returns to the mean.

Models with ``predict_dist`` show the band that should hold nine of ten new targets. The one of the
process opens where nothing is known; that of a Bayesian line trusts the line.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.ensemble import GradientBoostingRegressor, RandomForestRegressor
from margin.gp import GaussianProcessRegressor
from margin.inspection import prediction_bands
from margin.kernels import RBF, White
from margin.linear import BayesianLinearRegression, RobustRegressor, SmoothingSpline
from margin.neighbors import KNeighborsRegressor
from margin.svm import SVR

tables = {
    "wave": lambda x, rng: np.sin(1.4 * x) + 0.2 * rng.normal(size=x.size),
    "jump": lambda x, rng: np.where(x > 2.2, 1.0, -1.0) + 0.2 * rng.normal(size=x.size),
    "wrong targets": lambda x, rng: (
        0.4 * x - 1 + 0.15 * rng.normal(size=x.size) + 3 * (rng.random(x.size) < 0.12)
    ),
}
models = {
    "Bayesian line": BayesianLinearRegression(),
    "robust line": RobustRegressor(),
    "smoothing spline": SmoothingSpline(),
    "5 neighbours": KNeighborsRegressor(5),
    "support vectors": SVR(C=5.0, gamma=0.8, epsilon=0.1),
    "Gaussian process": GaussianProcessRegressor(kernel=1.0 * RBF(1.0) + White(0.05)),
    "quantile forest": RandomForestRegressor(
        100, min_samples_leaf=4, keep_leaves=True, random_state=0
    ),
    "boosting": GradientBoostingRegressor(n_estimators=40, max_leaf_nodes=6, min_samples_leaf=5),
}

# %%
# :func:`margin.inspection.prediction_bands` draws mean and band in one call.

rng = np.random.default_rng(1)
x = np.sort(np.concatenate([rng.uniform(0, 2.6, 45), rng.uniform(3.6, 5.2, 30)]))
grid = np.linspace(-0.4, 7, 240)
figure, axes = plt.subplots(
    len(tables), len(models), figsize=(16, 6.4), layout="constrained", sharex=True, sharey="row"
)
for row, (name, law) in zip(axes, tables.items(), strict=True):
    y = law(x, rng)
    for ax, (label, model) in zip(row, models.items(), strict=True):
        model.fit(x[:, None], y)
        if hasattr(model, "predict_dist") and label != "boosting":
            prediction_bands(model, grid, levels=[0.9]).plot(ax=ax)
            ax.get_legend().remove()
        else:
            ax.plot(grid, model.predict(grid[:, None]), color="#2e86ab", lw=2)
        ax.plot(x, y, "o", ms=2.2, color="black", alpha=0.55)
        ax.set(xticks=[], yticks=[], xlabel="", ylabel="", ylim=(y.min() - 1, y.max() + 1))
    row[0].set_ylabel(name)
for ax, label in zip(axes[0], models, strict=True):
    ax.set_title(label, fontsize=11)
plt.show()
