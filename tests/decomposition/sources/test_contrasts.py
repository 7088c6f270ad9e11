import numpy as np
import pytest

from margin.decomposition.sources._contrasts import derivative, foreign


@pytest.mark.parametrize(
    ("name", "alpha"), [("logcosh", 1.0), ("logcosh", 1.7), ("exp", 1.0), ("cube", 1.0)]
)
def test_slopes_are_those_of_the_values(name, alpha):
    u = np.random.default_rng(0).normal(size=(2, 50))
    g = derivative(name, alpha)
    step = 1e-6
    numeric = (g(u + step)[0] - g(u - step)[0]) / (2 * step)
    np.testing.assert_allclose(g(u)[1], numeric.mean(axis=1), rtol=1e-6)


def test_functions_of_a_person():
    u = np.array([[1.0, 2.0]])
    value, slope = foreign(lambda u, c: (c * u, np.full_like(u, c)), {"c": 3})(u)
    assert value.tolist() == [[3, 6]]
    assert slope.tolist() == [3]
    with pytest.raises(ValueError, match="give a tuple"):
        foreign(np.tanh, {})(u)
