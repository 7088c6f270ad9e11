"""Magnetic sensors under parking spaces: generated readings with known occupancy."""

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.core.types import Bools, Floats, Places
from margin.datasets import _requirements as require
from margin.datasets._tabular import tabular
from margin.datasets.tables._parking_features import parking_features


def make_parking(
    n_lots: int = 2,
    n_sensors: int = 6,
    *,
    n_days: int = 21,
    readings_per_hour: int = 1,
    coupling: float = 0.2,
    noise: float = 0.08,
    as_frame: bool = False,
    random_state: Any = None,
) -> Bunch:
    r"""Is the space occupied? Three weeks of readings of magnetic sensors.

    Serves datasets.10. A vehicle over sensor :math:`s` bends the field by a vector :math:`v_s` that
    depends on its steel and place, strongest along Z, hardly along X; the reading is
    :math:`g_s R_s (v_s + c \sum_{s' \sim s} v_{s'}) + o_s + \text{center}_s(t) + \sigma\varepsilon`
    with the gain, misalignment and offset of the sensor, a weak coupling :math:`c` of neighbours
    and a center that follows the temperature. Spaces fill by day and are empty at night.

    Parameters
    ----------
    n_lots, n_sensors : int
        Number of lots and of sensors in the row of each, at least 2.
    n_days, readings_per_hour : int
        Length and density of the record.
    coupling, noise : float
        :math:`c` and :math:`\sigma`, in units of the deviation by a typical vehicle.
    as_frame : bool
        Return the features as pandas objects.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data``, ``target``, ``feature_names``: what :func:`parking_features` derives, one row per
        reading but the first, and whether the space is occupied; ``groups``, the sensor of each
        row, and ``lot_of_row``, for validation on unseen sensors or lots; the raw ``readings`` and
        ``center`` (n_times, n_sensors in all, 3), ``occupied``, ``rest`` (lot empty), ``hour``,
        ``lot``; the ``gain``, ``offset`` and ``misalignment`` (radians) of each sensor.

    Notes
    -----
    The physical set-up is the curriculum's; the numbers are invented.

    Examples
    --------
    >>> import numpy as np
    >>> parking = make_parking(n_days=7, random_state=0)
    >>> parking.readings.shape, parking.data.shape
    ((168, 12, 3), (2004, 14))
    >>> r = parking.data[:, parking.feature_names.index("r")]
    >>> bool(np.median(r[parking.target == 1]) > 2 * np.median(r[parking.target == 0]))
    True
    """
    owner = "make_parking"
    require.count(owner, n_lots=n_lots, n_days=n_days, readings_per_hour=readings_per_hour)
    require.count(owner, minimum=2, n_sensors=n_sensors)
    require.between(owner, 0, coupling=coupling, noise=noise)
    rng = generator(random_state)
    total = n_lots * n_sensors
    lot = np.repeat(np.arange(n_lots), n_sensors)
    hour = (np.arange(n_days * 24 * readings_per_hour) / readings_per_hour) % 24
    field = _vehicles(hour, readings_per_hour, total, rng)
    occupied: Bools = np.asarray(field.any(axis=2))
    turns = 0.1 * rng.standard_normal((total, 3))
    gain, offset = rng.normal(1, 0.15, total).clip(0.5), rng.normal(0, 0.5, (total, 3))
    felt = field + coupling * _neighbours(field, lot)
    seen = np.einsum("sij,tsj->tsi", Rotation.from_rotvec(turns).as_matrix(), felt)
    center = _center(hour, readings_per_hour, total, rng)
    readings = gain[:, None] * seen + offset + center
    readings += noise * rng.standard_normal(readings.shape)
    empty = np.stack([~occupied[:, lot == here].any(axis=1) for here in range(n_lots)], axis=1)
    rest = empty[:, lot]
    features = parking_features(readings, center, rest, lot, hour)
    return tabular(
        features.data,
        occupied[features.time, features.sensor].astype(np.int64),
        feature_names=features.feature_names,
        target_name="occupied",
        target_names=["free", "occupied"],
        as_frame=as_frame,
        groups=features.sensor,
        lot_of_row=lot[features.sensor],
        readings=readings,
        center=center,
        occupied=occupied,
        rest=rest,
        hour=hour,
        lot=lot,
        gain=gain,
        offset=offset,
        misalignment=np.linalg.norm(turns, axis=1),
        DESCR="Magnetic sensors under parking spaces, generated.",
    )


def _vehicles(hour: Floats, per_hour: int, total: int, rng: np.random.Generator) -> Floats:
    """Deviation of the field over each space at each time; zero where nobody parks."""
    night = (hour < 5) | (hour >= 23)
    arrive = np.where((hour >= 7) & (hour < 19), 0.3, 0.05)
    leave = np.where(hour >= 15, 0.3, 0.1)
    arrive = np.where(night, 0.0, 1 - (1 - arrive) ** (1 / per_hour))
    leave = np.where(night, 1.0, 1 - (1 - leave) ** (1 / per_hour))
    field = np.zeros((len(hour), total, 3))
    here = np.zeros((total, 3))
    for time in range(len(hour)):
        chance = rng.random(total)
        vehicle = _signatures(total, rng)
        parked = here.any(axis=1)
        comes, goes = ~parked & (chance < arrive[time]), parked & (chance < leave[time])
        here = np.where(comes[:, None], vehicle, np.where(goes[:, None], 0.0, here))
        field[time] = here
    return field


def _signatures(n: int, rng: np.random.Generator) -> Floats:
    """Every vehicle differs: its steel sets the size, its place the direction between Y and Z."""
    steel = np.exp(0.3 * rng.standard_normal(n))
    tilt = rng.uniform(-1.4, 1.4, n)
    across = 0.05 * rng.standard_normal(n)
    direction = np.column_stack([across, np.sin(tilt), np.cos(tilt)])
    return np.asarray(steel[:, None] * direction)


def _neighbours(field: Floats, lot: Places) -> Floats:
    """Sum over the spaces to the left and right in the same lot."""
    beside = lot[1:] == lot[:-1]
    total = np.zeros_like(field)
    total[:, 1:][:, beside] += field[:, :-1][:, beside]
    total[:, :-1][:, beside] += field[:, 1:][:, beside]
    return total


def _center(hour: Floats, per_hour: int, total: int, rng: np.random.Generator) -> Floats:
    """Daily temperature and a slow drift, felt by every sensor along its own direction."""
    daily = 0.6 * np.cos(2 * np.pi * (hour - 15) / 24)
    drift = np.cumsum(rng.standard_normal(len(hour))) * 0.05 / np.sqrt(per_hour)
    direction = rng.standard_normal((total, 3)) / np.sqrt(3)
    return np.asarray((daily + drift)[:, None, None] * direction)
