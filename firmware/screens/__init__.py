"""State in, OLED image out."""
