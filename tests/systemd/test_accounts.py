"""Who is made for the service, and which folders: by systemd's own programs, over roots of the test's."""

import os
import stat
from pathlib import Path

import pytest

from tests.shared import needs
from tests.systemd.private_root import account, make_root, prepare
from tests.systemd.unit import FOLDER, PLACES, Unit

sysusers = needs("systemd-sysusers", "systemd")
tmpfiles = needs("systemd-tmpfiles", "systemd")
as_root = pytest.mark.skipif(
    os.geteuid() != 0 and os.environ.get("CI") != "true", reason="owners are changed by root"
)
USERS = "setmatch.sysusers.conf"


def accounts(root: Path) -> dict[str, str]:
    return {name: (root / "etc" / name).read_text(encoding="utf-8") for name in ("passwd", "group")}


def members(root: Path, user: str) -> set[str]:
    lines = accounts(root)["group"].splitlines()
    return {line.split(":")[0] for line in lines if user in line.split(":")[3].split(",")}


@sysusers
@tmpfiles
@as_root
def test_the_user_can_log_in_nowhere_and_is_in_the_units_groups(tmp_path: Path) -> None:
    root = make_root(tmp_path / "root")
    unit = Unit.read()
    (line,) = [each for each in accounts(root)["passwd"].splitlines() if each.startswith("setmatch:")]
    fields = line.split(":")
    assert fields[5:] == [unit.one("WorkingDirectory"), "/usr/sbin/nologin"]
    assert members(root, "setmatch") == set(unit.words("SupplementaryGroups"))


@sysusers
@tmpfiles
@as_root
def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    root = make_root(tmp_path / "root")
    before = accounts(root)
    prepare("systemd-sysusers", root, root / PLACES[USERS])
    assert accounts(root) == before


@sysusers
def test_groups_that_are_there_keep_their_numbers(tmp_path: Path) -> None:
    """As on Raspberry Pi OS."""
    (tmp_path / "etc").mkdir()
    there = "video:x:44:\ndialout:x:20:\naudio:x:29:\ngpio:x:986:ada\ni2c:x:994:\nspi:x:995:\n"
    (tmp_path / "etc/group").write_text(there, encoding="utf-8")
    prepare("systemd-sysusers", tmp_path, FOLDER / USERS)
    _, _, groups = account(tmp_path, "setmatch")
    assert {name: groups[name] for name in ("gpio", "i2c", "spi")} == {"gpio": 986, "i2c": 994, "spi": 995}
    assert "gpio" in members(tmp_path, "ada")


@sysusers
@tmpfiles
@as_root
def test_folders_are_the_players_and_as_the_unit_has_them(tmp_path: Path) -> None:
    root = make_root(tmp_path / "root")
    user, group, _ = account(root, "setmatch")
    unit = Unit.read()
    # systemd warns of a configuration's folder that is not as it would make it.
    for name, mode in (("var/lib", int(unit.one("StateDirectoryMode"), 8)), ("etc", 0o755)):
        found = (root / name / "setmatch").stat()
        assert (found.st_uid, found.st_gid) == (user, group)
        assert stat.S_IMODE(found.st_mode) == mode
