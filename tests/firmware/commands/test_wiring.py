"""`setmatch wiring`: the table and drawing of a configuration, and what has none."""

from pathlib import Path

from tests.shared import setmatch

CONFIG = """
[[panel]]
role = "game"
driver = "sh1106"

[buttons.A]
confirm = 17
confirm_led = 26
"""


def config(folder: Path, text: str = CONFIG) -> Path:
    path = folder / "table.toml"
    path.write_text(text)
    return path


def test_each_wire_is_told_with_its_pin(tmp_path: Path) -> None:
    ended = setmatch("wiring", "--config", config(tmp_path))
    assert ended.code == 0
    rows = [line.split("  ") for line in ended.out.splitlines()]
    assert [cell.strip() for cell in rows[0] if cell] == ["part", "terminal", "wire", "pin"]
    assert len(rows) == 1 + 4 + 3
    assert "GPIO26 (37)" in ended.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.toml"]


def test_programs_get_an_object_a_wire(tmp_path: Path) -> None:
    lines = setmatch("wiring", "--config", config(tmp_path), "--json").lines
    assert lines[4] == {
        "kind": "wire",
        "part": "side A",
        "terminal": "confirm",
        "wire": "green",
        "pin": "GPIO17 (11)",
    }


def test_the_drawing_is_of_this_configuration(tmp_path: Path) -> None:
    out = tmp_path / "wiring.svg"
    assert setmatch("wiring", "--config", config(tmp_path), "--out", out).code == 0
    drawing = out.read_text(encoding="utf-8")
    assert drawing.startswith("<svg ")
    assert "GPIO26  A confirm lamp" in drawing
    assert "B confirm" not in drawing


def test_what_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    setmatch("wiring", "--config", config(tmp_path, "")).refuses("no panels and no buttons", "example")
    setmatch("wiring", "--config", tmp_path / "none.toml").refuses("none.toml")
    path = config(tmp_path)
    setmatch("wiring", "--config", path, "--out", path).refuses("overwrite")
    assert path.read_text() == CONFIG
    far = config(tmp_path, CONFIG.replace('"sh1106"', '"sh1106"\nport = 4'))
    setmatch("wiring", "--config", far).refuses("I2C bus 4", "header")
