r"""
Latent Dirichlet allocation: the bars behind the documents
==========================================================

Twenty-five words stand in a square; the ten topics are its rows and columns. Documents mix a few
topics (mixture.18). Given the counts alone, collapsed Gibbs sampling finds the bars again, and the
probability of held-out documents, from left to right, tells how many topics there are.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.mixture import (
    HierarchicalDirichletProcess,
    LatentDirichletAllocation,
    TopicDisplay,
    sample_documents,
)

bars = np.zeros((10, 5, 5))
for i in range(5):
    bars[i, i, :] = bars[5 + i, :, i] = 0.2
truth = bars.reshape(10, 25)
made = sample_documents(700, 25, topics=truth, doc_topic_prior=0.1, length=80, rng=1)
train, test = made.counts[:500], made.counts[500:]

# %%
# Some documents, and the topics found after 5 and after 200 sweeps.

fig, axes = plt.subplots(3, 10, figsize=(10, 3.3), layout="constrained")
rows = [("documents", train[:10])]
for sweeps in (5, 200):
    model = LatentDirichletAllocation(
        10,
        doc_topic_prior=0.1,
        topic_word_prior=0.1,
        learning_method="gibbs",
        max_iter=sweeps,
        random_state=3,
    ).fit(train)
    rows.append((f"{sweeps} sweeps", model.components_))
for line, (name, pictures) in zip(axes, rows, strict=True):
    line[0].set_ylabel(name)
    for ax, picture in zip(line, pictures, strict=True):
        ax.imshow(picture.reshape(5, 5), cmap="Greys")
        ax.set(xticks=[], yticks=[])
plt.show()

# %%
# Held-out perplexity by the number of topics: the variational bound punishes every further topic
# for its uncertainty, the estimate from left to right does not. A hierarchical Dirichlet process
# needs no number.

numbers = [2, 4, 6, 8, 10, 14, 20]
bound, estimate = [], []
for n in numbers:
    fit = LatentDirichletAllocation(
        n,
        doc_topic_prior=0.1,
        topic_word_prior=0.1,
        learning_method="gibbs",
        max_iter=100,
        random_state=0,
    ).fit(train)
    bound.append(fit.perplexity(test))
    estimate.append(np.exp(-fit.held_out_log_likelihood(test).sum() / test.sum()))
process = HierarchicalDirichletProcess(max_components=20, random_state=0).fit(train)
shared = np.exp(-process.held_out_log_likelihood(test).sum() / test.sum())
print(f"topics in use: {process.n_components_}")

fig, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
ax.plot(numbers, bound, "o--", color="#b9c7d8", label="variational bound")
ax.plot(numbers, estimate, "o-", color="#3b6fb6", label="left to right")
ax.axhline(shared, color="#c8553d", lw=1, label="hierarchical process")
ax.set(xlabel="number of topics", ylabel="held-out perplexity")
ax.legend(frameon=False)
plt.show()

# %%
# The first words of the topics, as ``TopicDisplay`` draws them: a word is its row and column.

words = [f"r{w // 5} c{w % 5}" for w in range(25)]
TopicDisplay.from_estimator(model, words, n_words=6)
plt.show()
