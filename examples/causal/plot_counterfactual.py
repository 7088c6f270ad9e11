r"""
LinearSEM: what would have happened to one person
=================================================

A query looks at people like this one, an intervention at everybody, a counterfactual at this very
person (causal.05, causal.14): the noise that made the facts is kept, and only the action changes.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.causal import LinearSEM

sem = LinearSEM.from_coefficients(
    {("ability", "hours"): -0.6, ("ability", "grade"): 1.0, ("hours", "grade"): 0.8}
)
person = {"hours": 1.0, "grade": 2.0}

# %%
# The able study less, so among those who study for three hours the able are rare: seeing three
# hours says little good of the grade, making everybody study does, and for this person, whose grade
# shows ability, it would have done more.

answers = {
    "seen: others with 3 hours": sem.query("grade", {"hours": 3.0}),
    "done: everybody studies 3 hours": sem.query("grade", do={"hours": 3.0}),
    "imagined: this person, had it been 3": sem.counterfactual(
        person, do={"hours": 3.0}, targets="grade"
    ),
}
fig, ax = plt.subplots(figsize=(8, 4), layout="constrained")
grid = np.linspace(-3, 8, 500)
for label, answer in answers.items():
    mean, deviation = float(answer.mean[0]), float(np.sqrt(answer.var[0]))
    if deviation < 1e-6:
        ax.axvline(mean, color="C2", label=f"{label}: exactly {mean:.1f}")
        continue
    density = np.exp(-0.5 * ((grid - mean) / deviation) ** 2) / deviation / np.sqrt(2 * np.pi)
    ax.plot(grid, density, label=f"{label}: mean {mean:.1f}")
ax.axvline(person["grade"], color="k", linestyle=":", label="what happened: 2.0")
ax.set_xlabel("grade")
ax.set_ylabel("density")
ax.set_ylim(0, 0.45)
ax.legend(loc="upper left")
