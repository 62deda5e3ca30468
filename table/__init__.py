"""The companion at the table: controller, journal, app loop, screens."""

import os

# The drawing library greets on standard output, where figures and JSON belong.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
