import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from margin.datasets import make_parking


@pytest.fixture(scope="module")
def parking():
    return make_parking(random_state=0)


def accuracy(X, parking, depth):
    """Accuracy on sensors that were not in the training set."""
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
    folds = GroupKFold(6)
    return cross_val_score(tree, X, parking.target, groups=parking.groups, cv=folds).mean()


def test_three_weeks_of_readings(parking):
    """datasets.10: shapes, groups, and rest = the whole lot is empty."""
    assert parking.readings.shape == parking.center.shape == (21 * 24, 12, 3)
    assert parking.data.shape == ((21 * 24 - 1) * 12, len(parking.feature_names))
    assert np.unique(parking.groups).tolist() == list(range(12))
    assert np.array_equal(parking.lot_of_row, parking.groups // 6)
    for lot in (0, 1):
        mine = parking.lot == lot
        empty = ~parking.occupied[:, mine].any(axis=1)
        assert (parking.rest[:, mine] == empty[:, None]).all()
    assert np.array_equal(parking.target, parking.occupied[1:].ravel())


def test_nights_are_empty_and_days_are_not(parking):
    """datasets.10: the time of day carries information."""
    night = parking.hour < 5
    noon = (parking.hour >= 10) & (parking.hour < 15)
    assert not parking.occupied[night].any()
    assert parking.occupied[noon].mean() > 0.4


def test_r_is_most_informative_then_z_and_x_last(parking):
    """datasets.10: single features on unseen sensors."""
    score = {
        name: accuracy(parking.data[:, [parking.feature_names.index(name)]], parking, 3)
        for name in ("x", "y", "z", "r")
    }
    assert score["r"] > score["z"] > score["y"] > score["x"]
    assert score["r"] > 0.95


def test_preprocessing_lets_sensors_be_compared(parking):
    """datasets.10: raw readings do not generalise over sensors, the prepared ones do."""
    raw = parking.readings[1:].reshape(-1, 3)
    assert accuracy(parking.data[:, :3], parking, 6) > accuracy(raw, parking, 6) + 0.1
    assert accuracy(parking.data, parking, 6) > 0.95


def test_angles_vary_in_the_free_state(parking):
    """datasets.10: consecutive directions turn more when nothing is there."""
    turn = parking.data[:, parking.feature_names.index("turn")].reshape(-1, 12)
    before, now = parking.occupied[:-1], parking.occupied[1:]
    assert turn[~before & ~now].mean() > 2 * turn[before & now].mean()


def test_neighbours_are_coupled():
    """datasets.10: with no own vehicle the reading still feels the one beside it."""
    coupled, alone = (
        make_parking(1, 2, n_days=14, coupling=c, noise=0.0, random_state=1) for c in (0.5, 0.0)
    )
    beside = ~coupled.occupied[:, 0] & coupled.occupied[:, 1]
    assert beside.any()
    for parking, least in ((coupled, 0.1), (alone, None)):
        signal = (parking.readings - parking.center)[:, 0] - parking.offset[0]
        size = np.linalg.norm(signal[beside], axis=1)
        if least is None:
            assert size == pytest.approx(np.zeros(len(size)), abs=1e-12)
        else:
            assert size.min() > least


def test_frame_and_bad_input():
    """datasets.10: words for the target; refusals."""
    framed = make_parking(1, 2, n_days=2, readings_per_hour=2, as_frame=True, random_state=0)
    assert set(framed.frame["occupied"]) == {"free", "occupied"}
    assert len(framed.frame) == (2 * 48 - 1) * 2
    with pytest.raises(
        ValueError, match="make_parking: n_sensors must be an integer of at least 2"
    ):
        make_parking(1, 1)
    with pytest.raises(ValueError, match="make_parking: coupling must be"):
        make_parking(coupling=-0.1)
