r"""
Dynamic Bayesian network: two hidden causes behind three sensors
================================================================

A machine wears out slowly, its load changes quickly. Neither is seen: vibration follows the wear,
power the load, and heat both. The sensors are silent now and then. A dynamic Bayesian network
(sequence.25) with two hidden chains is learned from the sensors alone.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.sequence import DynamicBayesianNetwork

edges = [("wear", "vibration"), ("load", "power"), ("wear", "heat"), ("load", "heat")]
across = [("wear", "wear"), ("load", "load")]
names = ("wear", "load", "vibration", "power", "heat")
truth = DynamicBayesianNetwork(
    edges,
    across,
    tables_init={
        "wear": [[0.98, 0.02], [0.03, 0.97]],
        "load": [[0.8, 0.2], [0.25, 0.75]],
        "vibration": [[0.85, 0.15], [0.2, 0.8]],
        "power": [[0.9, 0.1], [0.1, 0.9]],
        "heat": [[[0.95, 0.05], [0.6, 0.4]], [[0.5, 0.5], [0.05, 0.95]]],
    },
    initial_init={"wear": [0.9, 0.1], "load": [0.5, 0.5]},
    fixed=names,
).fit([{name: [0, 1] for name in names}])
machines = truth.sample(40, 150, random_state=4)

rng = np.random.default_rng(0)
shown = [
    {
        name: np.where(rng.random(150) < 0.2, np.nan, machine[name].astype(float))
        for name in ("vibration", "power", "heat")
    }
    for machine in machines
]

# %%
# Learned from what is left of three sensors, from random tables.

model = DynamicBayesianNetwork(
    edges, across, hidden={"wear": 2, "load": 2}, n_init=3, random_state=0
).fit(shown)
print(
    "log probability per step", round(model.score(shown), 4), "truth", round(truth.score(shown), 4)
)

# The numbering of hidden states is arbitrary: the one that shakes more is the worn one.
worn = int(model.tables_["vibration"][:, 1].argmax())
busy = int(model.tables_["power"][:, 1].argmax())
one = 0
past = model.query("wear", shown[one], given="past")[:, worn]
whole = model.query("wear", shown[one])[:, worn]
load = model.query("load", shown[one])[:, busy]

fig, axes = plt.subplots(2, 1, figsize=(10, 4.6), sharex=True, layout="constrained")
steps = np.arange(150)
axes[0].fill_between(steps, machines[one]["wear"], step="mid", color="#f2d7c9", label="worn")
axes[0].plot(past, lw=0.8, color="#8a97a6", label="filtered")
axes[0].plot(whole, color="#c8553d", label="smoothed")
axes[1].fill_between(steps, machines[one]["load"], step="mid", color="#cfe0ea", label="under load")
axes[1].plot(load, color="#2f6690", label="smoothed")
for ax, title in zip(axes, ("wear", "load"), strict=True):
    ax.set(ylabel=f"probability of {title}", ylim=(0, 1.02), xlim=(0, 149))
    ax.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.2))
axes[1].set(xlabel="step")
plt.show()
