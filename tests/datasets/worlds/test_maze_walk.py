from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from margin.datasets import load_maze_walk


def exact_transition(maze):
    return {
        room: {door: Fraction(1, len(doors)) for door in doors}
        for room, doors in maze.doors.items()
    } | {"exit": {"exit": Fraction(1)}}


def every_path(maze):
    """All paths of n_steps from the entrance to the exit, with exact probabilities."""
    step = exact_transition(maze)
    for middle in product(maze.rooms, repeat=maze.n_steps - 1):
        path = ("entrance", *middle, "exit")
        weight = Fraction(1)
        for here, there in pairwise(path):
            weight *= step[here].get(there, 0)
        yield path, weight


def test_pointwise_maxima_and_best_path_by_enumeration():
    """datasets.13: the pointwise sequence is impossible, the best one has 1/8."""
    maze = load_maze_walk()
    paths = dict(every_path(maze))
    out = sum(paths.values())
    for time, marginal in enumerate(maze.posterior):
        for room, value in zip(maze.rooms, marginal, strict=True):
            exact = sum(weight for path, weight in paths.items() if path[time] == room) / out
            assert value == exact
        peaks = [room for room, p in zip(maze.rooms, marginal, strict=True) if p == max(marginal)]
        assert peaks == [maze.pointwise_path[time]]
    assert paths[tuple(maze.pointwise_path)] == maze.pointwise_probability == 0
    best = max(paths, key=paths.get)
    assert list(best) == maze.best_path
    assert paths[best] == maze.best_probability == Fraction(1, 8)
    assert sorted(paths.values())[-2] < paths[best]


def test_busiest_room_is_not_on_the_best_way_out():
    """datasets.13: expected entries solve v = e P + v P exactly, and the hall leads."""
    maze = load_maze_walk()
    step = exact_transition(maze)
    entries = maze.expected_entries
    for room in maze.doors:
        inflow = step["entrance"].get(room, 0)
        inflow += sum(entries[other] * step[other].get(room, 0) for other in maze.doors)
        assert entries[room] == inflow
    busiest = max(entries, key=entries.get)
    assert busiest == "hall"
    assert busiest not in maze.best_path


def test_arrays_agree_with_the_doors():
    """datasets.13: transition array against the doors."""
    maze = load_maze_walk()
    assert maze.transition.sum(axis=1) == pytest.approx(np.ones(len(maze.rooms)))
    step = exact_transition(maze)
    for i, here in enumerate(maze.rooms):
        for j, there in enumerate(maze.rooms):
            assert maze.transition[i, j] == float(step[here].get(there, 0))
    for room, doors in maze.doors.items():
        assert all(room in maze.doors[door] for door in doors if door != "exit")
