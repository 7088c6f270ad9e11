"""The cost of a query, told before the work."""

import numpy as np
import pytest

from margin.inference import JunctionTree, MemoryLimitError
from margin.inference.exact._plan import Plan, default_limit, readable, refuse_above


def test_a_plan_counts_the_tables_of_its_tree():
    tree = JunctionTree.compile((2, 3, 4), ((0, 1), (1, 2)))
    assert tree.plan.bytes == 8 * (6 + 12)
    assert tree.plan.largest_clique == (1, 2)
    assert tree.plan.largest_entries == 12
    assert tree.plan.treewidth == 1
    assert "2 cliques, treewidth 1, 144 B" in repr(tree.plan)


def test_evidence_makes_the_plan_cheaper():
    rng = np.random.default_rng(0)
    scopes = [tuple(map(int, rng.permutation(12)[:3])) for _ in range(14)]
    tree = JunctionTree.compile((3,) * 12, scopes)
    seen = tree.explain_plan({0: 0, 1: 1, 2: 2})
    assert seen.bytes < tree.plan.bytes
    assert tree.explain_plan() == tree.plan


def test_the_refusal_names_size_limit_and_clique():
    plan = Plan(40, 3, (1, 5, 9), 1e12, 8e12, 1e13)
    refuse_above(1e13, Plan(1, 1, (0,), 4.0, 32.0, 64.0))
    with pytest.raises(MemoryLimitError, match=r"at least 8 TB .* got 1 GB; .* \(1, 5, 9\)"):
        refuse_above(1e9, plan)
    with pytest.raises(MemoryLimitError):  # an index would not fit, whatever the memory
        refuse_above(1e20, plan)


def test_units_and_the_default_limit():
    assert [readable(x) for x in (12.0, 1e3, 3.2e10, 1e30)] == ["12 B", "1 kB", "32 GB", "1e+15 PB"]
    assert default_limit() > 1e8
