"""A root of its own with the board installed in it, as a tree of files: users, configuration, state, units.

The machine's programs are not in it; `booted` binds them there. The machine itself stays as it is.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.systemd.unit import FOLDER, PLACES

_ACCOUNTS = Path("/usr/share/base-passwd")
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "nsswitch.conf", "alternatives", "localtime")
_FOLDERS = ("usr", "etc", "opt/setmatch", "var/lib", "var/tmp", "tmp", "run/systemd", "proc", "sys", "dev")
CONFIGURATION = '[camera]\nsource = "simulated"\n'
PYTHON = f"/opt/setmatch/python/bin/python{sys.version_info[0]}.{sys.version_info[1]}"
"""This interpreter, wherever it lies here; in the root homes are hidden."""
ENVIRONMENT = "PYTHONPATH=/opt/setmatch:/opt/setmatch/packages LD_LIBRARY_PATH=/opt/setmatch/python/lib"
"""What it finds its packages by, and its own library before one of this machine's."""
COMMAND = f"""#!/bin/sh
test ! -e /etc/setmatch/crash || exit 1
export {ENVIRONMENT}
exec {PYTHON} -m firmware.cli "$@" --autoplay --speed 0
"""
"""In the place of `setmatch`: it plays by itself, or falls over if it is told to."""


def make_root(root: Path) -> Path:
    """A new root in the folder `root`, with the user, the groups and the folders that our files ask for."""
    root.mkdir()
    for folder in (*_FOLDERS, "home", "root"):
        (root / folder).mkdir(parents=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        if (link := Path("/", name)).is_symlink():
            (root / name).symlink_to(os.readlink(link))
    for name in _ETC:
        _copy(Path("/etc", name), root / "etc" / name)
    for name in ("passwd", "group"):
        shutil.copy(_ACCOUNTS / f"{name}.master", root / "etc" / name)
    for name, place in PLACES.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FOLDER / name, root / place)
    (root / "etc/systemd/system/console-getty.service").symlink_to("/dev/null")  # nobody logs in
    prepare("systemd-sysusers", root, root / PLACES["setmatch.sysusers.conf"])
    prepare("systemd-tmpfiles", root, "--create", root / PLACES["setmatch.tmpfiles.conf"])
    (root / "etc/machine-id").write_text(f"{1:032x}\n", encoding="ascii")
    (root / "var/run").symlink_to("/run")
    command = root / "opt/setmatch/venv/bin/setmatch"
    command.parent.mkdir(parents=True)
    command.write_text(COMMAND, encoding="utf-8")
    command.chmod(0o755)
    configuration = root / "etc/setmatch/setmatch.toml"
    configuration.write_text(CONFIGURATION, encoding="utf-8")
    user, group, _ = account(root, "setmatch")
    os.chown(configuration, user, group)
    return root


def prepare(program: str, root: Path, *arguments: object) -> str:
    """Run one of systemd's programs over the root; what it complained of."""
    done = subprocess.run(
        [program, f"--root={root}", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def account(root: Path, name: str) -> tuple[int, int, dict[str, int]]:
    """A user's number, its group's, and the numbers of all groups by name."""
    users = [line.split(":") for line in (root / "etc/passwd").read_text(encoding="utf-8").splitlines()]
    groups = [line.split(":") for line in (root / "etc/group").read_text(encoding="utf-8").splitlines()]
    (user,) = [fields for fields in users if fields[0] == name]
    return int(user[2]), int(user[3]), {fields[0]: int(fields[2]) for fields in groups}


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)
    elif source.exists():
        shutil.copy(source, target)
