import numpy as np
import pytest

from margin.datasets import load_cliff_walk, load_grid_maze


def solve(world, gamma, n_iter=3000):
    """Value iteration; a terminal state is worth its reward."""
    value = np.zeros(len(world.cells))
    for _ in range(n_iter):
        future = world.reward + gamma * world.transition @ value
        value = np.where(world.terminal, world.reward[0], future.max(axis=0))
    return value, world.reward + gamma * world.transition @ value


def test_maze_transitions_by_hand():
    """datasets.21: slip .8/.1/.1, walls, exits."""
    maze = load_grid_maze()
    assert maze.transition.sum(axis=2) == pytest.approx(np.ones((4, 11)))
    state = {cell: index for index, cell in enumerate(maze.cells)}
    up, right = (maze.actions.index(name) for name in ("up", "right"))
    corner = maze.transition[up, state[2, 0]]
    assert corner[state[1, 0]] == pytest.approx(0.8)
    assert corner[state[2, 1]] == pytest.approx(0.1)
    assert corner[state[2, 0]] == pytest.approx(0.1)
    beside_wall = maze.transition[right, state[1, 0]]
    assert beside_wall[state[1, 0]] == pytest.approx(0.8)
    assert beside_wall[state[0, 0]] == pytest.approx(0.1)
    assert (1, 1) not in state
    assert np.flatnonzero(maze.terminal).tolist() == [state[0, 3], state[1, 3]]
    assert maze.reward[0, maze.terminal].tolist() == [1.0, -1.0]


@pytest.mark.parametrize("index", range(4))
def test_maze_regimes_by_value_iteration(index):
    """datasets.21: golden utilities and policies of all four regimes."""
    regime = load_grid_maze().regimes[index]
    maze = load_grid_maze(step_reward=regime["step_reward"])
    value, action_value = solve(maze, regime["gamma"])
    inside = ~maze.terminal
    if regime["values"] is not None:
        assert value[inside] == pytest.approx(regime["values"], abs=5.1e-5)
    if regime["policy"] is not None:
        best = action_value[:, inside].argmax(axis=0)
        assert [maze.actions[a] for a in best] == regime["policy"]
        ranked = np.sort(action_value[:, inside], axis=0)
        assert (ranked[-1] - ranked[-2]).min() > 1e-6, "the golden policy must be unique"


def test_positive_reward_never_leaves():
    """datasets.21: at +0.2 with discount .9 every state is worth r / (1 - gamma)."""
    maze = load_grid_maze(step_reward=0.2)
    value, _ = solve(maze, 0.9)
    assert value[~maze.terminal] == pytest.approx(np.full(9, 2.0))


def test_cliff_walk():
    """datasets.21: best return -13 along the edge, falling costs 100 and starts over."""
    cliff = load_cliff_walk()
    assert cliff.transition.sum(axis=2) == pytest.approx(np.ones((4, 38)))
    assert np.isin(cliff.transition, (0.0, 1.0)).all()
    value, action_value = solve(cliff, 1.0, n_iter=200)
    assert value[cliff.start] == cliff.answers["best return"]
    state, steps = cliff.start, 0
    while state != cliff.goal:
        action = int(action_value[:, state].argmax())
        assert cliff.reward[action, state] == -1
        state, steps = int(cliff.transition[action, state].argmax()), steps + 1
        assert cliff.cells[state][0] >= 2, "the best path keeps to the two lowest rows"
    assert steps == cliff.answers["best steps"]
    falls = np.argwhere(cliff.reward == -100)
    assert len(falls) == 11, "down from the ten cells above, right from the start"
