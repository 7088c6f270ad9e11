r"""
String kernels: which strings hold the motif?
=============================================

Half of these DNA strings hold a motif of eight letters, at a random place and with up to two
letters copied wrongly, as binding sites in promoters do. Nothing is aligned and nothing is a
vector: a support vector machine needs only a kernel of strings (kernels.28). The spectrum kernel
asks for common substrings, letter by letter; the mismatch kernel lets some letters differ; the
subsequence kernel lets some be left out.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.kernels import Mismatch, Spectrum, Subsequence, normalise, target_alignment
from margin.svm import SVC

rng = np.random.default_rng(0)
letters = np.array(list("ACGT"))
motif = np.array(list("TATAATGC"))


def promoter(holds):
    """A random string of sixty letters, with a blurred copy of the motif or without."""
    string = rng.choice(letters, 60)
    if holds:
        copy = motif.copy()
        wrong = rng.choice(len(motif), rng.integers(0, 3), replace=False)
        copy[wrong] = rng.choice(letters, len(wrong))
        at = rng.integers(0, 60 - len(motif))
        string[at : at + len(motif)] = copy
    return "".join(string)


y = np.arange(400) % 2
X = [promoter(holds) for holds in y]
train, test = slice(0, 200), slice(200, 400)

# %%
# Long strings have large kernels with everything; the cosine takes that away. The alignment of the
# matrix with the classes says, before anything is learnt, how much of them the kernel sees.

candidates = {
    "Spectrum(3)": Spectrum(3),
    "Spectrum(5)": Spectrum(5),
    "Mismatch(5, 1)": Mismatch(5, 1),
    "Mismatch(6, 2)": Mismatch(6, 2),
    "Subsequence(4, 0.5)": Subsequence(4, 0.5),
}
accuracy, alignments, scores = {}, {}, {}
for name, kernel in candidates.items():
    cosine = normalise(kernel)
    model = SVC(kernel=cosine, C=10.0).fit(X[train], y[train])
    scores[name] = model.decision_function(X[test])
    accuracy[name] = np.mean((scores[name] > 0) == y[test])
    alignments[name] = target_alignment(cosine(X[train]), y[train])
    print(f"{name:20} accuracy {accuracy[name]:.3f}   alignment {alignments[name]:.3f}")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
names = list(candidates)
left.barh(names, [accuracy[name] for name in names], color="#2e86ab")
left.axvline(0.5, color="#888", lw=1, ls="--")
left.set(xlim=(0.4, 1.0), xlabel="accuracy on 200 new strings")
left.invert_yaxis()
best = max(accuracy, key=accuracy.get)
bins = np.linspace(scores[best].min(), scores[best].max(), 24)
for kind, colour, label in ((0, "#9aa5b1", "without"), (1, "#e4572e", "with the motif")):
    right.hist(scores[best][y[test] == kind], bins, alpha=0.7, color=colour, label=label)
right.axvline(0.0, color="black", lw=1)
right.set(xlabel="decision function", title=best)
right.legend(frameon=False)
plt.show()
