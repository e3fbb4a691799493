"""Frames in, calls out: sightings, rests, strokes and landings."""
