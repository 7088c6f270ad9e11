"""Build the core with the address and undefined-behaviour sanitizers and run tests on it.

``python -m tools.sanitize [paths …]``, by default over ``tests/native``. The build has a folder of
its own, ``build/sanitize``; the usual core stays where it is. Needs Linux, GCC and CMake.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "sanitize"
# Limits of memory are those of the sanitizer itself, which needs terabytes of addresses.
TESTS = ("tests/native", "-k", "not out_of_memory")

# Python loads this module at its start, before anybody can import the usual core.
HOOK = '''"""Put the sanitized core in the place of the usual one, in children as well."""

import importlib.machinery
import importlib.util
import os
import sys
import traceback

name, path = "margin.native._native", {path!r}
try:
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    sys.modules[name] = importlib.util.module_from_spec(spec)
    loader.exec_module(sys.modules[name])
except BaseException:
    # Python would go on, with the usual core in its place.
    traceback.print_exc()
    os._exit(3)
'''


def build() -> Path:
    """Configure and build; return the extension module."""
    options = ["-DMARGIN_SANITIZE=ON", f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(BUILD), *options], check=True)
    subprocess.run(["cmake", "--build", str(BUILD)], check=True)
    return next(BUILD.glob("_native*.so"))


def runtime(library: str) -> str:
    """Where the compiler keeps a run-time library, with everything it needs loaded beside it."""
    compiler = shlex.split(os.environ.get("CXX", "g++"))
    asked = [*compiler, f"-print-file-name={library}"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def environment(module: Path) -> dict[str, str]:
    """Variables under which Python runs on the sanitized core.

    Python itself is no sanitized program: the run-time library must be loaded first, and what the
    interpreter never frees is no leak of ours.
    """
    hook = BUILD / "hook"
    hook.mkdir(parents=True, exist_ok=True)
    (hook / "sitecustomize.py").write_text(HOOK.format(path=str(module)), encoding="utf-8")
    paths = [str(hook), *filter(None, [os.environ.get("PYTHONPATH")])]
    # The C++ library goes along, or exceptions would be thrown past the run-time library.
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "LD_PRELOAD": " ".join(map(runtime, ("libasan.so", "libstdc++.so"))),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
    }


def main(arguments: list[str]) -> int:
    """Build, run the tests, return their exit status."""
    module = build()
    command = [sys.executable, "-m", "pytest", "-q", *(arguments or TESTS)]
    return subprocess.run(command, cwd=ROOT, env=environment(module), check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
