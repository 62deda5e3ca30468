"""The companion at the table: controller, journal, app loop, screens."""
