import numpy as np
import pytest
import skops.io
from sklearn.tree import DecisionTreeClassifier

from margin import evaluation
from margin.cli import _trust
from margin.testing._samples import sample_for
from margin.testing._suite import _with_seed


@pytest.mark.parametrize(
    "name",
    [
        "margin.core.FitReport",
        "margin.core.Status",
        "margin.core.Certificate",
        "margin.linear.Ridge",
        "sklearn.preprocessing._data.StandardScaler",
        "sklearn.tree._tree.Tree",
        "numpy.float64",
        "numpy.ndarray",
        "scipy.sparse._csr.csr_matrix",
    ],
)
def test_pieces_of_models_are_let_in(name):
    assert _trust.refused([name]) == []


@pytest.mark.parametrize(
    "name",
    [
        "builtins.eval",
        "os.system",
        "posix.system",
        "subprocess.Popen",
        "functools.partial",
        "numpy.testing.runstring",
        "numpy.load",
        "numpy.lib._npyio_impl.load",
        "numpy.memmap",
        "numpy.memmap.tofile",
        "scipy.io.loadmat",
        "sklearn.utils.parallel.Parallel",
        "sklearn.utils._testing.TempMemmap",
        "sklearn.datasets._base.load_files",
        "joblib.memory.Memory",
        "margin.cli._main.main",
        "margin.cli._output.Draft",
        "margin.core.iteration._report.np",
        "margin.core.check.data",
        "margin.linear.regression._ridge.Ridge.fit",
        "margin.core.progress.sys",
        "marginal.Thing",
        "margin",
        "",
        "margin.no_such_module.Thing",
        "sklearn.exceptions.NotFittedError",
    ],
)
def test_everything_else_is_refused(name):
    assert _trust.refused([name]) == [name]


def test_names_of_modules_that_have_moved():
    names = ["margin.linear.Ridge", "margin.linear._ridge.Ridge", "os.system", "margin.core.No"]
    assert _trust.moved(names) == ["margin.linear._ridge.Ridge"]


def test_refused_names_are_sorted_and_named_once():
    found = _trust.refused(["os.system", "builtins.eval", "os.system", "numpy.float64"])
    assert found == ["builtins.eval", "os.system"]


@pytest.fixture
def tree():
    X = np.random.default_rng(0).normal(size=(40, 3))
    return DecisionTreeClassifier(max_depth=2).fit(X, X[:, 0] > X[:, 1])


def damaged(tree, **changes):
    """The tree with node fields changed behind scikit-learn's back."""
    state = tree.tree_.__getstate__()
    nodes = state["nodes"].copy()
    for name, value in changes.items():
        nodes[name][0] = value
    tree.tree_.__setstate__({**state, "nodes": nodes})
    return tree


def test_honest_trees_are_sound_wherever_they_are(tree):
    assert _trust.sound_trees({"model": [tree]})
    assert _trust.sound_trees(np.array([tree, None], dtype=object))
    assert _trust.sound_trees({"no": "tree"})


@pytest.mark.parametrize(
    "changes",
    [
        {"left_child": 10**6},
        {"right_child": -7},
        {"left_child": 0},
        {"feature": 3},
        {"feature": -2},
    ],
)
def test_trees_that_lead_out_of_their_arrays_are_not(tree, changes):
    assert not _trust.sound_trees([damaged(tree, **changes)])


def test_tree_must_belong_to_an_estimator_of_its_width(tree):
    assert not _trust.sound_trees([tree.tree_])
    tree.n_features_in_ = 2
    assert not _trust.sound_trees(tree)


@pytest.mark.parametrize(("name", "cls"), evaluation.all_estimators(input="table"))
def test_every_estimator_of_margin_can_be_saved_and_loaded(name, cls):
    X, y, _ = sample_for(cls())
    fitted = _with_seed(cls()).fit(X, y)
    data = skops.io.dumps({"model": fitted})
    types = skops.io.get_untrusted_types(data=data)
    assert _trust.refused(types) == []
    model = skops.io.loads(data, trusted=types)["model"]
    assert _trust.sound_trees(model)
    if hasattr(model, "predict"):
        assert (model.predict(X) == fitted.predict(X)).all()
