"""Exact questions to the public Bayesian networks: all marginals, and many rows of evidence.

The files are those that pgmpy ships. A peer gets the same tables, not the file: its own reader
may keep fewer digits.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

NETWORKS = {"alarm": 509, "win95pts": 574, "andes": 1157, "hailfinder": 2656, "pigs": 5618}
TARGET = "HYPOVOLEMIA"
PEERS = ("pgmpy", "pyagrum")


@dataclass(frozen=True)
class Question:
    """A network in both libraries, evidence, and the answer that all must agree on."""

    ours: Any
    theirs: Any
    answer: Any
    frame: Any = None
    rows: tuple[dict[str, str], ...] = ()


@cache
def _network(name: str) -> Any:
    from margin.graphical import BayesianNetwork

    path = files("pgmpy").joinpath(f"utils/example_models/{name}.bif.gz")
    return BayesianNetwork.from_bif(str(path))


def _peer(network: Any) -> Any:
    """The same network in pyAgrum, or nothing where it is not installed."""
    try:
        import pyagrum as gum
    except ImportError:
        return None
    bn = gum.BayesNet()
    graph = network.graph
    for name, states in network.states.items():
        bn.add(gum.LabelizedVariable(name, name, list(states)))
    for parent, child in graph.edges:
        bn.addArc(parent, child)
    for name in network.variables:
        axes = list(bn.cpt(name).names)[::-1]
        family = [*graph.parents(name), name]
        table = np.transpose(network.table(name), [family.index(axis) for axis in axes])
        bn.cpt(name)[:] = np.ascontiguousarray(table)
    return bn


def marginals_of(name: str) -> Question:
    """All marginals of a network, without evidence."""
    network = _network(name)
    answer = np.concatenate(list(network.marginals().values()))
    return Question(network, _peer(network), answer)


def rows_of_alarm(n: int) -> Question:
    """Complete rows of the alarm network but for one column."""
    network = _network("alarm")
    frame = network.sample(n, random_state=0).drop(columns=TARGET)
    rows = tuple(frame.to_dict("records"))
    return Question(network, _peer(network), network.query(TARGET, frame).values, frame, rows)


def _our_marginals(question: Question) -> Any:
    question.ours.__dict__.pop("_engines", None)  # a new inference, as for the peer
    return np.concatenate(list(question.ours.marginals().values()))


def _their_marginals(question: Question, engine: str) -> Any:
    import pyagrum as gum

    inference = getattr(gum, engine)(question.theirs)
    inference.makeInference()
    return np.concatenate([inference.posterior(v).toarray() for v in question.ours.variables])


def _our_rows(question: Question) -> Any:
    return question.ours.query(TARGET, question.frame).values


def _their_rows(question: Question) -> Any:
    import pyagrum as gum

    inference = gum.LazyPropagation(question.theirs)
    inference.addTarget(TARGET)
    answers = []
    for row in question.rows:
        inference.setEvidence(row)
        inference.makeInference()
        answers.append(inference.posterior(TARGET).toarray())
    return np.array(answers)


def _deviation(question: Question, found: Any) -> float:
    return float(np.abs(found - question.answer).max())


TARGET_REACHED = Target(
    objective=lambda question, found: 0.0,
    objective_name="none: answers are compared",
    tolerance=0.0,
    certificate=_deviation,
    certificate_name="largest difference of a probability",
    limit=1e-9,
)


def _engine(name: str) -> Contestant:
    return Contestant(
        name=f"pyAgrum {name}",
        fit=lambda question: _their_marginals(question, name),
        requires=(*PEERS, f"pyagrum:{name}"),
    )


def _marginals(case: str, names: dict[str, int], ratio: float, rounds: int) -> Case:
    return Case(
        name=case,
        description="All posterior marginals of public networks, a new inference object each time.",
        make_data=marginals_of,
        sizes=tuple(
            Size(name, {"name": name}, parameters, required=True)
            for name, parameters in names.items()
        ),
        contestants=(
            Contestant("margin", _our_marginals, requires=("pgmpy",), ours=True),
            _engine("LazyPropagation"),
            _engine("ShaferShenoyInference"),
        ),
        target=TARGET_REACHED,
        required_ratio=ratio,
        warm_up={"name": "asia"},
        max_rounds=rounds,
    )


CASES = (
    _marginals("network-marginals", NETWORKS, 1.0, 20),
    _marginals("network-marginals-munin1", {"munin1": 15_622}, 5.0, 1),
    Case(
        name="network-rows",
        description="Posterior of one variable of alarm for many complete rows of the others.",
        make_data=rows_of_alarm,
        sizes=(
            Size("1 000 rows", {"n": 1_000}, 36_000),
            Size("10 000 rows", {"n": 10_000}, 360_000, required=True),
        ),
        contestants=(
            Contestant("margin", _our_rows, requires=("pgmpy",), ours=True),
            Contestant("pyAgrum loop", _their_rows, requires=PEERS),
        ),
        target=TARGET_REACHED,
        required_ratio=50.0,
        warm_up={"n": 20},
        max_rounds=3,
    ),
)
