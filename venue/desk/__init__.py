"""The tournament desk: entries, draws, pairings, standings, prizes. Pure: the same facts and seed, the same answer."""
