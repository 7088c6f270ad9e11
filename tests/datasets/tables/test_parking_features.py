import numpy as np
import pytest

from margin.datasets import make_parking, parking_features


@pytest.fixture(scope="module")
def raw():
    parking = make_parking(2, 3, n_days=3, random_state=0)
    return {name: parking[name] for name in ("readings", "center", "rest", "lot", "hour")}


def column(features, name, n_sensors=6):
    return features.data[:, features.feature_names.index(name)].reshape(-1, n_sensors)


def by_hand(raw):
    """The first three steps, sensor by sensor and axis by axis."""
    signal = raw["readings"] - raw["center"]
    for sensor in range(signal.shape[1]):
        quiet = raw["rest"][:, sensor]
        for axis in range(3):
            signal[:, sensor, axis] -= np.median(signal[quiet, sensor, axis])
    for axis in range(3):
        lowest = min(
            signal[raw["rest"][:, sensor], sensor, axis].min() for sensor in range(signal.shape[1])
        )
        signal[:, :, axis] -= lowest
    return signal


def test_signal_by_hand(raw):
    """datasets.10: centring, rest median, rest minimum."""
    features = parking_features(**raw)
    signal = by_hand(raw)
    for axis, name in enumerate("xyz"):
        assert column(features, name) == pytest.approx(signal[1:, :, axis])
    at_rest = signal[raw["rest"]]
    assert at_rest.min(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)


def test_spherical_coordinates_invert(raw):
    """datasets.10: x, y, z from r and the two angles."""
    features = parking_features(**raw)
    r, polar, azimuth = (column(features, name) for name in ("r", "polar", "azimuth"))
    assert r * np.sin(polar) * np.cos(azimuth) == pytest.approx(column(features, "x"))
    assert r * np.sin(polar) * np.sin(azimuth) == pytest.approx(column(features, "y"))
    assert r * np.cos(polar) == pytest.approx(column(features, "z"))


def test_transitions_neighbours_and_time(raw):
    """datasets.10: differences, angle between readings, mean of the neighbours, clock."""
    features = parking_features(**raw)
    signal = by_hand(raw)
    r = np.linalg.norm(signal, axis=2)
    assert column(features, "dz") == pytest.approx(np.diff(signal[..., 2], axis=0))
    assert column(features, "dr") == pytest.approx(np.diff(r, axis=0))
    a, b = signal[4, 2], signal[5, 2]
    angle = np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    assert column(features, "turn")[4, 2] == pytest.approx(angle)
    beside = column(features, "neighbour_r")
    assert beside[:, 0] == pytest.approx(r[1:, 1])
    assert beside[:, 1] == pytest.approx((r[1:, 0] + r[1:, 2]) / 2)
    assert beside[:, 3] == pytest.approx(r[1:, 4]), "lots do not touch"
    six = features.time == 6
    assert features.data[six, features.feature_names.index("hour_sin")] == pytest.approx(np.ones(6))


def test_offsets_and_centers_do_not_matter(raw):
    """datasets.10: the prepared signal forgets what belongs to the sensor and the weather."""
    rng = np.random.default_rng(0)
    weather = rng.standard_normal(raw["center"].shape)
    moved = {
        **raw,
        "readings": raw["readings"] + weather + rng.standard_normal((6, 3)),
        "center": raw["center"] + weather,
    }
    assert parking_features(**moved).data == pytest.approx(parking_features(**raw).data, abs=1e-9)


def test_lone_sensor_has_no_neighbours():
    """datasets.10: NaN means unobserved."""
    out = parking_features(np.zeros((2, 1, 3)), np.zeros((2, 1, 3)), [[True], [True]], [0], [0, 1])
    assert np.isnan(out.data[0, out.feature_names.index("neighbour_r")])
    assert out.data[0, out.feature_names.index("r")] == 0
    assert out.data[0, out.feature_names.index("polar")] == pytest.approx(np.pi / 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"readings": np.zeros((3, 3))}, "readings must have shape"),
        ({"center": np.zeros((1, 6, 3))}, "center must have shape"),
        ({"lot": [0, 0]}, "lot must have shape"),
        ({"rest": np.zeros((72, 6), dtype=bool)}, "rest must be true once per sensor"),
    ],
)
def test_bad_input_is_refused(raw, change, message):
    with pytest.raises(ValueError, match=f"parking_features: {message}"):
        parking_features(**{**raw, **change})
