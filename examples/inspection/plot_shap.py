r"""
Shapley values: what a boosted model makes of its features
==========================================================

Shapley values share the prediction of every row out over its features: the mean, over all orders in
which the features become known, of what each one changes. With the base they add up to the
prediction.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes

from margin.ensemble import GradientBoostingRegressor
from margin.inspection import feature_dependence, shuffled_importance, tree_shap

data = load_diabetes(as_frame=True, scaled=False)
X, y = data.data, data.target
model = GradientBoostingRegressor(n_estimators=60, max_leaf_nodes=8, random_state=0)
model.fit(X[:350], y[:350])

shown = tree_shap(model, X)
gap = abs(shown.prediction[:, 0] - model.predict(X)).max()
print(f"largest gap between sums and predictions: {gap:.1e}")

# %%
# All rows: a dot is a patient, its place what a feature adds, its colour the value of the feature.

shown.plot_summary()
plt.show()

# %%
# One row, from what is expected of anybody to what is predicted for this patient.

shown.plot_waterfall(5)
plt.show()

# %%
# Importance on rows that the model has not seen, with intervals, and the dependence on the most
# important feature: grey lines are patients, the red one is their mean.

fig, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
shuffled_importance(model, X[350:], y[350:], random_state=0).plot(ax=axes[0])
feature_dependence(model, X, "bmi").plot(ax=axes[1])
plt.show()
