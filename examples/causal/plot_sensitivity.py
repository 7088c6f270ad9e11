r"""
OmittedVariable: how strong would a hidden cause have to be?
============================================================

No method adjusts for what was not measured. Contours say what a hidden cause would do to an
estimate, Rosenbaum's bounds what it would do to a test, the E-value gives one number.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.causal import AverageEffect, OmittedVariable, e_value_of_difference, rosenbaum_bounds

rng = np.random.default_rng(1)
x = rng.standard_normal((600, 2))
dose = x[:, 0] + rng.standard_normal(600)
outcome = 0.3 * dose + x.sum(axis=1) + rng.standard_normal(600)
frame = {"a": x[:, 0], "b": x[:, 1], "dose": dose, "outcome": outcome}
model = AverageEffect(
    treatment="dose", outcome="outcome", adjustment=["a", "b"], method="regression"
).fit(frame)
print(model.summary())

# %%
# Each point on the left is a hidden cause. Along the dashed line it would explain the whole
# estimate away. On the right, pairs of people may differ in their odds of treatment by a factor;
# where the curve crosses the level, the finding could be due to that alone.

hidden = OmittedVariable(model.effect_, model.std_error_, 600 - 4)
pairs = 0.6 + rng.standard_normal(120)
odds = np.linspace(1, 5, 60)
bounds = rosenbaum_bounds(pairs, odds)

fig, axes = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
hidden.plot(axes[0])
axes[0].set_title(f"adjusted estimate; robustness value {hidden.robustness_value():.2f}")
axes[1].semilogy(odds, bounds.upper, label="largest p-value")
axes[1].axhline(0.05, color="0.5", linestyle="--", label="level 0.05")
axes[1].set_xlabel("odds by which matched people may differ")
axes[1].set_title(f"holds up to odds of {bounds.tipping_point():.1f}")
axes[1].legend()
deviation = float(np.std(outcome))
print(
    "E-value", round(e_value_of_difference(model.effect_, model.std_error_, deviation).estimate, 2)
)
