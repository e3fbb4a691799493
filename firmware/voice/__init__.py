"""The umpire's voice: which clips say an announcement, and the making of the clips at install time.

`pieces.py` takes what `firmware.texts` says apart into clips, `making.py` has espeak-ng speak them into
files, `voice.py` finds the files. Nothing is played here, and no wording is kept here.
"""

from firmware.voice.making import Made, VoiceError, make, make_names
from firmware.voice.pieces import clips_for, clips_of, every_clip, marked
from firmware.voice.voice import Voice

__all__ = [
    "Made",
    "Voice",
    "VoiceError",
    "clips_for",
    "clips_of",
    "every_clip",
    "make",
    "make_names",
    "marked",
]
