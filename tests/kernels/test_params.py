"""Parameters of a kernel by name."""

import pytest

from margin.kernels import RBF, Kernel, Matern, Scaled, Sum, White
from margin.kernels._params import changed, named, nested


def test_names_reach_every_part():
    kernel = 2.0 * Matern(1.0, nu=2.5) + White(0.5)
    values = nested(kernel)
    assert values["k1__kernel__nu"] == 2.5
    assert values["k1__factor"] == 2.0
    assert values["k2"] == White(0.5)
    assert kernel.get_params(deep=False).keys() == {"k1", "k2"}


def test_changes_give_another_kernel():
    kernel = 2.0 * Matern(1.0, nu=2.5) + White(0.5)
    other = changed(kernel, {"k1__kernel__nu": 0.5, "k1__factor": 3.0, "k2": White(0.1)})
    assert other == Sum((Scaled(Matern(1.0, nu=0.5), 3.0), White(0.1)))
    assert kernel.parts[1] == White(0.5)
    assert (RBF(1.0) ** 2).with_params(exponent=3, kernel__length_scale=2.0) == RBF(2.0) ** 3


def test_what_is_constrained_stays_so():
    kernel = (RBF(1.0) + White(0.5)).fix("k2.noise_level")
    other = kernel.with_params(kernel__k2__noise_level=0.1)
    assert other.theta_names == ("k1.length_scale",)
    assert other.kernel.parts[1] == White(0.1)


@pytest.mark.parametrize("name", ["length", "k1__length", "k3", "k1__length_scale__x"])
def test_unknown_names_are_refused(name):
    with pytest.raises(ValueError, match="name must be one of"):
        (RBF(1.0) + White(0.5)).with_params(**{name: 1.0})


def test_a_kernel_of_the_user_without_fields():
    class Own(Kernel):
        def __call__(self, X, Z=None, *, n_threads=None):
            raise NotImplementedError

        def diag(self, X):
            raise NotImplementedError

    assert named(Own()) == {}
