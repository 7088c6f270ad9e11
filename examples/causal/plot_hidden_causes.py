"""
FCI and RFCI: graphs where causes are hidden
============================================

:class:`~margin.causal.FCI` learns what all worlds with the same independences have in common, also
those with causes that nobody measured. :class:`~margin.graphical.PC` has to
believe that there are none.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from margin.causal import FCI, identify
from margin.graphical import PC
from margin.graphs import DAG, draw

# %%
# The truth: stress, which is in no column, makes people sleep badly and drink coffee. Noise keeps
# them awake, shifts make them drink coffee, and only sleep matters for their mood.

truth = DAG(
    [
        ("stress", "sleep"),
        ("stress", "coffee"),
        ("noise", "sleep"),
        ("shift", "coffee"),
        ("sleep", "mood"),
    ]
)
rng = np.random.default_rng(1)
n = 3000
stress, noise, shift = rng.normal(size=(3, n))
sleep = -stress - noise + 0.7 * rng.normal(size=n)
coffee = stress + shift + 0.7 * rng.normal(size=n)
mood = 0.8 * sleep + rng.normal(size=n)
frame = pd.DataFrame(
    {"noise": noise, "sleep": sleep, "coffee": coffee, "shift": shift, "mood": mood}
)
learnt, believed = FCI(alpha=0.001).fit(frame), PC(alpha=0.001).fit(frame)
print(learnt.graph_)

# %%
# Arrowheads say "is no cause of": sleep and coffee do not cause each other, something hidden causes
# both (the dashed arc). A circle is an open mark: noise may cause sleep, or share a cause with it.
# The plain arrow from sleep to mood is certain, and nothing hidden stands behind it. PC has no mark
# for a hidden cause and must leave out arrowheads that contradict each other.

places = {
    "noise": (0.0, 1.0),
    "sleep": (0.0, 0.0),
    "coffee": (1.4, 0.0),
    "shift": (1.4, 1.0),
    "mood": (0.0, -1.0),
    "stress": (0.7, 0.55),
}
fig, axes = plt.subplots(1, 3, figsize=(12, 4.4), layout="constrained")
pictures = {"the truth": truth, "FCI": learnt.graph_, "PC": believed.graph_}
for ax, (title, graph) in zip(axes, pictures.items(), strict=True):
    draw(graph, ax, positions=places, colours={"stress": "#fbd38d"})
    ax.set_title(title)

# %%
# What may be concluded: the effect of sleep on mood needs no covariate, in every world that the
# graph stands for. That of noise on sleep cannot be computed, and the graph says why.

print(identify(learnt.graph_, "sleep", "mood").explain())
print(identify(learnt.graph_, "noise", "sleep").explain())
