"""Identification of effects in random graphs with hidden causes: pyAgrum."""

from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

Question = tuple[list[str], list[tuple[str, str]], list[tuple[str, str]], str, str]


def questions(n: int, n_nodes: int = 12) -> list[Question]:
    """Nodes, arrows, hidden causes, treatment and outcome."""
    rng, asked = np.random.default_rng(0), []
    for _ in range(n):
        names = [f"v{i}" for i in rng.permutation(n_nodes)]
        pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        arrows = [pair for pair in pairs if rng.random() < 0.35]
        hidden = [pair for pair in pairs if rng.random() < 0.3]
        low, high = sorted(rng.choice(n_nodes, 2, replace=False))
        asked.append((names, arrows, hidden, names[low], names[high]))
    return asked


def _margin(asked: list[Question]) -> list[bool]:
    from margin.causal import CausalGraph, identify

    return [
        identify(CausalGraph(names, arrows, hidden), x, y, method="general").identifiable
        for names, arrows, hidden, x, y in asked
    ]


def _pyagrum(asked: list[Question]) -> list[bool]:
    import pyagrum
    from pyagrum.causal_model.cmcpp import CausalImpact

    answers = []
    for names, arrows, hidden, x, y in asked:
        net = pyagrum.BayesNet()
        for name in names:
            net.add(pyagrum.LabelizedVariable(name, name, 2))
        for a, b in arrows:
            net.addArc(a, b)
        latent = [(f"u{i}", pair) for i, pair in enumerate(hidden)]
        model = pyagrum.CausalModel(net, latent, True)
        answers.append(bool(CausalImpact(model, on={y}, doing={x}).isIdentified()))
    return answers


def _share(asked: Any, answers: list[bool]) -> float:
    return -float(np.mean(answers))


CASES = (
    Case(
        name="identify",
        description="The complete procedure on random graphs of 12 nodes: formula or hedge.",
        make_data=questions,
        sizes=(
            Size("100 graphs", {"n": 100}, 100),
            Size("1 000 graphs", {"n": 1000}, 1000, required=True),
        ),
        contestants=(
            Contestant("margin", _margin, requires=("margin.causal",), ours=True),
            Contestant("pyAgrum", _pyagrum, requires=("pyagrum.causal_model",)),
        ),
        target=Target(
            objective=_share, objective_name="less the share of identified effects", tolerance=1e-9
        ),
        required_ratio=10.0,
        warm_up={"n": 5},
    ),
)
