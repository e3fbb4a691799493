"""Drawings of how the parts are wired, made from the map of pins. No device is opened here."""
