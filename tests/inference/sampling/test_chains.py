import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import Chains, sample_nuts


@pytest.fixture(scope="module")
def chains():
    return sample_nuts(
        lambda x: (-0.5 * float(x @ x), -x), np.zeros(2), n_draws=300, n_warmup=300,
        names=["a", "b"], random_state=0,
    )  # fmt: skip


def test_the_summary_says_what_the_draws_say(chains):
    rows = chains.summary()
    assert [row["name"] for row in rows] == ["a", "b"]
    assert rows[0]["mean"] == pytest.approx(chains.draws[:, :, 0].mean())
    assert rows[1]["sd"] == pytest.approx(chains.draws[:, :, 1].std())
    assert rows[1]["5%"] == pytest.approx(np.quantile(chains.draws[:, :, 1], 0.05))
    assert rows[0]["error"] == pytest.approx(
        np.sqrt(chains.var[0] / chains.effective_size("mean")[0])
    )
    assert "4 chains, 300 draws, 2 quantities, largest R-hat 1.0" in repr(chains)


def test_the_best_state_is_the_densest(chains):
    assert -0.5 * chains.best @ chains.best == pytest.approx(chains.log_density.max())


def test_arviz_gets_every_draw(chains):
    tree = chains.to_arviz()
    assert_allclose(tree["posterior"]["a"].values, chains.draws[:, :, 0])
    assert_allclose(tree["sample_stats"]["lp"].values, chains.log_density)
    assert set(chains.statistics) <= set(tree["sample_stats"].data_vars)


def test_an_unknown_kind_of_size(chains):
    with pytest.raises(ValueError, match="Chains: kind must be 'bulk', 'tail' or 'mean', got 'x'"):
        chains.effective_size("x")


def test_a_missing_package_is_named(chains, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "arviz_base", None)
    with pytest.raises(ImportError, match=r"pip install margin\[sampling\]"):
        chains.to_arviz()
    assert isinstance(chains, Chains)
