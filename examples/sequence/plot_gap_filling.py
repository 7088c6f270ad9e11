r"""
Hidden Markov model with gaps: NaN means unobserved
===================================================

Parts of a record of two sensors are missing, at times one sensor, at times both. Nothing is dropped
or imputed: the model (sequence.16, sequence.21) sums over what was not seen, when it is learned
and when it answers. The expected value of what is missing comes with its spread.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.sequence import GaussianHMM

rng = np.random.default_rng(2)
state = np.repeat([0, 1, 2, 0, 2, 1, 0], 30)
means = np.array([[0.0, 0.0], [4.0, 1.0], [2.0, 5.0]])
whole = means[state] + 0.5 * rng.normal(size=(210, 2))
seen = whole.copy()
seen[40:55, 0], seen[100:118], seen[150:175, 1] = np.nan, np.nan, np.nan

# %%
# Expected values given everything seen, and two standard deviations, out of the smoothed states.

model = GaussianHMM(3, n_init=5, random_state=0).fit(seen)
share = model.posterior(seen)
expected = share @ model.means_
spread = np.sqrt(
    share @ (np.array([np.diag(c) for c in model.covariances_]) + model.means_**2) - expected**2
)

fig, axes = plt.subplots(2, 1, figsize=(10, 4.6), sharex=True, layout="constrained")
for j, ax in enumerate(axes):
    gap = np.isnan(seen[:, j])
    ax.fill_between(
        np.arange(210), expected[:, j] - 2 * spread[:, j], expected[:, j] + 2 * spread[:, j],
        where=gap, color="#dce7f5", label="expected, two deviations",
    )  # fmt: skip
    ax.plot(np.where(gap, expected[:, j], np.nan), color="#3b6fb6")
    ax.plot(seen[:, j], ".", ms=4, color="k", label="seen")
    ax.plot(np.flatnonzero(gap), whole[gap, j], "x", ms=4, color="#c8553d", label="hidden truth")
    ax.set_ylabel(f"sensor {j + 1}")
axes[0].legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.25))
axes[1].set_xlabel("step")
plt.show()
