"""Greedy equivalence search against enumeration, exact search and population moments."""

import numpy as np
import pytest

from margin.core import Status
from margin.graphs import (
    DAG,
    PDAG,
    cpdag,
    enumerate_cpdags,
    enumerate_dags,
    equivalence_class,
    interventional_graph,
)
from margin.native.structure import classes
from margin.search import (
    Categories,
    ClassClimb,
    Interventions,
    Knowledge,
    Moments,
    NetworkScore,
    climb_classes,
    exact_search,
)

TARGETS = [(), [{0}], [{0, 1}, {2}]]


def gaussian_score(p, seed, n_rows=50.0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((20, p)) @ rng.standard_normal((p, p))
    return NetworkScore.of("Test", Moments(tuple(range(p)), np.zeros(p), np.cov(X.T), n_rows))


def experimental_score(p, targets, seed):
    """Nodes that are set in other experiments have other moments."""
    groups = [tuple(j in some for some in targets) for j in range(p)]
    kinds = sorted(set(groups))
    parts = [gaussian_score(p, 100 * seed + at) for at in range(len(kinds))]
    return NetworkScore.switched(parts, [kinds.index(group) for group in groups])


def separation(p, targets):
    out = np.zeros((p, p), dtype=np.uint8)
    for i in range(p):
        for j in range(p):
            out[i, j] = any((i in some) != (j in some) for some in targets)
    return out


def search_from(dag, score, targets, known=None, **options):
    p = len(dag)
    known = Knowledge.none(p) if known is None else known
    settings = {"max_degree": p, "max_steps": 10**6, "tol": -1e300, "n_threads": 1} | options
    return classes.class_search(
        score.scorer,
        dag.adjacency().astype(np.uint8),
        known.forbidden,
        known.required,
        separation(p, targets),
        **settings,
    )


def changes(dag, phase):
    """All graphs one arc away: tail, head, graph."""
    arcs = set(dag.edges)
    for x in dag.nodes:
        for y in dag.nodes:
            if x == y:
                continue
            if phase == "insert" and not {(x, y), (y, x)} & arcs:
                new = arcs | {(x, y)}
            elif phase == "remove" and (x, y) in arcs:
                new = arcs - {(x, y)}
            elif phase == "turn" and (y, x) in arcs:
                new = arcs - {(y, x)} | {(x, y)}
            else:
                continue
            try:
                yield x, y, DAG(dag.nodes, sorted(new))
            except ValueError:
                continue


def brute_force(essential, members, score, targets, phase):
    """Steps of all members of a class: what they lead to and gain."""
    steps = {}
    for dag in members:
        for x, y, new in changes(dag, phase):
            near = set(essential.neighbours(y)) - {x}
            key = x, y, tuple(sorted(near & set(dag.parents(y))))
            graph = interventional_graph(new, targets)
            gain = score.total(new.adjacency()) - score.total(dag.adjacency())
            if graph != essential:
                steps.setdefault(key, []).append((graph, gain))
    return steps


def read(search, p):
    return PDAG.from_adjacency(classes.class_matrix(search, p, False))


@pytest.mark.parametrize("phase", ["insert", "remove", "turn"])
@pytest.mark.parametrize("targets", TARGETS, ids=str)
def test_the_steps_of_a_class_are_those_of_its_members(phase, targets):
    seen = set()
    for at, dag in enumerate(list(enumerate_dags(4))[::5]):
        essential = interventional_graph(dag, targets)
        if essential in seen:
            continue
        seen.add(essential)
        score = experimental_score(4, targets, at % 7)
        expected = brute_force(essential, list(equivalence_class(essential)), score, targets, phase)
        search = search_from(dag, score, targets)
        assert read(search, 4) == essential
        steps = {(x, y, tuple(c)): g for g, x, y, c in classes.valid_steps(search, phase)}
        assert steps.keys() == expected.keys()
        for key, several in expected.items():
            assert {graph for graph, _ in several} == {several[0][0]}
            for _, gain in several:
                assert steps[key] == pytest.approx(gain, abs=1e-8)
        made = classes.improve(search, phase)
        assert (made is None) == (not expected)
        if made is not None:
            assert made[0] == pytest.approx(max(steps.values()))
            assert read(search, 4) == expected[made[1], made[2], tuple(made[3])][0][0]


def random_sem(p, seed, share=0.4):
    """Covariance of a random linear SEM, and its graph."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(p)
    weight = np.zeros((p, p))
    for at, j in enumerate(order):
        for i in order[:at]:
            if rng.random() < share:
                weight[i, j] = rng.choice([-1, 1]) * rng.uniform(0.4, 1.2)
    inverse = np.linalg.inv(np.eye(p) - weight)
    covariance = inverse.T @ np.diag(rng.uniform(0.5, 1.5, p)) @ inverse
    return covariance, weight


@pytest.mark.parametrize("turning", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_the_true_class_from_population_moments(seed, turning):
    covariance, weight = random_sem(7, seed)
    score = NetworkScore.of("Test", Moments(tuple(range(7)), np.zeros(7), covariance, 1e9))
    found = climb_classes(score, ClassClimb(turning=turning), Knowledge.none(7))
    truth = cpdag(DAG.from_adjacency(weight != 0))
    assert PDAG.from_adjacency(found.x) == truth
    assert found.status is Status.CONVERGED
    assert (np.diff(found.trace["objective"]) > 0).all()
    assert found.trace["objective"][-1] == pytest.approx(found.objective, rel=1e-12)
    # Insertions and removals of an exact score keep the number of steps small.
    assert found.n_iter <= 7 * 6


@pytest.mark.parametrize("seed", range(8))
def test_no_graph_of_four_nodes_is_better_in_the_limit_of_many_rows(seed):
    covariance, _ = random_sem(4, seed, 0.6)
    score = NetworkScore.of("Test", Moments(tuple(range(4)), np.zeros(4), covariance, 1e8))
    found = climb_classes(score, ClassClimb(), Knowledge.none(4))
    best = max(score.total(dag.adjacency()) for dag in enumerate_dags(4))
    assert found.objective == pytest.approx(best, rel=1e-13)


def test_all_classes_of_four_nodes_are_found():
    """Every class with generic weights is faithful, and comes back."""
    rng = np.random.default_rng(0)
    for graph in list(enumerate_cpdags(4))[::4]:
        dag = next(iter(equivalence_class(graph)))
        weight = dag.adjacency() * rng.uniform(0.6, 1.2, (4, 4))
        inverse = np.linalg.inv(np.eye(4) - weight)
        moments = Moments((0, 1, 2, 3), np.zeros(4), inverse.T @ inverse, 1e9)
        found = climb_classes(
            NetworkScore.of("Test", moments), ClassClimb(turning=False), Knowledge.none(4)
        )
        assert PDAG.from_adjacency(found.x) == graph


@pytest.mark.parametrize("kind", ["bic", "bdeu", "aic"])
def test_categories_against_the_exact_search(kind):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (400, 6))
    X[:, 2] = X[:, 0] | X[:, 1] ^ (rng.random(400) < 0.2)
    X[:, 4] = X[:, 2] ^ (rng.random(400) < 0.1)
    score = NetworkScore.of("Test", Categories.of("Test", X), kind)
    found = climb_classes(score, ClassClimb(), Knowledge.none(6))
    best = exact_search(score, Knowledge.none(6)).objective
    empty = score.total(np.zeros((6, 6)))
    assert empty < found.objective <= best + 1e-9
    assert best - found.objective < 0.05 * (best - empty)
    threads = climb_classes(score, ClassClimb(), Knowledge.none(6), n_threads=3)
    np.testing.assert_array_equal(threads.x, found.x)


@pytest.mark.parametrize("seed", range(6))
def test_knowledge_holds_and_helps(seed):
    covariance, weight = random_sem(6, seed)
    truth = DAG.from_adjacency(weight != 0)
    arcs = list(truth.edges)
    known = Knowledge.of("Test", range(6), required=arcs[:1], forbidden=[(b, a) for a, b in arcs])
    score = NetworkScore.of("Test", Moments(tuple(range(6)), np.zeros(6), covariance, 1e9))
    found = climb_classes(score, ClassClimb(), known)
    assert DAG.from_adjacency(found.x) == truth
    # The empty table with the same knowledge: only what is required.
    alone = NetworkScore.of("Test", Moments(tuple(range(6)), np.zeros(6), np.eye(6), 100.0))
    only = climb_classes(alone, ClassClimb(), known)
    assert PDAG.from_adjacency(only.x).directed == tuple(arcs[:1])


@pytest.mark.parametrize("seed", range(6))
def test_every_class_on_the_way_has_a_member_that_agrees_with_tiers(seed):
    score = gaussian_score(5, seed, 200.0)
    tiers = [[4], [3, 2], [1, 0]]
    known = Knowledge.of("Test", range(5), tiers=tiers, forbidden=[(2, 3), (3, 2)])
    found = climb_classes(score, ClassClimb(), known)
    member = found.extras["member"]
    assert not (member & known.forbidden).any()
    assert not ((found.x > 0) & (found.x.T == 0) & (known.forbidden > 0)).any()
    assert score.total(member) == pytest.approx(found.objective)


def test_degree_work_and_steps_are_limited():
    score = gaussian_score(8, 1, 500.0)
    none = Knowledge.none(8)
    narrow = climb_classes(score, ClassClimb(max_degree=2), none)
    assert ((narrow.x + narrow.x.T) > 0).sum(axis=0).max() <= 2
    cut = climb_classes(score, ClassClimb(max_work=100), none)
    assert cut.status is Status.MAX_ITER
    assert cut.message == (
        "stopped after max_work=100 steps were scored; raise max_work or set max_degree"
    )
    short = climb_classes(score, ClassClimb(max_iter=3), none)
    assert short.status is Status.MAX_ITER
    assert short.n_iter == 3
    assert "max_iter=3 steps" in short.message
    assert short.objective == pytest.approx(short.trace["objective"][-1])


def test_ctrl_c_keeps_the_best_class(monkeypatch):
    score = gaussian_score(6, 2, 500.0)
    real, calls = classes.improve, []

    def improve(search, phase):
        calls.append(phase)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(search, phase)

    monkeypatch.setattr(classes, "improve", improve)
    found = climb_classes(score, ClassClimb(), Knowledge.none(6))
    assert found.interrupted
    assert found.n_iter == 3
    assert found.objective == pytest.approx(found.trace["objective"][-1])


def test_one_node_and_a_start_with_a_cycle():
    one = climb_classes(_one(), ClassClimb(), Knowledge.none(1))
    assert one.x.tolist() == [[0.0]]
    none, cycle = np.zeros((2, 2), np.uint8), np.array([[0, 1], [1, 0]], np.uint8)
    limits = {"max_degree": 2, "max_steps": 9, "tol": 0.0, "n_threads": 1}
    scorer = gaussian_score(2, 0).scorer
    with pytest.raises(ValueError, match="cycle"):
        classes.class_search(scorer, cycle, none, none, none, **limits)
    arrow = np.array([[0, 1], [0, 0]], np.uint8)
    with pytest.raises(ValueError, match="contradicts knowledge"):
        classes.class_search(scorer, arrow, cycle, none, none, **limits)
    with pytest.raises(ValueError, match="square"):
        classes.class_search(scorer, np.zeros((3, 3), np.uint8), none, none, none, **limits)


def _one():
    return NetworkScore.of("Test", Moments((0,), np.zeros(1), np.eye(1), 10.0))


def test_single_interventions_on_all_but_one_node_find_the_graph():
    """causal.13: with endless data from D - 1 experiments."""
    for seed in range(6):
        p = 5
        _, weight = random_sem(p, seed)
        plan = Interventions.of("Test", range(p), [(), *[(j,) for j in range(p - 1)]], p)
        parts = []
        for j in range(p):
            # Moments of the mixture of the experiments in which j was not set.
            kept = [some for some in plan.targets[plan.rows] if not some[j]]
            second = np.mean([_under(weight, some) for some in kept], axis=0)
            parts.append(
                NetworkScore.of("Test", Moments(tuple(range(p)), np.zeros(p), second, 1e9))
            )
        score = NetworkScore.switched(parts, list(range(p)))
        found = climb_classes(score, ClassClimb(), Knowledge.none(p), separated=plan.separated)
        assert DAG.from_adjacency(found.x) == DAG.from_adjacency(weight != 0)


def _under(weight, target):
    cut = np.where(target[None, :], 0.0, weight)
    inverse = np.linalg.inv(np.eye(len(weight)) - cut)
    return inverse.T @ inverse


def test_gains_that_go_in_circles_end():
    """With gaps a gain depends on the member; steps that lead back are no progress."""
    rng = np.random.default_rng(0)
    told = []
    for _ in range(10):
        X = rng.integers(0, 5, (5, 15)).astype(object)
        X[rng.random(X.shape) < 0.2] = None
        score = NetworkScore.of("Test", Categories.of("Test", X), "bic")
        found = climb_classes(score, ClassClimb(max_iter=1000), Knowledge.none(15))
        assert found.status in (Status.CONVERGED, Status.STALLED)
        told.append(found.message)
    assert any("lead back to the same class" in text for text in told)
