"""Test files with margin's names in the place of scikit-learn's."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

PLUGIN = "tools.dropin.plugin"
HELPER = f"__import__('{PLUGIN}', fromlist=['ours']).ours"
# Packages whose models tests reach as attributes: ``svm.SVC``.
PACKAGES = frozenset(
    {"covariance", "discriminant_analysis", "gaussian_process", "kernel_ridge", "linear_model"}
    | {"multiclass", "naive_bayes", "neighbors", "svm", "tree", "ensemble"}
    | {"cross_decomposition", "decomposition", "manifold", "random_projection"}
)


def rewritten(source: str, names: Collection[str]) -> str:
    """Return a test file in which every import of a name is followed by its replacement.

    The replacement stands on the last line of the import, so that line numbers stay.

    Examples
    --------
    >>> print(rewritten("from sklearn.svm import SVC", {"SVC"}))
    from sklearn.svm import SVC; SVC = __import__('tools.dropin.plugin', fromlist=['ours']).ours('SVC')
    >>> rewritten("from sklearn.svm import SVC", {"SVR"})
    'from sklearn.svm import SVC'
    """  # noqa: E501
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        for name, bound in _imported(node, names):
            assert isinstance(node, ast.ImportFrom)
            lines[(node.end_lineno or node.lineno) - 1] += f"; {bound} = {HELPER}('{name}')"
    return "\n".join(lines)


def concerned(root: Path, names: Collection[str]) -> Iterator[Path]:
    """Yield the test files below ``root`` that import one of the names."""
    for path in sorted(root.rglob("tests/test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(True for node in ast.walk(tree) for _ in _imported(node, names)):
            yield path


def concerned_tests(source: str) -> dict[str, bool]:
    r"""Names of a rewritten file that can reach a replacement, and whether it is certain.

    Directly, or by way of helpers, fixtures and constants of the file. The others need not run.
    Where only the decorators of a test reach one, it depends on the parameters.

    Examples
    --------
    >>> text = "from sklearn.svm import SVC\nmodels = [SVC]\ndef test_a(): models\ndef test_b(): 1"
    >>> sorted(concerned_tests(rewritten(text, {"SVC"})))
    ['SVC', 'models', 'test_a']
    """
    nodes = ast.parse(source).body
    parts = [(_defined(node), _mentioned(node)) for node in nodes]
    reached = {PLUGIN}
    while True:
        more = {name for defined, said in parts if said & reached for name in defined}
        if more <= reached:
            break
        reached |= more
    by_chance = {
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef) and not _mentioned(_undecorated(node)) & reached
    }
    return {name: name not in by_chance for name in reached - {PLUGIN}}


def _undecorated(node: ast.FunctionDef) -> ast.Module:
    asked = [a for a in ast.walk(node.args) if isinstance(a, ast.arg)]
    names = [ast.Expr(ast.Name(a.arg, ast.Load())) for a in asked]
    return ast.Module([*names, *node.body], [])


def _defined(node: ast.stmt) -> set[str]:
    """Names that a statement of a file binds or may change."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    inside = list(ast.walk(node))
    bound = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {n.name for n in inside if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    # ``models.append(…)``, ``models["a"] = …``
    holders = (n.value for n in inside if isinstance(n, ast.Attribute | ast.Subscript))
    return bound | {n.id for n in holders if isinstance(n, ast.Name)}


def _mentioned(node: ast.AST) -> set[str]:
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    names |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}  # fixtures
    return names | {
        n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }


def _imported(node: ast.AST, names: Collection[str]) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sklearn":
        known = PACKAGES if node.module == "sklearn" else names
        for alias in node.names:
            if alias.name in known:
                yield alias.name, alias.asname or alias.name
