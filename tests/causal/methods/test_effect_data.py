import numpy as np
import pytest

from margin.causal.methods._effect_data import effect_data


def test_levels_amounts_and_combinations():
    rng = np.random.default_rng(0)
    frame = {"w": list("abc" * 10), "b": [True, False] * 15, "i": [0, 1, 2] * 10,
             "f": rng.random(30), "y": rng.random(30)}  # fmt: skip

    def made(*names, **more):
        return effect_data("AverageEffect", frame, names, "y", (), **more)

    assert made("w").names == ("b - a", "c - a")
    assert made("w", baseline="c").names == ("a - c", "b - c")
    assert made("b").levels == (False, True)
    assert made("i").arms is not None
    assert made("i", discrete=False).arms is None
    assert made("f").arms is None
    assert made("w", "b").levels[0] == ("a", False)
    assert made("i", "f").names == ("i", "f")


def test_rows_and_weights():
    frame = {"t": [0, 1, 0, 1], "y": [1.0, 2, 3, 4], "z": [1.0, 2, 3, 5]}
    data = effect_data("A", frame, ("t",), "y", ("z",), sample_weight=[1, 1, 2, 4])
    assert data.weight.mean() == 1
    part = data.rows(np.array([0, 3]))
    assert part.n == 2
    assert part.weight.tolist() == [0.4, 1.6]
    assert data.weighted(np.ones(4)).weight.tolist() == [1] * 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"t": [1, 1, 1]}, "treatment 't' must be of at least two levels"),
        ({"y": ["a", "b", "c"]}, "outcome 'y' must be numbers or two levels"),
        ({"t": [0, 1]}, "frame must be of 3 rows"),
    ],
)
def test_what_is_refused(change, message):
    frame = {"t": [0, 1, 0], "y": [1.0, 2.0, 3.0], **change}
    with pytest.raises(ValueError, match=message):
        effect_data("A", frame, ("t",), "y", ())
    with pytest.raises(ValueError, match="baseline must be one of the levels"):
        effect_data("A", {"t": [0, 1], "y": [1, 2]}, ("t",), "y", (), baseline=7)
    with pytest.raises(ValueError, match="treatment 't' must be of at least two values"):
        effect_data("A", {"t": [0.5, 0.5], "y": [1, 2]}, ("t",), "y", (), discrete=False)


def test_words_beside_numbers():
    """Levels of words are columns of their own; the baseline is theirs."""
    frame = {"t": ["b", "a", "c", "b"], "s": [1.0, 2.5, 3, 4.25], "y": [1, 2, 3, 4]}
    data = effect_data("A", frame, ("t", "s"), "y", (), baseline="b", discrete=False)
    assert data.names == ("a - b", "c - b", "s")
    assert data.t.tolist() == [[0, 0, 1], [1, 0, 2.5], [0, 1, 3], [0, 0, 4.25]]
    with pytest.raises(ValueError, match="target must be 'ate' with a continuous treatment"):
        effect_data("A", frame, ("s",), "y", (), discrete=False, target="att")
