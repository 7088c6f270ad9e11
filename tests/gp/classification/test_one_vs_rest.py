"""One class against the rest."""

import numpy as np

from margin.gp.classification._binary import Laplace
from margin.gp.classification._latent import Labels
from margin.gp.classification._one_vs_rest import OneVsRest
from margin.inference import LogisticLikelihood
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(12, 2))
SEEN = Labels(X, np.arange(12) % 3, 3)
KERNEL = 2.0 * RBF(1.0)
LOGISTIC = LogisticLikelihood()


def test_evidences_add_up():
    engine = OneVsRest(Laplace(LOGISTIC))
    parts = [Laplace(LOGISTIC, c).evaluate(KERNEL, SEEN) for c in range(3)]
    whole = engine.evaluate(KERNEL, SEEN)
    assert np.isclose(whole.value, sum(p.value for p in parts))
    np.testing.assert_allclose(whole.gradient, sum(p.gradient for p in parts))
    assert engine.label == "laplace, one against the rest"
    assert engine.with_extra(engine.extra()) is engine


def test_posteriors_are_those_of_the_classes():
    mean, var = (
        OneVsRest(Laplace(LOGISTIC)).condition(KERNEL, SEEN).predict(KERNEL, X, KERNEL.diag(X))
    )
    assert mean.shape == var.shape == (12, 3)
    alone = Laplace(LOGISTIC, 2).condition(KERNEL, SEEN).predict(KERNEL, X, KERNEL.diag(X))
    np.testing.assert_allclose(mean[:, 2], alone[0])
    np.testing.assert_allclose(var[:, 2], alone[1])
