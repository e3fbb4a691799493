"""A table that obeys physics, and a camera that renders what lies there. No rules, no umpire.

One picture with its truth: `renderer.render_still(random_scenes.random_scene(seed), [ball], hand)`.
A film: ask a `table.SimulatedTable` for acts, and read a `camera.SimulatedCamera` over it.
A match: tell `players.Players` the situation whenever the table is not busy.
"""
