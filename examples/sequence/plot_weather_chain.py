r"""
Markov chain: a record of the weather, and where it leads
=========================================================

A Markov chain (sequence.01) is counted from a record of days. In the long run it forgets today
(sequence.02): whatever the weather is, the forecast goes to the stationary distribution.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.datasets import make_weather
from margin.sequence import MarkovChain

weather = make_weather(3 * 365, random_state=0)
chain = MarkovChain().fit([weather.data])
print(chain.transition_.round(2))
print("stationary:", chain.stationary().round(3), "exactly", [str(p) for p in weather.stationary])
print("steps until the start is forgotten up to 1 %:", chain.mixing_time(0.01))

# %%
# The forecast from a rainy and from a sunny day.

days = np.arange(9)
fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True, layout="constrained")
colours = ("#e0a030", "#8a97a6", "#3b6fb6")
for ax, today in zip(axes, ("rainy", "sunny"), strict=True):
    now = np.eye(3)[weather.states.index(today)]
    laws = np.array([now @ np.linalg.matrix_power(chain.transition_, d) for d in days])
    for law, final, name, colour in zip(
        laws.T, chain.stationary(), weather.states, colours, strict=True
    ):
        ax.plot(days, law, "o-", ms=4, color=colour, label=name)
        ax.axhline(final, color=colour, lw=0.8, ls=":")
    ax.set(title=f"today is {today}", xlabel="days ahead")
axes[0].set_ylabel("probability")
axes[1].legend(frameon=False)
plt.show()
