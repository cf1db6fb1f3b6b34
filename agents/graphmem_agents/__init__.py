"""Agents: out of the memory, for a task. ``compose.plan``, ``recall.recall``, ``memory_text.memory_text``, ``tools.tools``."""
