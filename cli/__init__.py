"""One file a verb: nothing but arguments and output."""
