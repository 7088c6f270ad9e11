"""Networks that other libraries test themselves on, typed in, against sums over all states."""

import io
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, MarkovNetwork, Soft, Virtual

# Koller and Friedman's student; Pearl's alarm; the sprinkler; Lauritzen and Spiegelhalter's clinic.
NETWORKS = {
    "student": (
        {"diff": 2, "intel": 2, "grade": 3, "sat": 2, "letter": 2},
        {"grade": ("intel", "diff"), "sat": ("intel",), "letter": ("grade",)},
        {
            "diff": [0.6, 0.4],
            "intel": [0.7, 0.3],
            "grade": [[[0.3, 0.4, 0.3], [0.05, 0.25, 0.7]], [[0.9, 0.08, 0.02], [0.5, 0.3, 0.2]]],
            "sat": [[0.95, 0.05], [0.2, 0.8]],
            "letter": [[0.1, 0.9], [0.4, 0.6], [0.99, 0.01]],
        },
    ),
    "alarm": (
        dict.fromkeys(["burglary", "quake", "alarm", "john", "mary"], 2),
        {"alarm": ("burglary", "quake"), "john": ("alarm",), "mary": ("alarm",)},
        {
            "burglary": [0.999, 0.001],
            "quake": [0.998, 0.002],
            "alarm": [[[0.999, 0.001], [0.71, 0.29]], [[0.06, 0.94], [0.05, 0.95]]],
            "john": [[0.95, 0.05], [0.1, 0.9]],
            "mary": [[0.99, 0.01], [0.3, 0.7]],
        },
    ),
    "sprinkler": (
        dict.fromkeys(["cloudy", "sprinkler", "rain", "wet"], 2),
        {"sprinkler": ("cloudy",), "rain": ("cloudy",), "wet": ("sprinkler", "rain")},
        {
            "cloudy": [0.5, 0.5],
            "sprinkler": [[0.5, 0.5], [0.9, 0.1]],
            "rain": [[0.8, 0.2], [0.2, 0.8]],
            "wet": [[[1.0, 0.0], [0.1, 0.9]], [[0.1, 0.9], [0.01, 0.99]]],
        },
    ),
    "clinic": (
        dict.fromkeys(["asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp"], 2),
        {
            "tub": ("asia",), "lung": ("smoke",), "bronc": ("smoke",),
            "either": ("tub", "lung"), "xray": ("either",), "dysp": ("bronc", "either"),
        },
        {
            "asia": [0.99, 0.01],
            "smoke": [0.5, 0.5],
            "tub": [[0.99, 0.01], [0.95, 0.05]],
            "lung": [[0.99, 0.01], [0.9, 0.1]],
            "bronc": [[0.7, 0.3], [0.4, 0.6]],
            "either": [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]]],
            "xray": [[0.95, 0.05], [0.02, 0.98]],
            "dysp": [[[0.9, 0.1], [0.3, 0.7]], [[0.2, 0.8], [0.1, 0.9]]],
        },
    ),
}  # fmt: skip


def joint(cards, parents, tables):
    """Probability of every state, one axis per node, by the chain rule."""
    names = list(cards)
    place = {name: at for at, name in enumerate(names)}
    out = np.ones(tuple(cards.values()))
    for state in product(*map(range, cards.values())):
        for name in names:
            family = (*parents.get(name, ()), name)
            out[state] *= np.asarray(tables[name])[tuple(state[place[v]] for v in family)]
    return out


def posterior(whole, names, target, evidence):
    """Law of some nodes given others, by a sum over all states."""
    picked = whole[tuple(evidence.get(name, slice(None)) for name in names)]
    left = [name for name in names if name not in evidence]
    out = picked.sum(axis=tuple(at for at, name in enumerate(left) if name not in target))
    kept = [name for name in left if name in target]
    return out.transpose([kept.index(name) for name in target]) / out.sum()


def network(cards, parents, tables):
    arcs = [(p, child) for child, above in parents.items() for p in above]
    return BayesianNetwork.from_edges(arcs, tables, {n: tuple(range(k)) for n, k in cards.items()})


def random_network(rng):
    cards = {f"v{i}": int(rng.integers(2, 5)) for i in range(int(rng.integers(3, 8)))}
    names, parents, tables = list(cards), {}, {}
    for at, name in enumerate(names):
        few = rng.permutation(names[:at])[: rng.integers(0, 4)].tolist()
        parents[name] = tuple(few)
        tables[name] = rng.dirichlet(np.ones(cards[name]), tuple(cards[p] for p in few))
    return cards, parents, tables


def check_all(parts, rng):
    """Marginals, joints of two, and evidence on a few nodes."""
    cards, whole, model = parts[0], joint(*parts), network(*parts)
    names = list(cards)
    for name, values in model.marginals().items():
        assert_allclose(values, posterior(whole, names, [name], {}), rtol=0, atol=1e-12)
    for _ in range(8):
        shuffled = rng.permutation(names).tolist()
        known = shuffled[: rng.integers(0, len(names) - 1)]
        evidence = {name: int(rng.integers(cards[name])) for name in known}
        if whole[tuple(evidence.get(n, slice(None)) for n in names)].sum() == 0:
            continue
        for target in ([shuffled[-1]], shuffled[-2:] if len(known) + 2 <= len(names) else []):
            if target:
                found = model.query(target, evidence).values
                truth = posterior(whole, names, target, evidence)
                assert_allclose(found, truth, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_of_the_books(name):
    check_all(NETWORKS[name], np.random.default_rng(1))


@pytest.mark.parametrize("seed", range(20))
def test_random_networks(seed):
    rng = np.random.default_rng(seed)
    check_all(random_network(rng), rng)


@pytest.mark.parametrize(
    ("name", "evidence"),
    [
        ("student", {"letter": 1}),
        ("alarm", {"john": 1, "mary": 1}),
        ("clinic", {"xray": 1, "asia": 1}),
    ],
)
def test_the_most_probable_state_of_all_others(name, evidence):
    parts = NETWORKS[name]
    cards, whole, model = parts[0], joint(*parts), network(*parts)
    names = list(cards)
    rest = [n for n in names if n not in evidence]
    picked = whole[tuple(evidence.get(n, slice(None)) for n in names)]
    best = np.unravel_index(picked.argmax(), picked.shape)
    found = model.query(rest, evidence, kind="map").to_dict()
    assert [found[n] for n in rest] == [int(b) for b in best]


@pytest.mark.parametrize("seed", range(8))
def test_random_interventions(seed):
    """What is set loses its parents: the product without its own factor."""
    rng = np.random.default_rng(100 + seed)
    cards, parents, tables = random_network(rng)
    model, names = network(cards, parents, tables), list(cards)
    for _ in range(4):
        forced, target, known = rng.permutation(names)[:3].tolist()
        state = int(rng.integers(cards[forced]))
        cut = tables | {forced: np.eye(cards[forced])[state]}
        above = {name: () if name == forced else parents[name] for name in names}
        whole = joint(cards, above, cut)
        evidence = {known: int(rng.integers(cards[known]))}
        answer = model.query(target, evidence, do={forced: state}).values
        truth = posterior(whole, names, [target], evidence)
        assert_allclose(answer, truth, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_random_evidence_that_is_not_sure(seed):
    """A likelihood multiplies the joint; a law that is to hold afterwards replaces the margin."""
    rng = np.random.default_rng(200 + seed)
    cards, parents, tables = random_network(rng)
    model, names = network(cards, parents, tables), list(cards)
    whole = joint(cards, parents, tables)
    told, target = rng.permutation(names)[:2].tolist()
    weight = rng.random(cards[told]) + 0.1
    axis = [-1 if name == told else 1 for name in names]
    tilted = whole * weight.reshape(axis)
    answer = model.query(target, {told: Virtual(tuple(weight))}).values
    assert_allclose(answer, posterior(tilted, names, [target], {}), rtol=0, atol=1e-12)
    law = weight / weight.sum()
    moved = whole * (law / posterior(whole, names, [told], {})).reshape(axis)
    answer = model.query(target, {told: Soft(tuple(law))}).values
    assert_allclose(answer, posterior(moved, names, [target], {}), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_random_markov_networks(seed):
    rng = np.random.default_rng(300 + seed)
    names = [f"v{i}" for i in range(int(rng.integers(3, 7)))]
    cards = {name: int(rng.integers(2, 4)) for name in names}
    factors, whole = {}, np.ones(tuple(cards.values()))
    for _ in range(int(rng.integers(len(names), 2 * len(names)))):
        scope = tuple(rng.permutation(names)[: rng.integers(1, 4)].tolist())
        table = rng.random(tuple(cards[n] for n in scope)) + 0.05
        if scope in factors:
            continue
        factors[scope] = table
        order = sorted(range(len(scope)), key=lambda at: names.index(scope[at]))
        shape = [cards[n] if n in scope else 1 for n in names]
        whole = whole * table.transpose(order).reshape(shape)
    for name in names:
        factors.setdefault((name,), np.ones(cards[name]))
    model = MarkovNetwork(factors, {n: tuple(range(k)) for n, k in cards.items()})
    assert_allclose(model.log_partition, np.log(whole.sum()), rtol=1e-12)
    for name in names:
        others = [n for n in names if n != name]
        evidence = {n: int(rng.integers(cards[n])) for n in others[: rng.integers(0, 3)]}
        truth = posterior(whole, names, [name], evidence)
        assert_allclose(model.query(name, evidence).values, truth, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_files_keep_every_digit(seed):
    rng = np.random.default_rng(400 + seed)
    cards, parents, tables = random_network(rng)
    model, names = network(cards, parents, tables), list(cards)
    whole = joint(cards, parents, tables)
    copies = {
        "bif": BayesianNetwork.from_bif(io.StringIO(model.to_bif())),
        "xmlbif": BayesianNetwork.from_xmlbif(io.StringIO(model.to_xmlbif())),
        "uai": BayesianNetwork.from_uai(io.StringIO(model.to_uai())),
    }
    for kind, copy in copies.items():
        for at, name in enumerate(names):
            asked = f"x{at}" if kind == "uai" else name
            truth = posterior(whole, names, [name], {})
            assert_allclose(copy.query(asked).values, truth, rtol=0, atol=1e-12)


# Charniak's dog, in the three languages of network files.
DOG_BIF = """// the family is out
network "dog problem" { property "author: nobody"; }
variable light-on { type discrete [ 2 ] { true, false }; property "position = (218, 195)"; }
variable bowel-problem { type discrete [ 2 ] { true, false }; }
variable dog-out { type discrete[2] { true, false }; }
variable hear-bark { type discrete [ 2 ] { true, false }; }
variable family-out { type discrete [ 2 ] { true, false }; }
probability ( light-on | family-out ) { (true) 0.6, 0.4; (false) 0.05, 0.95; }
probability ( bowel-problem ) { table 0.01, 0.99; }
/* two parents */
probability ( dog-out | bowel-problem, family-out ) {
  (true, true) 0.99, 0.01;  (true, false) 0.97, 0.03;
  (false, true) 0.9, 0.1;   default 0.3, 0.7;
}
probability ( hear-bark | dog-out ) { table 0.7 0.01 0.3 0.99; }
probability ( family-out ) { table 0.15 0.85; }
"""
DOG_TABLES = {
    "light-on": ("family-out", "0.6 0.4 0.05 0.95"),
    "bowel-problem": ("", "0.01 0.99"),
    "dog-out": ("bowel-problem family-out", "0.99 0.01 0.97 0.03 0.9 0.1 0.3 0.7"),
    "hear-bark": ("dog-out", "0.7 0.3 0.01 0.99"),
    "family-out": ("", "0.15 0.85"),
}


def dog_xmlbif():
    lines = ['<?xml version="1.0" encoding="US-ASCII"?>', '<BIF VERSION="0.3"><NETWORK>']
    for name in DOG_TABLES:
        states = "<OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME>"
        lines.append(f'<VARIABLE TYPE="nature"><NAME>{name}</NAME>{states}</VARIABLE>')
    for name, (above, table) in DOG_TABLES.items():
        given = "".join(f"<GIVEN>{p}</GIVEN>" for p in above.split())
        lines.append(f"<DEFINITION><FOR>{name}</FOR>{given}<TABLE>{table}</TABLE></DEFINITION>")
    return "\n".join([*lines, "</NETWORK></BIF>"])


def dog_uai():
    number = {name: str(at) for at, name in enumerate(DOG_TABLES)}
    scopes = [[*map(number.get, above.split()), number[n]] for n, (above, _) in DOG_TABLES.items()]
    lines = ["BAYES", "5", "2 2 2 2 2", "5"]
    lines += [" ".join([str(len(scope)), *scope]) for scope in scopes]
    lines += [f"{len(table.split())}\n{table}" for _, table in DOG_TABLES.values()]
    return "\n".join(lines)


def test_one_network_in_three_languages():
    cards = dict.fromkeys(DOG_TABLES, 2)
    parents = {name: tuple(above.split()) for name, (above, _) in DOG_TABLES.items()}
    tables = {
        name: np.array(table.split(), dtype=float).reshape([2] * (len(parents[name]) + 1))
        for name, (_, table) in DOG_TABLES.items()
    }
    whole, names = joint(cards, parents, tables), list(cards)
    read = {
        "bif": BayesianNetwork.from_bif(io.StringIO(DOG_BIF)),
        "xmlbif": BayesianNetwork.from_xmlbif(io.StringIO(dog_xmlbif())),
        "uai": BayesianNetwork.from_uai(io.StringIO(dog_uai())),
    }
    for kind, model in read.items():
        word = (lambda n: f"x{names.index(n)}") if kind == "uai" else (lambda n: n)
        states = ("0", "1") if kind == "uai" else ("true", "false")
        evidence = {"hear-bark": 0, "light-on": 1}
        for name in ("family-out", "bowel-problem", "dog-out"):
            truth = posterior(whole, names, [name], evidence)
            told = {word(n): states[s] for n, s in evidence.items()}
            assert_allclose(model.query(word(name), told).values, truth, rtol=0, atol=1e-12)
