"""The eye: frames in, observations out."""
