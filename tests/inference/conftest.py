"""Random factor models small enough to enumerate."""

import pytest

from margin.inference import FactorModel


def make_model(rng, n=None, *, zeros=False, directed=False, tree=False):
    """Variables of one to four states; factors of any arity, constants and repetitions included."""
    n = int(rng.integers(1, 8)) if n is None else n
    cards = tuple(int(c) for c in rng.integers(1, 5, n))
    scopes, tables = [], []
    for k in range(n if directed else int(rng.integers(n, n + 4))):
        if directed:
            parents = rng.permutation(k)[: int(rng.integers(0, min(k, 2) + 1))]
            scope = (*map(int, parents), k)
        elif tree:
            scope = (int(rng.integers(k)), k) if 0 < k < n else (min(k, n - 1),)
        else:
            scope = tuple(map(int, rng.permutation(n)[: int(rng.integers(0, min(n, 3) + 1))]))
        table = rng.random([cards[v] for v in scope]) + 0.05
        if zeros:
            table = table * (rng.random(table.shape) < 0.75)
        if directed:
            table = table / table.sum(axis=-1, keepdims=True)
        scopes.append(scope)
        tables.append(table)
    return FactorModel(cards, tuple(scopes), tuple(tables))


@pytest.fixture
def random_model():
    return make_model
