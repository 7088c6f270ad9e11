"""Cholera in London: the law of elevation that held, and the water pump that explained it."""

from typing import Any

import numpy as np
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.datasets import _requirements as require
from margin.datasets._tabular import tabular


def make_farr_cholera(
    n_districts: int = 38,
    *,
    zero_elevation: float = -13.0,
    strength: float = 0.23,
    population: int = 60_000,
    as_frame: bool = False,
    random_state: Any = None,
) -> Bunch:
    r"""Deaths by district under the law that the statistician read off the elevation.

    Serves datasets.14: the proportion of deaths at elevation :math:`E_i` (in feet) is
    :math:`Y_i = k / (E_i - E_0)`, hence :math:`Y_i / Y_{i'} = (E_{i'} - E_0) / (E_i - E_0)`.
    Deaths are binomial. The law describes, it does not explain: see :func:`make_snow_cholera`.

    Parameters
    ----------
    n_districts : int
        Number of districts.
    zero_elevation : float
        :math:`E_0`, below every district (elevations are 0 to 350 feet).
    strength : float
        :math:`k`; the largest proportion, :math:`-k/E_0`, must not exceed 1.
    population : int
        Mean number of inhabitants of a district.
    as_frame : bool
        Return pandas objects.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data`` with elevation and population, ``target`` the number of deaths; ``rate``, the true
        proportions; ``zero_elevation``, ``strength``.

    Examples
    --------
    >>> import numpy as np
    >>> london = make_farr_cholera(random_state=0)
    >>> E, E0 = london.data[:, 0], london.zero_elevation
    >>> bool(np.isclose(london.rate[0] / london.rate[1], (E[1] - E0) / (E[0] - E0)))
    True
    """
    owner = "make_farr_cholera"
    require.count(owner, n_districts=n_districts, population=population)
    require.between(owner, high=0, open_high=True, zero_elevation=zero_elevation)
    require.between(owner, 0, -zero_elevation, open_low=True, strength=strength)
    rng = generator(random_state)
    # Most of London lies low: squared uniforms crowd the river.
    elevation = 350.0 * rng.random(n_districts) ** 2
    inhabitants = 1 + rng.poisson(population * rng.uniform(0.5, 1.5, n_districts))
    rate = strength / (elevation - zero_elevation)
    return tabular(
        np.column_stack([elevation, inhabitants]),
        rng.binomial(inhabitants, rate),
        feature_names=["elevation", "population"],
        target_name="deaths",
        as_frame=as_frame,
        rate=rate,
        zero_elevation=zero_elevation,
        strength=strength,
        DESCR="Deaths from cholera by district and elevation, generated from the hyperbolic law.",
    )


def make_snow_cholera(
    n_houses: int = 2000,
    *,
    n_pumps: int = 12,
    n_contaminated: int = 3,
    attack_rate: float = 0.4,
    background_rate: float = 0.02,
    as_frame: bool = False,
    random_state: Any = None,
) -> Bunch:
    r"""Houses, pumps and illness: elevation is associated with illness only through the water.

    Serves datasets.14. Every house of the unit square takes water from its nearest pump; the
    pumps closest to the river (the lower edge) are contaminated; elevation rises from the river.
    Illness depends on the pump alone,
    :math:`p(\text{ill} \mid \text{pump}, \text{elevation}) = p(\text{ill} \mid \text{pump})`,
    yet is associated with elevation as long as the pump is left out.

    Parameters
    ----------
    n_houses, n_pumps, n_contaminated : int
        Sizes; the contaminated pumps are the lowest ones.
    attack_rate, background_rate : float
        Probability of illness with contaminated and with clean water.
    as_frame : bool
        Return pandas objects.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data`` with east, north, elevation (feet), pump; ``target`` 1 if ill; ``pumps``, their
        places; ``contaminated``, one flag per pump; ``rate``, the true probability of each house.

    Examples
    --------
    >>> soho = make_snow_cholera(random_state=1)
    >>> dirty = soho.contaminated[soho.data[:, 3].astype(int)]
    >>> round(float(soho.target[dirty].mean()), 2), round(float(soho.target[~dirty].mean()), 2)
    (0.4, 0.02)
    """
    owner = "make_snow_cholera"
    require.count(owner, n_houses=n_houses, n_pumps=n_pumps)
    require.count(owner, minimum=0, n_contaminated=n_contaminated)
    require.between(owner, 0, n_pumps, n_contaminated=n_contaminated)
    require.between(owner, 0, 1, attack_rate=attack_rate, background_rate=background_rate)
    rng = generator(random_state)
    pumps = rng.random((n_pumps, 2))
    contaminated = np.zeros(n_pumps, dtype=bool)
    contaminated[np.argsort(pumps[:, 1])[:n_contaminated]] = True
    houses = rng.random((n_houses, 2))
    elevation = 100.0 * houses[:, 1] + 5.0 * rng.standard_normal(n_houses)
    pump = np.linalg.norm(houses[:, None] - pumps[None], axis=2).argmin(axis=1)
    rate = np.where(contaminated[pump], attack_rate, background_rate)
    return tabular(
        np.column_stack([houses, elevation, pump]),
        (rng.random(n_houses) < rate).astype(np.int64),
        feature_names=["east", "north", "elevation", "pump"],
        target_name="ill",
        target_names=["no", "yes"],
        as_frame=as_frame,
        pumps=pumps,
        contaminated=contaminated,
        rate=rate,
        DESCR="Houses, their nearest pumps and cholera, generated.",
    )
