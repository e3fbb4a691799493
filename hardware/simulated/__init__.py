"""A table that obeys physics, and a camera that renders what lies on it."""
