"""Numbers of ACLs reach the server as they are."""

from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.permissions.acl_numbers import AclNumbers
from tests.command import database_url

NUMBERS = st.lists(st.integers(0, 2**31 - 1), max_size=300)


@given(numbers=NUMBERS)
@pytest.mark.parametrize("prepare", [False, True])
def test_the_server_reads_them_as_an_array_of_integers(data_dir: Path, numbers: list[int], *, prepare: bool) -> None:
    with psycopg.connect(database_url(data_dir, "postgres")) as connection:
        query = "SELECT %(acls)s, pg_typeof(%(acls)s)::text, 7 = ANY(%(acls)s)"
        row = connection.execute(query, {"acls": AclNumbers(numbers)}, prepare=prepare).fetchone()
    assert row == (numbers, "integer[]", 7 in numbers)
