"""What ``import graphmem`` offers."""

import asyncio
import inspect
import subprocess
import sys

from support.own_loop import run_apart

import graphmem
from graphmem import AsyncMemory, Memory


def test_all_is_sorted_and_every_name_in_it_is_there():
    assert graphmem.__all__ == sorted(graphmem.__all__)
    for name in graphmem.__all__:
        assert getattr(graphmem, name).__module__.startswith("graphmem"), name


def test_nothing_public_is_at_the_door_but_what_all_names():
    for name in graphmem.__all__:
        getattr(graphmem, name)
    public = {
        name for name, value in vars(graphmem).items() if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public - {"annotations", "Any", "TYPE_CHECKING", "import_module"} == set(graphmem.__all__)


def test_the_door_offers_its_names_to_who_lists_them():
    assert set(graphmem.__all__) <= set(dir(graphmem))


def test_a_name_that_is_not_there_is_an_attribute_error():
    assert not hasattr(graphmem, "Memroy")


def test_an_error_can_be_had_without_loading_a_store():
    program = "from graphmem import NotFound; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    loaded = done.stdout.split()
    assert "graphmem.errors" in loaded
    assert not [name for name in loaded if name.startswith(("graphmem.store", "graphmem.memory", "graphmem_"))]


def calls_of(kind: type) -> set[str]:
    return {name for name, value in vars(kind).items() if not name.startswith("_") and callable(value)}


def test_async_memory_has_the_calls_of_memory():
    streams = {"exported"}  # parts that are read from the store as they are taken
    assert calls_of(AsyncMemory) | {"open"} == (calls_of(Memory) | {"open"}) - streams
    for name in calls_of(AsyncMemory) - {"record"}:
        assert inspect.iscoroutinefunction(inspect.unwrap(getattr(AsyncMemory, name), stop=inspect.iscoroutinefunction))
        assert getattr(AsyncMemory, name).__doc__ == getattr(Memory, name).__doc__


def test_async_record_takes_what_record_takes():
    taken = list(inspect.signature(Memory.record).parameters)
    assert list(inspect.signature(AsyncMemory.record).parameters) == taken


def test_async_calls_give_what_the_calls_give():
    async def counted() -> dict[str, object]:
        async with await AsyncMemory.open("memory:") as memory:
            await asyncio.gather(*(memory.stats() for _ in range(4)))
            return await memory.stats()

    with Memory.open("memory:") as memory:
        assert run_apart(counted()) == memory.stats()
