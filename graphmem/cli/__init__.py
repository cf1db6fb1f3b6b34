"""The command line: one file for each group of commands.

``shell`` holds what every command shares (options, output, exit codes); ``app`` puts the groups together. The modules are
light: a command imports what it needs inside its body, so that ``graphmem --help`` costs no store, model or browser.
"""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line on ``sys.argv`` and end the process with its exit code."""
    from graphmem.cli.app import run

    run()
