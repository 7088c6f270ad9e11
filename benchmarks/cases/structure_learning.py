"""Structure and parameters of networks: hill climbing, stable PC, EM with unknown values.

The alarm network is read from the file that pgmpy ships, and sampled by us.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target


@dataclass(frozen=True)
class Sample:
    """Rows of a network: the frame, the truth, and what a peer wants in a file."""

    frame: Any
    network: Any
    path: str = ""


@cache
def _alarm_file() -> str:
    import gzip
    import tempfile
    from importlib.resources import files

    packed = files("pgmpy").joinpath("utils/example_models/alarm.bif.gz").read_bytes()
    with tempfile.NamedTemporaryFile("wb", suffix=".bif", delete=False) as file:
        file.write(gzip.decompress(packed))
    return file.name


def alarm_rows(n: int, unknown: float = 0.0) -> Sample:
    """Rows of alarm as a pandas frame of words, a share of them unknown."""
    from margin.graphical import BayesianNetwork

    network = BayesianNetwork.from_bif(_alarm_file())
    frame = network.sample(n, random_state=0)
    frame = frame[sorted(frame.columns)]
    path = ""
    if unknown:
        import tempfile

        frame = frame.mask(np.random.default_rng(1).random(frame.shape) < unknown)
        with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
            frame.fillna("?").to_csv(file, index=False)
        path = file.name
    return Sample(frame, network, path)


def gaussian_rows(n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a linear Gaussian network with two parents a node on average, and its skeleton."""
    rng = np.random.default_rng(0)
    arcs = np.triu(rng.random((p, p)) < 2.0 / (p - 1), 1)
    weight = arcs * rng.uniform(0.4, 1.0, (p, p)) * rng.choice([-1, 1], (p, p))
    X = np.zeros((n, p))
    for j in range(p):
        X[:, j] = X @ weight[:, j] + rng.standard_normal(n)
    return X, arcs | arcs.T


def _climb(data: Sample) -> list[tuple[str, str]]:
    from margin.graphical import HillClimb

    return list(HillClimb(score="bic").fit(data.frame).graph_.edges)


def _climb_pyagrum(data: Sample, tabu: bool = False) -> list[tuple[str, str]]:
    import pyagrum

    learner = pyagrum.BNLearner(data.frame)
    learner.useScoreBIC()
    if tabu:
        learner.useLocalSearchWithTabuList()
    else:
        learner.useGreedyHillClimbing()
    dag = learner.learnDAG()
    return [(learner.nameFromId(a), learner.nameFromId(b)) for a, b in dag.arcs()]


def _climb_pgmpy(data: Sample) -> list[tuple[str, str]]:
    import warnings

    from pgmpy.estimators import HillClimbSearch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = HillClimbSearch(data.frame)
        return list(search.estimate(scoring_method="bic-d", show_progress=False).edges())


def _relative_bic(data: Sample, edges: list[tuple[str, str]]) -> float:
    from margin.search import Categories, Knowledge, NetworkScore

    table = Categories.of("benchmark", data.frame)
    score = NetworkScore.of("benchmark", table, "bic")
    arcs = Knowledge.of("benchmark", table.names, required=edges).required
    return score.total(arcs) / score.total(np.zeros_like(arcs))


def _pc(data: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    from margin.graphical import PC

    return PC(test="fisher-z", alpha=0.05, max_cond_size=None).fit(data[0]).skeleton_.adjacency()


def _pc_causal_learn(data: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    from causallearn.search.ConstraintBased.PC import pc

    return pc(data[0], 0.05, "fisherz", stable=True, show_progress=False).G.graph != 0


def _hamming(data: tuple[np.ndarray, np.ndarray], found: np.ndarray) -> float:
    truth = data[1]
    return float(((found != 0) != truth).sum() / truth.sum())


def _em(data: Sample, tol: float = 1e-3) -> Any:
    from margin.graphical import BayesianNetwork

    known = data.network
    model = BayesianNetwork(list(known.graph.edges), states=dict(known.states), alpha=1.0, tol=tol)
    return model.fit(data.frame)


def _em_pyagrum(data: Sample, tol: float = 1e-3) -> Any:
    import pyagrum

    from margin.graphical import BayesianNetwork

    template = pyagrum.loadBN(_alarm_file())
    learner = pyagrum.BNLearner(data.path, template, ["?"])
    learner.useSmoothingPrior(1.0)
    learner.useEM(tol)
    learned = learner.learnParameters(template.dag())
    path = data.path.removesuffix(".csv") + ".learned.bif"
    pyagrum.saveBN(learned, path)
    return BayesianNetwork.from_bif(path)


def _mean_log_likelihood(data: Sample, model: Any) -> float:
    return -float(np.mean(model.log_prob(data.frame))) / len(data.frame.columns)


PYAGRUM, PGMPY, CAUSAL = ("pyagrum", "pgmpy"), ("pgmpy",), ("causallearn",)
OURS = ("margin.graphical", "pgmpy")
CASES = (
    Case(
        name="hill-climbing",
        description="Greedy search for the graph of best BIC, rows of the alarm network.",
        make_data=alarm_rows,
        sizes=(
            Size("2 000 rows", {"n": 2000}, 2000 * 37),
            Size("10 000 rows", {"n": 10_000}, 10_000 * 37, required=True),
        ),
        contestants=(
            Contestant("margin", _climb, requires=OURS, ours=True),
            Contestant("pyAgrum greedy", _climb_pyagrum, requires=PYAGRUM),
            Contestant(
                "pyAgrum tabu",
                lambda data: _climb_pyagrum(data, tabu=True),
                requires=PYAGRUM,
            ),
            Contestant("pgmpy", _climb_pgmpy, requires=PGMPY, required_ratio=50.0),
        ),
        target=Target(
            objective=_relative_bic,
            objective_name="BIC of the graph / BIC of no arcs",
            # Local maxima differ: everybody within two percent takes part.
            tolerance=0.02,
        ),
        required_ratio=1.5,
        warm_up={"n": 50},
        max_rounds=5,
    ),
    Case(
        name="stable-pc",
        description="Stable PC with Fisher's z at level 0.05, sparse linear Gaussian network.",
        make_data=gaussian_rows,
        sizes=(
            Size("2 000 × 40", {"n": 2000, "p": 40}, 80_000, required=True),
            Size("5 000 × 200", {"n": 5000, "p": 200}, 1_000_000, required=True),
        ),
        contestants=(
            Contestant("margin", _pc, requires=("margin.graphical",), ours=True),
            Contestant("causal-learn", _pc_causal_learn, requires=CAUSAL),
        ),
        target=Target(
            objective=_hamming,
            objective_name="pairs wrongly joined or apart / edges of the truth",
            tolerance=1e-9,
        ),
        required_ratio=30.0,
        warm_up={"n": 100, "p": 5},
        max_rounds=2,
    ),
    Case(
        name="em-unknown-values",
        description="Tables of alarm by EM, a fifth of the values unknown, prior of one a cell.",
        make_data=alarm_rows,
        sizes=(
            Size("500 rows", {"n": 500, "unknown": 0.2}, 500 * 37),
            Size("5 000 rows", {"n": 5000, "unknown": 0.2}, 5000 * 37, required=True),
        ),
        contestants=(
            Contestant("margin", _em, requires=OURS, ours=True, settings=({"tol": 1e-3},)),
            Contestant(
                "pyAgrum", _em_pyagrum, requires=PYAGRUM, settings=({"tol": 1e-2}, {"tol": 1e-3})
            ),
        ),
        target=Target(
            objective=_mean_log_likelihood,
            objective_name="mean negative log likelihood per column",
            tolerance=1e-3,
        ),
        required_ratio=2.0,
        warm_up={"n": 20, "unknown": 0.2},
        max_rounds=1,
        whole_command=True,
    ),
)
