r"""
Path of the support vector machine: all prices of errors
========================================================

The soft margin (svm.03) has a price ``C`` for errors, and its multipliers are piecewise linear in
it. ``svc_path`` finds every breakpoint: each is a row that reaches the edge of the band or leaves
it. Nothing between them has to be trained, and the machine of any price is exact.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split

from margin.svm import svc_path

X, y = make_moons(260, noise=0.32, random_state=3)
train, test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
path = svc_path(train, y_train, gamma=2.0, C_max=300.0)
print(path)

# %%
# A multiplier begins at its bound, while its row is inside the band, moves while the row is on the
# edge, and stays at zero once it is outside. Some come back. Below: the band narrows, ever fewer
# rows carry the machine, and the error on rows held back is least in between.

Cs = np.geomspace(0.03, 300.0, 400)
error = (path.predict(test, Cs) != y_test[:, None]).mean(axis=0)
late = path.Cs > 0

fig, axes = plt.subplots(3, 1, figsize=(8, 8.4), sharex=True, layout="constrained")
path.plot(axes[0])
axes[0].legend(loc="center left", framealpha=1.0)
axes[0].set(xlabel="", title=f"multipliers of {len(train)} rows, {len(path.Cs)} breakpoints")
axes[1].step(path.Cs[late], path.n_support[late], where="post", c="0.2", label="support vectors")
axes[1].step(path.Cs[late], path.n_unbound[late], where="post", c="0.6", label="on the margin")
axes[1].set(ylabel="rows", ylim=(0, None))
axes[1].legend(frameon=False, loc="upper right")
axes[2].plot(Cs, error, c="#c8553d", label="error on held-out rows")
axes[2].set(xscale="log", xlim=(0.03, 300.0), xlabel="C", ylabel="share of rows", ylim=(0, None))
width = axes[2].twinx()
width.loglog(path.Cs[late], path.margins[late], c="#3b6fb6", label=r"half width $1/\|w\|$")
width.set(ylabel="half width of the band")
lines = axes[2].lines + width.lines
axes[2].legend(lines, [line.get_label() for line in lines], frameon=False, loc="lower left")
best = Cs[error == error.min()]
axes[2].axvspan(best[0], best[-1], color="0.92", zorder=-1)
plt.show()

# %%
# The machine of a price is an ordinary fitted estimator, with its certificate.

model = path.at(float(best[len(best) // 2]))
print(model.fit_report_)
print(model.support_report_)
