"""Curves against the certified values of NIST's Statistical Reference Datasets.

From the first, far, start of every set; coefficients, their standard errors and the residual sum
of squares to the digits that are certified, as far as derivatives by differences allow.
"""

from typing import NamedTuple

import numpy as np
import pytest

from margin.linear import NonlinearLeastSquares


class Curve(NamedTuple):
    function: object
    start: tuple
    x: str
    y: str
    params: tuple
    errors: tuple
    residual: float


def saturation(X, b):
    return b[0] * (1 - np.exp(-b[1] * X[:, 0]))


def power(X, b):
    return b[0] * X[:, 0] ** b[1]


def growth(X, b):
    return b[0] / (1 + np.exp(b[1] - b[2] * X[:, 0]))


def ratio(X, b):
    x = X[:, 0]
    return b[0] * (x**2 + x * b[1]) / (x**2 + x * b[2] + b[3])


CURVES = {
    "Misra1a": Curve(
        saturation,
        (500.0, 1e-4),
        "77.6 114.9 141.1 190.8 239.9 289 332.8 378.4 434.8 477.3 536.8 593.1 689.1 760",
        "10.07 14.73 17.94 23.93 29.61 35.18 40.02 44.82 50.76 55.05 61.01 66.4 75.47 81.78",
        (2.3894212918e2, 5.5015643181e-4),
        (2.7070075241, 7.2668688436e-6),
        1.2455138894e-1,
    ),
    "BoxBOD": Curve(
        saturation,
        (100.0, 0.75),
        "1 2 3 5 7 10",
        "109 149 149 191 213 224",
        (2.1380940889e2, 5.4723748542e-1),
        (1.2354515176e1, 1.0455993237e-1),
        1.1680088766e3,
    ),
    "DanWood": Curve(
        power,
        (1.0, 5.0),
        "1.309 1.471 1.49 1.565 1.611 1.68",
        "2.138 3.421 3.597 4.34 4.882 5.66",
        (7.6886226176e-1, 3.8604055871),
        (1.8281973860e-2, 5.1726610913e-2),
        4.3173084083e-3,
    ),
    "Rat42": Curve(
        growth,
        (100.0, 1.0, 0.1),
        "9 14 21 28 42 57 63 70 79",
        "8.93 10.8 18.59 22.33 39.35 56.11 61.73 64.62 67.08",
        (7.2462237576e1, 2.6180768402, 6.7359200066e-2),
        (1.7340283401, 8.8295217536e-2, 3.4465663377e-3),
        8.0565229338,
    ),
    "MGH09": Curve(
        ratio,
        (0.25, 0.39, 0.415, 0.39),
        "4 2 1 0.5 0.25 0.167 0.125 0.1 0.0833 0.0714 0.0625",
        "0.1957 0.1947 0.1735 0.16 0.0844 0.0627 0.0456 0.0342 0.0323 0.0235 0.0246",
        (1.9280693458e-1, 1.9128232873e-1, 1.2305650693e-1, 1.3606233068e-1),
        (1.1435312227e-2, 1.9633220911e-1, 8.0842031232e-2, 9.0025542308e-2),
        3.0750560385e-4,
    ),
}


@pytest.mark.parametrize("name", CURVES)
def test_certified_curves(name):
    curve = CURVES[name]
    X, y = np.array(curve.x.split(), dtype=float)[:, None], np.array(curve.y.split(), dtype=float)
    model = NonlinearLeastSquares(function=curve.function, p0=curve.start, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(model.params_, curve.params, rtol=2e-7)
    np.testing.assert_allclose(np.sqrt(np.diag(model.covariance_)), curve.errors, rtol=1e-6)
    residual = model.noise_variance_ * (len(y) - len(curve.params))
    assert residual == pytest.approx(curve.residual, rel=1e-9)
