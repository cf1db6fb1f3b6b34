"""Systems that choose the next step: one ranker over features of the question, with or without features from a memory.

All systems but ``random`` are the same gradient-boosted ranker, trained on questions of the train side alone. What a memory
adds are the product's expectations (``graphmem_agents.next_step``) of the site and of the other sites: how much of what is
expected next each candidate may be, by likeness of words and by the tags that elements of a role had in training. While
training, a question is never asked of a memory that holds its recording (nor its site, nor its domain, where the split holds
those out): the train side is folded as the split is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from threadpoolctl import threadpool_limits

from benchmarks.mind2web_read import Matrix, Rarity, best_option, kind, within_pool, words
from benchmarks.mind2web_steps import Answer, Asked, Candidate, Prediction, Question
from graphmem.model.workflow import Action
from graphmem_agents.next_step import Expected, Habits, expected, joined, texts_of
from graphmem_induction.describe import role_of
from graphmem_induction.slots import candidates as spans
from graphmem_induction.slots import occurs

#: Below this cosine two texts are not alike.
_ALIKE = 0.25
#: One model a seed; their chances are added.
_SEEDS = (1, 2)


# -- a memory that answers ---------------------------------------------------------------------------------------------


class Tags:
    """How often elements of an operation and role had each kind of tag, of the train side."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self.counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for question, answer in asked:
            if answer.gold is not None:
                self.counts[_op(answer), role_of(answer.target)][kind(question.candidates[answer.gold])] += 1
        self.all = sum(self.counts.values(), Counter[str]())

    def fit(self, op: str, role: str, tag: str) -> float:
        """0-1: how usual the tag is for the role, 1 for the most usual one."""
        counts = self.counts.get((op, role)) or self.all
        return (counts[tag] + 0.5) / (max(counts.values(), default=0) + 0.5)


def _op(answer: Answer) -> str:
    return answer.op.casefold()


class Memory:
    """Habits prepared for comparison: every action's name, and all words of its element, as vectors."""

    def __init__(self, habits: Habits, tags: Tags) -> None:
        self.habits = habits
        self.tags = tags
        self.names = _Texts([action.name for action in habits.actions])
        self.words = _Texts([texts_of(action) for action in habits.actions])
        self.open = np.array(["name" in action.slots for action in habits.actions], dtype=bool)
        self.counts = Counter(
            w for a, n in zip(habits.actions, habits.uses, strict=True) for w in words(texts_of(a)) * n
        )
        self.total = sum(self.counts.values())
        self._kinds: dict[str, Matrix] = {}

    def features(self, question: Question, rarity: Rarity) -> Matrix:
        """What the memory expects of each candidate: float [candidates, features]."""
        if not self.habits.actions:
            return np.zeros((len(question.candidates), FEATURES))
        told: Expected = expected(self.habits, question.instruction, question.history)
        shares = np.stack(
            [self._dense(s) for s in (told.ways, told.following, told.task, told.uses, told.shares)], axis=1
        )
        by_name, by_words = self.likeness(question)
        usual = self._usual(question.candidates, rarity)
        columns = [by_name.max(axis=1), by_words.max(axis=1), usual]
        features = np.hstack([np.stack(columns, axis=1), by_name @ shares, by_words @ shares])
        return np.hstack([features, within_pool(features)])

    def likeness(self, question: Question) -> tuple[Matrix, Matrix]:
        """How well each candidate may be each action, by its name and by all its words: float [candidates, actions]. An
        action with an open name may be whatever the instruction says."""
        said = [bool(c.text) and len(c.text) < 80 and occurs(c.text, question.instruction) for c in question.candidates]
        fits = np.stack([self._fits(kind(c)) for c in question.candidates])
        texts, attrs = [c.text for c in question.candidates], [c.attr for c in question.candidates]
        by_name = np.maximum(self.names.like(texts), self.names.like(attrs))
        by_words = self.words.like([f"{text} {attr}" for text, attr in zip(texts, attrs, strict=True)])
        for like in (by_name, by_words):
            like[:, self.open] = np.array(said, dtype=float)[:, None]
        return by_name * fits, by_words * fits

    def _fits(self, tag: str) -> Matrix:
        if tag not in self._kinds:
            self._kinds[tag] = np.array([self.tags.fit(a.op, a.role, tag) for a in self.habits.actions])
        return self._kinds[tag]

    def _dense(self, shares: Mapping[int, float]) -> Matrix:
        dense = np.zeros(len(self.habits.actions))
        for n, share in shares.items():
            dense[n] = share
        return dense

    def _usual(self, candidates: Sequence[Candidate], rarity: Rarity) -> Matrix:
        """How much more usual a candidate's words are in actions than in elements at large (mean log ratio)."""
        return np.array([self._word_score(words(c.text)[:8] + words(c.attr)[:8], rarity) for c in candidates])

    def _word_score(self, some: Sequence[str], rarity: Rarity) -> float:
        ratios = [log((self.counts[w] + 0.5) / (self.total + 1)) + rarity(w) for w in some]
        return sum(ratios) / len(ratios) if ratios else 0.0

    def actions_like(self, question: Question, candidate: int) -> list[tuple[float, Action]]:
        if not self.habits.actions:
            return []
        like = self.likeness(question)[0][candidate]
        return [(float(like[n]), self.habits.actions[n]) for n in np.argsort(-like)[:3] if like[n] > 0]


class _Texts:
    """Texts to be compared with: TF-IDF over stemmed words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.count = len(texts)
        self.vectorizer = TfidfVectorizer(analyzer=_analysed, sublinear_tf=True)
        self.vectors = self.vectorizer.fit_transform(texts) if any(map(_analysed, texts)) else None

    def like(self, others: Sequence[str]) -> Matrix:
        """Squared cosines: float [others, texts]; what is hardly alike is 0."""
        if self.vectors is None:
            return np.zeros((len(others), self.count))
        like = np.asarray((self.vectorizer.transform(others) @ self.vectors.T).todense())
        return np.where(like < _ALIKE, 0.0, like) ** 2


def _analysed(text: str) -> list[str]:
    return list(words(text))


#: Columns of ``Memory.features``.
FEATURES = 26


@dataclass
class Memories:
    """A memory of each site, and one of the sites of each domain ("" all sites), made when they are first asked."""

    habits: Mapping[str, Habits]
    domains: Mapping[str, str]
    tags: Tags
    made: dict[tuple[str, str], Memory] = field(default_factory=dict)

    def own(self, question: Question) -> Memory | None:
        if question.site not in self.habits:
            return None
        return self._made("site", question.site, lambda: self.habits[question.site])

    def others(self, question: Question) -> Memory:
        near = [site for site in sorted(self.habits) if self.domains[site] == question.domain]
        domain, sites = (question.domain, near) if near else ("", sorted(self.habits))
        return self._made("domain", domain, lambda: joined(self.habits[site] for site in sites))

    def _made(self, what: str, name: str, make: Callable[[], Habits]) -> Memory:
        if (what, name) not in self.made:
            self.made[what, name] = Memory(make(), self.tags)
        return self.made[what, name]

    def features(self, question: Question, rarity: Rarity) -> Matrix:
        own = self.own(question)
        near = own.features(question, rarity) if own else np.full((len(question.candidates), FEATURES), -9.0)
        return np.hstack([near, self.others(question).features(question, rarity)])


# -- the ranker --------------------------------------------------------------------------------------------------------


class Ranker:
    """Chooses a candidate, then the operation, then the value. ``features``: one matrix a question, of which the columns
    from ``remembered`` on come from a memory (see ``rising``)."""

    def __init__(self, training: Sequence[Asked], features: Sequence[Matrix], remembered: int) -> None:
        usable = [n for n, (_, answer) in enumerate(training) if answer.gold is not None]
        gold = np.concatenate([np.arange(len(training[n][0].candidates)) == training[n][1].gold for n in usable])
        rows = np.vstack([features[n] for n in usable])
        chosen = np.stack([features[n][training[n][1].gold] for n in usable])
        with threadpool_limits(1):
            self.choosers = [_model(seed, rising(rows.shape[1], remembered)).fit(rows, gold) for seed in _SEEDS]
            self.operator = _model(_SEEDS[0], None).fit(chosen, [training[n][1].op for n in usable])

    def chances(self, features: Sequence[Matrix]) -> list[Matrix]:
        """How likely each candidate of each question is the one; comparable within a question."""
        rows = np.vstack(features)
        with threadpool_limits(1):
            every = sum(chooser.predict_proba(rows)[:, 1] for chooser in self.choosers)
        return np.split(np.asarray(every), np.cumsum([len(each) for each in features])[:-1])

    def predict(
        self, questions: Sequence[Question], features: Sequence[Matrix], memories: Memories | None
    ) -> list[Prediction]:
        best = [int(np.argmax(chances)) for chances in self.chances(features)]
        with threadpool_limits(1):
            ops = self.operator.predict(np.stack([rows[n] for rows, n in zip(features, best, strict=True)]))
        return [_acted(q, n, str(op), memories) for q, n, op in zip(questions, best, ops, strict=True)]


def rising(columns: int, remembered: int) -> list[int]:
    """What the ranker may make of each column: 1 only more with more, 0 anything. What a memory expects may only speak for a
    candidate. Without this rule the ranker finds that elements which the memory knows well, and does not expect now, are the
    fillers of the pool: true of the pools, and of no page."""
    return [0] * remembered + [1] * (columns - remembered)


def _model(seed: int, rises: list[int] | None) -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(
        max_iter=150, learning_rate=0.06, max_leaf_nodes=15, min_samples_leaf=40, l2_regularization=1.0,
        max_features=0.3, monotonic_cst=rises, early_stopping=False, random_state=seed,
    )  # fmt: skip


def _acted(question: Question, best: int, op: str, memories: Memories | None) -> Prediction:
    candidate = question.candidates[best]
    if candidate.options and op == "CLICK" and best_option(candidate, question)[0] > 1:
        op = "SELECT"
    return Prediction(best, op, value(question, best, op, memories))


# -- values ------------------------------------------------------------------------------------------------------------


def value(question: Question, candidate: int, op: str, memories: Memories | None) -> str:
    """What to choose or type: the option that the instruction names, or its first value that no step has used."""
    element = question.candidates[candidate]
    if op == "SELECT" and element.options:
        sure, option = best_option(element, question)
        return option if sure > 0 else _remembered(question, candidate, memories) or element.options[0]
    if op in ("TYPE", "SELECT"):
        return _typed(question, element)
    return ""


def _remembered(question: Question, candidate: int, memories: Memories | None) -> str:
    """The constant value of the action that the candidate may be, if it has one."""
    own = memories.own(question) if memories else None
    for _, action in own.actions_like(question, candidate) if own else []:
        if action.value in question.candidates[candidate].options:
            return action.value
    return ""


def _typed(question: Question, element: Candidate) -> str:
    """The value of the instruction to type: one not used yet, best said beside a word of the field, else the first."""
    said = question.instruction
    used = {step.value.casefold() for step in question.history if step.value}
    found = [span for span in sorted(spans(said)) if said[span.start : span.end].casefold() not in used]
    field_words = {*words(element.attr), *words(element.text)}
    wants_number = bool(field_words & {"zip", "zipcode", "number", "price", "min", "max", "year", "postal"})

    def fit(start: int, text: str) -> float:
        before = words(said[max(start - 25, 0) : start])[-2:]
        return 2.0 * any(word in field_words for word in before) + float(text[:1].isdigit() == wants_number)

    texts = [(fit(s.start, said[s.start : s.end]), -s.start, said[s.start : s.end]) for s in found]
    return max(texts)[2] if texts else ""
