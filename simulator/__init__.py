"""The virtual table: card art, scenes, camera, robot players, films of records."""
