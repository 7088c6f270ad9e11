r"""
Simpson's paradox resolved: simpson_reversal and AverageEffect
==============================================================

Two real tables whose whole says the opposite of their parts (causal.01, causal.17). Which of the
two to believe is not in the numbers: it is in the graph.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.causal import AverageEffect, Stratification, simpson_reversal
from margin.datasets import load_berkeley, load_kidney_stones

stones, berkeley = load_kidney_stones(as_frame=True), load_berkeley(as_frame=True)
tables = {
    "kidney stones: A against B": (
        stones.data.assign(outcome=stones.target), "treatment", "size", "B",
    ),
    "Berkeley: women against men": (
        berkeley.data.assign(outcome=berkeley.target), "sex", "department", "male",
    ),
}  # fmt: skip

# %%
# Bars are differences of success. In the whole, treatment A and women do worse; within strata they
# do better on average. The size of a stone is a cause of the treatment, so adjusting for it gives
# the effect of the treatment. The department lies between sex and admission: what is left within
# departments is the direct effect, not the total one.

fig, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained", sharey=True)
for ax, (title, (frame, group, stratum, baseline)) in zip(axes, tables.items(), strict=True):
    report = simpson_reversal(frame, group, "outcome", stratum, baseline=baseline)
    model = AverageEffect(
        treatment=group, outcome="outcome", adjustment=[stratum], baseline=baseline,
        method=Stratification(n_levels=6),
    ).fit(frame)  # fmt: skip
    heights = [report.overall, *report.within, model.effect_]
    labels = ["whole", *map(str, report.strata), "adjusted"]
    colours = ["C3", *["0.75"] * len(report.strata), "C0"]
    ax.bar(range(len(heights)), heights, color=colours)
    ax.errorbar(len(heights) - 1, model.effect_, 1.96 * model.std_error_, color="k", capsize=3)
    ax.axhline(0, color="k", linewidth=0.8)
    ax.set_xticks(np.arange(len(heights)), labels)
    ax.set_title(title)
    print(title, "reversed:", report.reversed)
axes[0].set_ylabel("difference of success")
