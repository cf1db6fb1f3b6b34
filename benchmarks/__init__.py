"""Measurements: ``python -m benchmarks.NAME`` prints one JSON document in long form (see ``benchmarks.frame``)."""
