"""install.sh on this machine's own root, under a layer that takes all changes; apt, pip, Python and systemctl
are stubs (stubs/stub), everything else is real. Whole Debian roots with real ones: walk_installer.py.
"""

import os
import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.shared import needs
from tests.systemd.roots import CHECKOUT, SOURCE, Done, Layered, layered, require, why_not
from tests.systemd.unit import FOLDER, PLACES

pytestmark = [
    needs("unshare", "util-linux"),
    needs("runuser", "util-linux"),
    needs("systemd-sysusers", "systemd"),
    needs("systemd-tmpfiles", "systemd"),
]

INSTALLER = f"{SOURCE}/systemd/install.sh"
STUBBED = (
    "apt-cache", "apt-get", "df", "dpkg", "dpkg-query", "getconf", "id", "modprobe", "systemctl", "udevadm",
)  # fmt: skip
NEEDED = "python3-venv python3-numpy python3-pil espeak-ng alsa-utils i2c-tools polkitd systemd udev"
PI = "python3-picamera2 python3-lgpio python3-spidev"
BOOT = "/boot/firmware/config.txt"
BOOT_LINES = "dtparam=audio=on\n#dtparam=i2c_arm=on\n\n[cm4]\notg_mode=1\n"
BOOT_BLOCK = (
    "# setmatch: begin\n[all]\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\ndtparam=spi=on\n"
    "# setmatch: end\n"
)
# What differs from one run to the next: versions are named by time, and the stubs keep their own books.
APART = (
    r"^/etc/g?shadow|^/(stubs|tmp|run/setmatch-install.lock)|"
    r"^/opt/setmatch/(releases/|former$|current$)|config\.txt\.\d"
)


@dataclass(frozen=True)
class Machine:
    """A machine to install on, and what was asked of its programs."""

    layered: Layered

    def install(self, *options: str, installer: str = INSTALLER, beside: str = "", **settings: str) -> Done:
        """Run install.sh, from elsewhere if so told; `settings` are the stubs'. Killed, it ends with 137.
        `beside` is a line for bash, which it is run after."""
        environment = {"PATH": "/stubs:/usr/sbin:/usr/bin:/sbin:/bin", "HAS": NEEDED, **settings}
        # A process that is the first of its namespace cannot kill itself.
        words = ["bash", "-c", f'{beside}\n"$@"; exit $?', "bash", "bash", installer, *options]
        return self.layered.root.run(*words, environment=environment)

    def file(self, path: str) -> Path:
        return self.layered.layer / path.removeprefix("/")

    def text(self, path: str) -> str:
        return self.file(path).read_text(encoding="utf-8")

    def lay(self, path: str, text: str) -> None:
        self.file(path).parent.mkdir(parents=True, exist_ok=True)
        self.file(path).write_text(text, encoding="utf-8")

    def user(self) -> int:
        """The number of the service's user."""
        (user,) = re.findall(r"(?m)^setmatch:[^:]*:(\d+):", self.text("/etc/passwd"))
        return int(user)

    def give(self, path: str) -> None:
        """Let a file be the service's."""
        os.chown(self.file(path), self.user(), self.user())

    def calls(self) -> list[str]:
        """How the stubs were called since this was last asked."""
        calls = self.text("/stubs/calls").splitlines()
        self.file("/stubs/calls").write_text("", encoding="utf-8")
        return calls

    def run_systemd(self) -> None:
        """Let it look as if systemd ran on the machine."""
        self.file("/run/systemd/system").mkdir(parents=True)
        self.lay("/run/udev/control", "")

    def current(self) -> str:
        return str(self.file("/opt/setmatch/current").readlink())

    def releases(self) -> set[str]:
        return {f"releases/{path.name}" for path in self.file("/opt/setmatch/releases").iterdir()}

    def state(self) -> dict[str, str]:
        return self.layered.changes(APART)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return new_machine(tmp_path)


def new_machine(folder: Path) -> Machine:
    """A machine with nothing of ours, whose programs are the stubs."""
    require(why_not())
    new = Machine(layered(folder))
    stub = (Path(__file__).parent / "stubs" / "stub").read_bytes()
    for name in (*(f"/stubs/{name}" for name in ("stub", *STUBBED)), "/usr/bin/python3"):
        new.file(name).parent.mkdir(parents=True, exist_ok=True)
        new.file(name).write_bytes(stub)
        new.file(name).chmod(0o755)
    # The service's user writes there, too.
    new.lay("/stubs/calls", "")
    new.file("/stubs/calls").chmod(0o666)
    new.lay("/etc/os-release", "ID=debian\nVERSION_CODENAME=bookworm\n")
    new.lay(BOOT, BOOT_LINES)
    # A board of its own may be installed on the machine that runs the tests.
    theirs = [path for path in ("/opt/setmatch", "/etc/setmatch", "/var/lib/setmatch") if Path(path).exists()]
    if theirs:
        new.layered.root.run("rm", "-rf", *theirs).check()
    return new


def refused(done: Done, *words: str) -> None:
    """Check that it ended with 1 and a last line that says `words`."""
    assert done.code == 1, done
    last = done.err.splitlines()[-1]
    assert last.startswith("install.sh: "), done
    for word in words:
        assert word in last, done


def test_a_dry_run_tells_each_step_and_changes_nothing(machine: Machine) -> None:
    before = machine.layered.changes("^/stubs")
    done = machine.install("--dry-run", HAS="", OFFERED=PI).check()
    assert machine.layered.changes("^/stubs") == before
    for step in (
        "Packages",
        "The program",
        "Switching",
        "User, groups",
        "configuration",
        "I2C",
        "voice",
        "service",
    ):
        assert re.search(rf"(?m)^\* .*{step}", done.out), (step, done.out)
    for name in (*PLACES.values(), "etc/setmatch/setmatch.toml", BOOT[1:]):
        assert f"    write /{name}\n" in done.out, name
    assert done.out.endswith("Nothing was changed.\n")
    called = {call.split()[0] for call in machine.calls()}
    assert called <= {"getconf", "dpkg", "dpkg-query", "apt-cache", "df", "python3"}


def test_all_is_at_its_place(machine: Machine) -> None:
    machine.run_systemd()
    done = machine.install(HAS="", OFFERED=PI).check()
    for name, place in PLACES.items():
        assert machine.file(place).read_bytes() == (FOLDER / name).read_bytes()
        assert machine.file(place).stat().st_mode & 0o777 == 0o644
    calls = machine.calls()
    packages = f"{NEEDED} {PI}"
    assert any(call.startswith("apt-get install") and call.endswith(packages) for call in calls)
    release = machine.file("/opt/setmatch") / machine.current()
    for part in ("firmware", "hardware", "calibration", "systemd", "pyproject.toml"):
        assert (release / "tree" / part).exists()
    assert machine.file("/usr/local/bin/setmatch").readlink() == Path("/opt/setmatch/venv/bin/setmatch")
    assert (machine.file("/opt/setmatch/venv").readlink()) == Path("current/venv")
    assert calls[-1] == "systemctl restart setmatch.service"
    assert {"udevadm control --reload", "udevadm trigger", "modprobe --quiet i2c-dev"} <= set(calls)
    assert "systemctl enable --quiet setmatch.service" in calls
    assert done.out.endswith("Restart the computer now: sudo reboot\n")
    assert "install.sh:" not in done.err


def test_what_the_service_needs_of_its_files(machine: Machine) -> None:
    machine.install().check()
    for path in (
        "/etc/setmatch",
        "/etc/setmatch/setmatch.toml",
        "/var/lib/setmatch",
        "/var/lib/setmatch/voice",
    ):
        assert machine.file(path).stat().st_uid == machine.user(), path
    (members,) = re.findall(r"(?m)^gpio:.*:(.*)$", machine.text("/etc/group"))
    assert "setmatch" in members.split(",")


@pytest.mark.parametrize(("has", "camera"), [(NEEDED, "usb:0"), (f"{NEEDED} {PI}", "pi")])
def test_the_first_configuration(machine: Machine, has: str, camera: str) -> None:
    done = machine.install(HAS=has).check()
    configuration = tomllib.loads(machine.text("/etc/setmatch/setmatch.toml"))
    example = tomllib.loads((CHECKOUT / "firmware/setmatch.example.toml").read_text(encoding="utf-8"))
    example["camera"]["source"] = camera
    example["state"]["directory"] = "/var/lib/setmatch"
    assert configuration == example
    assert ("will not be driven" in done.out) == (camera != "pi")


def test_a_link_in_the_services_folder_does_not_lead_root_astray(machine: Machine) -> None:
    """The folder is the service's own; were it taken over, it could lay there what it likes."""
    machine.install().check()
    machine.lay("/etc/secret", "root's alone\n")
    machine.file("/etc/secret").chmod(0o600)
    before = machine.file("/etc/secret").stat()
    configuration = machine.file("/etc/setmatch/setmatch.toml")
    text, user = machine.text("/etc/setmatch/setmatch.toml"), configuration.stat().st_uid
    configuration.unlink()
    configuration.with_name("setmatch.toml.new").symlink_to("/etc/secret")
    machine.install().check()
    after = machine.file("/etc/secret").stat()
    assert machine.text("/etc/secret") == "root's alone\n"
    assert (after.st_uid, after.st_mode) == (before.st_uid, before.st_mode)
    assert not configuration.is_symlink()
    assert machine.text("/etc/setmatch/setmatch.toml") == text
    assert (configuration.stat().st_uid, configuration.stat().st_mode & 0o777) == (user, 0o644)


def test_a_second_time_it_changes_nothing_but_the_program(machine: Machine) -> None:
    machine.install(HAS=f"{NEEDED} {PI}").check()
    machine.lay("/etc/setmatch/setmatch.toml", "# mine\n")
    machine.lay("/var/lib/setmatch/journal", "a match")
    machine.give("/var/lib/setmatch/journal")
    before, first = machine.state(), machine.current()
    machine.calls()
    done = machine.install(HAS=f"{NEEDED} {PI}").check()
    assert machine.state() == before
    assert machine.releases() == {first, machine.current()} != {first}
    assert not any(call.startswith("apt-get") for call in machine.calls())
    assert done.out.endswith("Done.\n")
    third = machine.current()
    machine.install(HAS=f"{NEEDED} {PI}").check()
    assert machine.releases() == {third, machine.current()}, "no more than one former version stays"


def test_what_root_wrote_in_the_services_folder_is_given_back(machine: Machine) -> None:
    """By `sudo setmatch run`, for one; but not what a link there leads to."""
    state = "/var/lib/setmatch"
    machine.install().check()
    machine.lay("/etc/secret", "root's alone\n")
    machine.lay(f"{state}/journal.lock", "")
    machine.lay(f"{state}/reviews/1/a.png", "a picture")
    machine.file(f"{state}/reviews/1/a.png").chmod(0o600)
    machine.file(f"{state}/link").symlink_to("/etc/secret")
    machine.file(f"{state}/away").symlink_to("/etc/apt")
    before = machine.file("/etc/secret").stat()
    told = machine.install().check().out
    assert "6 of root's" in told
    assert "sudo -u setmatch" in told
    for path in ("journal.lock", "reviews", "reviews/1", "reviews/1/a.png"):
        assert machine.file(f"{state}/{path}").stat().st_uid == machine.user(), path
    assert machine.file(f"{state}/reviews/1/a.png").stat().st_mode & 0o777 == 0o600
    after = machine.file("/etc/secret").stat()
    assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)
    assert not machine.file("/etc/apt").exists(), "nothing below it was changed"
    assert "of root's" not in machine.install().check().out


LOGINS = {
    "a person": ("--create-home",),
    "with a shell": ("--system", "--shell", "/bin/bash"),
}


@pytest.mark.parametrize("who", LOGINS)
def test_a_login_of_the_services_name_is_refused_and_never_deleted(machine: Machine, who: str) -> None:
    machine.layered.root.run("useradd", *LOGINS[who], "setmatch").check()
    before = machine.state()
    refused(machine.install(), "login", str(machine.user()), "README.md", "again")
    refused(machine.install("--dry-run"), "login")
    after = machine.state()
    assert {path for path in after if after[path] != before.get(path)} <= {"/run"}
    assert "stays" in machine.install("--purge").check().out
    assert machine.text("/etc/passwd").count("\nsetmatch:") == 1


def test_a_user_that_others_made_stays(machine: Machine) -> None:
    other = ("--system", "--shell", "/usr/sbin/nologin", "--home-dir", "/srv/other")
    machine.layered.root.run("useradd", *other, "setmatch").check()
    machine.install().check()
    assert "stays" in machine.install("--purge").check().out
    assert "/srv/other" in machine.text("/etc/passwd")


def test_uninstalled_it_leaves_matches_and_configuration_alone(machine: Machine) -> None:
    machine.run_systemd()
    machine.install().check()
    machine.calls()
    done = machine.install("--uninstall").check()
    assert "systemctl disable --now --quiet setmatch.service" in machine.calls()
    assert "/var/lib/setmatch" in done.out
    assert "/etc/setmatch/setmatch.toml" in done.out
    left = {path: what for path, what in machine.state().items() if what and "setmatch" in path}
    assert {path.split("/setmatch")[0] for path in left if not what_is_gone(machine, path)} == {
        "/etc", "/var/lib", "/mnt",
    }  # fmt: skip
    assert machine.text(BOOT) == BOOT_LINES
    machine.install("--purge").check()
    assert not machine.file("/var/lib/setmatch").is_dir()
    assert not machine.file("/etc/setmatch").is_dir()
    assert "setmatch" not in machine.text("/etc/passwd")
    assert machine.install("--purge").check().err == ""


def what_is_gone(machine: Machine, path: str) -> bool:
    """Whether the layer holds the mark of a thing removed there."""
    return machine.file(path).is_char_device()


WRONG = {
    "not root": ({"USER_ID": "1000"}, ("sudo", "--dry-run")),
    "32 bit": ({"BITS": "32", "ARCHITECTURE": "armhf"}, ("32 bit", "armhf", "Raspberry Pi OS (64-bit)")),
    "another processor": ({"ARCHITECTURE": "riscv64"}, ("riscv64", "64 bit ARM and x86")),
    "no room": ({"FREE_MB": "300"}, ("300 MB", "1200", "larger card")),
    "an old Python": ({"OLD_PYTHON": "1"}, ("older than 3.11", "full-upgrade")),
    "apt": ({"HAS": "", "FAIL": "^apt-get"}, ("apt", "python3-venv", "network", "again")),
    "pip": ({"FAIL": "^venv-python -m pip"}, ("pip", "network", "again", "untouched")),
    "the new version": ({"FAIL": "^venv-setmatch --version"}, ("--version", "untouched")),
    "a numpy of its own": ({"NUMPY_FROM": "/opt/x"}, ("/opt/x", "pip uninstall numpy")),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told_in_one_line_and_changes_nothing(machine: Machine, what: str) -> None:
    settings, words = WRONG[what]
    before = machine.state()
    refused(machine.install(**settings), *words)
    assert not machine.file("/opt/setmatch/current").exists()
    after = machine.state()
    assert {path for path in after if after[path] != before.get(path)} <= {
        "/run", "/opt", "/opt/setmatch", "/opt/setmatch/releases",
    }  # fmt: skip
    assert not list(machine.file("/opt/setmatch").glob("releases/*"))


def test_another_system_is_refused(machine: Machine) -> None:
    machine.lay("/etc/os-release", "ID=debian\nVERSION_CODENAME=bullseye\n")
    refused(machine.install(), "bullseye", "bookworm", "trixie")


def test_options_that_are_none(machine: Machine) -> None:
    refused(machine.install("--colour"), "--colour", "--help")
    refused(machine.install("--wheels"), "--wheels", "--help")
    refused(machine.install("--wheels", "/no/such"), "/no/such", "pip download")
    refused(machine.install("--purge", "--rollback"), "give one")
    told = machine.install("--help").check().out
    offered = set(
        re.findall(r"^ +(--[a-z-]+)\)", (FOLDER / "install.sh").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert offered >= {"--dry-run", "--no-start"}
    assert set(re.findall(r"(?m)^  (--[a-z-]+)", told)) == offered | {
        "--wheels",
        "--rollback",
        "--uninstall",
        "--purge",
    }


def test_the_papers_know_every_option(machine: Machine) -> None:
    options = re.findall(r"(?m)^  (--[a-z-]+)", machine.install("--help").check().out)
    papers = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^\| `(--[a-z-]+)", papers) == [each for each in options if each != "--help"]


def test_a_step_that_fails_unforeseen_is_named(machine: Machine) -> None:
    machine.run_systemd()
    refused(machine.install(FAIL="^udevadm trigger"), "udevadm trigger", "again")


@pytest.mark.parametrize("fails", ["^venv-python -m pip", "^venv-setmatch --version"])
def test_an_update_that_fails_leaves_what_was_there(machine: Machine, fails: str) -> None:
    machine.install().check()
    before, current, releases = machine.state(), machine.current(), machine.releases()
    refused(machine.install(FAIL=fails), "untouched")
    assert (machine.state(), machine.current(), machine.releases()) == (before, current, releases)


def test_without_a_network_what_is_there_will_do(machine: Machine) -> None:
    done = machine.install(FAIL="^apt-get update").check()
    assert "lists of packages could not be renewed" in done.err


def test_packages_that_were_half_unpacked_are_unpacked_anew(machine: Machine) -> None:
    machine.install(HAS="", SPOILT="libssl3:amd64 python3-numpy").check()
    apt = [call for call in machine.calls() if call.startswith("apt-get install")]
    assert apt[0].endswith("--fix-broken --reinstall libssl3:amd64 python3-numpy")
    refused(machine.install(HAS="", SPOILT="libssl3:amd64", FAIL="--reinstall"), "half installed", "again")


def test_an_update_that_does_not_start_is_taken_back(machine: Machine) -> None:
    machine.run_systemd()
    machine.install().check()
    first = machine.current()
    refused(machine.install(ACTIVE="yes", FAIL="^systemctl restart"), "former one was put back", "journalctl")
    assert machine.current() == first


def test_an_update_that_the_configuration_is_wrong_for_lets_the_old_one_play(machine: Machine) -> None:
    machine.run_systemd()
    machine.install().check()
    first = machine.current()
    machine.install(ACTIVE="yes").check()
    # The one in use is not asked: it has begun already.
    program = machine.file(f"/opt/setmatch/{machine.current()}/venv/bin/setmatch")
    program.write_text("#!/bin/sh\nexit 2\n", encoding="utf-8")
    before, current, releases = machine.state(), machine.current(), machine.releases()
    machine.calls()
    for option in ((), ("--rollback",), ("--no-start",)):
        done = machine.install(*option, ACTIVE="yes", FAIL="--check-config")
        refused(done, "/etc/setmatch/setmatch.toml", "mend", "plays on")
        assert (machine.state(), machine.current(), machine.releases()) == (before, current, releases)
        assert not [call for call in machine.calls() if call.startswith("systemctl")]
    machine.install("--rollback", ACTIVE="yes").check()
    assert machine.current() == first


def test_a_configuration_that_was_left_and_is_wrong_is_told(machine: Machine) -> None:
    machine.install().check()
    machine.install("--uninstall").check()
    done = machine.install(FAIL="--check-config").check()
    assert "mend what is said above in /etc/setmatch/setmatch.toml" in done.err


def test_what_fell_over_too_often_before_is_started_all_the_same(machine: Machine) -> None:
    machine.run_systemd()
    machine.install().check()
    assert machine.calls()[-2:] == [
        f"systemctl {verb} setmatch.service" for verb in ("reset-failed", "restart")
    ]
    # As it does where nothing has failed.
    machine.install(FAIL="^systemctl reset-failed").check()
    assert machine.calls()[-1] == "systemctl restart setmatch.service"


def test_a_first_start_that_fails_says_where_to_look(machine: Machine) -> None:
    machine.run_systemd()
    done = machine.install(FAIL="^systemctl restart").check()
    assert "setmatch doctor" in done.err


def test_not_started_unless_wanted(machine: Machine) -> None:
    machine.run_systemd()
    machine.install("--no-start").check()
    calls = machine.calls()
    assert "systemctl enable --quiet setmatch.service" in calls
    assert not any("restart" in call for call in calls)


def test_back_to_the_former_version_and_forth(machine: Machine) -> None:
    refused(machine.install("--rollback"), "no former version")
    machine.install().check()
    refused(machine.install("--rollback"), "no former version")
    first = machine.current()
    machine.install().check()
    second = machine.current()
    # What the versions bring into the system goes back with them.
    machine.lay(f"/opt/setmatch/{first}/tree/systemd/setmatch.service", "# the first\n")
    machine.install("--rollback").check()
    assert machine.current() == first
    assert machine.text("/etc/systemd/system/setmatch.service") == "# the first\n"
    machine.install("--rollback").check()
    assert machine.current() == second
    assert machine.releases() == {first, second}


def test_called_from_the_former_version_it_installs_that(machine: Machine) -> None:
    machine.run_systemd()
    machine.install().check()
    first = machine.current()
    machine.install().check()
    second = machine.current()
    machine.lay(f"/opt/setmatch/{first}/tree/systemd/setmatch.service", "# the first\n")
    machine.calls()
    machine.install(installer="/opt/setmatch/former/tree/systemd/install.sh").check()
    assert machine.calls()[-1] == "systemctl restart setmatch.service"
    assert machine.text("/etc/systemd/system/setmatch.service") == "# the first\n"
    third = machine.current()
    assert machine.releases() == {first, second, third}
    machine.install().check()
    assert machine.releases() == {third, machine.current()}, "what it was called from goes with the next"


# What a service of the version in RELEASE looks like to the kernel: a script's interpreter is in its command
# line, libraries are mapped. Either by itself.
RUNNING = {
    "called by its name": "(exec -a RELEASE/venv/bin/python sleep 1000)",
    "with a library of it": "(exec -a setmatch RELEASE/venv/lib/sleep 1000)",
}


@pytest.mark.parametrize("how", RUNNING)
def test_the_version_that_runs_stays(machine: Machine, how: str) -> None:
    machine.run_systemd()
    machine.install().check()
    running = machine.current()
    library = machine.file(f"/opt/setmatch/{running}/venv/lib/sleep")
    library.parent.mkdir()
    shutil.copy("/bin/sleep", library)
    # In a file: in bash's own command line the name would be found, too.
    runs = f"""
        {RUNNING[how].replace("RELEASE", f"/opt/setmatch/{running}")} &
        until [[ $(readlink /proc/$!/exe) == */sleep ]]; do kill -0 $! || exit 1; done
    """
    machine.lay("/stubs/beside", runs)
    for _ in range(3):
        machine.install("--no-start", ACTIVE="yes", beside=". /stubs/beside").check()
    assert running in machine.releases()
    assert len(machine.releases()) == 3
    machine.install().check()
    assert running not in machine.releases()


def test_it_may_be_called_by_a_link(machine: Machine) -> None:
    link = machine.file("/usr/local/bin/board-install")
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(INSTALLER)
    machine.install(installer="/usr/local/bin/board-install").check()
    assert machine.file("/opt/setmatch/current").is_symlink()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (BOOT_LINES, BOOT_LINES + BOOT_BLOCK),
        ("dtparam=audio=on", "dtparam=audio=on\n" + BOOT_BLOCK),
        # A speed that somebody chose stays; one that is only a comment is none.
        ("dtparam=i2c_arm=on,i2c_arm_baudrate=50000\n", None),
        ("#dtparam=i2c_arm_baudrate=50000\n", "#dtparam=i2c_arm_baudrate=50000\n" + BOOT_BLOCK),
    ],
)
def test_the_buses(machine: Machine, before: str, after: str | None) -> None:
    if after is None:
        after = before + BOOT_BLOCK.replace("dtparam=i2c_arm_baudrate=400000\n", "")
    machine.lay(BOOT, before)
    assert "sudo reboot" in machine.install().check().out
    assert machine.text(BOOT) == after
    backups = list(machine.file(BOOT).parent.glob("config.txt.*"))
    assert [path.read_text(encoding="utf-8") for path in backups] == [before]
    assert "sudo reboot" not in machine.install().check().out
    assert machine.text(BOOT) == after
    machine.install("--uninstall").check()
    assert machine.text(BOOT).rstrip("\n") == before.rstrip("\n")


def test_without_the_second_mark_nobodys_line_goes(machine: Machine) -> None:
    theirs = "\n[pi5]\ndtparam=rtc_bbat_vchg=3000000\n"
    open_block = BOOT_BLOCK.removesuffix("# setmatch: end\n")
    machine.lay(BOOT, BOOT_LINES + open_block + theirs)
    machine.install().check()
    kept = BOOT_LINES + open_block.removeprefix("# setmatch: begin\n") + theirs
    block = BOOT_BLOCK.replace("dtparam=i2c_arm_baudrate=400000\n", "")  # it is set further up
    assert machine.text(BOOT) == kept + block
    machine.install().check()
    assert machine.text(BOOT) == kept + block
    machine.lay(BOOT, kept + "# setmatch: begin\n" + block)
    machine.install("--uninstall").check()
    assert machine.text(BOOT) == kept


def test_elsewhere_than_on_a_pi_no_bus_is_touched(machine: Machine) -> None:
    machine.file(BOOT).unlink()
    assert "no Raspberry Pi" in machine.install().check().out
    assert not machine.file(BOOT).exists()


def test_numpy_is_held_to_what_the_system_has_now(machine: Machine) -> None:
    machine.install(NUMPY="1.24.9").check()
    kept = machine.text(f"/opt/setmatch/{machine.current()}/constraints.txt")
    pinned = (FOLDER / "constraints-bookworm.txt").read_text(encoding="utf-8")
    assert kept == re.sub(r"(?m)^numpy==.*", "numpy==1.24.9", pinned) != pinned


def test_what_pip_is_told(machine: Machine) -> None:
    def pip() -> str:
        (call,) = [call for call in machine.calls() if call.startswith("venv-python -m pip")]
        return call

    machine.install(HAS=f"{NEEDED} {PI}").check()
    assert re.search(r" --constraint /opt/setmatch/releases/\S+/constraints.txt \S+/tree$", pip())
    machine.install(HAS=f"{NEEDED} {PI}", ARCHITECTURE="arm64").check()
    assert pip().endswith("/tree[spi]")
    machine.install("--wheels", f"{SOURCE}/systemd").check()
    assert f" --no-index --find-links {SOURCE}/systemd " in pip()
    # What is asked for on a Pi has to be among what the papers have fetched.
    papers = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.search(r"(?m)^    pip download .*--constraint systemd/constraints-\w+.txt '\.\[spi\]' ", papers)
    refused(machine.install("--wheels", f"{SOURCE}/systemd", FAIL="-m pip"), "--wheels", "README.md")


def test_it_is_called_where_no_file_can_be_run(machine: Machine) -> None:
    """As are those that were copied from Windows."""
    told = [machine.install("--help").check().out]
    papers = (*CHECKOUT.glob("*.md"), *CHECKOUT.glob("[hs]*/*.md"))
    told += [path.read_text(encoding="utf-8") for path in papers]
    calls = re.findall(r"(sudo .*)systemd/install\.sh", "\n".join(told))
    assert len(calls) >= 4
    assert all(call.startswith("sudo bash ") for call in calls), calls


def test_a_program_of_the_same_name_stays(machine: Machine) -> None:
    machine.lay("/usr/local/bin/setmatch", "theirs")
    assert "/opt/setmatch/venv/bin/setmatch" in machine.install().check().err
    machine.install("--uninstall").check()
    assert machine.text("/usr/local/bin/setmatch") == "theirs"


# Bash does this before each command of install.sh, and before none of the stubs'.
EACH = """
case ${0##*/} in install.sh)
  set -o functrace
  trap 'echo $((++COMMANDS)) >/stubs/commands; ((COMMANDS != ${CUT_AT:-0})) || kill -$CUT_BY $$' DEBUG
esac
"""
CUTS = int(os.environ.get("SETMATCH_CUTS", "6"))


@pytest.fixture(scope="module")
def uncut(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, str]]:
    """How many commands an installation has, and what it leaves."""
    machine = new_machine(tmp_path_factory.mktemp("uncut"))
    machine.lay("/stubs/each", EACH)
    machine.install(HAS="", OFFERED=PI, BASH_ENV="/stubs/each").check()
    return int(machine.text("/stubs/commands")), machine.state()


@pytest.mark.parametrize("part", range(CUTS))
def test_cut_off_anywhere_it_is_done_when_run_again(
    machine: Machine, uncut: tuple[int, dict[str, str]], part: int
) -> None:
    commands, state = uncut
    machine.lay("/stubs/each", EACH)
    at = max(1, commands * (2 * part + 1) // (2 * CUTS))
    # By a power cut, or by somebody who has waited long enough.
    by, code = (("KILL", 137), ("TERM", 143))[part % 2]
    cut = machine.install(HAS="", OFFERED=PI, BASH_ENV="/stubs/each", CUT_AT=str(at), CUT_BY=by)
    assert cut.code == code, cut
    current = machine.file("/opt/setmatch/current")
    # Whatever stands there is whole.
    assert (
        not current.is_symlink()
        or (machine.file("/opt/setmatch") / current.readlink() / "venv/bin/setmatch").exists()
    )
    machine.install(HAS="", OFFERED=PI).check()
    assert machine.state() == state
    kept = {
        str(machine.file(f"/opt/setmatch/{name}").readlink())
        for name in ("current", "former")
        if machine.file(f"/opt/setmatch/{name}").is_symlink()
    }
    assert machine.releases() == kept
