r"""
Belief propagation: exact, loopy and mean field marginals
=========================================================

Belief propagation is exact on a tree. On a graph with cycles its messages go round and count the
same evidence again; mean field ignores correlations altogether. How much does it matter?

An Ising model on a small grid (inference.15), small enough to be solved exactly by a junction tree
(inference.20):

.. math:: p(x) \propto \exp\Big(\sum_i h_i x_i + J \sum_{i \sim j} x_i x_j\Big), \quad x_i = \pm 1

with random fields :math:`h_i` that lean to one side. The coupling :math:`J` grows from
independence to order.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.inference import FactorModel, JunctionTree, grid_edges, loopy_bp, mean_field

side = 5
n = side * side
spin = np.array([-1.0, 1.0])
fields = 0.1 + 0.5 * np.random.default_rng(3).standard_normal(n)
edges = [tuple(map(int, edge)) for edge in grid_edges(side, side)]
scopes = [(i,) for i in range(n)] + edges
tree = JunctionTree.compile((2,) * n, scopes)
print(tree.plan)


def ising(coupling):
    """Tables of the fields and of the pairs."""
    pair = np.exp(coupling * np.outer(spin, spin))
    return FactorModel(
        (2,) * n, tuple(scopes), (*(np.exp(h * spin) for h in fields), *[pair] * len(edges))
    )


# %%
# The tree is compiled once and used with the tables of every coupling. Mean field starts from
# beliefs of one half. Damping helps belief propagation to settle; its status says whether it did.

couplings = np.linspace(0.0, 1.0, 17)
exact, loopy, field, log_mass, settled = [], [], [], [], []
for coupling in couplings:
    model = ising(coupling)
    log_evidence, marginals = tree.marginals(model.tables)
    bethe = loopy_bp(model, damping=0.3, schedule="flooding", tol=1e-6)
    bound = mean_field(model, tol=1e-8)
    exact.append([m[0, 1] for m in marginals])
    loopy.append([m[1] for m in bethe.marginals])
    field.append([m[1] for m in bound.marginals])
    log_mass.append([log_evidence[0], bethe.log_evidence, bound.log_evidence])
    settled.append(bethe.status.value == "converged")
exact, loopy, field, log_mass = map(np.array, (exact, loopy, field, log_mass))
print(f"belief propagation settled for {sum(settled)} of {len(couplings)} couplings")

# %%
# While the coupling is weak all three agree. Where it begins to order the grid the approximations
# are too sure of themselves, mean field more than loopy propagation. Under strong coupling both
# would be right again if they chose the right order; but then mean field has many local optima,
# and with these fields it stops in one with whole regions on the wrong side. Its value of
# :math:`\log Z` is a lower bound all the same, and a sudden fall of it gives the bad optimum away.

colours = {"loopy": "#2e86ab", "mean field": "#d1495b"}
fig, (first, second, third) = plt.subplots(1, 3, figsize=(12.5, 3.9), layout="constrained")
for found, name in ((loopy, "loopy"), (field, "mean field")):
    error = np.abs(found - exact)
    first.plot(couplings, error.mean(axis=1), color=colours[name], label=name)
    first.fill_between(couplings, 0, error.max(axis=1), color=colours[name], alpha=0.15, lw=0)
first.set(
    title="error of the marginals", xlabel="coupling $J$", ylabel="mean; shaded up to largest"
)
first.legend(frameon=False, loc="upper left")

middle = len(couplings) // 2
second.plot([0, 1], [0, 1], color="#999999", lw=1)
for found, name in ((loopy, "loopy"), (field, "mean field")):
    second.plot(exact[middle], found[middle], "o", ms=5, color=colours[name], alpha=0.8, label=name)
second.set(
    title=f"every spin, $J = {couplings[middle]:.2f}$", xlabel="exact $p(x_i = 1)$",
    ylabel="approximate", xlim=(0, 1.03), ylim=(0, 1.03), aspect="equal",
)  # fmt: skip

third.axhline(0, color="#999999", lw=1)
third.plot(couplings, log_mass[:, 1] - log_mass[:, 0], color=colours["loopy"], label="loopy")
third.plot(couplings, log_mass[:, 2] - log_mass[:, 0], color=colours["mean field"])
third.set(title=r"error of $\log Z$", xlabel="coupling $J$", ylabel="approximate less exact")
plt.show()
