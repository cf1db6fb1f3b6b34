"""What general workflows explain of unseen sites, counted by hand."""

from benchmarks.general_measures import matches, measured, shared_grams
from benchmarks.workflow_measures import Pattern, Read, Recording


def pattern(name: str, open: str = "") -> Pattern:
    return Pattern("click", "button", name, open)  # type: ignore[arg-type]


def recording(*names: str, site: str = "shop.test", said: str = "") -> Recording:
    return Recording("r", site, said, tuple(Read("click", "button", name) for name in names))


def test_names_are_equal_but_for_case_articles_and_a_plural() -> None:
    assert matches(pattern("Your flights"), Read("click", "button", "flight"), "")
    assert not matches(pattern("flights"), Read("click", "link", "flights"), "")
    assert not matches(pattern("flights"), Read("click", "button", "find flights"), "")


def test_steps_are_explained_from_the_start_of_a_workflow_without_a_gap() -> None:
    found = measured([(pattern("from"), pattern("to"), pattern("search"))], [recording("menu", "from", "to", "date")])
    assert found.explained == [[0.0, 1.0, 1.0, 0.0]]
    assert found.precision == [[1.0, 0.0]]


def test_a_first_match_alone_explains_nothing_and_predicts_wrongly() -> None:
    found = measured([(pattern("from"), pattern("to"))], [recording("from")])
    assert found.explained == [[0.0]]
    assert found.precision == [[0.0]]


def test_an_open_name_has_to_be_said_and_starts_nothing() -> None:
    workflow = (pattern("size"), pattern("", "name"))
    assert measured([workflow], [recording("size", "large", said="a large shirt")]).explained == [[1.0, 1.0]]
    assert measured([workflow], [recording("size", "large")]).explained == [[0.0, 0.0]]
    assert measured([workflow[::-1]], [recording("large", "size", said="large")]).precision == []


def test_the_baseline_keeps_runs_of_two_sites_that_no_longer_run_of_them_contains() -> None:
    training = [recording("from", "to", "search", site="a.test"), recording("from", "to", "search", site="b.test")]
    assert shared_grams(training) == [(pattern("from"), pattern("to"), pattern("search"))]
    assert shared_grams(training[:1] * 2) == []
