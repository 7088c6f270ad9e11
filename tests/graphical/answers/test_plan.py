"""The cost of inference in words."""

import numpy as np
import pytest

from margin.graphical import BayesianNetwork, NoisyOr, PlanReport
from margin.graphical.answers._plan import amount


def test_report_reads_well(burglary):
    text = repr(burglary.explain_plan())
    assert text.startswith("exact inference: treewidth 2, 1 cliques")
    assert "'burglary', 'earthquake', 'alarm'" in text
    assert isinstance(burglary.explain_plan(), PlanReport)


def test_auxiliary_variables_are_named_as_such():
    causes = [f"c{i}" for i in range(9)]
    cpds = {**{c: [0.5, 0.5] for c in causes}, "y": NoisyOr(np.full(9, 0.5))}
    network = BayesianNetwork.from_edges([(c, "y") for c in causes], cpds)
    plan = network.explain_plan()
    assert plan.treewidth == 2
    assert any(name.startswith("(auxiliary") for name in plan.largest_clique)


@pytest.mark.parametrize(
    ("number", "words"), [(9, "9"), (20_000, "20 thousand"), (5e6, "5 million")]
)
def test_amounts(number, words):
    assert amount(number) == words
