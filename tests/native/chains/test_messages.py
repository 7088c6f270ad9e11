"""Messages in C++ against their twins in NumPy, on sums over all paths."""

from itertools import product

import numpy as np
import pytest

from margin.native import _native
from margin.native.chains import messages

RNG = np.random.default_rng(0)


def paths_of(table, start, transition):
    """Every path of one sequence with its log probability."""
    T, K = table.shape
    with np.errstate(divide="ignore"):
        a, A = np.log(start), np.log(transition)
    for path in product(range(K), repeat=T):
        value = a[path[0]] + table[0, path[0]]
        for t in range(1, T):
            value += A[path[t - 1], path[t]] + table[t, path[t]]
        yield path, value


def twin(table, start, transition):
    T, K = table.shape
    posterior, counts, total = np.zeros((T, K)), np.zeros((K, K)), 0.0
    for path, value in paths_of(table, start, transition):
        p = np.exp(value)
        total += p
        for t, k in enumerate(path):
            posterior[t, k] += p
            if t:
                counts[path[t - 1], k] += p
    return posterior / total, counts / total, np.log(total)


def model(K, zeros=False):
    start, transition = RNG.dirichlet(np.ones(K)), RNG.dirichlet(np.ones(K), K)
    if zeros:
        transition = np.triu(transition)
        transition /= transition.sum(axis=1, keepdims=True)
    return start, transition


@pytest.mark.parametrize("K", [1, 2, 3, 4])
@pytest.mark.parametrize("zeros", [False, True])
def test_sums_over_all_paths(K, zeros):
    start, transition = model(K, zeros)
    tables = [RNG.normal(size=(T, K)) * 2 for T in (1, 2, 5)]
    offsets = np.array([0, 1, 3, 8])
    table = np.concatenate(tables)
    posterior, counts, values = messages.forward_backward(table, offsets, start, transition, 1)
    with np.errstate(divide="ignore"):
        logs = np.log(start), np.log(transition)[None]
    log_form = messages.log_forward_backward(table, offsets, *logs, 1, pairs=True)
    parts = [twin(t, start, transition) for t in tables]
    for found in ((posterior, counts, values), log_form[:3]):
        np.testing.assert_allclose(found[0], np.concatenate([p[0] for p in parts]), atol=1e-12)
        np.testing.assert_allclose(found[1], sum(p[1] for p in parts), atol=1e-12)
        np.testing.assert_allclose(found[2], [p[2] for p in parts], rtol=1e-12)
    inner = np.delete(log_form[3], [0, 2, 7], axis=0)
    np.testing.assert_allclose(inner.sum(axis=0), counts, atol=1e-12)
    filtered, forward = messages.filtered_states(table, offsets, start, transition, 1)
    np.testing.assert_allclose(forward, values, rtol=1e-12)
    np.testing.assert_allclose(filtered[[0, 2, 7]], posterior[[0, 2, 7]], atol=1e-12)
    np.testing.assert_allclose(
        messages.log_likelihoods(table, offsets, start, transition, 1), values, rtol=1e-12
    )


def test_weights_multiply_posterior_and_counts():
    start, transition = model(3)
    table, offsets = RNG.normal(size=(9, 3)), np.array([0, 4, 9])
    weight = np.array([2.0, 0.5])
    heavy = messages.forward_backward(table, offsets, start, transition, 1, weight=weight)
    plain = messages.forward_backward(table, offsets, start, transition, 1)
    np.testing.assert_allclose(heavy[0], plain[0] * np.repeat(weight, [4, 5])[:, None])
    parts = [
        messages.forward_backward(
            np.ascontiguousarray(t), np.array([0, len(t)]), start, transition, 1
        )
        for t in (table[:4], table[4:])
    ]
    np.testing.assert_allclose(heavy[1], 2.0 * parts[0][1] + 0.5 * parts[1][1])


def test_a_message_from_behind_is_a_last_observation():
    start, transition = model(3)
    table, final = RNG.normal(size=(4, 3)), RNG.random(3) + 0.1
    cut = messages.forward_backward(table, np.array([0, 4]), start, transition, 1, final=final)
    table[-1] += np.log(final)
    whole = messages.forward_backward(table, np.array([0, 4]), start, transition, 1)
    for a, b in zip(cut, whole, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)


def test_long_sequences_and_faint_states_do_not_underflow():
    """The scaled form would lose a state that is the only one possible; logarithms take over."""
    table = np.array([[0.0, -5000.0]] * 3)
    posterior, counts, values = messages.forward_backward(
        table, np.array([0, 3]), np.array([0.0, 1.0]), np.eye(2), 1
    )
    np.testing.assert_array_equal(posterior, [[0, 1]] * 3)
    assert values[0] == -15000.0
    assert counts[1, 1] == pytest.approx(2.0)
    start, transition = model(3)
    long = RNG.normal(size=(100_000, 3)) * 5 - 50
    _, _, value = messages.forward_backward(long, np.array([0, 100_000]), start, transition, 1)
    logs = np.log(start), np.log(transition)[None]
    other = messages.log_forward_backward(long, np.array([0, 100_000]), *logs, 1)
    np.testing.assert_allclose(value, other[2], rtol=1e-12)


def test_impossible_and_empty_sequences():
    start, transition = np.array([1.0, 0.0]), np.eye(2)
    table = np.array([[-np.inf, 0.0], [0.0, 0.0]])
    posterior, _, values = messages.forward_backward(
        table, np.array([0, 1, 1, 2]), start, transition, 1
    )
    assert values[0] == -np.inf
    assert values[1] == 0.0
    assert not posterior[0].any()
    filtered, forward = messages.filtered_states(
        table, np.array([0, 1, 1, 2]), start, transition, 1
    )
    np.testing.assert_array_equal(forward, values)
    assert np.isfinite(filtered).all()


def test_threads_change_nothing():
    before = _native.set_least_work(0.0)
    try:
        start, transition = model(11)
        for lengths in ([9000], [4000, 3000, 1, 0, 900, 700, 399]):
            table = RNG.normal(size=(9000, 11)) * 3
            offsets = np.concatenate([[0], np.cumsum(lengths)])
            one = messages.forward_backward(table, offsets, start, transition, 1)
            two = messages.forward_backward(table, offsets, start, transition, 3)
            for a, b in zip(one, two, strict=True):
                np.testing.assert_array_equal(a, b)
    finally:
        _native.set_least_work(before)


@pytest.mark.parametrize("offsets", [[0, 2], [1, 3], [0, 2, 1, 3]])
def test_bad_offsets(offsets):
    with pytest.raises(ValueError, match="offsets must rise"):
        messages.filtered_states(
            np.zeros((3, 2)), np.array(offsets, dtype=np.int64), np.ones(2), np.eye(2), 1
        )


# Full packs of eight, one that is not, one long sequence in parts, two that share the threads.
LENGTHS = {
    "ragged": [5, 0, 7, 1, 9, 30, 12, 3, 2, 14, 15],
    "unequal": [400, 1, 2, 1, 1, 2],
    "long": [20_000],
    "two long": [9000, 8300],
}


def random_chain(k, lengths, seed=0):
    rng = np.random.default_rng(seed)
    total = int(np.sum(lengths))
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return rng, offsets, rng.dirichlet(np.ones(k)), rng.dirichlet(np.ones(k), k), total


@pytest.mark.parametrize("k", [1, 2, 4, 5, 8, 9])
@pytest.mark.parametrize("kind", LENGTHS)
@pytest.mark.parametrize("weighted", [False, True])
def test_chains_side_by_side_and_in_parts(k, kind, weighted):
    """Against the log form, sequence by sequence; bitwise equal for any number of threads."""
    lengths = LENGTHS[kind]
    rng, offsets, start, transition, total = random_chain(k, lengths)
    table = -rng.gamma(1.0, 3.0, (total, k))
    weight = rng.random(len(lengths)) if weighted else None
    one, two = (
        messages.forward_backward(table, offsets, start, transition, n, weight=weight)
        for n in (1, 2)
    )
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a, b)
    logs = np.log(start), np.log(transition)[None]
    posterior, _, values, pairs = messages.log_forward_backward(
        table, offsets, *logs, 1, pairs=True
    )
    each = np.ones(total) if weight is None else np.repeat(weight, lengths)
    np.testing.assert_allclose(one[0], each[:, None] * posterior, atol=1e-11)
    np.testing.assert_allclose(one[2], values, rtol=1e-12, atol=1e-12)
    inner = np.ones(total, dtype=bool)
    inner[offsets[1:][np.diff(offsets) > 0] - 1] = False
    # The log form rounds at the size of the log likelihood, so its pairs are scaled first.
    scaled = pairs[inner] / pairs[inner].sum(axis=(1, 2), keepdims=True)
    counts = np.tensordot(each[inner], scaled, 1)
    np.testing.assert_allclose(one[1], counts, rtol=1e-9, atol=1e-9)
    filtered, again = messages.filtered_states(table, offsets, start, transition, 2)
    np.testing.assert_allclose(again, values, rtol=1e-12, atol=1e-12)
    last = offsets[1:][np.diff(offsets) > 0] - 1
    np.testing.assert_allclose(filtered[last], posterior[last], atol=1e-11)


@pytest.mark.parametrize("k", [2, 4])
def test_parts_give_way_where_they_would_lose_states(k):
    """Zeros in the transitions and impossible steps: one by one, and in logarithms."""
    rng, offsets, start, transition, total = random_chain(k, [9000])
    transition = np.triu(transition)
    transition /= transition.sum(axis=1, keepdims=True)
    table = -rng.gamma(1.0, 3.0, (total, k))
    table[4000, :-1] = -1e5
    with np.errstate(divide="ignore"):
        logs = np.log(start), np.log(transition)[None]
    posterior, _, values, _ = messages.log_forward_backward(table, offsets, *logs, 1)
    found = messages.forward_backward(table, offsets, start, transition, 1)
    np.testing.assert_allclose(found[0], posterior, atol=1e-9)
    np.testing.assert_allclose(found[2], values, rtol=1e-11)
    table[5000] = -np.inf
    assert messages.log_likelihoods(table, offsets, start, transition, 1)[0] == -np.inf
    found = messages.forward_backward(table, offsets, start, transition, 1)
    assert found[2][0] == -np.inf
    assert not found[0].any()


@pytest.mark.parametrize("k", [1, 3, 5, 8])
@pytest.mark.parametrize("kind", LENGTHS)
def test_counts_of_symbols(k, kind):
    lengths = LENGTHS[kind]
    rng, offsets, start, transition, total = random_chain(k, lengths, 1)
    law = rng.dirichlet(np.ones(6), k)
    codes = rng.integers(0, 6, total).astype(float)
    codes[rng.random(total) < 0.1] = np.nan
    seen = ~np.isnan(codes)
    known = np.where(seen, codes, 0).astype(int)
    table = np.where(seen[:, None], np.log(law.T[known]), 0.0)
    weight = rng.random(len(lengths))
    by_symbol = np.ascontiguousarray(law.T)
    one, two = (
        messages.symbol_sums(codes, offsets, start, transition, by_symbol, n, weight=weight)
        for n in (1, 2)
    )
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a, b)
    posterior, counts, values = messages.forward_backward(
        table, offsets, start, transition, 1, weight=weight
    )
    shown = np.zeros((6, k))
    np.add.at(shown, known[seen], posterior[seen])
    np.testing.assert_allclose(one.log_likelihood, values, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(one.pairs, counts, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(one.shown, shown, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(one.visits, posterior.sum(axis=0), rtol=1e-9)
    first = posterior[offsets[:-1][np.diff(offsets) > 0]].sum(axis=0)
    np.testing.assert_allclose(one.first, first, rtol=1e-9, atol=1e-12)


def test_symbols_that_are_impossible_or_unknown():
    start, transition = np.array([1.0, 0.0]), np.eye(2)
    table = np.array([[1.0, 0.0], [0.0, 1.0]])
    codes, offsets = np.array([0.0, 0.0, 0.0, 1.0]), np.array([0, 2, 4])
    sums = messages.symbol_sums(codes, offsets, start, transition, table, 1)
    np.testing.assert_array_equal(sums.log_likelihood, [0.0, -np.inf])
    np.testing.assert_array_equal(sums.shown, [[2.0, 0.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match="symbol out of range"):
        messages.symbol_sums(codes + 1, offsets, start, transition, table, 1)
    with pytest.raises(ValueError, match="different shape"):
        messages.symbol_sums(codes, offsets, start, np.eye(3), table, 1)


@pytest.mark.parametrize("k", [3, 8, 15, 24, 31, 40, 48, 50, 70])
def test_both_ends_meet_for_every_width(k):
    """Odd and even lengths, down to none, with a message from behind; against the log form."""
    for length in (1, 2, 3, 18, 41):
        rng, offsets, start, transition, _ = random_chain(k, [length], seed=length)
        table = -rng.gamma(1.0, 3.0, (length, k))
        final = rng.random(k) + 0.1
        found = messages.forward_backward(table, offsets, start, transition, 1, final=final)
        table[-1] += np.log(final)
        logs = np.log(start), np.log(transition)[None]
        posterior, counts, values, _ = messages.log_forward_backward(table, offsets, *logs, 1)
        np.testing.assert_allclose(found[0], posterior, atol=1e-12)
        np.testing.assert_allclose(found[1], counts, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(found[2], values, rtol=1e-13)
        filtered, value = messages.filtered_states(table, offsets, start, transition, 1)
        np.testing.assert_allclose(value, values, rtol=1e-13)
        np.testing.assert_allclose(filtered[-1], posterior[-1], atol=1e-12)


@pytest.mark.parametrize("step", [0, 9, 10, 19])
def test_a_faint_step_in_either_half_is_done_in_logarithms(step):
    """States that the scaled form would lose, wherever they are."""
    table = np.zeros((20, 9))
    table[step, :-1] = 2000.0  # all but the last state, which is the only one possible
    posterior, counts, values = messages.forward_backward(
        table, np.array([0, 20]), np.eye(9)[8], np.eye(9), 1
    )
    np.testing.assert_array_equal(posterior, np.tile(np.eye(9)[8], (20, 1)))
    assert values[0] == 0.0
    assert counts[8, 8] == pytest.approx(19.0)
