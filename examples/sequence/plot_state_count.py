r"""
Cross-validated choice of the number of hidden states
=====================================================

Sequences are samples: scikit-learn's grid search holds out whole sequences, and the score of a
hidden Markov model is the log likelihood per step of those (sequence.16). Likelihood on the
training sequences rises with every state; on held-out ones it does not.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GridSearchCV

from margin.core import Sequences
from margin.sequence import GaussianHMM

rng = np.random.default_rng(0)
means = np.array([0.0, 2.5, 5.0])
step = 0.9 * np.eye(3) + 0.1 / 3
parts = []
for length in rng.integers(30, 70, 20):
    state = [int(rng.integers(3))]
    for _ in range(length - 1):
        state.append(int(rng.choice(3, p=step[state[-1]] / step[state[-1]].sum())))
    parts.append((means[state] + rng.normal(size=length))[:, None])
sequences = Sequences(parts)

# %%
# Five folds of four sequences each.

counts = [1, 2, 3, 4, 5, 6]
model = GaussianHMM(n_init=3, max_iter=500, tol=1e-5, random_state=0)
search = GridSearchCV(model, {"n_states": counts}, cv=5, return_train_score=True).fit(sequences)
bic = [
    GaussianHMM(k, n_init=3, max_iter=500, tol=1e-5, random_state=0).fit(sequences).bic(sequences)
    for k in counts
]
print(
    "cross-validation:",
    search.best_params_["n_states"],
    "states; BIC:",
    counts[int(np.argmin(bic))],
)

fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
table = search.cv_results_
axes[0].plot(counts, table["mean_train_score"], "o--", color="#8a97a6", label="training sequences")
axes[0].errorbar(
    counts, table["mean_test_score"], table["std_test_score"] / np.sqrt(5), fmt="o-",
    color="#3b6fb6", capsize=3, label="held-out sequences",
)  # fmt: skip
axes[0].set(xlabel="hidden states", ylabel="log likelihood per step")
axes[0].legend(frameon=False)
axes[1].plot(counts, bic, "o-", color="#c8553d")
axes[1].set(xlabel="hidden states", ylabel="BIC")
plt.show()
