"""dump and load on the command line."""

from pathlib import Path

import pytest
from support.dump import dump

from graphmem import Memory


def test_what_dump_wrote_load_reads_into_another_store_and_verifies(cli, example):
    written = cli("dump", "backup.cypher", "--store", example, "--json")
    assert written.code == 0
    assert Path(written.document["file"]).is_absolute()
    loaded = cli("load", "backup.cypher", "--json")
    assert loaded.code == 0
    assert loaded.document["schema"] == "graphmem.load/1"
    assert loaded.document["verify"]["ok"]
    with Memory.open(example) as memory:
        counts = memory.stats()
    assert loaded.document["relationships"] == sum(counts["relationships"].values())
    assert dump(".graphmem") == dump(example)


def test_export_as_cypher_is_the_same_dump(cli, example):
    assert cli("dump", "one.cypher", "--store", example).code == 0
    assert cli("export", "--format", "cypher", "--out", "two.cypher", "--store", example).code == 0
    one, two = (Path(name).read_text().splitlines() for name in ("one.cypher", "two.cypher"))
    assert len(one) == len(two)
    assert one[-1] == two[-1]
    assert cli("load", "two.cypher").code == 0


def test_load_tells_how_much_it_wrote(cli, example):
    cli("dump", "backup.cypher", "--store", example)
    said = cli("load", "backup.cypher", "--quiet")
    assert said.out.splitlines()[-1] == "All is as it should be."
    assert said.out.startswith("Loaded ")


def test_a_store_that_is_not_empty_is_wrong_usage(cli, example):
    cli("dump", "backup.cypher", "--store", example)
    assert cli("load", "backup.cypher").code == 0
    said = cli("load", "backup.cypher")
    assert said.code == 2
    assert "not empty" in said.err
    assert "--store" in said.err


def test_a_file_with_anything_else_in_it_is_refused_by_line_and_changes_nothing(cli, example):
    cli("dump", "backup.cypher", "--store", example)
    lines = Path("backup.cypher").read_text().splitlines()
    Path("evil.cypher").write_text("\n".join([*lines[:15], "MATCH (n) DETACH DELETE n;", *lines[15:]]) + "\n")
    said = cli("load", "evil.cypher")
    assert said.code == 1
    assert "evil.cypher: line 16: it is none of the statements" in said.err
    assert cli("stats", "--json").document["trajectories"] == 0


@pytest.mark.parametrize("place", ["nowhere.cypher", "."])
def test_a_file_that_is_not_there_is_wrong_usage(cli, place):
    assert cli("load", place).code == 2


def test_a_dump_to_a_place_that_is_none_writes_nothing(cli, example):
    assert cli("dump", "no/such/folder.cypher", "--store", example).code == 2
