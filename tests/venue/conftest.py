"""Fixtures: a database of each kind there is (SQLite always, PostgreSQL where GUANDAN_TEST_POSTGRESQL names one)."""

import os

import pytest
import sqlalchemy as sa

from venue.store import Database

KINDS = ["sqlite"] + (["postgresql"] if os.environ.get("GUANDAN_TEST_POSTGRESQL") else [])


@pytest.fixture(params=KINDS)
def address(request, tmp_path):
    """The address of an empty database."""
    if request.param == "sqlite":
        yield str(tmp_path / "venue.db")
        return
    url = os.environ["GUANDAN_TEST_POSTGRESQL"]
    engine = sa.create_engine("postgresql+psycopg://" + url.split("://", 1)[1], isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text("DROP SCHEMA public CASCADE"))
        connection.execute(sa.text("CREATE SCHEMA public"))
    engine.dispose()
    yield url


@pytest.fixture
def database(address):
    made = Database(address)
    yield made
    made.close()
