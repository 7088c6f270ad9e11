import numpy as np

from margin.search import BinnedGrowth, Bins, GrowthRules


def grown(rules):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3))
    bins = Bins.of(X)
    growth = BinnedGrowth(bins, bins.encode(X), rules)
    growth.grow(rng.standard_normal(300).astype(np.float32))
    return growth.forest()


def test_every_rule_reaches_the_engine():
    free = grown(GrowthRules())
    assert free.n_leaves[0] > 200
    assert grown(GrowthRules(max_leaf_nodes=5)).n_leaves[0] == 5
    assert grown(GrowthRules(max_depth=2)).depths[0] == 2
    small = grown(GrowthRules(min_samples_leaf=30))
    assert small.n_rows[small.is_leaf].min() >= 30
    heavy = grown(GrowthRules(min_child_weight=30.0))
    assert heavy.cover[heavy.is_leaf].min() >= 30
    gain = grown(GrowthRules(min_gain=3.0))
    assert gain.gain[~gain.is_leaf].min() > 3.0
    assert np.abs(grown(GrowthRules(l2=100.0)).value).max() < np.abs(free.value).max()
    assert (grown(GrowthRules(monotonic=(0, 1, -1), max_leaf_nodes=5)).n_leaves <= 5).all()
    alone = grown(GrowthRules(interaction=((0,), (1,), (2,))))
    assert len(set(alone.feature.tolist())) == 2
    wide = grown(GrowthRules(depth_wise=True, max_leaf_nodes=8, min_samples_leaf=10))
    assert (np.diff(wide.left[~wide.is_leaf]) > 0).all()
    assert not np.array_equal(grown(GrowthRules(split_features=1)).feature, free.feature)
