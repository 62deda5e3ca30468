"""Buttons, lamps, buzzer, serial devices: one device a file, imports nothing of ours."""
