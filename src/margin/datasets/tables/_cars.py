"""A table of cars with a known law of fuel consumption."""

from typing import Any

import numpy as np
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.datasets import _requirements as require
from margin.datasets._categorical import draw
from margin.datasets._tabular import tabular

_CYLINDERS = np.array([4, 6, 8])
_ORIGINS = ["usa", "europe", "japan"]
_ORIGIN = np.array([0.62, 0.18, 0.20])
_CYLINDERS_OF_ORIGIN = np.array([[0.3, 0.3, 0.4], [0.93, 0.07, 0.0], [0.92, 0.08, 0.0]])
_DISPLACEMENT = np.array([110.0, 220.0, 340.0])  # cubic inches, by number of cylinders
_LAW = {"intercept": np.log(22.0), "weight": -0.7, "horsepower": -0.25, "year": 0.03}


def make_cars(
    n_samples: int = 400,
    *,
    noise: float = 0.1,
    as_frame: bool = False,
    random_state: Any = None,
) -> Bunch:
    r"""Cars of the 1970s, invented: cylinders drive everything, consumption follows a law.

    Serves datasets.16:
    :math:`\log \text{mpg} = \log 22 - 0.7 \log(\text{weight}/3000)
    - 0.25 \log(\text{hp}/100) + 0.03\,(\text{year} - 76) + \sigma\varepsilon`.
    Number of cylinders and origin act on the consumption only through weight and power, and the
    cars fall into visible groups by their cylinders, as a parallel-coordinates plot shows.

    Parameters
    ----------
    n_samples : int
        Number of cars.
    noise : float
        :math:`\sigma`, the relative scatter of the consumption.
    as_frame : bool
        Return pandas objects, with origin in words.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data`` with cylinders, displacement (cubic inches), horsepower, weight (pounds),
        acceleration (seconds to 60 mph), year, origin; ``target`` miles per gallon; ``law``, the
        coefficients; ``expected_log_mpg``, the law without noise.

    Examples
    --------
    >>> cars = make_cars(random_state=0)
    >>> eight = cars.data[:, 0] == 8
    >>> round(float(cars.target[eight].mean()), 1), round(float(cars.target[~eight].mean()), 1)
    (16.8, 26.4)
    """
    require.count("make_cars", n_samples=n_samples)
    require.between("make_cars", 0, noise=noise)
    rng = generator(random_state)
    origin = rng.choice(3, size=n_samples, p=_ORIGIN)
    size = draw(_CYLINDERS_OF_ORIGIN[origin], rng)
    scatter = rng.standard_normal((n_samples, 5))
    displacement = _DISPLACEMENT[size] * np.exp(0.12 * scatter[:, 0])
    weight = (1450 + 7.8 * displacement) * np.exp(0.06 * scatter[:, 1])
    horsepower = (35 + 0.36 * displacement) * np.exp(0.13 * scatter[:, 2])
    acceleration = 3 + 0.42 * weight / horsepower + scatter[:, 3]
    year = rng.integers(70, 83, size=n_samples)
    law = dict(_LAW)
    expected = (
        law["intercept"]
        + law["weight"] * np.log(weight / 3000)
        + law["horsepower"] * np.log(horsepower / 100)
        + law["year"] * (year - 76)
    )
    return tabular(
        np.column_stack(
            [_CYLINDERS[size], displacement, horsepower, weight, acceleration, year, origin]
        ),
        np.exp(expected + noise * scatter[:, 4]),
        feature_names=[
            "cylinders",
            "displacement",
            "horsepower",
            "weight",
            "acceleration",
            "year",
            "origin",
        ],
        target_name="mpg",
        labels={"origin": _ORIGINS},
        as_frame=as_frame,
        law=law,
        noise=noise,
        expected_log_mpg=expected,
        DESCR="Cars with a known law of fuel consumption, generated.",
    )
