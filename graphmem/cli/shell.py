"""What every command shares: the options about the store and the output, and how an outcome becomes an exit code.

A command is a function whose first argument is a ``Shell``. ``command`` adds the common options to the signature that
typer reads, so they are written once and stand after every command. Results go to stdout, as text or, with ``--json``, as
one document; everything else goes to stderr. No command handles errors: ``_guarded`` turns each into one line and a code.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, TypeAlias, get_type_hints

import typer

from graphmem.cli.text import without_controls
from graphmem.errors import GraphmemError, StoreUnavailable, UsageError

if TYPE_CHECKING:
    from graphmem.cli.progress import Progress
    from graphmem.memory import Memory

P = ParamSpec("P")

DONE, FAILED, WRONG_USAGE, NOTHING_FITS, SOME_REFUSED, NO_STORE, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130

StoreOption = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="A folder, memory:, or neo4j://HOST. Else GRAPHMEM_STORE, NEO4J_URI, or the folder .graphmem here.",
    ),
]
WaitOption = Annotated[float, typer.Option(metavar="SECONDS", min=0, help="How long to wait for a store in use.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, and nothing else there.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")]
DebugOption = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]


@dataclass
class Shell:
    """One call of a command, with the common options. ``said`` tells whether stdout has had its document."""

    store: str | None = None
    wait: float = 30.0
    as_json: bool = False
    quiet: bool = False
    debug: bool = False
    said: bool = field(default=False, init=False)

    @contextmanager
    def memory(self, *, otherwise: str | None = None) -> Iterator[Memory]:
        """The memory that the options name, open for the block. ``otherwise``: the store where no option names one."""
        from graphmem.memory import Memory

        with Memory.open(self.store or otherwise, wait=self.wait) as memory:
            yield memory

    def result(self, document: Any, text: str) -> None:
        """What was asked for: ``document`` with --json, else ``text``."""
        self.said = True
        if self.as_json:
            unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
            typer.echo(json.dumps(document, ensure_ascii=not unicode, indent=2, default=str))
        elif text:
            typer.echo(without_controls(text))

    def note(self, text: str) -> None:
        """A remark, on stderr."""
        if not self.quiet:
            typer.echo(without_controls(text), err=True)

    def warn(self, text: str) -> None:
        """What the user must see even with --quiet, on stderr."""
        typer.echo(without_controls(text), err=True)

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """How far a long job is, on stderr."""
        from graphmem.cli.progress import progress

        with progress(self.quiet) as shown:
            yield shown


Body: TypeAlias = Callable[Concatenate[Shell, P], int | None]
_COMMON = {"store": StoreOption, "wait": WaitOption, "as_json": JsonOption, "quiet": QuietOption, "debug": DebugOption}


def command(app: typer.Typer, name: str, *, example: str) -> Callable[[Body[P]], Body[P]]:
    """Add the function as the command ``name``; it returns the exit code, or None for done. ``example``: a line each."""
    # \b: the lines stay as they are written.
    lines = "\n".join(["\b", "Example:", *(f"  graphmem {line}" for line in example.splitlines())])

    def decorate(body: Body[P]) -> Body[P]:
        app.command(name, epilog=lines)(_with_common_options(body))
        return body

    return decorate


def _with_common_options(body: Callable[..., int | None]) -> Callable[..., None]:
    hints = get_type_hints(body, include_extras=True)
    own = [p.replace(annotation=hints[p.name]) for p in list(inspect.signature(body).parameters.values())[1:]]
    defaults = Shell()
    common = [
        inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=getattr(defaults, option), annotation=hint)
        for option, hint in _COMMON.items()
    ]

    @functools.wraps(body)
    def call(**given: Any) -> None:
        shell = Shell(**{option: given.pop(option) for option in _COMMON})
        raise typer.Exit(_guarded(shell, lambda: body(shell, **given)))

    by_keyword = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
    call.__signature__ = inspect.Signature([*by_keyword, *common])  # type: ignore[attr-defined]
    call.__annotations__ = {p.name: p.annotation for p in (*by_keyword, *common)}
    # Or typer would look through to the signature of the body.
    del call.__wrapped__
    return call


def _guarded(shell: Shell, work: Callable[[], int | None]) -> int:
    """Run a command's body; every error becomes an exit code and a line, never a traceback unless --debug asks for it."""
    try:
        code = work() or DONE
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _failed(shell, INTERRUPTED, "Interrupted.", "What was finished is kept; run the same again to go on.")
    except BrokenPipeError:
        # Whoever read our output left. Point stdout elsewhere, or Python complains once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except GraphmemError as error:
        if shell.debug:
            traceback.print_exc()
        return _failed(shell, code_of(error), error.message, error.hint)
    except (OSError, MemoryError) as error:
        if shell.debug:
            traceback.print_exc()
        return _failed(shell, FAILED, _reason(error), "")
    except Exception as error:
        if shell.debug:
            traceback.print_exc()
        told = f"{type(error).__name__}: {error}".splitlines()[0][:300]
        return _failed(shell, FAILED, f"{told} (this is a bug).", "Run it again with --debug and report what it shows.")


def code_of(error: GraphmemError) -> int:
    """The exit code of an error that was raised on purpose."""
    match error:
        case UsageError():
            return WRONG_USAGE
        case StoreUnavailable():
            return NO_STORE
        case _:
            return FAILED


def _reason(error: OSError | MemoryError) -> str:
    if isinstance(error, MemoryError):
        return "There is not enough memory."
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}."


def _failed(shell: Shell, code: int, message: str, hint: str) -> int:
    shell.warn(f"Error: {message}" + (f"\n{hint}" if hint else ""))
    if shell.as_json and not shell.said:
        shell.result({"schema": "graphmem.error/1", "error": message, "hint": hint, "exit_code": code}, "")
    return code
