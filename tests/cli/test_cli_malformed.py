"""Malformed files through the command line: an exit code, a reason for each, no traceback, a store that verifies."""

import json

from importers.test_malformed import malformed

from graphmem.importers import Refusal, read


def test_each_of_200_malformed_files_ends_in_a_code_and_a_reason(cli, nowhere):
    codes = set()
    for name, data in malformed(200):
        path = nowhere / name
        path.write_bytes(data)
        refused = [item for item in read([path]) if isinstance(item, Refusal)]
        said = cli("learn", path, "--json", "--quiet")
        report = said.document
        codes.add(said.code)
        taken = report["learned"] + report["already_known"]
        assert said.code == (0 if not refused else 4 if taken else 1), name
        assert report["refused"] == [refusal.to_json() for refusal in refused], name
        assert all(refusal["file"] == str(path) and refusal["reason"] for refusal in report["refused"])
        assert said.err.count("\n") >= min(len(refused), 1)
        for sign in ("Traceback", "this is a bug"):
            assert sign not in said.err, name
    assert codes == {0, 1, 4}
    said = cli("verify", "--json")
    assert said.code == 0, said.out


def test_the_folder_of_them_all_is_some_refused_and_no_traceback(process, nowhere):
    folder = nowhere / "malformed"
    folder.mkdir()
    for name, data in malformed(60, seed=5):
        (folder / name).write_bytes(data)
    said = process("learn", folder, "--json")
    assert said.code == 4, said.err
    assert len(json.loads(said.out)["refused"]) > 20
    assert "Traceback" not in said.err
    assert process("verify", "--json").code == 0
