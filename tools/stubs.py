"""Write the type stub of the compiled module, or check that it is up to date.

The signatures are those that nanobind keeps in the module. Run as ``python -m tools.stubs``;
``--check`` writes nothing and exits 1 with the names whose signature has changed.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from nanobind.stubgen import StubGen

from margin.native import _native

STUB = Path(__file__).resolve().parent.parent / "src" / "margin" / "native" / "_native.pyi"
HEADER = '"""Types of the compiled module, written by ``python -m tools.stubs``."""\n\n'
# Shape, order and device are checked by the module itself: types say what a reader looks for.
ANNOTATED = re.compile(r"Annotated\[(NDArray\[[^\[\]]*\]), dict\((?:[^()]|\([^()]*\))*\)\]")


def generated(module: ModuleType = _native) -> str:
    """Text of the stub of a module."""
    generator = StubGen(module)
    generator.put(module)
    text = plain(HEADER + generator.get())
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check", "--fix-only", "--quiet", "--select", "F401,I"], ["format"]):
        done = subprocess.run(
            [*ruff, *command, "--stdin-filename", str(STUB), "-"],
            input=text, capture_output=True, text=True, check=True,
        )  # fmt: skip
        text = done.stdout
    return text


def plain(text: str) -> str:
    """The text with arrays described by the type of their entries alone.

    Examples
    --------
    >>> plain("x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')] | None")
    'x: NDArray[np.int32] | None'
    """
    text = ANNOTATED.sub(r"\1", text).replace("import numpy\n", "import numpy as np\n")
    return re.sub(r"\bnumpy\.(?!typing)", "np.", text)


def signatures(text: str) -> dict[str, list[list[str]]]:
    r"""Names and parameters of every function of a stub, one list of parameters per overload.

    Examples
    --------
    >>> signatures("class A:\n    def f(self, x: int) -> None: ...")
    {'A.f': [['self', 'x']]}
    """
    known: dict[str, list[list[str]]] = {}

    def collect(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                collect(node.body, f"{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                names = [argument.arg for argument in node.args.posonlyargs + node.args.args]
                known.setdefault(prefix + node.name, []).append(names)

    collect(ast.parse(text).body, "")
    return known


def outdated(text: str, module: ModuleType = _native) -> list[str]:
    """Names of the functions that a stub describes otherwise than the module, or not at all."""
    said, true = signatures(text), signatures(generated(module))
    return sorted(name for name in said.keys() | true.keys() if said.get(name) != true.get(name))


def main(arguments: list[str]) -> int:
    """Write or check the stub; return the exit status."""
    if arguments != ["--check"]:
        STUB.write_text(generated())
        return 0
    names = outdated(STUB.read_text())
    for name in names:
        print(f"{STUB.name}: the signature of {name} has changed; run python -m tools.stubs")
    return int(bool(names))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
