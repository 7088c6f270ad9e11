from itertools import pairwise

import numpy as np
import pytest

from margin.datasets import make_abac, make_delayed_copy, make_first_symbol


def test_delayed_copy_layout():
    """datasets.22: symbols, silence, cue, silence; the target repeats them after the cue."""
    task = make_delayed_copy(20, n_symbols=4, length=3, delay=5, random_state=0)
    assert task.data.shape == task.target.shape == (20, 11)
    assert ((task.data[:, :3] >= 1) & (task.data[:, :3] <= 4)).all()
    assert (task.data[:, 3:7] == task.blank).all()
    assert (task.data[:, 7] == task.cue).all()
    assert (task.data[:, 8:] == task.blank).all()
    assert (task.target[:, :8] == task.blank).all()
    assert np.array_equal(task.target[:, 8:], task.data[:, :3])


def test_delayed_copy_memoryless_loss():
    """datasets.22: cross-entropy of the best predictor by position alone."""
    task = make_delayed_copy(50_000, n_symbols=4, length=3, delay=5, random_state=1)
    loss = 0.0
    for column in task.target.T:
        frequency = np.bincount(column) / len(column)
        seen = frequency[frequency > 0]
        loss -= (seen * np.log(seen)).sum()
    assert loss / task.target.shape[1] == pytest.approx(task.memoryless_loss, abs=1e-3)


def test_first_symbol_is_not_in_the_rest():
    """datasets.22: the last symbol predicts no better than chance, the first perfectly."""
    task = make_first_symbol(20_000, n_symbols=5, length=7, random_state=0)
    assert np.array_equal(task.target, task.data[:, 0])
    guess = (task.data[:, -1] == task.target).mean()
    assert guess == pytest.approx(task.memoryless_accuracy, abs=5 * 0.5 / np.sqrt(20_000))


@pytest.mark.parametrize("n_units", [2, 6, 40])
def test_abac_is_ambiguous(n_units):
    """datasets.22: two successors of a; a lookup table gets two of three transitions."""
    task = make_abac(n_units, random_state=3)
    assert np.isin(task.data, (-1, 1)).all()
    names = [name for row in task.data for name, p in task.patterns.items() if (p == row).all()]
    assert names == task.letters == list("abac")
    table = dict(pairwise(names))
    right = sum(table[here] == there for here, there in pairwise(names))
    assert right == task.memoryless_transitions == task.n_transitions - 1


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="make_delayed_copy: delay must be"):
        make_delayed_copy(delay=0)
    with pytest.raises(ValueError, match="make_first_symbol: length must be"):
        make_first_symbol(length=0)
    with pytest.raises(ValueError, match="make_abac: n_units must be"):
        make_abac(1)
