"""Dictionaries in which rows have sparse codes."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Floats

_PASSES = 10


@dataclass(frozen=True)
class Coded:
    """Codes of shape (n, k) and atoms of shape (k, p)."""

    codes: Floats
    atoms: Floats


@dataclass(frozen=True)
class DictionaryProblem:
    r"""Rows and the price of their codes.

    .. math:: \tfrac12 \|X - U V\|_F^2 + \alpha \|U\|_1 + \beta \|V\|_1 \quad \text{s.t.} \quad
              \|v_k\| \le 1
    """

    X: Floats
    alpha: float
    positive_code: bool = False
    positive_atoms: bool = False
    atom_alpha: float = 0.0

    def value(self, at: Coded) -> float:
        """The objective."""
        left = self.X - at.codes @ at.atoms
        prices = self.alpha * np.abs(at.codes).sum() + self.atom_alpha * np.abs(at.atoms).sum()
        return 0.5 * float(np.vdot(left, left)) + float(prices)


def learn_dictionary(
    problem: DictionaryProblem,
    start: Coded,
    rng: np.random.Generator,
    *,
    tol: float,
    max_iter: int,
) -> Solution:
    """Codes and atoms in turn, each by coordinate descent (decomposition.15).

    The energy of an atom is at most one; without that codes could shrink for nothing. An atom that
    no row uses becomes a row that is badly coded, which the report tells. Ends when an iteration
    lowers the objective by less than ``tol`` of it.

    Notes
    -----
    :math:`O(n p k + n k^2)` an iteration.
    """
    stop = Stop("relative gain", tol, max_iter, monotone=1e-9, advice=("raise tol",))
    return iterate(_states(problem, start, rng), stop, solver="alternating coordinate descent")


def _states(problem: DictionaryProblem, at: Coded, rng: np.random.Generator) -> Iterator[Iterate]:
    value = problem.value(at)
    repairs: tuple[str, ...] = ()
    yield Iterate(at, value, None, 0)
    count = 0
    while True:
        count += 1
        codes = _codes(problem, at)
        atoms, unused = _atoms(problem, Coded(codes, at.atoms))
        if len(unused) and count <= 5:
            atoms, codes = _renewed(problem, codes, atoms, unused, rng)
            repairs = (*repairs, f"{len(unused)} unused atoms replaced, iteration {count}")
        at = Coded(codes, atoms)
        before, value = value, problem.value(at)
        gain = abs(before - value) / max(abs(value), 1e-300)
        yield Iterate(at, value, gain, count, repairs=repairs)


def _codes(problem: DictionaryProblem, at: Coded) -> Floats:
    gram, product = at.atoms @ at.atoms.T, problem.X @ at.atoms.T
    codes = np.asfortranarray(at.codes)
    codes = codes.copy(order="F")
    first = 0.0
    for _ in range(_PASSES):
        moved = 0.0
        for t in range(codes.shape[1]):
            size = gram[t, t]
            if size <= 0:
                codes[:, t] = 0.0
                continue
            pull = codes[:, t] * size + product[:, t] - codes @ gram[:, t]
            if problem.positive_code:
                new = np.maximum(pull - problem.alpha, 0.0) / size
            else:
                new = np.sign(pull) * np.maximum(np.abs(pull) - problem.alpha, 0.0) / size
            change = new - codes[:, t]
            moved += float(change @ change)
            codes[:, t] = new
        first = first or moved
        if moved <= 1e-4 * first:
            break
    return np.ascontiguousarray(codes)


def _atoms(problem: DictionaryProblem, at: Coded) -> tuple[Floats, Floats]:
    """Atoms one after the other, each the best within the unit ball; and which are unused."""
    gram, product = at.codes.T @ at.codes, at.codes.T @ problem.X
    atoms, unused = at.atoms.copy(), []
    for t in range(len(atoms)):
        if gram[t, t] <= 1e-12:
            unused.append(t)
            continue
        atom = atoms[t] + (product[t] - gram[t] @ atoms) / gram[t, t]
        if problem.positive_atoms:
            atom = np.maximum(atom, 0.0)
        # Shrunk, then scaled: the exact minimum of one atom within the ball.
        shrunk = np.maximum(np.abs(atom) - problem.atom_alpha / gram[t, t], 0.0)
        atom = np.sign(atom) * shrunk
        atoms[t] = atom / max(1.0, float(np.linalg.norm(atom)))
    return atoms, np.array(unused, dtype=np.intp)


def _renewed(
    problem: DictionaryProblem,
    codes: Floats,
    atoms: Floats,
    unused: Floats,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Unused atoms become the worst coded rows."""
    left = problem.X - codes @ atoms
    order = np.argsort(-np.einsum("ij,ij->i", left, left), kind="stable")
    atoms, codes = atoms.copy(), codes.copy()
    for j, t in enumerate(unused):
        row = problem.X[order[j % len(order)]] + 1e-6 * rng.standard_normal(atoms.shape[1])
        row = np.maximum(row, 0.0) if problem.positive_atoms else row
        atoms[t] = row / (float(np.linalg.norm(row)) or 1.0)
        codes[:, t] = 0.0
    return atoms, codes
