"""Which hyper-parameters ended at a bound."""

from sklearn.gaussian_process import kernels as sk

from margin.kernels.foreign._at_bounds import at_bounds


def test_names_parameter_dimension_and_bound():
    kernel = sk.WhiteKernel(0.5, "fixed") + sk.RBF([1.0, 5.0, 9.0], (1.0, 9.0))
    lower, upper = at_bounds(kernel)
    assert "dimension 0 of parameter k2__length_scale" in lower
    assert "lower bound 1.0. Decreasing the bound" in lower
    assert "dimension 2" in upper
    assert "upper bound 9.0. Increasing the bound" in upper


def test_nothing_to_say_inside():
    assert at_bounds(sk.RBF(1.0) * 2.0) == ()
