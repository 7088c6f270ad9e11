r"""
Causal networks: Simpson's paradox at Berkeley
==============================================

In 1973 the University of California admitted 46 % of the men who applied and 30 % of the women. In
most departments, however, women were admitted at least as often as men. Both are true: women
applied to the departments that turn most applicants away.

A Bayesian network learned from the 4425 applications by counting (graphical.17) answers all the
questions from one model.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from margin.datasets import load_berkeley
from margin.graphical import BayesianNetwork

berkeley = load_berkeley(as_frame=True)
people = pd.concat([berkeley.data, berkeley.target], axis=1)
network = BayesianNetwork(berkeley.edges, states=berkeley.states).fit(people)
print(network.fit_report_)

# %%
# Overall, and within a department:

overall = network.query("admitted", pd.DataFrame({"sex": ["male", "female"]}))
print(overall.to_frame())
print(network.query("admitted", {"sex": "female", "department": "A"}))

# %%
# What would happen if departments were chosen independently of the sex? Setting the department
# from outside (``do``) cuts the arrow that leads into it; averaged over the departments as all
# applicants chose them, the sign of the difference turns.

departments = network.states["department"]
shares = network.marginals()["department"]
standardised = {
    sex: sum(
        share
        * network.query("admitted", {"sex": sex}, do={"department": d}).probability(admitted="yes")
        for d, share in zip(departments, shares, strict=True)
    )
    for sex in ("male", "female")
}
print({sex: round(rate, 4) for sex, rate in standardised.items()})

# %%
# All rates in one batched query: every row of the frame is a question.

grid = pd.MultiIndex.from_product(
    [["male", "female"], departments], names=["sex", "department"]
).to_frame(index=False)
rates = network.query("admitted", grid).probability(admitted="yes").reshape(2, -1)
choice = network.query("department", pd.DataFrame({"sex": ["male", "female"]})).values

fig, (first, second, third) = plt.subplots(
    1, 3, figsize=(12, 3.8), layout="constrained", width_ratios=[0.8, 1.6, 1.6]
)
colours = {"male": "#2e86ab", "female": "#d1495b"}
whole = overall.probability(admitted="yes")
bars = first.bar(["male", "female"], whole, color=list(colours.values()))
first.bar_label(bars, [f"{p:.0%}" for p in whole])
first.set(title="all applicants", ylabel="admitted", ylim=(0, 0.9))
places = np.arange(len(departments))
for at, sex in enumerate(colours):
    shift = 0.4 * (at - 0.5)
    second.bar(places + shift, rates[at], 0.38, color=colours[sex], label=sex)
    third.bar(places + shift, choice[at], 0.38, color=colours[sex], label=sex)
for ax, title in ((second, "admitted, by department"), (third, "where they applied")):
    ax.set_xticks(places, departments)
    ax.set(title=title, xlabel="department")
second.set_ylim(0, 0.9)
third.legend(frameon=False)
plt.show()
