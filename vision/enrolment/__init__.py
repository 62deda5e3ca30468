"""Learning a venue's own deck from the camera.

``sightings`` finds the indices in a picture, ``labels`` names them, ``session`` keeps what is known and wanted,
``prototypes`` reads with it afterwards; ``vision.profiles`` is the file it is kept in.
"""
