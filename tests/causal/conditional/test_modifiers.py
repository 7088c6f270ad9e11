import pytest

from margin.causal.conditional._modifiers import Modifiers


def test_words_are_coded_alike_later():
    frame = {"a": [1.0, 2.0, 3.0], "w": ["x", "z", "y"]}
    coded = Modifiers.learned("E", frame, ("w", "a"))
    assert coded.columns == ("w=y", "w=z", "a")
    assert coded.rows("E", {"w": ["z"], "a": [5]}).tolist() == [[0, 1, 5]]
    with pytest.raises(ValueError, match="column 'w' must be of the levels"):
        coded.rows("E", {"w": ["q"], "a": [5]})
    with pytest.raises(ValueError, match="with a column 'a'"):
        coded.rows("E", {"w": ["z"]})
