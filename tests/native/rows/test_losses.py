"""The compiled loss sweeps against NumPy twins, extended precision and degenerate input."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit, log_softmax, softmax, xlogy

from margin.native import _native
from margin.native.rows.losses import LOGISTIC, POISSON, SQUARED, loss_sweep, softmax_sweep

BLOCK = 4096  # rows that are summed as one unit


def squared_twin(z, y):
    return 0.5 * (z - y) ** 2, z - y, np.ones_like(z)


def logistic_twin(z, y):
    value = np.logaddexp(0.0, z) - y * z
    return value, expit(z) - y, expit(z) * expit(-z)


def poisson_twin(z, y):
    return np.exp(z) - y * z + xlogy(y, y) - y, np.exp(z) - y, np.exp(z)


TWINS = {SQUARED: squared_twin, LOGISTIC: logistic_twin, POISSON: poisson_twin}


def sample(loss, n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n) if loss == SQUARED else rng.integers(2, size=n).astype(float)
    y = rng.integers(9, size=n).astype(float) if loss == POISSON else y
    return rng.normal(scale=3.0, size=n), y, rng.random(n)


def swept(loss, z, y, weight=None, n_threads=1):
    slope, curvature = np.full(len(z), np.nan), np.full(len(z), np.nan)
    return loss_sweep(loss, z, y, weight, slope, curvature, n_threads), slope, curvature


@pytest.mark.parametrize("loss", [SQUARED, LOGISTIC, POISSON])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 8, 9, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_sweep_agrees_with_numpy(loss, n, weighted):
    """losses.02, losses.08: value, slope and curvature at every length around the blocks."""
    z, y, weight = sample(loss, n)
    total, slope, curvature = swept(loss, z, y, weight if weighted else None)
    value, g, h = TWINS[loss](z, y)
    s = weight if weighted else np.ones(n)
    assert_allclose(total, np.sum(s * value), rtol=1e-12)
    assert_allclose(slope, s * g, rtol=1e-12, atol=1e-15)
    assert_allclose(curvature, s * h, rtol=1e-12)


@pytest.mark.parametrize("loss", [SQUARED, LOGISTIC, POISSON])
def test_sweep_is_the_same_to_the_bit_for_any_number_of_threads(loss):
    z, y, weight = sample(loss, 5 * BLOCK + 17)
    one = swept(loss, z, y, weight, n_threads=1)
    for n_threads in (2, 3, 8):
        other = swept(loss, z, y, weight, n_threads=n_threads)
        assert other[0] == one[0]
        assert_array_equal(other[1], one[1])
        assert_array_equal(other[2], one[2])


@pytest.mark.parametrize("loss", [SQUARED, LOGISTIC, POISSON])
def test_no_weight_is_weight_one_and_weight_zero_is_absence(loss):
    z, y, weight = sample(loss, 100)
    assert_allclose(swept(loss, z, y)[0], swept(loss, z, y, np.ones(100))[0], rtol=1e-14)
    weight[::3] = 0.0
    total, slope, curvature = swept(loss, z, y, weight)
    kept = weight > 0
    assert_allclose(total, swept(loss, z[kept], y[kept], weight[kept])[0], rtol=1e-14)
    assert not slope[~kept].any()
    assert not curvature[~kept].any()
    assert swept(loss, z, y, np.zeros(100))[0] == 0.0


@pytest.mark.parametrize("loss", [SQUARED, LOGISTIC, POISSON])
def test_ties_give_equal_answers_in_every_lane(loss):
    """A constant vector must not depend on where an entry falls in a vector register."""
    z, y = np.full(1003, 0.7), np.full(1003, 1.0)
    total, slope, curvature = swept(loss, z, y)
    assert len(set(slope)) == len(set(curvature)) == 1
    assert_allclose(total, 1003 * swept(loss, z[:1], y[:1])[0], rtol=1e-13)


@pytest.mark.parametrize("loss", [SQUARED, LOGISTIC, POISSON])
def test_without_curvature_value_and_slope_are_the_same(loss):
    z, y, weight = sample(loss, 300)
    slope = np.empty(300)
    assert loss_sweep(loss, z, y, weight, slope, None, 1) == swept(loss, z, y, weight)[0]
    assert_array_equal(slope, swept(loss, z, y, weight)[1])


@pytest.mark.parametrize("loss", [SQUARED, LOGISTIC, POISSON])
def test_nan_stays_where_it_is(loss):
    """A NaN reaches the sum and its own entries, and no neighbour."""
    z, y, _ = sample(loss, 50)
    z[11] = np.nan
    total, slope, curvature = swept(loss, z, y)
    assert np.isnan(total)
    assert np.flatnonzero(np.isnan(slope)).tolist() == [11]
    if loss == LOGISTIC:
        assert np.flatnonzero(np.isnan(curvature)).tolist() == [11]


def scores():
    rng = np.random.default_rng(0)
    tiny = np.geomspace(1e-300, 1, 200)
    return np.concatenate(
        [np.linspace(-800, 800, 4001), rng.normal(size=3000), tiny, -tiny, [0.0, -0.0]]
    )


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no extended precision here")
@pytest.mark.parametrize("y", [0.0, 1.0])
def test_logistic_is_accurate_to_a_few_ulp(y):
    """losses.08: the branch-free exp and log1p against extended precision, z in [-800, 800].

    Beyond 708 the exponential is held at about 3e-308 instead of becoming subnormal.
    """
    z = scores()
    target = np.full_like(z, y)
    value = np.array([swept(LOGISTIC, z[i : i + 1], target[i : i + 1])[0] for i in range(len(z))])
    _, slope, curvature = swept(LOGISTIC, z, target)

    x = np.longdouble(1.0 if y == 0 else -1.0) * z.astype(np.longdouble)  # loss is log(1 + e^x)
    e = np.exp(-np.abs(x))
    near_one = 1 / (1 + e)
    exact_slope = np.where(x >= 0, near_one, e * near_one) * (1 if y == 0 else -1)
    found = {
        "value": (value, np.maximum(x, 0) + np.log1p(e)),
        "slope": (slope, exact_slope),
        "curvature": (curvature, e * near_one**2),
    }
    inside = np.abs(z) <= 708
    for name, (given, exact) in found.items():
        error = np.abs(given.astype(np.longdouble) - exact)
        ulp = np.spacing(np.abs(exact).astype(np.float64))
        assert (error / ulp)[inside].max() < 6, name
        assert np.all(error[~inside] <= np.maximum(6 * ulp[~inside], 4e-308)), name


def test_logistic_never_exceeds_its_bounds():
    """Slopes within [-1, 1], curvature within [0, 1/4], value above the hinge, no overflow."""
    z = np.concatenate([scores(), [1e6, -1e6, 1e300, -1e300]])
    for y in (0.0, 1.0):
        total, slope, curvature = swept(LOGISTIC, z, np.full_like(z, y))
        assert np.isfinite(total)
        assert np.abs(slope).max() <= 1
        assert curvature.min() >= 0
        assert curvature.max() <= 0.25
        assert np.all((slope >= 0) if y == 0 else (slope <= 0))


def test_logistic_at_infinity():
    """The wrong side costs infinity; the slope is one, the curvature nothing."""
    total, slope, curvature = swept(LOGISTIC, np.array([np.inf]), np.array([0.0]))
    assert total == np.inf
    assert_allclose(slope, 1.0)
    assert_allclose(curvature, 0.0, atol=1e-300)
    total, slope, _ = swept(LOGISTIC, np.array([-np.inf]), np.array([1.0]))
    assert total == np.inf
    assert_allclose(slope, -1.0)


def test_poisson_is_accurate_where_the_mean_is_the_count():
    """Half a deviance of order s squared, to its own digits, and counts of every size."""
    y = np.geomspace(1e-3, 1e9, 50)
    s = 1e-5
    for k in range(50):
        z = np.log(y[k : k + 1]) + s
        value, slope, _ = swept(POISSON, z, y[k : k + 1])
        shift = float(z[0] - np.log(y[k]))
        assert_allclose(value, y[k] * 0.5 * shift**2 * (1 + shift / 3), rtol=1e-9)
        assert_allclose(slope, y[k] * np.expm1(s), rtol=1e-9)
    for z in (-750.0, -30.0, 0.0, 30.0, 700.0):
        value, slope, bend = swept(POISSON, np.array([z]), np.zeros(1))
        assert_allclose([value, slope[0], bend[0]], np.exp(z), rtol=1e-14, atol=1e-300)


def test_sweep_refuses_what_it_cannot_do():
    z, y, weight = sample(LOGISTIC, 10)
    out = np.empty(10)
    with pytest.raises(ValueError, match="arrays of different length"):
        loss_sweep(LOGISTIC, z, y[:9], None, out, None, 1)
    with pytest.raises(ValueError, match="arrays of different length"):
        loss_sweep(LOGISTIC, z, y, weight[:9], out, None, 1)
    with pytest.raises(ValueError, match="arrays of different length"):
        loss_sweep(LOGISTIC, z, y, None, out[:9], None, 1)
    with pytest.raises(ValueError, match="arrays of different length"):
        loss_sweep(LOGISTIC, z, y, None, out, out[:9], 1)
    with pytest.raises(ValueError, match="unknown loss"):
        loss_sweep(99, z, y, None, out, None, 1)


def test_sweep_refuses_arrays_it_would_have_to_copy():
    """A converted output would be filled and thrown away, so nothing is converted."""
    z, y, _ = sample(LOGISTIC, 10)
    out = np.zeros(10)
    locked = np.zeros(10)
    locked.flags.writeable = False
    for slope in (np.zeros(20)[::2], np.zeros(10, dtype=np.float32), locked):
        with pytest.raises(TypeError):
            loss_sweep(LOGISTIC, z, y, None, slope, None, 1)
        with pytest.raises(TypeError):
            loss_sweep(LOGISTIC, z, y, None, out, slope, 1)
    for bad in (np.repeat(z, 2)[::2], z.astype(np.float32), z.astype(int), z[:, None]):
        with pytest.raises(TypeError):
            loss_sweep(LOGISTIC, bad, y, None, out, None, 1)
    z.flags.writeable = False
    assert np.isfinite(loss_sweep(LOGISTIC, z, y, None, out, None, 1))


def softmax_sample(n, k, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(scale=3.0, size=(n, k)), rng.integers(k, size=n), rng.random(n)


def softmax_swept(z, code, weight=None, n_threads=1):
    slope, p = np.full(z.shape, np.nan), np.full(z.shape, np.nan)
    return softmax_sweep(z, code, weight, slope, p, n_threads), slope, p


@pytest.mark.parametrize(("n", "k"), [(0, 3), (1, 1), (1, 5), (50, 2), (1500, 3), (20, 5000)])
@pytest.mark.parametrize("weighted", [False, True])
def test_softmax_agrees_with_numpy(n, k, weighted):
    """losses.12: value, slope and probabilities, from one class to more than a block of them."""
    z, code, weight = softmax_sample(n, k)
    total, slope, p = softmax_swept(z, code, weight if weighted else None)
    s = weight if weighted else np.ones(n)
    logs = log_softmax(z, axis=1)
    assert_allclose(total, -np.sum(s * logs[np.arange(n), code]), rtol=1e-12, atol=1e-14)
    assert_allclose(p, softmax(z, axis=1), rtol=1e-12)
    wanted = softmax(z, axis=1)
    wanted[np.arange(n), code] -= 1
    assert_allclose(slope, s[:, None] * wanted, atol=1e-14)
    assert_allclose(p.sum(axis=1), 1.0, rtol=1e-14)


def test_softmax_is_the_same_to_the_bit_for_any_number_of_threads():
    z, code, weight = softmax_sample(6000, 4)
    one = softmax_swept(z, code, weight)
    for n_threads in (2, 3, 8):
        other = softmax_swept(z, code, weight, n_threads)
        assert other[0] == one[0]
        assert_array_equal(other[1], one[1])
        assert_array_equal(other[2], one[2])


def test_softmax_of_huge_and_tied_scores():
    """No overflow, exact ties, and a certain class costs nothing."""
    z = np.array([[1e300, -1e300], [5.0, 5.0], [0.0, -np.inf], [-1e5, -1e5 - 1]])
    total, _, p = softmax_swept(z, np.array([0, 1, 0, 1]))
    assert_allclose(p, [[1, 0], [0.5, 0.5], [1, 0], [expit(1.0), expit(-1.0)]], atol=1e-300)
    assert_allclose(total, np.log(2) + np.log1p(np.e))


def test_softmax_zero_weight_is_absence_and_nan_is_kept_in_its_row():
    z, code, weight = softmax_sample(30, 3)
    weight[::2] = 0.0
    total, slope, _ = softmax_swept(z, code, weight)
    kept = weight > 0
    assert_allclose(total, softmax_swept(z[kept], code[kept], weight[kept])[0], rtol=1e-13)
    assert not slope[~kept].any()
    for column in range(3):
        broken = z.copy()
        broken[7, column] = np.nan
        total, slope, p = softmax_swept(broken, code, weight)
        assert np.isnan(total)
        assert np.flatnonzero(np.isnan(p).any(axis=1)).tolist() == [7]
        assert np.flatnonzero(np.isnan(slope).any(axis=1)).tolist() == [7]


def test_softmax_refuses_what_it_cannot_do():
    z, code, weight = softmax_sample(10, 3)
    out = np.empty((10, 3))
    for bad in (-1, 3, 2**40):
        wrong = code.copy()
        wrong[4] = bad
        with pytest.raises(ValueError, match="class code out of range"):
            softmax_sweep(z, wrong, None, out, None, 1)
    for arguments in (
        (z, code[:9], None, out, None),
        (z, code, weight[:9], out, None),
        (z, code, None, np.empty((10, 2)), None),
        (z, code, None, np.empty((9, 3)), None),
        (z, code, None, out, np.empty((10, 2))),
    ):
        with pytest.raises(ValueError, match="arrays of different shape"):
            softmax_sweep(*arguments, 1)
    with pytest.raises(ValueError, match="at least one column"):
        softmax_sweep(np.empty((0, 0)), code[:0], None, np.empty((0, 0)), None, 1)
    for slope in (np.empty((3, 10)).T, np.empty((10, 3), dtype=np.float32)):
        with pytest.raises(TypeError):
            softmax_sweep(z, code, None, slope, None, 1)
    with pytest.raises(TypeError):
        softmax_sweep(z, code.astype(np.int32), None, out, None, 1)


def test_build_info_names_the_compiler():
    info = _native.build_info()
    assert set(info) == {"compiler", "openmp", "simd"}
    assert _native.max_threads() >= 1
