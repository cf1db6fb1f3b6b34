"""Embedders: how alike two texts are in meaning.

``TfidfEmbedder`` is always there: word 1-2-grams and character 3-5-grams, fitted on the candidates of the moment, so its
vectors are never stored. ``FastembedEmbedder`` (extra ``semantic``) runs a small ONNX model; right workflow of 24 first, on
natural paraphrases: MiniLM-L6 0.87, TF-IDF 0.72. Nothing reaches for a hub unless a model was asked for by name.

    GRAPHMEM_EMBEDDER=tfidf                      words and characters
    GRAPHMEM_EMBEDDER=fastembed                  the model on this disk (two packages, or an earlier download)
    GRAPHMEM_EMBEDDER=fastembed:FOLDER           a folder with model.onnx and tokenizer.json
    GRAPHMEM_EMBEDDER=fastembed:MODEL            a model of fastembed by name, downloaded if it has to be
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import MissingExtra, StoreError, UsageError
from graphmem_agents.model_folder import INSTALL, MODEL, offline_model

Matrix = NDArray[np.float32]

ENVIRONMENT = "GRAPHMEM_EMBEDDER"


class Embedder(Protocol):
    """A way of comparing texts. Another package adds one as an entry point of the group ``graphmem.embedders``: a factory
    that takes what stands after the colon in the embedder's name ("" where there is none)."""

    @property
    def name(self) -> str:
        """What the store records: two embedders of one name make the same vectors."""
        ...

    @property
    def dimension(self) -> int | None:
        """Length of its vectors; None where they mean something among themselves only, and cannot be stored."""
        ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row of unit length for each text (len(texts) x dimension)."""
        ...

    def similar(self, queries: Sequence[str], documents: Sequence[str]) -> Matrix:
        """Cosine of each query with each document (len(queries) x len(documents))."""
        ...


class TfidfEmbedder:
    """Words and characters, weighed by how rare they are among the documents."""

    name = "tfidf"
    dimension = None

    def __init__(self, argument: str = "") -> None:
        if argument:
            raise UsageError(f"The embedder tfidf takes no argument, and was given {argument!r}.")

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Fitted on ``texts`` themselves; the two halves (words, characters) weigh alike."""
        halves = [_dense(half.documents) / np.sqrt(2) for half in _fitted(tuple(texts))]
        return np.hstack(halves).astype(np.float32) if texts else np.zeros((0, 0), np.float32)

    def similar(self, queries: Sequence[str], documents: Sequence[str]) -> Matrix:
        if not queries or not documents:
            return np.zeros((len(queries), len(documents)), np.float32)
        halves = [(half.vectors(queries) @ half.documents.T).toarray() for half in _fitted(tuple(documents))]
        return np.asarray(sum(halves) / len(halves), dtype=np.float32)


class _Half:
    """N-grams of one kind: how to weigh texts by them, and the documents' vectors."""

    def __init__(self, weigh: Any, documents: Sequence[str]) -> None:
        self._weigh = weigh
        self.documents = weigh.fit_transform(documents).tocsr()

    def vectors(self, texts: Sequence[str]) -> Any:
        return self._weigh.transform(texts)


@lru_cache(maxsize=4)
def _fitted(documents: tuple[str, ...]) -> tuple[_Half, ...]:
    """Words and characters of the documents. Kept for the next question."""
    from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer, TfidfVectorizer
    from sklearn.pipeline import make_pipeline

    if not documents:
        return ()
    # Words are hashed, so that those which no document has count too: a question whose only known word is "the" must not
    # look like every document with "the" in it. Characters are not: a word in another form should cost nothing.
    counted = HashingVectorizer(
        ngram_range=(1, 2), token_pattern=r"(?u)\b\w\w+\b|\d", alternate_sign=False, norm=None, n_features=2**18
    )
    halves = [_Half(make_pipeline(counted, TfidfTransformer(sublinear_tf=True)), documents)]
    try:
        halves.append(_Half(TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True), documents))
    except ValueError:
        # No document is long enough for one n-gram.
        return tuple(halves)
    return tuple(halves)


def _dense(vectors: Any) -> Matrix:
    used = np.unique(vectors.indices)
    return np.asarray(vectors[:, used].toarray(), dtype=np.float32)


class FastembedEmbedder:
    """A sentence model through fastembed. The argument is a folder, a model's name, or "" for the one on this disk.

    MissingExtra without fastembed; StoreError where no model is on this disk and none was asked for by name.
    """

    def __init__(self, argument: str = "") -> None:
        if find_spec("fastembed") is None:
            raise MissingExtra("Comparing by meaning with a model", "fastembed", "semantic")
        folder = Path(argument).expanduser() if argument else offline_model()
        self._model = _load(argument, folder)
        self.name = f"fastembed:{folder.name if folder is not None else Path(MODEL).name}"
        self._dimension = 0

    @property
    def dimension(self) -> int:
        if not self._dimension:
            self._dimension = int(self.embed(["x"]).shape[1])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Matrix:
        if not texts:
            return np.zeros((0, self._dimension), np.float32)
        vectors = np.asarray(list(self._model.embed(list(texts))), dtype=np.float32)
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), dtype=np.float32)

    def similar(self, queries: Sequence[str], documents: Sequence[str]) -> Matrix:
        if not queries or not documents:
            return np.zeros((len(queries), len(documents)), np.float32)
        return np.asarray(self.embed(queries) @ self.embed(documents).T, dtype=np.float32)


def _load(argument: str, folder: Path | None) -> Any:
    from fastembed import TextEmbedding

    if folder is not None and folder.is_dir():
        return TextEmbedding(MODEL, specific_model_path=str(folder))
    try:
        # A name was asked for, so it may be fetched; else only what an earlier download left on this disk.
        return TextEmbedding(argument) if argument else TextEmbedding(MODEL, local_files_only=True)
    except Exception as error:
        raise StoreError(
            f"The sentence model {argument or MODEL} cannot be loaded: {error}".split("\n")[0],
            hint=f"Set {ENVIRONMENT}=fastembed:FOLDER (with model.onnx and tokenizer.json), or run: {INSTALL}",
        ) from error


def choose_embedder(name: str | None = None, environ: Mapping[str, str] = os.environ) -> Embedder:
    """The embedder ``name`` (``kind`` or ``kind:argument``), else GRAPHMEM_EMBEDDER, else the model that lies on this disk,
    else TF-IDF. UsageError for a kind that no installed package knows."""
    asked = name or environ.get(ENVIRONMENT, "")
    if not asked:
        on_disk = find_spec("fastembed") is not None and offline_model(environ) is not None
        asked = "fastembed" if on_disk else "tfidf"
    return _made(asked)


@lru_cache(maxsize=4)
def _made(asked: str) -> Embedder:
    kind, _, argument = asked.partition(":")
    kinds = {entry.name: entry for entry in entry_points(group="graphmem.embedders")}
    if kind not in kinds:
        raise UsageError(f"No embedder is called {kind!r}.", hint=f"Known are: {', '.join(sorted(kinds))}.")
    made: Embedder = kinds[kind].load()(argument)
    return made
