"""install.sh in new Debian roots, with real packages from the machine's mirror and index.

Takes minutes, so it is not part of `make test`; `make installer` runs it. test_install.py has what can be
tested faster.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared import BESIDE, needs
from tests.systemd.roots import SOURCE, Root, debian, require, why_not
from tests.systemd.test_booted import Computer

pytestmark = [
    needs("debootstrap", "debootstrap"),
    needs("unshare", "util-linux"),
    pytest.mark.timeout(1800),
]

INSTALLER = f"{SOURCE}/systemd/install.sh"
NATIVE = (
    subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=False
    ).stdout.strip()
    or "amd64"
)
BOOT = "dtparam=audio=on\n#dtparam=i2c_arm=on\n"
TESTED = ("tests/rules", "tests/calibration", "tests/umpire")
KEPT = ("/etc/setmatch", "/var/lib/setmatch")


def why_no_programs(architecture: str) -> str | None:
    """Why programs of this architecture cannot run here; None if they can."""
    if architecture == NATIVE or any(Path("/proc/sys/fs/binfmt_misc").glob("qemu-aarch64*")):
        return None
    return f"programs for {architecture} do not run here (Debian's qemu-user-static and binfmt-support)"


@pytest.fixture(
    scope="module", params=[("bookworm", NATIVE), ("trixie", NATIVE), ("bookworm", "arm64")], ids="-".join
)
def root(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Root]:
    """A new Debian, with the file by which a Pi is known."""
    require(why_not())
    release, architecture = request.param
    if reason := why_no_programs(architecture):
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp(release) / "root"
    new = debian(folder, release, architecture)
    boot = folder / "boot/firmware/config.txt"
    boot.parent.mkdir()
    boot.write_text(BOOT, encoding="utf-8")
    yield new
    # Half a gigabyte each.
    shutil.rmtree(folder)


def program(root: Root, *words: object, ended: tuple[int, ...] = (0,)) -> str:
    """What `setmatch` prints for the service's user."""
    done = root.run("runuser", "-u", "setmatch", "--", "/usr/local/bin/setmatch", *words)
    assert done.code in ended, done
    return done.out


def leftovers(root: Root) -> Iterator[str]:
    """Files by our name, but for those that stay with an uninstallation."""
    found = root.run(
        "find", "/", "-xdev", "-regex", "/mnt\\|/run", "-prune", "-o", "-iname", "*setmatch*", "-print"
    ).check()
    return (line for line in found.out.splitlines() if not line.startswith(KEPT))


def sound(root: Root) -> None:
    """Check that the system's own packages are whole: nothing half installed, no file of theirs changed."""
    assert root.run("dpkg", "--audit").check().out == ""
    root.run("apt-get", "check", "-qq").check()
    changed = root.run("dpkg", "--verify").check().out.splitlines()
    # c: a file of configuration, which the root's making changes
    assert [line for line in changed if line.split()[1:2] != ["c"]] == []


def test_the_whole_walk(root: Root) -> None:
    cut_off_among_the_packages(root)
    first = root.run(INSTALLER).check()
    assert "setmatch 0.1.0" in first.out
    assert "sudo reboot" in first.out
    sound(root)
    python = "/opt/setmatch/venv/bin/python"
    told = "import numpy, cv2, sys; print(numpy.__file__, cv2.__version__, sys.version.split()[0])"
    versions = root.run(python, "-I", "-c", told).check().out
    assert versions.startswith("/usr/lib/python3/dist-packages/numpy/"), versions
    root.run(python, "-m", "pip", "check").check()
    emulated = root.run("uname", "-m").check().out.strip() != os.uname().machine
    made = use(root, emulated)
    findings = doctored(root)

    configuration = root.path / "etc/setmatch/setmatch.toml"
    configuration.write_text(configuration.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    mine = configuration.read_text(encoding="utf-8")
    again = root.run(INSTALLER).check()
    assert "0 of them new" in again.out
    assert doctored(root) == findings
    root.run(INSTALLER, "--rollback").check()
    assert kept(root, emulated) == made

    root.run("/opt/setmatch/current/tree/systemd/install.sh", "--uninstall").check()
    assert list(leftovers(root)) == []
    assert configuration.read_text(encoding="utf-8") == mine
    assert (root.path / "boot/firmware/config.txt").read_text(encoding="utf-8") == BOOT
    sound(root)

    if not emulated:
        root.run(INSTALLER).check()
        assert kept(root, emulated) == made
        assert configuration.read_text(encoding="utf-8") == mine
    root.run(INSTALLER, "--purge").check()
    assert list(leftovers(root)) == []
    assert not any((root.path / path[1:]).exists() for path in KEPT)
    sound(root)


def use(root: Root, emulated: bool) -> str:
    """Play, or find a board where a game would take four minutes; what is kept of it."""
    if emulated:
        words = "calibrate --camera simulated --board classic --save /var/lib/setmatch/cal.json"
        assert "found" in program(root, *words.split())
    else:
        words = "run --rig simulated --autoplay --games 1 --speed 0 --seed 3 --state /var/lib/setmatch"
        assert "calls agree" in program(root, *words.split())
    return kept(root, emulated)


def kept(root: Root, emulated: bool) -> str:
    """What `use` has left."""
    if emulated:
        return (root.path / "var/lib/setmatch/cal.json").read_text(encoding="utf-8")
    return program(root, "matches", "--state", "/var/lib/setmatch")


def cut_off_among_the_packages(root: Root) -> None:
    """End an installation as a power cut does, while packages are unpacked and not yet set up."""
    script = (
        f"{INSTALLER} >/dev/null 2>&1 & "
        "until cat /var/lib/dpkg/status /var/lib/dpkg/updates/* 2>/dev/null |"
        " grep -q '^Status: install ok unpacked'; do kill -0 $! || exit 1; done; exit 0"
    )
    root.run("sh", "-c", script).check()
    assert not (root.path / "opt/setmatch").exists()
    spoil_a_package(root)
    assert root.run("dpkg", "--audit").out != ""


def spoil_a_package(root: Root) -> None:
    """Have one be in the state in which a cut leaves it that falls within its unpacking, as few cuts do."""
    # What dpkg noted last is beside its status until somebody writes there.
    root.run("sh", "-c", "echo mawk install | dpkg --set-selections").check()
    status = root.path / "var/lib/dpkg/status"
    before, name, after = status.read_text(encoding="utf-8").partition("Package: mawk\n")
    spoilt = after.replace("Status: install ok installed", "Status: install reinstreq unpacked", 1)
    assert spoilt != after
    status.write_text(before + name + spoilt, encoding="utf-8")


def doctored(root: Root) -> dict[str, str]:
    """What the doctor says of each part: what a bare root does not have is missing, and nothing else is."""
    done = root.run("/usr/local/bin/setmatch", "doctor", "--json")
    assert done.code in (0, 1), done
    findings = json.loads(done.out)["findings"]
    broken = {finding["part"]: finding for finding in findings if finding["state"] == "broken"}
    assert set(broken) == {"camera"}, broken
    assert "/dev/video0" in broken["camera"]["text"]
    assert all(finding["next"] for finding in findings if finding["state"] != "ok"), findings
    return {finding["part"]: finding["state"] for finding in findings}


@pytest.mark.parametrize("root", [("bookworm", NATIVE)], indirect=True, ids="-".join)
def test_under_systemd_and_without_a_network(root: Root) -> None:
    root.run(INSTALLER).check()
    fetched = (
        "python -m pip download --quiet --dest /root/wheels --constraint systemd/constraints-bookworm.txt"
    )
    tree = "/opt/setmatch/current/tree"
    root.run("sh", "-ec", f"cd {tree}; /opt/setmatch/venv/bin/{fetched} . 'setuptools>=68'").check()
    configuration = root.path / "etc/setmatch/setmatch.toml"
    text = configuration.read_text(encoding="utf-8").replace('source = "usb:0"', 'source = "simulated"')
    configuration.write_text(text, encoding="utf-8")
    # On the simulated table it plays by itself: nobody is there to be asked.
    drop_in = root.path / "etc/systemd/system/setmatch.service.d/autoplay.conf"
    drop_in.parent.mkdir()
    command = "setmatch run --config /etc/setmatch/setmatch.toml --json --autoplay --speed 1"
    drop_in.write_text(
        f"[Service]\nExecStart=\nExecStart=/opt/setmatch/venv/bin/{command}\n", encoding="utf-8"
    )
    current = root.path / "opt/setmatch/current"
    computer = Computer(root.path)
    try:
        assert computer.shown("ActiveState") == "active", computer.log()
        first, process = current.readlink(), computer.shown("MainPID")

        updated = computer.run(f"{tree}/systemd/install.sh", "--wheels", "/root/wheels")
        assert updated.returncode == 0, updated
        assert "Done." in updated.stdout
        second = current.readlink()
        assert second != first
        assert computer.shown("ActiveState") == "active", computer.log()
        assert computer.shown("MainPID") != process
        assert computer.run("setmatch", "doctor", "--json").returncode == 0

        shutil.copytree(current / "tree", root.path / "root/spoilt")
        unit = root.path / "root/spoilt/systemd/setmatch.service"
        unit.write_text(
            unit.read_text(encoding="utf-8").replace("User=setmatch", "User=nobody-knows"), encoding="utf-8"
        )
        refused = computer.run("/root/spoilt/systemd/install.sh", "--wheels", "/root/wheels")
        assert refused.returncode == 1, refused
        assert "the former one was put back" in refused.stderr
        assert current.readlink() == second
        assert computer.shown("ActiveState") == "active", computer.log()

        gone = computer.run(f"{tree}/systemd/install.sh", "--uninstall")
        assert gone.returncode == 0, gone
        assert computer.shown("LoadState") == "not-found"
        assert computer.shown("ActiveState") == "inactive"
    finally:
        computer.off()


@pytest.mark.parametrize("root", [("trixie", NATIVE)], indirect=True, ids="-".join)
def test_the_newest_python_with_the_newest_of_all_else(root: Root) -> None:
    """Rules, calibration and umpire; `make test-pinned` has the oldest, `make test` Python as it comes."""
    seeing = root.seeing(BESIDE, "/mnt/shared/footage") if BESIDE.exists() else root
    root.run("apt-get", "update", "-qq").check()
    root.run(
        "apt-get", "install", "-y", "-qq", "--no-install-recommends", "python3-venv", "espeak-ng"
    ).check()
    script = f"""
        mkdir /tmp/tree
        cd {SOURCE}
        cp -R calibration firmware hardware pyproject.toml README.md LICENSE /tmp/tree
        python3 -m venv /tmp/newest
        /tmp/newest/bin/python -m pip install --quiet --disable-pip-version-check '/tmp/tree[dev]'
        /tmp/newest/bin/python -m pip list --format freeze | grep -E '^(numpy|opencv)'
        /tmp/newest/bin/python --version
        /tmp/newest/bin/python -m pytest -q -n 2 --dist loadfile -p no:cacheprovider {" ".join(TESTED)}
    """
    settings = {"PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_STORAGE_DIRECTORY": "/tmp/hypothesis"}
    settings |= {name: os.environ[name] for name in ("CI",) if name in os.environ}
    done = seeing.run("sh", "-ec", script, environment=settings).check()
    print(done.out)
