r"""
Hidden Markov model: the occasionally dishonest casino
======================================================

Now and then the casino changes to a loaded die. The rolls are seen, the die is not: a hidden Markov
model (sequence.06) is learned from rolls alone (sequence.16) and tells when the die was loaded,
roll by roll while it happens (filtering, sequence.07) and afterwards (smoothing, sequence.08).
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.sequence import CategoricalHMM

fair, loaded = np.full(6, 1 / 6), np.array([0.1, 0.1, 0.1, 0.1, 0.1, 0.5])
truth = CategoricalHMM(
    2,
    start_init=[0.9, 0.1],
    transition_init=[[0.97, 0.03], [0.06, 0.94]],
    emission_init=[fair, loaded],
    fixed=("start", "transition", "emission"),
).fit([[0]])
rolls, dice = truth.sample(20, 400, random_state=3)

# %%
# Learned from twenty evenings, with the die of no roll known.

model = CategoricalHMM(2, n_init=2, max_iter=1000, random_state=0).fit(rolls)
unfair = int(model.emission_probabilities_[:, 5].argmax())
print("six shows with probability", model.emission_probabilities_[:, 5].round(3))
print(
    "log likelihood per roll", round(model.score(rolls), 4), "truth", round(truth.score(rolls), 4)
)

fig, ax = plt.subplots(figsize=(10, 3.2), layout="constrained")
evening = rolls[0]
ax.fill_between(np.arange(400), dice[0], step="mid", color="#f2d7c9", label="loaded die in use")
ax.plot(model.filter(evening)[:, unfair], lw=0.8, color="#8a97a6", label="filtered")
ax.plot(model.posterior(evening)[:, unfair], color="#c8553d", label="smoothed")
ax.set(xlabel="roll", ylabel="probability of the loaded die", xlim=(0, 399), ylim=(0, 1.02))
ax.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.16))
plt.show()
