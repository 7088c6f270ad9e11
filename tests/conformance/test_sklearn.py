"""scikit-learn's own checks over every estimator that takes a table.

The exceptions are theirs too: the share ``nu`` of a NuSVC bounds the errors of all classes
together, so no price of one class buys every prediction, as the check of class weights wants; and a
forest that draws rows at random draws others where rows are repeated, as bagging does, and boosting
goes on from the last digit of the weights. Gradient boosting keeps slopes in single precision: a
weight of three and three rows agree to 1e-6 of the probabilities, where the check asks for 1e-7.
Decompositions have by default as many components as there are rows, and repeated rows are more.
Random seeds of k-means are drawn by the place of the rows, which that check shuffles, as in theirs.
"""

from sklearn.utils.estimator_checks import parametrize_with_checks

from margin.testing import instances

DRAWN = {
    f"check_sample_weight_equivalence_on_{kind}_data": "a bootstrap of repeated rows draws others"
    for kind in ("dense", "sparse")
}
ROUNDED = {
    f"check_sample_weight_equivalence_on_{kind}_data": "slopes are rounded to single precision"
    for kind in ("dense", "sparse")
}
COUNTED = {
    f"check_sample_weight_equivalence_on_{kind}_data": "as many components as rows by default"
    for kind in ("dense", "sparse")
}
SEEDED = {
    f"check_sample_weight_equivalence_on_{kind}_data": "seeds are drawn by the place of the rows"
    for kind in ("dense", "sparse")
}
FEW_ROWS = {
    f"check_sample_weights_{what}": "warns of fewer different rows than clusters, as theirs does"
    for what in ("shape", "not_overwritten")
}
FEW_SHAPES = {
    f"check_sample_weights_{what}": "warns of fewer different shapes than clusters"
    for what in ("pandas_series", "not_an_array")
}
NEGATIVE = dict.fromkeys(
    ("check_clustering", "check_clustering(readonly_memmap=True)"), "counts cannot be negative"
)
EXEMPT = {
    "BisectingKMeans": SEEDED | FEW_ROWS,
    "DirichletProcessMixture": SEEDED,
    "HistogramClustering": SEEDED | NEGATIVE | FEW_ROWS | FEW_SHAPES,
    "KMeans": SEEDED | FEW_ROWS,
    "KMedoids": FEW_ROWS,
    "KernelKMeans": SEEDED | FEW_ROWS,
    "MiniBatchKMeans": SEEDED | FEW_ROWS,
    "SphericalKMeans": SEEDED | FEW_ROWS,
    "NuSVC": {"check_class_weight_classifiers": "nu bounds the errors of all classes"},
    "RandomForestClassifier": DRAWN,
    "RandomForestRegressor": DRAWN,
    "AdaBoostClassifier": DRAWN,
    "GradientBoostingClassifier": ROUNDED,
    "BaggingClassifier": DRAWN,
    "BaggingRegressor": DRAWN,
    "PCA": COUNTED,
    "IncrementalPCA": COUNTED,
    "ProbabilisticPCA": COUNTED,
    "FactorAnalysis": COUNTED,
}


@parametrize_with_checks(
    instances(), expected_failed_checks=lambda model: EXEMPT.get(type(model).__name__, {})
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
