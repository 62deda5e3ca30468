"""The rules of Guandan (掼蛋): pure, standard library only, no clock, no threads, no logging."""
