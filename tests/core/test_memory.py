"""Memory of the machine, of control groups, and of the process, over made-up file trees."""

import subprocess
import sys

import pytest

from margin.core import memory

GIB = 2**30


@pytest.fixture
def machine(tmp_path):
    """A machine of 16 GiB, 8 of them free."""
    write(tmp_path, "proc/meminfo", f"MemTotal: {16 * 2**20} kB\nMemAvailable: {8 * 2**20} kB\n")
    return tmp_path


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(text))


def group(root, folder, limit, used, cache):
    write(root, f"sys/fs/cgroup/{folder}/memory.max", f"{limit}\n")
    write(root, f"sys/fs/cgroup/{folder}/memory.current", f"{used}\n")
    write(root, f"sys/fs/cgroup/{folder}/memory.stat", f"anon 1\ninactive_file {cache}\n")


def legacy_group(root, folder, limit, used, cache):
    write(root, f"sys/fs/cgroup/memory/{folder}/memory.limit_in_bytes", f"{limit}\n")
    write(root, f"sys/fs/cgroup/memory/{folder}/memory.usage_in_bytes", f"{used}\n")
    write(root, f"sys/fs/cgroup/memory/{folder}/memory.stat", f"total_inactive_file {cache}\n")


def test_nothing_known(tmp_path):
    assert memory.total(tmp_path) is None
    assert memory.available(tmp_path) is None


def test_no_control_group(machine):
    assert memory.total(machine) == 16 * GIB
    assert memory.available(machine) == 8 * GIB


def test_version_two(machine):
    """The file cache of a group is given back before anything is refused."""
    write(machine, "proc/self/cgroup", "0::/a/b\n")
    group(machine, "a/b", 4 * GIB, 3 * GIB, GIB)
    assert memory.total(machine) == 4 * GIB
    assert memory.available(machine) == 2 * GIB


def test_version_one(machine):
    write(machine, "proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a\n1:name=systemd:/\n0::/\n")
    legacy_group(machine, "a", 2 * GIB, GIB, GIB // 2)
    assert memory.total(machine) == 2 * GIB
    assert memory.available(machine) == 2 * GIB - GIB // 2


@pytest.mark.parametrize("line", ["0::/a/b", "3:memory:/a/b"])
def test_a_group_above_may_be_narrower(machine, line):
    write(machine, "proc/self/cgroup", line)
    make = group if line.startswith("0") else legacy_group
    make(machine, "a/b", 6 * GIB, GIB, 0)
    make(machine, "a", 3 * GIB, 2 * GIB, 0)
    assert memory.total(machine) == 3 * GIB
    assert memory.available(machine) == GIB


@pytest.mark.parametrize("line", ["0::/host/path", "0::/../../host", "3:memory:/docker/0123"])
def test_in_a_container_the_path_may_be_that_of_the_host(machine, line):
    write(machine, "proc/self/cgroup", line)
    make = legacy_group if "memory" in line else group
    make(machine, "", GIB, 0, 0)
    assert memory.total(machine) == GIB


@pytest.mark.parametrize(("limit", "line"), [("max", "0::/a"), (2**63 - 4096, "2:memory:/a")])
def test_no_limit_is_no_limit(machine, limit, line):
    write(machine, "proc/self/cgroup", line)
    make = legacy_group if "memory" in line else group
    make(machine, "a", limit, GIB, 0)
    assert memory.total(machine) == 16 * GIB
    assert memory.available(machine) == 8 * GIB


def test_what_is_overdrawn_is_nothing(machine):
    write(machine, "proc/self/cgroup", "0::/a")
    group(machine, "a", GIB, 2 * GIB, 0)
    assert memory.available(machine) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
def test_limit_of_the_process():
    code = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (2**33, 2**33))
from margin.core import memory
assert memory.total() <= 2**33, memory.total()
assert 0 < memory.available() < 2**33 - 2**20, memory.available()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_of_this_machine():
    size, free = memory.total(), memory.available()
    assert size is None or size > 2**27
    assert free is None or size is None or 0 <= free <= size
