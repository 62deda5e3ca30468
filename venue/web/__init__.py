"""The venue over HTTP: sync for tables, pages and streams for people. Every way in is one line of ``doors.DOORS``."""
