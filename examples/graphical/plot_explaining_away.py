r"""
Bayesian networks: explaining away
==================================

A burglary or an earthquake can ring the alarm. The two have nothing to do with each other, until
the alarm rings: then learning of an earthquake makes a burglary improbable again. One cause
explains the other away (graphical.08). It is the mark of arrows that collide.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.datasets import load_burglary
from margin.graphical import Virtual, explaining_away

network = load_burglary().network
print(explaining_away(network, ("burglary", "yes"), ("earthquake", "yes"), ("alarm", "yes")))

# %%
# What each piece of evidence contributes: the answer without it, and with it alone.

print(network.explain("burglary", {"alarm": "yes", "earthquake": "yes"}, "yes"))

# %%
# A bad line: somebody says that the alarm rings, but may be wrong. Virtual evidence gives the
# likelihood of the message when it rings, relative to when it does not. At a ratio of one the
# message says nothing; at a large one it is as good as hearing the alarm.

ratios = np.geomspace(1, 1e4, 60)
messages = {"alarm": Virtual(np.column_stack([np.ones_like(ratios), ratios]))}
alone = network.query("burglary", messages).probability(burglary="yes")
quake = network.query("burglary", {**messages, "earthquake": "yes"}).probability(burglary="yes")

# %%
# On the left, belief in a burglary as evidence comes in. On the right, the same for messages of
# growing reliability: the earthquake explains them away, whatever they are worth.

steps = {
    "nothing": {},
    "earthquake": {"earthquake": "yes"},
    "alarm": {"alarm": "yes"},
    "alarm and\nno earthquake": {"alarm": "yes", "earthquake": "no"},
    "alarm and\nearthquake": {"alarm": "yes", "earthquake": "yes"},
}
belief = [network.query("burglary", e).probability(burglary="yes") for e in steps.values()]

fig, (left, middle, right) = plt.subplots(
    1, 3, figsize=(12, 3.8), layout="constrained", width_ratios=[0.8, 1.3, 1.2]
)
network.graph.draw(ax=left, node_size=56, font_size=8)
left.set_title("two causes, one effect")
bars = middle.barh(list(steps), belief, color=["#9aa5b1"] * 2 + ["#d1495b"] * 2 + ["#2e86ab"])
middle.bar_label(bars, [f"{p:.3f}" for p in belief], padding=3)
middle.invert_yaxis()
middle.set(xlim=(0, 1.1), xlabel="probability of a burglary", title="what is known")
right.semilogx(ratios, alone, color="#d1495b", label="message about the alarm")
right.semilogx(ratios, quake, color="#2e86ab", label="message, and an earthquake")
right.axhline(belief[2], color="#d1495b", lw=0.8, ls=":")
right.set(
    xlabel="reliability of the message (likelihood ratio)",
    ylabel="probability of a burglary",
    title="unreliable evidence",
    ylim=(0, 0.75),
)
right.legend(frameon=False, loc="upper left")
plt.show()
