"""For developers: trains the detector and the reader from drawn scenes."""
