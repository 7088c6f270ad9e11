from itertools import product

import numpy as np
import pytest

from margin.linear.boolean._formula import all_inputs
from margin.linear.boolean._terms import covered, minterms, prime_implicants, simplified


def holds(term, inputs):
    """Where a term is true, by its meaning."""
    return np.array(
        [all(s == 0 or (s > 0) == v for s, v in zip(term, row, strict=True)) for row in inputs]
    )


def functions(n):
    if n < 4:
        return [np.array(bits) for bits in product((False, True), repeat=2**n)]
    rng = np.random.default_rng(0)
    return [rng.random(2**n) < rng.random() for _ in range(150)]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_prime_implicants_by_brute_force(n):
    """All terms that imply the function and do not when any literal is dropped."""
    inputs = all_inputs(n)
    terms = list(product((-1, 0, 1), repeat=n))
    where = {term: holds(term, inputs) for term in terms}
    for truth in functions(n)[:: 1 if n < 3 else 5]:
        implicants = {term for term in terms if not (where[term] & ~truth).any()}
        primes = {
            term
            for term in implicants
            if all((*term[:k], 0, *term[k + 1 :]) not in implicants for k in range(n) if term[k])
        }
        assert set(prime_implicants(minterms(inputs[truth]))) == primes


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_simplified_terms_are_prime_exact_and_none_is_idle(n):
    inputs = all_inputs(n)
    for truth in functions(n):
        full = minterms(inputs[truth])
        terms = simplified(full)
        where = np.array([holds(term, inputs) for term in terms]).reshape(len(terms), 2**n)
        np.testing.assert_array_equal(where.any(axis=0), truth)
        assert set(terms) <= set(prime_implicants(full))
        for k in range(len(terms)):
            assert (np.delete(where, k, axis=0).any(axis=0) != truth).any()


def test_covered_minterms():
    full = minterms(all_inputs(3))
    np.testing.assert_array_equal(covered((0, -1, 1), full), holds((0, -1, 1), all_inputs(3)))
