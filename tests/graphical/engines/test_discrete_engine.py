"""Networks of discrete nodes: probability of rows (graphical.01), and the trees that are kept."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.graphical import Virtual
from margin.graphical.engines._discrete_engine import complete_log_prob


@pytest.mark.parametrize("seed", range(4))
def test_rows_with_and_without_gaps(make_network, oracle, seed):
    """graphical.01: the joint is the product of the tables; gaps are summed out."""
    rng = np.random.default_rng(seed)
    network = make_network(rng)
    exact = oracle.of_network(network)
    assert_allclose(exact.total, 1, rtol=1e-12)
    frame = network.sample(30, random_state=seed)
    gaps = frame.mask(rng.random(frame.shape) < 0.4)
    gaps.iloc[0] = np.nan
    for rows in (frame, gaps):
        found = network.log_prob(rows)
        for at, row in enumerate(rows.to_dict("records")):
            known = {n: s for n, s in row.items() if isinstance(s, str)}
            assert_allclose(np.exp(found[at]), exact.mass(known), rtol=1e-10)
    codes = np.zeros((1, len(network.variables)), dtype=int)
    first = {n: network.states[n][0] for n in network.variables}
    assert_allclose(complete_log_prob(network._model, codes)[0], network.log_prob(first))


def test_impossible_rows_have_no_probability(burglary):
    sure = burglary._model.intervene({"alarm": "yes"})
    codes = np.zeros((1, 3), dtype=int)
    assert complete_log_prob(sure, codes)[0] == -np.inf
    assert burglary.log_prob(pd.DataFrame({"alarm": []})).shape == (0,)
    with pytest.raises(ValueError, match="rows must be states, got 'soft or virtual evidence'"):
        burglary.log_prob({"alarm": Virtual([1, 2])})
