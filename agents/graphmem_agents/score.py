"""Scoring: how well a task or subtask answers a piece of an instruction, as a probability.

Five signs, each 0-1: words (TF-IDF, entities masked), meaning (the embedder, where there is a model), and from laying the
template against the instruction: how much of the template is said, how much of the instruction it covers, how many slots
bind. A logistic function of them, fitted by ``graphmem_agents.calibrate`` on development data, gives the score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphmem_agents.align import Alignment, align
from graphmem_agents.embed import Embedder, Matrix, TfidfEmbedder
from graphmem_agents.known import Known
from graphmem_agents.words import masked

SIGNS = ("words", "meaning", "said", "covered", "bound")

#: Weights of the signs and the constant, without and with a sentence model: what ``python -m graphmem_agents.calibrate``
#: printed for the development set in tests/agents.
WEIGHTS: Mapping[str, tuple[float, ...]] = {
    "words": (4.24, 0.0, 3.36, 1.45, 0.68, -2.76),
    "model": (2.68, 5.32, 2.64, 0.23, 0.37, -3.88),
}
#: Below this score nothing fits, without and with a sentence model; measured there as well. Of 150 instructions of 30 tasks,
#: 90 of them reworded, 0.62 (with a model 0.73) reach it with the right task first; of 210 that nothing known is for, each
#: of the 150 also asked of a memory without its task, 0.96 (0.94) stay below.
THRESHOLD: Mapping[str, float] = {"words": 0.83, "model": 0.76}

#: Only so many of the likest by words and meaning are laid against the instruction.
ALIGNED = 16


@dataclass(frozen=True)
class Scored:
    """``known`` for one piece of text: its score 0-1, the signs behind it, and what its slots would be."""

    known: Known
    score: float
    signs: tuple[float, ...]
    alignment: Alignment

    @property
    def why(self) -> str:
        parts = [f"{name} {value:.2f}" for name, value in zip(SIGNS[:2], self.signs[:2], strict=True) if value]
        slots = len(self.known.parameters)
        parts += [f"{len(self.alignment.values)} of {slots} slots bound"] if slots else []
        judged = self.known.successes + self.known.failures
        parts += [f"{self.known.successes} of {judged} runs succeeded"] if judged else []
        return ", ".join(parts)


def score(
    texts: Sequence[str],
    candidates: Sequence[Known],
    embedder: Embedder,
    vectors: Mapping[str, Sequence[float]] | None = None,
) -> list[list[Scored]]:
    """For each text the candidates that come near it, best first. ``vectors``: embeddings by key that the store has."""
    if not candidates:
        return [[] for _ in texts]
    asked, documents = [masked(text) for text in texts], [known.masked for known in candidates]
    words = TfidfEmbedder().similar(asked, documents)
    meaning = _meaning(asked, candidates, documents, embedder, vectors or {}, words)
    ranked = []
    for i, text in enumerate(texts):
        best = np.argsort(-(words[i] + meaning[i]), kind="stable")[:ALIGNED]
        scored = [_scored(text, candidates[c], float(words[i, c]), float(meaning[i, c]), embedder) for c in best]
        ranked.append(sorted(scored, key=lambda s: (-s.score, s.known.key)))
    return ranked


def _scored(text: str, known: Known, words: float, meaning: float, embedder: Embedder) -> Scored:
    alignment = align(known.text, known.parameters, text)
    signs = (words, meaning, alignment.said, alignment.covered, alignment.bound)
    return Scored(known, probability(signs, embedder.dimension is not None), signs, alignment)


def probability(signs: Sequence[float], with_model: bool) -> float:
    """The logistic function of the signs."""
    *weights, constant = WEIGHTS["model" if with_model else "words"]
    return 1 / (1 + math.exp(-(sum(w * s for w, s in zip(weights, signs, strict=True)) + constant)))


def threshold(embedder: Embedder) -> float:
    """The score from which something fits."""
    return THRESHOLD["words" if embedder.dimension is None else "model"]


def _meaning(
    asked: Sequence[str],
    candidates: Sequence[Known],
    documents: Sequence[str],
    embedder: Embedder,
    vectors: Mapping[str, Sequence[float]],
    words: Matrix,
) -> Matrix:
    """Cosines by a sentence model; stored vectors where there are, else only the likest by words are embedded now."""
    found = np.zeros((len(asked), len(candidates)), np.float32)
    if embedder.dimension is None:
        return found
    stored = [i for i, known in enumerate(candidates) if known.key in vectors]
    likest = np.argsort(-words.max(axis=0), kind="stable")
    fresh = [int(i) for i in likest if candidates[i].key not in vectors][: 4 * ALIGNED]
    queries = embedder.embed(asked)
    if stored:
        found[:, stored] = queries @ np.array([vectors[candidates[i].key] for i in stored], np.float32).T
    if fresh:
        found[:, fresh] = queries @ embedder.embed([documents[i] for i in fresh]).T
    return np.clip(found, 0.0, 1.0)
