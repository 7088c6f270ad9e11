"""A random walk in a maze: the busiest room is not on the likeliest way out."""

from fractions import Fraction

import numpy as np
from sklearn.utils import Bunch

_DOORS = {
    "entrance": ["corridor", "hall"],
    "corridor": ["entrance", "bend"],
    "bend": ["corridor", "exit"],
    "hall": ["entrance", "gate 1", "gate 2", "gate 3"],
    "gate 1": ["hall", "exit"],
    "gate 2": ["hall", "exit"],
    "gate 3": ["hall", "exit"],
}


def load_maze_walk() -> Bunch:
    r"""A walker leaves each room by a door chosen uniformly, until out.

    Serves datasets.13. Given that the walker is out after three steps, the pointwise maxima of
    :math:`p(X_t \mid X_3 = \text{exit})` are entrance, hall, bend, exit, a sequence of probability
    zero (no door joins hall and bend), while the most likely way out, :math:`\arg\max_x p(x)`, is
    entrance, corridor, bend, exit with probability 1/8. Over a whole walk the hall is entered most
    often (12/7 times on average), and it is not on that way.

    Returns
    -------
    Bunch
        ``rooms``; ``doors``; ``transition`` (rows sum to 1, the exit is absorbing) and ``start``;
        ``n_steps`` of the conditioned walk; ``posterior`` [t, room], exact fractions;
        ``pointwise_path`` and ``pointwise_probability``; ``best_path`` and ``best_probability``;
        ``expected_entries`` of each room before the exit, the start not counted.

    Notes
    -----
    The maze is invented; the phenomenon is the curriculum's.

    Examples
    --------
    >>> maze = load_maze_walk()
    >>> maze.pointwise_path, str(maze.pointwise_probability)
    (['entrance', 'hall', 'bend', 'exit'], '0')
    >>> maze.best_path, str(maze.best_probability)
    (['entrance', 'corridor', 'bend', 'exit'], '1/8')
    """
    rooms = [*_DOORS, "exit"]
    transition = np.zeros((len(rooms), len(rooms)))
    for room, doors in _DOORS.items():
        for door in doors:
            transition[rooms.index(room), rooms.index(door)] = 1 / len(doors)
    transition[-1, -1] = 1.0
    zero = Fraction(0)
    gates = ("gate 1", "gate 2", "gate 3")
    marginals = [
        {"entrance": Fraction(1)},
        {"corridor": Fraction(2, 5), "hall": Fraction(3, 5)},
        {"bend": Fraction(2, 5), **dict.fromkeys(gates, Fraction(1, 5))},
        {"exit": Fraction(1)},
    ]
    posterior = [[marginal.get(room, zero) for room in rooms] for marginal in marginals]
    return Bunch(
        rooms=rooms,
        doors={room: list(doors) for room, doors in _DOORS.items()},
        start=np.eye(len(rooms))[0],
        transition=transition,
        n_steps=3,
        posterior=posterior,
        pointwise_path=["entrance", "hall", "bend", "exit"],
        pointwise_probability=zero,
        best_path=["entrance", "corridor", "bend", "exit"],
        best_probability=Fraction(1, 8),
        expected_entries={
            "entrance": Fraction(8, 7),
            "corridor": Fraction(10, 7),
            "bend": Fraction(5, 7),
            "hall": Fraction(12, 7),
            **dict.fromkeys(gates, Fraction(3, 7)),
        },
        DESCR="A random walk in a maze of seven rooms; the maze is invented.",
    )
