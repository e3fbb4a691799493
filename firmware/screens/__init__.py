"""State in, OLED image out: the scoreboard as a value and the two panels drawn from it.

No device, clock or rule lives here; firmware tells the panels what is so, and they show it.
"""
