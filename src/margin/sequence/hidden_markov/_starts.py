"""Where learning starts: clusters, noise, a mixture without time, Viterbi counting."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.inference import chain_viterbi, expectation_maximisation
from margin.sequence.hidden_markov._learning import Counts, Learning, Parameters
from margin.sequence.hidden_markov._mass import hard_counts
from margin.sequence.hidden_markov.emissions._emission import clustered

METHODS = ("kmeans", "random", "mixture", "viterbi")


@dataclass(frozen=True)
class Given:
    """Parameters that a person gives, in the place of those drawn."""

    start: Floats | None = None
    transition: Floats | None = None
    laws: object = None


def starts(
    problem: Learning,
    method: str,
    n_states: int,
    n_init: int,
    given: Given,
    rng: np.random.Generator,
) -> Iterator[Parameters]:
    """``n_init`` starts by a method of :data:`METHODS`; labels that are known override it.

    Notes
    -----
    A start with equal rows everywhere is a saddle that learning never leaves (sequence.16): each
    method breaks the symmetry.
    """
    if given.laws is not None and given.start is not None and given.transition is not None:
        yield Parameters(given.start, given.transition, given.laws)
        return
    if problem.low_memory and problem.allowed is None:
        problem = excerpt(problem)
    for _ in range(n_init):
        at = _by_shares(problem, method, n_states, given, rng)
        if method == "mixture":
            at = _mixture(problem, at, given)
        elif method == "viterbi":
            at = viterbi_counting(problem, at, rng, passes=min(50, 5 * _sequences(problem)))
        yield at


def noisy_uniform(shape: tuple[int, ...], noise: float, rng: np.random.Generator) -> Floats:
    r"""Rows :math:`(1 - \lambda)/K + \lambda\, U(0, 1)`, scaled to sum to one (sequence.17).

    Examples
    --------
    >>> import numpy as np
    >>> noisy_uniform((2, 3), 0.0, np.random.default_rng(0)).round(6)[0]
    array([0.333333, 0.333333, 0.333333])
    """
    table = (1.0 - noise) / shape[-1] + noise * rng.random(shape)
    return np.asarray(table / table.sum(axis=-1, keepdims=True))


def viterbi_counting(
    problem: Learning,
    at: Parameters,
    rng: np.random.Generator,
    *,
    passes: int = 50,
    least: float = 1.0,
    noise: float = 0.3,
) -> Parameters:
    """Counts along best paths of sequences drawn at random, from a minimum count (sequence.18).

    In each pass one sequence is decoded by the counts so far, made noisy, and its path is counted
    as if it were the truth, with what was observed (not with the likeliest symbol of each state).
    """
    k = len(at.start)
    first, pairs = np.full(k, least), np.full((k, k), least)
    share = np.zeros((len(problem.rows), k))
    lengths = np.diff(problem.offsets)
    some = np.flatnonzero(lengths > 0)
    weight = np.ones(len(lengths)) if problem.weight is None else problem.weight
    often = weight[some] / weight[some].sum()
    table = problem.log_emission(at)
    for _ in range(passes):
        s = int(rng.choice(some, p=often))
        here = slice(problem.offsets[s], problem.offsets[s + 1])
        mixed = [
            (1 - noise) * c / c.sum(axis=-1, keepdims=True)
            + noise * noisy_uniform(c.shape, 1.0, rng)
            for c in (first, pairs)
        ]
        zeros = [
            np.where(p > 0, m, 0.0) for p, m in zip((at.start, at.transition), mixed, strict=True)
        ]
        rows = [z / z.sum(axis=-1, keepdims=True) for z in zeros]
        path, value = chain_viterbi(table[here], [0, lengths[s]], rows[0], rows[1])
        if value[0] == -np.inf:
            continue
        own, more = hard_counts(path, np.array([0, lengths[s]]), k)
        first, pairs = first + own[0], pairs + more
        share[here] = own
    start = np.where(at.start > 0, first, 0.0)
    transition = np.where(at.transition > 0, pairs, 0.0)
    share = share + 1e-3
    return replace(
        at,
        start=start / start.sum(),
        transition=transition / transition.sum(axis=1, keepdims=True),
        laws=_laws(problem, share),
    )


def begun_shares(problem: Learning, method: str, n_states: int, rng: np.random.Generator) -> Floats:
    """How much each row belongs to each state at the start."""
    if method in ("random", "viterbi"):
        share = problem.emission.random_shares(problem.rows, n_states, rng, each_row(problem))
    else:
        points = problem.emission.features(problem.rows, each_row(problem))
        share = 0.9 * clustered(points, n_states, rng, each_row(problem)) + 0.1 / n_states
    if problem.allowed is None:
        return np.asarray(share)
    known = problem.allowed.sum(axis=1) == 1
    labelled = problem.allowed[known].any(axis=0)
    # States that labels speak for begin with their rows alone.
    share[np.ix_(~known, labelled)] *= 1e-3
    return np.asarray(np.where(known[:, None], np.where(problem.allowed, 1.0, 0.0), share))


def _by_shares(
    problem: Learning, method: str, k: int, given: Given, rng: np.random.Generator
) -> Parameters:
    share = begun_shares(problem, method, k, rng)
    laws = _laws(problem, share) if given.laws is None else given.laws
    own, pairs = hard_counts(share.argmax(axis=1), problem.offsets, k, problem.weight)
    first = own[problem.offsets[:-1][np.diff(problem.offsets) > 0]].sum(axis=0)
    start = (first + 1.0) / (first + 1.0).sum() if given.start is None else given.start
    if given.transition is not None:
        transition = given.transition
    elif method == "random" and problem.allowed is None:
        # Counts along states drawn at random would be equal rows: a saddle in time.
        transition = noisy_uniform((k, k), 0.9, rng)
    else:
        more = pairs + 1.0 + 0.1 * rng.random(pairs.shape)
        transition = more / more.sum(axis=1, keepdims=True)
    return Parameters(np.asarray(start), np.asarray(transition), laws)


def _laws(problem: Learning, share: Floats) -> object:
    n_groups = int(problem.groups.max()) + 1
    grouped = np.ascontiguousarray(share @ np.eye(n_groups)[problem.groups])
    grouped = grouped + 1e-8
    if problem.weight is not None:
        grouped = grouped * problem.row_weight()[:, None]
    stats = problem.emission.statistics(None, problem.rows, grouped, problem.n_threads)
    return problem.emission.fit(stats)


def each_row(problem: Learning) -> Floats | None:
    return None if problem.weight is None else problem.row_weight()


def _sequences(problem: Learning) -> int:
    """How many there are, each as often as it counts."""
    n = len(problem.offsets) - 1 if problem.weight is None else problem.weight.sum()
    return max(round(float(n)), 1)


def excerpt(problem: Learning, most: int = 20_000, stretch: int = 1_000) -> Learning:
    """Stretches of the rows, evenly spread, as sequences: enough to begin with.

    Examples
    --------
    >>> from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission
    >>> rows, ends = np.arange(100.0)[:, None], np.array([0, 30, 100])
    >>> whole = Learning(NormalEmission(), rows, ends, None, None, np.arange(2))
    >>> part = excerpt(whole, 20, 10)
    >>> part.rows[[0, 9, 10, 19], 0], part.offsets
    (array([ 0.,  9., 90., 99.]), array([ 0, 10, 20]))
    """
    length = len(problem.rows)
    if length <= most:
        return problem
    begins = np.linspace(0, length - stretch, most // stretch).astype(np.int64)
    rows = (begins[:, None] + np.arange(stretch)).ravel()
    which = np.searchsorted(problem.offsets, rows, side="right") - 1
    new = (np.diff(which) != 0) | (np.diff(rows) != 1)
    offsets = np.concatenate([[0], np.flatnonzero(new) + 1, [len(rows)]])
    weight = None if problem.weight is None else problem.weight[which[offsets[:-1]]]
    return replace(
        problem,
        rows=np.ascontiguousarray(problem.rows[rows]),
        offsets=offsets,
        weight=weight,
        low_memory=False,
    )


def _mixture(problem: Learning, at: Parameters, given: Given) -> Parameters:
    """Laws of a mixture that knows nothing of time (sequence.19)."""
    k = len(at.start)

    def timeless(before: Parameters, weight: Floats, laws: object) -> Parameters:
        return replace(before, start=weight, transition=np.tile(weight, (k, 1)), laws=laws)

    def maximise(counts: Counts, before: Parameters) -> Parameters:
        weight = counts.visits + 1e-6
        return timeless(before, weight / weight.sum(), problem.emission.fit(counts.laws))

    even = timeless(at, np.full(k, 1.0 / k), at.laws)
    mixed: Parameters = expectation_maximisation(
        problem.expect, maximise, [even], tol=1e-4, max_iter=20, monotone=None
    ).x
    start = at.start if given.start is not None else mixed.start
    steady = 0.5 * at.transition + 0.5 * mixed.start
    transition = at.transition if given.transition is not None else steady
    return replace(at, start=start, transition=transition, laws=mixed.laws)


def given_probabilities(
    owner: object, name: str, table: ArrayLike | None, shape: tuple[int, ...]
) -> Floats | None:
    """Rows of probabilities that a person gave; zeros are structural and stay zero."""
    if table is None:
        return None
    p = np.array(table, dtype=np.float64)
    if p.shape != shape or not (p >= 0).all() or not np.allclose(p.sum(axis=-1), 1.0, atol=1e-6):
        raise check.fail(owner, name, f"probabilities of shape {shape} that sum to 1", table)
    return np.asarray(p / p.sum(axis=-1, keepdims=True))
