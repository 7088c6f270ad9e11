"""Grid worlds as arrays: the 4x3 maze with slippery floor, and the walk along the cliff."""

from typing import Any

import numpy as np
from sklearn.utils import Bunch

from margin.core.types import Floats
from margin.datasets import _requirements as require

_ACTIONS = ["up", "right", "down", "left"]
_MOVES = np.array([[-1, 0], [0, 1], [1, 0], [0, -1]])  # row, column; row 0 is the top

# Optimal utilities and policies by step reward; rows from the top, walls and exits left blank.
_REGIMES = [
    {
        "step_reward": -0.04,
        "gamma": 1.0,
        "values": [0.8116, 0.8678, 0.9178, 0.7616, 0.6603, 0.7053, 0.6553, 0.6114, 0.3879],
        "policy": "RRR UU ULLL",
    },
    {"step_reward": -2.0, "gamma": 1.0, "policy": "RRR UR RRRU"},
    {"step_reward": -0.01, "gamma": 1.0, "policy": "RRR UL ULLD"},
    {"step_reward": 0.2, "gamma": 0.9, "values": [2.0] * 9},
]


def load_grid_maze(*, step_reward: float = -0.04, slip: float = 0.2) -> Bunch:
    r"""The 4x3 maze: one wall, exits worth +1 and -1, and a floor on which steps go astray.

    Serves datasets.21. A step goes where intended with probability 1 - slip, to
    each side with slip/2, and nowhere against a wall. Utilities obey
    :math:`U(s) = R(s) + \gamma \max_a \sum_{s'} p(s' \mid s, a)\, U(s')`, and
    :math:`U(s) = R(s)` at an exit.

    Parameters
    ----------
    step_reward : float
        :math:`R(s)` of every cell that is not an exit.
    slip : float
        Probability that a step goes astray.

    Returns
    -------
    Bunch
        ``transition`` [action, state, next state], where exits lead to themselves;
        ``reward`` [action, state], collected on acting in a state, once at an exit; ``terminal``;
        ``start``; ``actions``; ``cells``, the (row, column) of each state from the top left;
        ``shape``; ``regimes``: for slip 0.2, the known optimal utilities (to four digits) and
        policies of the non-terminal states in order, by step reward and discount: rush to any
        exit at -2, never risk the bad one at -0.01, never leave at +0.2.

    Examples
    --------
    >>> maze = load_grid_maze()
    >>> maze.transition.shape, maze.cells[maze.start], maze.cells[3]
    ((4, 11, 11), (2, 0), (0, 3))
    >>> maze.regimes[0]["values"][0]
    0.8116
    """
    require.between("load_grid_maze", step_reward=step_reward)
    require.between("load_grid_maze", 0, 1, slip=slip)
    wall, exits = (1, 1), {(0, 3): 1.0, (1, 3): -1.0}
    cells = [(row, column) for row in range(3) for column in range(4) if (row, column) != wall]
    terminal = np.array([cell in exits for cell in cells])
    intended = _moves(cells)
    transition = (1 - slip) * intended
    transition += slip / 2 * (np.roll(intended, 1, axis=0) + np.roll(intended, -1, axis=0))
    transition[:, terminal] = np.eye(len(cells))[terminal]
    reward = np.array([exits.get(cell, step_reward) for cell in cells])
    return Bunch(
        transition=transition,
        reward=np.tile(reward, (4, 1)),
        terminal=terminal,
        start=cells.index((2, 0)),
        actions=list(_ACTIONS),
        cells=cells,
        shape=(3, 4),
        regimes=[_regime(regime) for regime in _REGIMES],
        DESCR="The 4x3 maze with slippery floor.",
    )


def load_cliff_walk() -> Bunch:
    r"""The walk along the cliff: the short way is one slip from disaster.

    Serves datasets.21: a 4x12 grid, start and goal in the lower corners, a cliff
    between them. A step costs 1, a step over the cliff costs 100 and leads back to the start.
    The best return from the start without discount is -13, along the edge; an explorer that pays
    for its own random steps learns to keep away from it.

    Returns
    -------
    Bunch
        ``transition`` [action, state, next state]; ``reward`` [action, state]; ``terminal``;
        ``start``; ``goal``; ``actions``; ``cells``; ``shape``; ``cliff``, the cells of the cliff,
        which are no states; ``answers``, the best return and the number of steps of the best path.

    Examples
    --------
    >>> cliff = load_cliff_walk()
    >>> cliff.transition.shape, cliff.answers["best return"]
    ((4, 38, 38), -13.0)
    >>> cliff.reward[cliff.actions.index("right"), cliff.start]
    np.float64(-100.0)
    """
    cliff = [(3, column) for column in range(1, 11)]
    cells = [(row, column) for row in range(4) for column in range(12)]
    cells = [cell for cell in cells if cell not in cliff]
    start, goal = cells.index((3, 0)), cells.index((3, 11))
    transition = _moves(cells)
    reward = np.full((4, len(cells)), -1.0)
    for action, move in enumerate(_MOVES):
        for state, cell in enumerate(cells):
            if (cell[0] + move[0], cell[1] + move[1]) in cliff:
                transition[action, state] = np.eye(len(cells))[start]
                reward[action, state] = -100.0
    transition[:, goal] = np.eye(len(cells))[goal]
    reward[:, goal] = 0.0
    return Bunch(
        transition=transition,
        reward=reward,
        terminal=np.arange(len(cells)) == goal,
        start=start,
        goal=goal,
        actions=list(_ACTIONS),
        cells=cells,
        shape=(4, 12),
        cliff=cliff,
        answers={"best return": -13.0, "best steps": 13},
        DESCR="The walk along the cliff.",
    )


def _moves(cells: list[tuple[int, int]]) -> Floats:
    """Certain moves [action, state, next state]; a step off the grid stays where it is."""
    index = {cell: state for state, cell in enumerate(cells)}
    table = np.zeros((len(_MOVES), len(cells), len(cells)))
    for action, (down, right) in enumerate(_MOVES):
        for cell, state in index.items():
            table[action, state, index.get((cell[0] + down, cell[1] + right), state)] = 1.0
    return table


def _regime(regime: dict[str, Any]) -> dict[str, Any]:
    letters = regime.get("policy")
    names = {action[0].upper(): action for action in _ACTIONS}
    policy = None if letters is None else [names[letter] for letter in letters.replace(" ", "")]
    return {"values": None, **regime, "policy": policy}
