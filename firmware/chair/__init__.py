"""The umpire's chair: what is made of what is seen, pressed and measured again. No thread, clock or file."""
