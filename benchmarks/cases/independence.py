"""Tests of independence: permutations of HSIC, distance correlation, KCI."""

from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

Pair = tuple[np.ndarray, np.ndarray]
N_PERMUTATIONS = 100


def pair(n: int, p: int = 1) -> Pair:
    """Two blocks of columns with a dependence that is not linear."""
    x, noise = np.random.default_rng(0).standard_normal((2, n, p))
    return x, 0.1 * x**2 + noise


def chain(n: int) -> np.ndarray:
    """Columns x, y, z of which the first two depend through the third."""
    rng = np.random.default_rng(0)
    z = rng.standard_normal(n)
    return np.column_stack([np.sin(z), z**2, z]) + 0.5 * rng.standard_normal((n, 3))


def _hsic(data: Pair) -> float:
    from margin.search import HSIC

    test = HSIC(
        np.hstack(data), p_value="permutation", n_permutations=N_PERMUTATIONS,
        enough=N_PERMUTATIONS + 1,
    )  # fmt: skip
    return float(test(0, 1).p_value)


def _hsic_hyppo(data: Pair) -> float:
    from hyppo.independence import Hsic

    return float(Hsic().test(*data, reps=N_PERMUTATIONS, auto=False, random_state=0)[1])


def _distance(data: Pair) -> float:
    from margin.search import distance_correlation

    return float(distance_correlation(*data))


def _distance_dcor(data: Pair, **method: Any) -> float:
    import dcor

    return float(dcor.distance_correlation(*data, **method))


def _kci(data: np.ndarray, method: str) -> float:
    from margin.search import KCI

    return float(KCI(data, method=method)(0, 1, [2]).p_value)


def _kci_causal_learn(data: np.ndarray) -> float:
    from causallearn.utils.KCI.KCI import KCI_CInd

    test = KCI_CInd(kernelX="Gaussian", kernelY="Gaussian", kernelZ="Gaussian", est_width="median")
    return float(test.compute_pvalue(data[:, [0]], data[:, [1]], data[:, [2]])[0])


def _rcit_causal_learn(data: np.ndarray) -> float:
    from causallearn.utils.RCIT.RCIT import RCIT

    return float(RCIT(approx="gamma", num_f=100, num_f2=10).compute_pvalue(*data.T[:, :, None])[0])


def _level(data: Any, p_value: float) -> float:
    return float(p_value)


def _value(data: Any, value: float) -> float:
    return float(value)


OURS = ("margin.search",)
P_VALUE = Target(objective=_level, objective_name="p-value", tolerance=1.0)
SAME = Target(objective=_value, objective_name="distance correlation", tolerance=1e-9)

CASES = (
    Case(
        name="hsic-permutations",
        description="HSIC of two columns with 100 permutations.",
        make_data=pair,
        sizes=(Size("2 000", {"n": 2000}, 2000, required=True),),
        contestants=(
            Contestant("margin", _hsic, requires=OURS, ours=True),
            Contestant("hyppo", _hsic_hyppo, requires=("hyppo",)),
        ),
        target=P_VALUE, required_ratio=10.0, warm_up={"n": 50}, max_rounds=1,
    ),
    Case(
        name="distance-correlation",
        description="Distance correlation of two columns.",
        make_data=lambda n: tuple(part[:, 0] for part in pair(n)),
        sizes=(Size("100 000", {"n": 100_000}, 100_000, required=True),),
        contestants=(
            Contestant("margin", _distance, requires=OURS, ours=True),
            Contestant("dcor", _distance_dcor, requires=("dcor",)),
        ),
        target=SAME, required_ratio=10.0, warm_up={"n": 50},
    ),
    Case(
        name="distance-correlation-blocks",
        description="Distance correlation of two blocks of five columns.",
        make_data=pair,
        sizes=(Size("3 000 × 5", {"n": 3000, "p": 5}, 15_000, required=True),),
        contestants=(
            Contestant("margin", _distance, requires=OURS, ours=True),
            Contestant("dcor", _distance_dcor, requires=("dcor",)),
        ),
        target=SAME, required_ratio=10.0, warm_up={"n": 50, "p": 5},
    ),
    Case(
        name="kci",
        description="Kernel test of conditional independence by Gram matrices.",
        make_data=chain,
        sizes=(Size("1 000", {"n": 1000}, 1000, required=True),),
        contestants=(
            Contestant("margin", lambda data: _kci(data, "exact"), requires=OURS, ours=True),
            Contestant("causal-learn", _kci_causal_learn, requires=("causallearn",)),
        ),
        target=P_VALUE, required_ratio=10.0, warm_up={"n": 50}, max_rounds=1,
    ),
    Case(
        name="kci-random-features",
        description="The same by random Fourier features.",
        make_data=chain,
        sizes=(Size("20 000", {"n": 20_000}, 20_000, required=True),),
        contestants=(
            Contestant("margin", lambda data: _kci(data, "random"), requires=OURS, ours=True),
            Contestant("causal-learn RCIT", _rcit_causal_learn, requires=("causallearn",)),
        ),
        target=P_VALUE, required_ratio=30.0, warm_up={"n": 200}, max_rounds=1,
    ),
)  # fmt: skip
