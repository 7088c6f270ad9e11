"""From raw magnetic readings to features that can be compared between sensors."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Bunch

from margin.core.types import Bools, Floats, Places

_NAMES = [
    *("x", "y", "z"),
    *("r", "polar", "azimuth"),
    *("dx", "dy", "dz", "dr", "turn"),
    "neighbour_r",
    *("hour_sin", "hour_cos"),
]


def parking_features(
    readings: ArrayLike,
    center: ArrayLike,
    rest: ArrayLike,
    lot: ArrayLike,
    hour: ArrayLike,
) -> Bunch:
    r"""Make the readings of all sensors comparable, then describe them.

    Serves datasets.10, in four steps: (1) signal = reading - center; (2) subtract the median of
    the rest readings of each sensor, which removes its offset; (3) subtract, per axis, the smallest
    rest reading of all sensors, so that rest readings are nonnegative; (4) spherical coordinates
    :math:`r = \|v\|`, :math:`\cos(\text{polar}) = z/r`,
    :math:`\tan(\text{azimuth}) = y/x`. Rest readings are those of an entirely empty lot.

    Parameters
    ----------
    readings, center : array-like of shape (n_times, n_sensors, 3)
        Raw readings, and the slow part that is not due to vehicles.
    rest : array-like of bool, shape (n_times, n_sensors)
        Whether the sensor's whole lot is empty; at least once for every sensor.
    lot : array-like of shape (n_sensors,)
        Lot of each sensor; sensors of a lot stand next to each other in this order.
    hour : array-like of shape (n_times,)
        Time of day in hours.

    Returns
    -------
    Bunch
        ``data`` with the columns ``feature_names``: signal, spherical coordinates, their change
        since the previous reading with the angle ``turn`` between the two, the mean r of the
        neighbours (NaN for a lone sensor) and the time of day on a circle; ``time`` and ``sensor``
        of each row. The first reading has no predecessor and gives no row.

    Examples
    --------
    >>> import numpy as np
    >>> readings = np.zeros((3, 2, 3))
    >>> readings[2, 0] = [0.0, 3.0, 4.0]
    >>> rest = np.array([[True, True], [True, True], [False, False]])
    >>> out = parking_features(readings, np.zeros((3, 2, 3)), rest, [0, 0], [0, 1, 2])
    >>> out.data[2, out.feature_names.index("r")]
    np.float64(5.0)
    """
    v, quiet, lots, hours = _checked(readings, center, rest, lot, hour)
    v = v - np.nanmedian(np.where(quiet[:, :, None], v, np.nan), axis=0)
    v = v - v[quiet].min(axis=0)
    r = np.linalg.norm(v, axis=2)
    length = np.where(r > 0, r, 1.0)
    polar = np.arccos(np.clip(v[..., 2] / length, -1, 1))
    azimuth = np.arctan2(v[..., 1], v[..., 0])
    cosine = (v[1:] * v[:-1]).sum(axis=2) / (length[1:] * length[:-1])
    angle = np.broadcast_to(2 * np.pi * hours[1:, None] / 24, r[1:].shape)
    columns = [
        *np.moveaxis(v[1:], 2, 0),
        *(r[1:], polar[1:], azimuth[1:]),
        *np.moveaxis(np.diff(v, axis=0), 2, 0),
        np.diff(r, axis=0),
        np.arccos(np.clip(cosine, -1, 1)),
        _beside(r, lots)[1:],
        *(np.sin(angle), np.cos(angle)),
    ]
    time, sensor = np.indices(r[1:].shape)
    return Bunch(
        data=np.stack([column.ravel() for column in columns], axis=1),
        feature_names=list(_NAMES),
        time=time.ravel() + 1,
        sensor=sensor.ravel(),
    )


def _checked(
    readings: ArrayLike, center: ArrayLike, rest: ArrayLike, lot: ArrayLike, hour: ArrayLike
) -> tuple[Floats, Bools, Places, Floats]:
    raw, slow = np.asarray(readings, dtype=float), np.asarray(center, dtype=float)
    quiet, lots = np.asarray(rest, dtype=bool), np.asarray(lot)
    hours = np.asarray(hour, dtype=float)
    owner = "parking_features"
    if raw.ndim != 3 or raw.shape[2] != 3 or len(raw) < 2:
        raise ValueError(
            f"{owner}: readings must have shape (n_times >= 2, n_sensors, 3), got {raw.shape}"
        )
    for name, array, shape in (
        ("center", slow, raw.shape),
        ("rest", quiet, raw.shape[:2]),
        ("lot", lots, raw.shape[1:2]),
        ("hour", hours, raw.shape[:1]),
    ):
        if array.shape != shape:
            raise ValueError(f"{owner}: {name} must have shape {shape}, got {array.shape}")
    if not quiet.any(axis=0).all():
        sensor = int(np.flatnonzero(~quiet.any(axis=0))[0])
        raise ValueError(f"{owner}: rest must be true once per sensor, got none for {sensor}")
    return raw - slow, quiet, lots, hours


def _beside(r: Floats, lot: Places) -> Floats:
    """Mean over the adjacent sensors of the same lot; NaN without any."""
    beside = lot[1:] == lot[:-1]
    total, number = np.zeros_like(r), np.zeros(len(lot))
    total[:, 1:] += np.where(beside, r[:, :-1], 0.0)
    total[:, :-1] += np.where(beside, r[:, 1:], 0.0)
    number[1:] += beside
    number[:-1] += beside
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)
