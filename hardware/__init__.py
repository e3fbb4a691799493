"""What the rig is made of: one small port per part, its real adapter and its twin."""
