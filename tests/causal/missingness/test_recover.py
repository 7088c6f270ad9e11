import numpy as np
import pytest
from fibres import assert_proved, two_models
from numpy.testing import assert_allclose
from studies import Gaps, random_study

from margin.causal import CausalGraph, MissingnessGraph, recover


def asked_of(study, kind, rng):
    names = [str(name) for name in rng.permutation(study.variables)]
    if kind == "joint":
        return tuple(names), (), ()
    if kind == "marginal":
        return tuple(names[:1]), (), ()
    if kind == "conditional":
        return (names[0],), (), (names[1],)
    return (study.variables[-1],), (study.variables[0],), ()


@pytest.mark.parametrize("kind", ["joint", "marginal", "conditional", "effect"])
def test_formulas_over_what_is_seen_give_what_is_not(kind):
    """On random studies, against the law of all that is hidden."""
    rng, found, proved = np.random.default_rng([3, len(kind)]), 0, 0
    for _ in range(80):
        study = random_study(rng)
        y, x, w = asked_of(study, kind, rng)
        answer = recover(study, y, x, w)
        family = Gaps(study)
        model = rng.uniform(0.1, 0.9, family.length)
        if answer.identifiable:
            found += 1
            told = answer.evaluate((family.seen, family.whole(model)))
            truth = family.effect(model, x, y, w)[0]
            assert told.names == (*x, *w, *y)
            assert_allclose(told.values, truth, atol=1e-9, err_msg=str(answer))
        elif "models that" in answer.reason:
            proved += 1
            assert_proved(disagreement(study, y, w, rng), answer.reason)
    assert found > 30
    assert proved > 5 or kind == "effect"


def disagreement(study, y, w, rng):
    """Two models of a part of the graph: a variable, its indicator and what joins them."""
    graph = study.graph
    for name in y:
        sign = study.indicators.get(name)
        tie = {name, sign}
        arrows = [edge for edge in graph.directed if set(edge) == tie]
        common = [edge for edge in graph.bidirected if set(edge) == tie]
        if not arrows and not common:
            continue
        part = MissingnessGraph(CausalGraph(graph.nodes, arrows, common), study.indicators)
        family = Gaps(part, 3)
        models = two_models(family, [(0, ())], (), y, w, rng)
        if models is not None:
            laws = [family.laws(model, [(0, ())])[0] for model in models]
            return models, laws, [family.effect(model, (), y, w)[0] for model in models]
    return None


def study_of(text, **indicators):
    return MissingnessGraph(CausalGraph.from_dagitty(f"dag {{ {text} }}"), indicators)


def test_completely_at_random_takes_the_complete_rows():
    study = study_of("x -> y; R", y="R")
    assert study.mechanism == "MCAR"
    assert recover(study, ["x", "y"]).formula() == "P(x, y | R=1)"
    assert recover(study, "y", "x").formula() == "P(y | x, R=1)"
    assert recover(study, "y", "x").formula("latex") == r"P(y \mid x, R=1)"


def test_at_random_weighs_by_what_is_always_seen():
    study = study_of("x -> y; x -> R", y="R")
    assert study.mechanism == "MAR"
    assert recover(study, "y").formula() == "Σ_{x} P(x) P(y | x, R=1)"


def test_not_at_random_in_turn_and_by_weights():
    in_turn = study_of("x -> y; x -> Ry; Rx", x="Rx", y="Ry")
    assert in_turn.mechanism == "MNAR"
    assert recover(in_turn, ["x", "y"]).formula() == "P(y | x, Rx=1, Ry=1) P(x | Rx=1)"
    crossed = study_of("x -> y; x -> Ry; y -> Rx", x="Rx", y="Ry")
    assert "/" in recover(crossed, ["x", "y"]).formula()


def test_a_treatment_that_hides_itself_has_an_effect_all_the_same():
    study = study_of("x -> y; x -> R", x="R")
    answer = recover(study, "y", "x")
    assert answer.formula() == "P(y | x, R=1)"
    assert not recover(study, "x").identifiable
    assert "x decides itself whether it is seen (x -> R)" in recover(study, "x").explain()
    hidden = study_of("x -> y; x <-> R", x="R")
    assert "a hidden cause of x decides" in recover(hidden, ["x", "y"]).explain()


def test_other_covariates_are_tried():
    """b would do as well as a, and is always seen"""
    study = study_of("a -> x; b -> a; b -> y; x -> y; a -> Ra", a="Ra")
    assert recover(study, "y", "x").formula() == "Σ_{b} P(y | x, b) P(b)"


def test_an_effect_that_hidden_causes_hide_keeps_its_hedge():
    study = study_of("x -> y; x <-> y; R", y="R")
    assert recover(study, "y", "x").hedge.smaller == ("y",)


def test_frames_with_gaps():
    """Rows are drawn, values are hidden for a reason, and the law comes back."""
    rng = np.random.default_rng(0)
    n = 40_000
    x = rng.integers(0, 2, n)
    y = (rng.random(n) < 0.2 + 0.5 * x).astype(float)
    words = np.array(["no", "yes"])[x].astype(object)
    y[rng.random(n) < 0.1 + 0.7 * x] = np.nan
    words[rng.random(n) < 0.3] = None
    study = study_of("x -> y; x -> Ry; Rx", x="Rx", y="Ry")
    told = recover(study, "y").evaluate({"x": words, "y": y})
    assert told.levels == {"y": (0.0, 1.0)}
    assert_allclose(told.values[1], 0.45, atol=0.02)
    assert abs(np.nanmean(y) - 0.45) > 0.1
    joint = recover(study, ["x", "y"]).evaluate({"x": words, "y": y})
    assert joint.levels["x"] == ("no", "yes")
    assert_allclose(joint.values, [[0.4, 0.1], [0.15, 0.35]], atol=0.02)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ((("x", "y"), np.full((2, 2), 0.25)), "a table with the indicator 'R'"),
        ((("x", "y"), np.full(4, 0.25)), "a table with an axis for each"),
        ((("x", "y", "R"), np.eye(2)[0] * np.full((2, 2, 1), 0.25)), "equal to 1 somewhere"),
        ({"x": [0, 1], "y": [np.nan, np.nan]}, "with columns of one length above 0"),
        ({"x": [0, np.nan, 1], "y": [1, 1, 0]}, "column 'x' must be known everywhere"),
        (3, "frame must be with a column"),
    ],
)
def test_models_that_do_not_fit(model, message):
    with pytest.raises(ValueError, match=f"Estimand.evaluate: .*{message}"):
        recover(study_of("x -> y; R", y="R"), ["x", "y"]).evaluate(model)


def test_questions_that_do_not_fit():
    study = study_of("x -> y; R", y="R")
    with pytest.raises(ValueError, match="recover: study must be a MissingnessGraph"):
        recover(study.graph, "y")
    with pytest.raises(ValueError, match="recover: outcome must be at least one variable"):
        recover(study, ())
    with pytest.raises(ValueError, match="three sets without a common variable"):
        recover(study, "y", "y")
    with pytest.raises(ValueError, match="node must be one of the nodes 'x', 'y', got 'R'"):
        recover(study, "R")
