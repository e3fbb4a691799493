"""The configuration: one TOML file, typed, every key optional, and nothing in it that is not understood.

`sections.py` says what there is to set, `checking.py` what is wrong with a file, `reading.py` loads it and
`writing.py` changes single keys in it. No device is opened here. `setmatch.example.toml`, a folder up, has
every key with its default.
"""

from firmware.config.reading import ConfigError, check_config, config_from, load_config
from firmware.config.sections import Config, Role
from firmware.config.writing import saved

__all__ = ["Config", "ConfigError", "Role", "check_config", "config_from", "load_config", "saved"]
