"""The planted corpora and their scorer: what is planted is done, noise is noise, and every verdict is the one it says."""

import pytest

from benchmarks.planted_corpus import SWITCHES, AnyOrder, Exactly, Loop, Maybe, Open, Planted, Step, corpus
from benchmarks.planted_ngrams import ngrams
from benchmarks.planted_score import Finding, Found, Machine, _takes, code_length, literal_length, score, spelled
from benchmarks.planted_stitch import abstracted, expanded, stitch

A, B, C, D = (Exactly("click", "button", name) for name in "abcd")
ANY = Open("click", "button")


@pytest.mark.parametrize("switch", SWITCHES)
def test_the_same_seed_gives_the_same_corpus_and_a_smaller_one_is_its_beginning(switch):
    large, small = corpus(switch, 3, 60), corpus(switch, 3, 20)
    assert large == corpus(switch, 3, 60)
    assert large.recordings[:20] == small.recordings
    assert large.routines == small.routines


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_recording_without_noise_inside_contains_the_routines_that_it_did(switch):
    planted = corpus(switch, 1, 40)
    if SWITCHES[switch].inside:
        return
    for steps, used in zip(planted.recordings, planted.uses, strict=True):
        for number in used:
            assert _does(planted.routines[number].parts, [(s.op, s.role, s.name) for s in steps])


def _does(parts, symbols):
    """Whether some run of the symbols is one way to do the parts."""
    whole = Machine()
    final = whole._chain(0, parts)
    return any(_accepts(whole, final, symbols[n:]) for n in range(len(symbols)))


def _accepts(machine, final, symbols):
    alive = machine._closed({0})
    for symbol in symbols:
        if final in alive:
            return True
        taken = {e for s, label, e in machine.edges if s in alive and label and _takes(label, symbol)}
        alive = machine._closed(taken)
    return final in alive


def test_a_routine_has_the_levels_and_the_control_steps_of_its_switch():
    levels = [routine.level for routine in corpus("plain", 1, 1).routines]
    assert (levels.count(1), levels.count(2), levels.count(3)) == (20, 10, 5)
    for switch, kind in (("optional", Maybe), ("each", Loop), ("any_order", AnyOrder), ("slots", Open)):
        parts = [part for routine in corpus(switch, 1, 1).routines for part in routine.parts]
        assert any(isinstance(part, kind) for part in parts)


def judged(*found, support=2):
    truth = [Planted(1, (A, Maybe(B), C)), Planted(1, (Loop((D,)), ANY))]
    return score(Found(tuple(Finding(parts, support) for parts in found), 0, ()), truth, truth, transforms=True)


def test_only_the_exact_parts_are_recovered():
    result = judged((A, Maybe(B), C), (A, B, C))
    assert result.recovered == ((A, Maybe(B), C),)
    assert result.fragments == ((A, B, C),)
    assert not result.false


def test_two_routines_joined_are_false_and_a_piece_or_a_narrower_form_of_one_is_a_fragment():
    result = judged((A, C, D), (A, C), (D, D, A))
    assert result.false == ((A, C, D),)
    assert set(result.fragments) == {(A, C), (D, D, A)}


def test_what_one_recording_alone_has_counts_as_nothing_and_neither_does_one_part():
    assert judged((A, C, D), support=1).false == ()
    assert judged((A,)).fragments == ()


def test_a_transform_counts_only_for_who_sees_it():
    planted = [Planted(1, (Exactly("type", "textbox", "When", "upper"), A))]
    found = Found((Finding((Exactly("type", "textbox", "When"), A), 2),), 0, ())
    assert not score(found, planted, planted, transforms=True).recovered
    assert score(found, planted, planted, transforms=False).recovered


def test_groups_are_spelled_in_one_order():
    assert spelled([AnyOrder(frozenset({B, A}))]) == spelled([A, B])


def test_the_code_length_does_not_depend_on_the_order_of_the_events_and_routines_shorten_it():
    planted = corpus("plain", 1, 60)
    found = ngrams(planted.recordings)
    bits = code_length(found.events, planted.recordings)
    assert bits == pytest.approx(code_length(reversed(found.events), planted.recordings))
    assert bits < literal_length(planted.recordings)


def test_stitch_gives_the_recordings_back_and_its_result_is_read_as_routines():
    pytest.importorskip("stitch_core")
    steps = [Step("click", "button", name) for name in "abcde"]
    recordings = [(Step("click", "link", f"x{n}"), *steps, Step("click", "link", f"y{n}")) for n in range(8)]
    known, rewritten = abstracted(recordings)
    for tree, recorded in zip(rewritten, recordings, strict=True):
        assert expanded(tree, known) == [(s.op, s.role, s.name) for s in recorded]
    found = stitch(recordings)
    shared = tuple(Exactly("click", "button", name) for name in "abcde")
    assert any(shared == f.parts[n : n + 5] for f in found.findings for n in range(3))
