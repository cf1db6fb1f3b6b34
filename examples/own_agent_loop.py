"""Memory around one's own agent loop: remember what it did, and ask for a plan before the next task.

    python examples/own_agent_loop.py

The "agent" here only says what it does; put yours in its place. Nothing is kept: the store is in memory.
"""

from __future__ import annotations

from graphmem import Memory

SITE = "library.example"


def reserve(memory: Memory, title: str) -> None:
    """What an agent did, step by step. An exception inside would be remembered as a failure."""
    with memory.record(f'Reserve the book "{title}"', site=SITE) as run:
        run.step(op="navigate", value=f"https://{SITE}/")
        run.step(op="type", target={"role": "searchbox", "name": "Title"}, value=title)
        run.step(op="click", target={"role": "button", "name": "Search"})
        run.step(op="click", target={"role": "link", "name": title})
        run.step(op="click", target={"role": "button", "name": "Reserve"})


def main() -> None:
    with Memory.open("memory:") as memory:
        for title in ("Dune", "Momo", "The Dispossessed"):
            reserve(memory, title)
        memory.induce()
        plan = memory.plan('Reserve the book "Solaris"', site=SITE)
        print(plan.text())
        print("\nFor a prompt:\n")
        print(memory.text("Reserve a book", site=SITE, budget=300))


if __name__ == "__main__":
    main()
