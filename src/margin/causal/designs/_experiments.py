"""Which experiments orient every arrow, and what they say."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations

from margin.causal.graph._causal_graph import CausalGraph
from margin.core import check

Name = Hashable
Targets = tuple[Name, ...]


def experiment_design(names: Sequence[Name], mode: str = "several") -> tuple[Targets, ...]:
    r"""Sets of variables to intervene on that suffice for any graph (causal.13).

    Every pair of variables is split by an experiment, and by another one that either sets the other
    of the two or neither. One variable at a time takes :math:`D - 1` experiments; several at a time
    :math:`\lfloor \log_2 D \rfloor + 1`: experiment k sets those whose number has bit k.

    Parameters
    ----------
    names : sequence of names
    mode : {"several", "single"}

    References
    ----------
    F. Eberhardt, C. Glymour and R. Scheines, "N-1 experiments suffice to determine the causal
    relations among N variables", 2006.

    Examples
    --------
    >>> experiment_design("abc"), experiment_design("abc", "single")
    ((('b',), ('c',)), (('a',), ('b',)))
    >>> [len(experiment_design(range(D))) for D in (3, 4, 7, 8, 16)]
    [2, 3, 3, 4, 5]
    """
    listed = tuple(names)
    if len(listed) < 2 or len(set(listed)) < len(listed):
        raise check.fail("experiment_design", "names", "at least two that differ", listed)
    if mode == "single":
        return tuple((name,) for name in listed[:-1])
    if mode != "several":
        raise check.fail("experiment_design", "mode", "'several' or 'single'", mode)
    return tuple(
        tuple(name for i, name in enumerate(listed) if i >> bit & 1)
        for bit in range(len(listed).bit_length())
    )


def orient_by_experiments(
    names: Sequence[Name],
    experiments: Iterable[Targets],
    adjacent: Callable[[Name, Name, Targets], bool],
) -> CausalGraph:
    """The graph from what is adjacent while some variables are set (causal.13).

    An arrow into a variable that is set disappears. So an edge that is seen while one end is set
    and the other is not starts at the former; one that is not seen then, but otherwise is, ends
    there.

    Parameters
    ----------
    names : sequence of names
    experiments : iterable of sets of variables
        See :func:`experiment_design`; an empty set is plain observation.
    adjacent : callable ``(a, b, targets) -> bool``
        Whether two variables are directly related in the data of an experiment.

    Examples
    --------
    >>> truth = CausalGraph.from_edges([("a", "b"), ("c", "b")])
    >>> def adjacent(a, b, targets):
    ...     cut = truth.do(list(targets))
    ...     return a in cut.parents(b) or b in cut.parents(a)
    >>> orient_by_experiments("abc", experiment_design("abc"), adjacent).directed
    (('a', 'b'), ('c', 'b'))
    """
    plans = [tuple(targets) for targets in experiments]
    arrows = []
    for a, b in combinations(tuple(names), 2):
        answers = {
            (a in plan, b in plan): adjacent(a, b, plan) for plan in plans
            if not (a in plan and b in plan)
        }  # fmt: skip
        if not any(answers.values()):
            if len(answers) < 2:
                raise check.fail(
                    "orient_by_experiments", "experiments", f"that split {a!r} and {b!r} twice",
                    plans,
                )  # fmt: skip
            continue
        if answers.get((True, False)) or answers.get((False, True)) is False:
            arrows.append((a, b))
        elif answers.get((False, True)) or answers.get((True, False)) is False:
            arrows.append((b, a))
        else:
            raise check.fail(
                "orient_by_experiments", "experiments", f"that split {a!r} and {b!r}", plans
            )
    return CausalGraph(list(names), arrows)
