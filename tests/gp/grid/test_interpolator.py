"""Interpolation on grids against Gaussian processes, SciPy and polynomials."""

import numpy as np
import pytest
from scipy import ndimage

from margin.gp import GaussianProcessRegressor, GridInterpolator
from margin.kernels import RBF, BSpline, Matern, Polynomial, Sinc, Triangle, Wendland, cardinal

RNG = np.random.default_rng(0)
TABLE = RNG.normal(size=(6, 5))
LINE = RNG.normal(size=9)
INSIDE = RNG.uniform([0, 0], [5, 4], size=(40, 2))


def process(kernel, nodes, values):
    model = GaussianProcessRegressor(kernel=kernel, alpha=0.0, optimizer=None)
    return model.fit(nodes, values)


def test_linear_interpolation_is_a_process():
    """gp.08: mean (1 - t) y_i + t y_i+1, variance 2t(1 - t)."""
    x = RNG.uniform(0, 8, 50)
    t = x - np.floor(x)
    line = GridInterpolator(LINE, method="linear", boundary="zero")
    np.testing.assert_allclose(line(x), np.interp(x, np.arange(9), LINE), atol=1e-14)
    np.testing.assert_allclose(line.variance(x), 2 * t * (1 - t), atol=1e-14)
    np.testing.assert_allclose(line.variance([1.25, 2.5, 3.0]), [0.375, 0.5, 0.0])
    exact = process(Triangle(), np.arange(9.0)[:, None], LINE)
    mean, std = exact.predict(x[:, None], return_std=True)
    np.testing.assert_allclose(line(x), mean, atol=1e-12)
    np.testing.assert_allclose(line.variance(x), std**2, atol=1e-12)


@pytest.mark.parametrize(
    "kernel", [BSpline((0.5, 2.0), degree=3), RBF((0.4, 1.5)), Triangle((1.2, 3.0)), Sinc(0.5)]
)
def test_product_kernel_on_a_grid_is_filtering(kernel):
    """gp.11: the same mean and variance as the process on all 30 nodes."""
    nodes = np.stack(np.meshgrid(1 + 0.5 * np.arange(6), 2.0 * np.arange(5), indexing="ij"), -1)
    nodes = nodes.reshape(-1, 2)
    grid = GridInterpolator(
        TABLE, method=kernel, origin=(1.0, 0.0), spacing=(0.5, 2.0), boundary="zero"
    )
    X = RNG.uniform([0.5, -1], [4, 9], size=(30, 2))
    if isinstance(kernel, Sinc):
        X[:, 1] = 2.0 * np.round(X[:, 1] / 2.0)
    mean, std = process(kernel, nodes, TABLE.ravel()).predict(X, return_std=True)
    np.testing.assert_allclose(grid(X), mean, atol=1e-8)
    np.testing.assert_allclose(grid.variance(X), std**2, atol=1e-7)


@pytest.mark.parametrize("kernel", [Matern(1.5, nu=2.5), Wendland(3.0)])
def test_any_stationary_kernel_on_one_axis(kernel):
    x = RNG.uniform(-1, 9, 20)
    line = GridInterpolator(LINE, method=kernel, boundary="zero")
    mean, std = process(kernel, np.arange(9.0)[:, None], LINE).predict(x[:, None], return_std=True)
    np.testing.assert_allclose(line(x), mean, atol=1e-9)
    np.testing.assert_allclose(line.variance(x), std**2, atol=1e-8)


@pytest.mark.parametrize(("method", "order"), [("linear", 1), ("quadratic", 2), ("cubic", 3)])
def test_agrees_with_scipy(method, order):
    """gp.10."""
    grid = GridInterpolator(TABLE, method=method)
    peer = ndimage.map_coordinates(TABLE, INSIDE.T, order=order, mode="mirror")
    np.testing.assert_allclose(grid(INSIDE), peer, atol=1e-10)


@pytest.mark.parametrize("boundary", ["zero", "mirror", "periodic"])
@pytest.mark.parametrize("method", ["linear", "catmull-rom", "quadratic", "cubic"])
def test_goes_through_the_nodes(method, boundary):
    """gp.10: the prefilter undoes the smoothing at the nodes."""
    grid = GridInterpolator(TABLE, method=method, boundary=boundary)
    np.testing.assert_allclose(grid.resample(np.arange(6), np.arange(5)), TABLE, atol=1e-12)


def test_catmull_rom_reproduces_parabolas():
    """gp.09."""
    i = np.arange(12.0)
    x = RNG.uniform(1, 10, 30)
    made = GridInterpolator(3 - i + 0.5 * i**2, method="catmull-rom")(x)
    np.testing.assert_allclose(made, 3 - x + 0.5 * x**2)
    pulse = GridInterpolator([0, 0, 1, 0, 0], method="catmull-rom")
    np.testing.assert_allclose(pulse([0.5, 1.5, 2.5, 3.5]) * 16, [-1, 9, 9, -1])


def test_a_pulse_gives_the_cardinal_function():
    x = RNG.uniform(0, 6, 20)
    nodes = np.arange(7.0)[:, None]
    pulse = GridInterpolator(np.eye(7)[3], method="cubic", boundary="zero")
    expected = cardinal(BSpline(degree=3), nodes)(x[:, None])[:, 3]
    np.testing.assert_allclose(pulse(x), expected, atol=1e-12)


def test_band_limited_signal():
    k = np.arange(-200, 201)
    signal = GridInterpolator(np.sinc(0.5 * k) ** 2, method="sinc", origin=-200, boundary="zero")
    x = np.array([-1.3, 0.4, 2.7])
    np.testing.assert_allclose(signal(x), np.sinc(0.5 * x) ** 2, atol=1e-5)


def test_resampling_is_the_same_as_asking_every_point():
    """gp.11: one axis after the other."""
    grid = GridInterpolator(TABLE, method="cubic")
    a, b = np.linspace(0, 5, 4), np.linspace(0, 4, 7)
    points = np.stack(np.meshgrid(a, b, indexing="ij"), -1).reshape(-1, 2)
    np.testing.assert_allclose(grid.resample(a, b), grid(points).reshape(4, 7), atol=1e-12)
    cube = GridInterpolator(RNG.normal(size=(4, 3, 5)), method="catmull-rom", boundary="periodic")
    np.testing.assert_allclose(
        cube.resample([1.3], [0.2], [4.9]).ravel(), cube([[1.3, 0.2, 4.9]]), atol=1e-12
    )
    np.testing.assert_allclose(cube([[1.3, 0.2, 4.9]]), cube([[5.3, 3.2, -0.1]]), atol=1e-12)


@pytest.mark.parametrize(
    ("values", "parameters", "message"),
    [
        ([], {}, "values must be an array with at least one node"),
        ([np.nan], {}, "values must be finite"),
        (["a"], {}, "values must be an array of numbers"),
        ([1.0], {"method": "quintic"}, "method must be"),
        ([1.0], {"boundary": "none"}, "boundary must be"),
        ([1.0], {"spacing": 0.0}, "spacing must be above 0"),
        ([1.0], {"origin": (1.0, 2.0)}, "origin must be"),
        ([1.0], {"method": "sinc"}, "boundary must be 'zero'"),
        ([1.0], {"method": Polynomial(2), "boundary": "zero"}, "a stationary kernel"),
        ([[1.0]], {"method": Matern(1.0), "boundary": "zero"}, "a product of kernels"),
        ([[1.0]], {"method": Triangle((1.0, 1.0, 1.0))}, "2 length scales"),
    ],
)
def test_bad_input(values, parameters, message):
    with pytest.raises(ValueError, match=message):
        GridInterpolator(values, **parameters)


def test_bad_questions():
    grid = GridInterpolator(TABLE)
    with pytest.raises(ValueError, match="X must be of shape"):
        grid([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="X must be finite"):
        grid([[1.0, np.nan]])
    with pytest.raises(ValueError, match="'zero' for the variance"):
        grid.variance([[1.0, 1.0]])
    with pytest.raises(ValueError, match="2 lists of coordinates"):
        grid.resample([1.0])
    assert grid(np.empty((0, 2))).shape == (0,)
