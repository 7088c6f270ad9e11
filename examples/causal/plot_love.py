r"""
AverageEffect: a confounded study, six methods, one love plot
=============================================================

Who gets a treatment depends on who they are (causal.15, causal.19, causal.21, causal.22). Weights
and partners make the groups comparable; the love plot shows how far they still differ.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.causal import AverageEffect

rng = np.random.default_rng(0)
n, names = 2000, ["age", "income", "health", "distance"]
X = rng.standard_normal((n, 4))
treated = rng.random(n) < 1 / (1 + np.exp(-(0.9 * X[:, 0] - 0.7 * X[:, 2] + 0.4 * X[:, 1])))
outcome = 1.0 * treated + X @ [1.0, 0.5, -1.0, 0.0] + rng.standard_normal(n)
frame = dict(zip(names, X.T, strict=True)) | {"treated": treated, "outcome": outcome}

# %%
# The difference of means is far from the truth, the dashed line; every adjustment comes back to it.

methods = ["naive", "stratification", "ipw", "matching", "aipw", "dml"]
models = {
    m: AverageEffect(
        treatment="treated", outcome="outcome", method=m, random_state=0,
        adjustment=names[:1] if m == "stratification" else names,
    ).fit(frame)
    for m in methods
}  # fmt: skip

fig, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
for place, model in enumerate(models.values()):
    low, high = model.interval_
    axes[0].plot([low, high], [place, place], color="C0")
    axes[0].plot(model.effect_, place, "o", color="C0")
axes[0].axvline(1.0, color="0.4", linestyle="--")
axes[0].set_yticks(range(len(models)), models)
axes[0].invert_yaxis()
axes[0].set_xlabel("estimated effect, interval of 95 %")
models["ipw"].balance().plot(axes[1])
axes[1].set_title("balance before and after weighting")

# %%
# Stratification on age alone leaves the other confounders in place. Attempts to break the doubly
# robust estimate:

for attempt in models["aipw"].refute(n_repeats=10):
    print(f"{attempt.kind:13s} {attempt.effect:6.3f} -> {attempt.refuted_effect:6.3f}")
