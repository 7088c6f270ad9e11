from fractions import Fraction

import pytest

from margin.datasets import load_smoking

MODELS = ("direct", "gene", "both")


@pytest.mark.parametrize("model", MODELS)
def test_every_answer_by_enumeration(model, check_answers):
    """datasets.05: conditional and interventional answers of all three models."""
    assert check_answers(load_smoking(model)) == 6


def test_models_agree_on_what_is_seen_and_differ_in_what_is_done(ask):
    """datasets.05: one observational table, three causal effects."""
    seen, effects = set(), {}
    for model in MODELS:
        net = load_smoking(model)
        table = [
            ask(net, {"smoking": s, "cancer": c}) for s in ("no", "yes") for c in ("no", "yes")
        ]
        seen.add(tuple(table))
        rates = [ask(net, {"cancer": "yes"}, do={"smoking": s}) for s in ("no", "yes")]
        effects[model] = rates[1] - rates[0]
        assert net.effect == pytest.approx(float(effects[model]), abs=1e-15)
    assert len(seen) == 1
    assert effects == {"direct": Fraction("0.09"), "gene": 0, "both": Fraction("0.045")}


def test_adjusting_for_the_gene_gives_the_effect(ask):
    """datasets.05: the sum over the common cause equals the intervention."""
    net = load_smoking("both")
    for state in ("no", "yes"):
        adjusted = sum(
            ask(net, {"gene": g}) * ask(net, {"cancer": "yes"}, {"gene": g, "smoking": state})
            for g in ("no", "yes")
        )
        assert adjusted == ask(net, {"cancer": "yes"}, do={"smoking": state})


def test_structure():
    """datasets.05: the arrows of the three stories."""
    assert load_smoking("direct").edges == [("smoking", "cancer")]
    assert load_smoking("gene").edges == [("gene", "smoking"), ("gene", "cancer")]
    assert set(load_smoking("both").edges) == {
        ("gene", "smoking"),
        ("gene", "cancer"),
        ("smoking", "cancer"),
    }
    assert load_smoking("gene").latent == ["gene"]
    with pytest.raises(ValueError, match="load_smoking: model must be one of"):
        load_smoking("luck")
