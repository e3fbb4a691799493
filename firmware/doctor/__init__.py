"""What is wrong with a board, and what to do next: every part looked at, one finding a line.

`examining` joins the probes of `hardware` with the checks; those are pure, values in and findings out.
"""

from firmware.doctor.examining import Patient, examine
from firmware.doctor.findings import Finding, State
from firmware.doctor.surroundings import Surroundings
from firmware.doctor.versions import versions

__all__ = ["Finding", "Patient", "State", "Surroundings", "examine", "versions"]
