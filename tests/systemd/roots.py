"""Roots to install into: this machine's own under a layer that takes the changes, and new Debian ones.

Programs run in them with mounts of their own, which end with them; the machine itself stays as it is. What is
shared with it is shared read-only, or copied.
"""

import hashlib
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
SOURCE = "/mnt/setmatch"
"""Where a root has this checkout, to read."""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_PIP_PLACES = "/mnt/pip"
# How pip reaches its index; all else of its configuration is no business of a new system's.
_PIP_KEYS = frozenset({
    "index-url", "extra-index-url", "find-links", "no-index", "cert", "client-cert", "trusted-host", "proxy",
    "timeout", "default-timeout", "retries",
})  # fmt: skip
_OF_ITS_OWN = ("unshare", "--mount", "--pid", "--fork", "--kill-child")
_PROXIES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


@dataclass(frozen=True)
class Done:
    """How a program in a root ended."""

    code: int
    out: str
    err: str

    def check(self) -> "Done":
        """Itself, if it ended well."""
        assert self.code == 0, f"exit code {self.code}\n{self.err[-3000:]}\n{self.out[-6000:]}"
        return self


@dataclass(frozen=True)
class Root:
    """A root in the folder `path`; `mounts` are shell lines that lay it there, for each run anew."""

    path: Path
    mounts: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()

    def seeing(self, source: Path, place: str) -> "Root":
        """The same, with a folder of this machine to be read at `place`."""
        return replace(self, mounts=(*self.mounts, *_read_only(source, self.path, place)))

    def run(self, *command: object, environment: Mapping[str, str] | None = None) -> Done:
        """Run a command in it, as root, with no environment but ours."""
        at = shlex.quote(str(self.path))
        settings = {"PATH": _PATH, "HOME": "/root", **dict(self.environment), **(environment or {})}
        script = "\n".join((
            "set -e",
            "mount --make-rprivate /",
            *self.mounts,
            f"mount -t proc proc {at}/proc",
            *_read_only(CHECKOUT, self.path, SOURCE),
            f'exec chroot {at} /usr/bin/env --ignore-environment "$@"',
        ))  # fmt: skip
        words = [f"{key}={value}" for key, value in settings.items()]
        done = subprocess.run(
            [*_OF_ITS_OWN, "sh", "-c", script, "sh", *words, *map(str, command)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)


def _read_only(source: Path, root: Path, place: str) -> Iterable[str]:
    target = shlex.quote(f"{root}{place}")
    return (
        f"mkdir -p {target}",
        f"mount --bind {shlex.quote(str(source))} {target}",
        f"mount -o remount,bind,ro {target}",
    )


def why_not() -> str | None:
    """Why no roots can be made here; None if they can."""
    if os.geteuid() != 0:
        return "making a root to install into needs the user root"
    tried = subprocess.run(
        [*_OF_ITS_OWN, "sh", "-c", "mount --make-rprivate / && mount -t tmpfs tmpfs /mnt"],
        capture_output=True,
        text=True,
        check=False,
    )
    return None if tried.returncode == 0 else f"no mounts of one's own here: {tried.stderr.strip()}"


def require(reason: str | None) -> None:
    """Skip for this reason, if there is one; where CI=true a skipped test would look like one that passed."""
    if reason is None:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@dataclass(frozen=True)
class Layered:
    """This machine's root under a layer: `layer` holds what was changed, and nothing else."""

    root: Root
    layer: Path

    def changes(self, apart: str = r"(?!)") -> dict[str, str]:
        """Each changed path but those that `apart` matches: what is there now."""
        found: dict[str, str] = {}
        for path in sorted(self.layer.rglob("*")):
            name = "/" + path.relative_to(self.layer).as_posix()
            if re.search(apart, name) is None:
                found[name] = _told(path)
        return found


def _told(path: Path) -> str:
    found = path.lstat()
    rights = f"{stat.filemode(found.st_mode)} {found.st_uid}:{found.st_gid}"
    if path.is_symlink():
        return f"-> {path.readlink()}"
    if not path.is_file():
        return rights
    return f"{rights} {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"


def layered(folder: Path) -> Layered:
    """This machine's root, whose changes go to a new folder."""
    layer, work, at = folder / "layer", folder / "work", folder / "root"
    for each in (layer, work, at):
        each.mkdir(parents=True)
    where = shlex.quote(str(at))
    options = f"lowerdir=/,upperdir={layer},workdir={work}"
    mounts = (
        f"mount -t overlay overlay -o {shlex.quote(options)} {where}",
        *_read_only(Path("/dev"), at, "/dev"),
    )
    # The mount point of the checkout is ours, not a change.
    for needed in ("mnt/setmatch", "dev", "proc"):
        (layer / needed).mkdir(parents=True)
    return Layered(Root(at, mounts), layer)


def debian(folder: Path, release: str, architecture: str) -> Root:
    """A new Debian of a release in a folder, as small as it gets, with this machine's ways to apt and pip."""
    subprocess.run(
        ["debootstrap", "--variant=minbase", f"--arch={architecture}", release, str(folder), mirror()],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    # An old snapshot's lists may have expired for apt; where that is so, this machine has been told so.
    told = _printed("apt-config", "dump", "Acquire")
    kept = [line for line in told.splitlines() if re.search(r"Check-Valid-Until|[Pp]roxy|CaInfo", line)]
    (folder / "etc/apt/apt.conf.d/90machine").write_text("\n".join(kept) + "\n", encoding="utf-8")
    # Some processors are met wrongly by OpenBLAS unless it is told what they are.
    environment = {
        name: value for name, value in os.environ.items() if name in _PROXIES or name.startswith("OPENBLAS_")
    }
    mounts: list[str] = []
    for name, value in _pip_configuration().items():
        environment[f"PIP_{name.upper().replace('-', '_')}"] = _with_places(value, folder, mounts)
    return Root(folder, tuple(mounts), tuple(environment.items()))


def _printed(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def mirror() -> str:
    """The Debian mirror that this machine's apt uses."""
    files = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*.*"))]
    for path in files:
        if not path.is_file() or path.suffix not in (".list", ".sources"):
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            found = re.match(r"(?:URIs:|deb(?:\s+\[[^\]]*\])?)\s+(\S+/debian/?)(?:\s|$)", line)
            if found:
                return found[1]
    pytest.fail("no Debian mirror stands in /etc/apt; this test needs one")


def _pip_configuration() -> dict[str, str]:
    """The machine's settings of pip's index, by key; what stands in the environment wins."""
    listed = _printed(sys.executable, "-m", "pip", "config", "list")
    settings: dict[str, str] = {}
    for line in sorted(listed.splitlines(), key=lambda line: line.startswith(":env:")):
        name, _, value = line.partition("=")
        key = name.split(".", 1)[1]
        if key in _PIP_KEYS:
            settings[key] = " ".join(value.strip("'\"").replace("\\n", " ").split())
    return settings


def _with_places(value: str, root: Path, mounts: list[str]) -> str:
    """The value with folders and files of this machine where the root sees them: folders are mounted to be
    read, files copied, since a package may want to replace the file (ca-certificates does)."""
    words = []
    for word in value.split():
        local = Path(word.removeprefix("file://"))
        if local.is_absolute() and local.exists():
            place = f"{_PIP_PLACES}{local}"
            if local.is_dir():
                # An index has its files beside it.
                mounts.extend(_read_only(local.parent, root, f"{_PIP_PLACES}{local.parent}"))
            else:
                (root / place[1:]).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(local, root / place[1:])
            word = word.replace(str(local), place)
        words.append(word)
    return " ".join(words)
