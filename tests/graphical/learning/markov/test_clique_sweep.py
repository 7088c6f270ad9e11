"""graphical.24: a sweep on a calibrated tree is the sweep by passes of all messages."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical.learning.markov._clique_sweep import (
    CalibratedTree,
    iteration_work,
    sweep_work,
)
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.graphical.learning.markov._proportional_fitting import (
    clique_marginals,
    fit_proportionally,
)

STRUCTURES = {
    "cycle": ((0, 1), (1, 2), (2, 3), (3, 0)),
    "all pairs": tuple(combinations(range(5), 2)),
    "a chain of wider cliques, backwards": ((4, 3, 2), (2, 1), (1, 0), (3, 5)),
    "two components": ((0, 1), (1, 2), (0, 2), (4, 3)),
    "inside each other": ((0, 1, 2), (1,), (2, 0), (3, 4, 5), (5,)),
}
CARDS = (2, 3, 2, 3, 2, 4)


def family_of(scopes):
    return LogLinear(CARDS, scopes, (None,) * len(scopes))


def joint_of(family, tables):
    joint = np.ones(CARDS)
    for scope, table in zip(family.scopes, tables, strict=True):
        order = np.argsort(scope)
        shape = [CARDS[v] if v in scope else 1 for v in range(len(CARDS))]
        joint = joint * table.transpose(order).reshape(shape)
    return joint


def random_problem(scopes, seed):
    rng = np.random.default_rng(seed)
    family = family_of(scopes)
    codes = rng.integers(0, 12, (40, len(CARDS))) % np.array(CARDS)
    targets = clique_marginals(family, codes, rng.random(40))
    return family, [rng.random(s) + 0.1 for s in family.shapes], targets


@pytest.mark.parametrize("name", STRUCTURES)
def test_every_potential_is_fitted_to_the_model_as_it_stands(name):
    """Brute force: the joint table, fitted scope by scope in the order of the walk."""
    family, tables, targets = random_problem(STRUCTURES[name], 0)
    tree = CalibratedTree(family, tables)
    joint = joint_of(family, tables)
    joint /= joint.sum()
    for _ in range(3):
        for clique in _walk(tree):
            for at, _ in tree._hosted[clique]:
                scope = family.scopes[at]
                others = tuple(v for v in range(len(CARDS)) if v not in scope)
                held = joint.sum(axis=others, keepdims=True)
                shape = [CARDS[v] if v in scope else 1 for v in range(len(CARDS))]
                wanted = targets[at].transpose(np.argsort(scope)).reshape(shape)
                joint = joint * (wanted / np.where(held > 0, held, 1.0))
        tables = tree.sweep(tables, targets)
    expected = joint_of(family, tables)
    assert_allclose(expected / expected.sum(), joint, atol=1e-12)


def _walk(tree):
    for root in (c for c, parent in enumerate(tree._parents) if parent < 0):
        stack = [root]
        while stack:
            clique = stack.pop()
            yield clique
            stack.extend(tree._children[clique])


@pytest.mark.parametrize("name", STRUCTURES)
def test_the_limit_has_the_marginals(name):
    family, tables, targets = random_problem(STRUCTURES[name], 1)
    fit = fit_proportionally(family, targets, start=tables, tol=1e-10, max_iter=5000)
    assert fit.status.ok
    assert np.diff(fit.trace["objective"]).max(initial=0.0) <= 1e-12
    joint = joint_of(family, fit.extras["tables"])
    joint /= joint.sum()
    for scope, target in zip(family.scopes, targets, strict=True):
        others = tuple(v for v in range(len(CARDS)) if v not in scope)
        held = joint.sum(axis=others)
        back = [sorted(scope).index(v) for v in scope]
        assert_allclose(held.transpose(back), target, atol=1e-8)


def test_cells_without_mass_and_tables_of_any_size():
    family, tables, targets = random_problem(STRUCTURES["all pairs"], 2)
    huge = [t * 1e200 for t in tables]
    huge[0][0, 0] = 0.0
    targets[0][0, 0] = 0.0
    swept = CalibratedTree(family, huge).sweep(huge, targets)
    assert np.isfinite(np.concatenate([t.ravel() for t in swept])).all()
    assert swept[0][0, 0] == 0.0


def test_work_counts_what_evidence_leaves_open():
    family = family_of(STRUCTURES["all pairs"])
    assert sweep_work(family) == 2 * 10 * 72
    complete = np.zeros((5, 6), dtype=np.int64)
    gaps = complete.copy()
    gaps[:, 0] = -1
    whole = iteration_work(family, complete, "gradient", np.inf)
    assert whole == family.tree.plan.operations
    assert iteration_work(family, complete, "em", np.inf) > iteration_work(
        family, complete, "ipf", np.inf
    )
    bound = iteration_work(family, gaps, "gradient", np.inf)
    assert bound == 6 * whole
    assert whole < iteration_work(family, gaps, "gradient", 1.0) < bound
