"""The scoreboard server, the referee console and the tournament desk."""
