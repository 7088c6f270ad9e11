"""Which evidence moved an answer."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import Soft


def test_burglary_explained(burglary):
    evidence = {"alarm": "yes", "earthquake": "yes"}
    report = burglary.explain("burglary", evidence, "yes")
    assert report.prior == pytest.approx(0.01)
    assert report.posterior == pytest.approx(0.0309951060)
    found = {i.variable: i for i in report.influences}
    assert found["earthquake"].without == pytest.approx(0.5659476640)
    assert found["earthquake"].alone == pytest.approx(0.01)
    assert found["earthquake"].weight < 0 < found["alarm"].weight
    odds = [np.log(p / (1 - p)) for p in (0.0309951060, 0.5659476640)]
    assert_allclose(found["earthquake"].weight, odds[0] - odds[1], rtol=1e-7)
    assert abs(report.influences[0].weight) == max(abs(i.weight) for i in report.influences)
    assert "p(burglary=yes): 0.01 without evidence, 0.031 with it" in repr(report)
    assert list(report.to_frame().columns) == ["variable", "value", "without", "alone", "weight"]


def test_most_probable_state_and_soft_evidence(burglary):
    report = burglary.explain("burglary", {"alarm": Soft([0.5, 0.5])})
    assert report.state == "no"
    assert report.influences[0].value == "soft"


def test_certainty_has_infinite_weight(burglary):
    report = burglary.explain("alarm", {"burglary": "yes"}, "yes")
    assert np.isfinite(report.influences[0].weight)
    assert burglary.explain("alarm", {}).influences == ()


def test_refusals(burglary):
    with pytest.raises(ValueError, match="target must be unobserved, got 'alarm'"):
        burglary.explain("alarm", {"alarm": "yes"})
    with pytest.raises(ValueError, match="evidence must be a mapping, got 'list'"):
        burglary.explain("alarm", [{"burglary": "yes"}])
    with pytest.raises(ValueError, match="target must be a discrete variable, got 'x'"):
        burglary.explain("x", {})
