"""Sums of products: the terms whose union is a given set of truth assignments."""

from collections.abc import Iterable

import numpy as np

from margin.core.types import Bools

Term = tuple[int, ...]


def minterms(inputs: Bools) -> list[Term]:
    """One term per row, with every variable: +1 as it is, -1 negated.

    Examples
    --------
    >>> minterms(np.array([[True, False]]))
    [(1, -1)]
    """
    return [tuple(row) for row in np.where(inputs, 1, -1).tolist()]


def prime_implicants(terms: Iterable[Term]) -> list[Term]:
    """Terms of fewest literals that hold nowhere else than the given minterms do.

    Two terms that differ in the sign of one variable are one term without it; what cannot be
    joined any more is prime (Quine and McCluskey).

    Examples
    --------
    >>> prime_implicants([(1, -1), (1, 1)])
    [(1, 0)]
    """
    level, primes = set(terms), set()
    while level:
        joined, merged = set(), set()
        for term in level:
            for k in (k for k, literal in enumerate(term) if literal == 1):
                partner = (*term[:k], -1, *term[k + 1 :])
                if partner in level:
                    merged |= {term, partner}
                    joined.add((*term[:k], 0, *term[k + 1 :]))
        primes |= level - merged
        level = joined
    return sorted(primes, reverse=True)


def simplified(terms: list[Term]) -> list[Term]:
    """A few prime implicants that together hold where the minterms hold, none of them idle.

    Indispensable ones first, then each time the one that adds most; what later ones make
    superfluous is dropped.

    Examples
    --------
    NAND has three minterms and two terms.

    >>> simplified([(-1, -1), (-1, 1), (1, -1)])
    [(0, -1), (-1, 0)]
    """
    primes = prime_implicants(terms)
    if not primes:
        return []
    covers = np.array([covered(term, terms) for term in primes])
    chosen = np.flatnonzero(covers[:, covers.sum(axis=0) == 1].any(axis=1)).tolist()
    left = ~covers[chosen].any(axis=0)
    while left.any():
        best = int(covers[:, left].sum(axis=1).argmax())
        chosen.append(best)
        left &= ~covers[best]
    for k in list(chosen):
        others = [other for other in chosen if other != k]
        if others and covers[others].any(axis=0).all():
            chosen = others
    return [primes[k] for k in sorted(chosen)]


def covered(term: Term, terms: list[Term]) -> Bools:
    """Which minterms a term holds at."""
    literals = np.array(term)
    return np.asarray(((np.array(terms) == literals) | (literals == 0)).all(axis=1))
