"""Names for routines, from what they do and without a model: "Search flights", "Pick {value} in {field}"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from graphmem.model.workflow import Action, Binding, Constant, FromSlot, Workflow
from graphmem_induction.program import Call, Lit, Proto, Ref, Routine, unfolded

_PRESSED = frozenset({"button", "link", "menuitem", "tab", "svg", "img", "span", "div", "a"})
#: Names are for people: two slots are enough to recognise a routine by.
_SLOTS = 2


def routine_name(routine: Routine) -> str:
    """What a person would call it; names are made unique on a site by whoever writes them."""
    match routine.kind:
        case "optional":
            return f"If there: {_first(routine)}"
        case "until":
            return f"Repeat: {_first(routine)}"
        case "choose":
            return f"Whichever applies: {_first(routine)}"
        case "each":
            return f"For each: {_first(routine)}"
    return _sequence_name(routine)


def _sequence_name(routine: Routine) -> str:
    calls = list(_flat(routine.children))
    filled = [call for call in calls if isinstance(call.node, Proto) and call.node.op in ("type", "select")]
    last = calls[-1].node if calls else None
    if len(calls) == 2 and filled and not _constant_name(calls[0]):
        return f"Pick {_shown(calls[0], 'value')} in {_shown(calls[0], 'name')}{_from(last)}"
    slots = ", ".join(f"{{{param.name}}}" for param in routine.params[:_SLOTS])
    with_slots = f" with {slots}" if slots else ""
    called = [c.node for c in routine.children if isinstance(c.node, Routine) and c.node.kind == "sequence"]
    if called and called[0].size > 2 and isinstance(routine.children[-1].node, Proto):
        return f"{_base(_sequence_name(called[0]))}, then {_step_name(routine.children[-1])}{with_slots}"
    if isinstance(last, Proto) and last.op in ("click", "dblclick") and last.name and last.role in _PRESSED:
        return f"{last.name}{with_slots or _started(calls[0].node, last)}"
    if filled:
        names = list(dict.fromkeys(_shown(call, "name") for call in filled))
        return f"Fill in {', '.join(names[:3])}{with_slots}"
    return f"{_step_name(calls[-1])}{with_slots}" if calls else routine.kind


def _from(picked: Proto | Routine | None) -> str:
    """What is picked, where it is no option of a list: routines that look alike differ in it."""
    role = picked.role if isinstance(picked, Proto) else ""
    return f" (as {role})" if role and role != "option" else ""


def _started(first: Proto | Routine, last: Proto) -> str:
    """Where a routine without slots begins: many end with the same "Done"."""
    named = isinstance(first, Proto) and first.name and first.name != last.name
    return f", from {first.name}" if named else ""  # type: ignore[union-attr]


def _base(name: str) -> str:
    return name.partition(" with {")[0]


def _flat(calls: Sequence[Call]) -> Sequence[Call]:
    """The steps with everything called unfolded, bound as the outermost caller binds it."""
    flat: list[Call] = []
    for call in calls:
        node = call.node
        flat += [call] if isinstance(node, Proto) else _flat(unfolded(node.children, call))
    return flat


def _first(routine: Routine) -> str:
    flat = _flat(routine.children)
    return _step_name(flat[0]) if flat else routine.kind


def _constant_name(call: Call) -> str:
    return call.node.name if isinstance(call.node, Proto) else ""


def _shown(call: Call, slot: str) -> str:
    arg = call.arg(slot)
    if isinstance(arg, Lit):
        return arg.text
    if isinstance(arg, Ref):
        return f"{{{arg.slot}}}"
    return _constant_name(call)


def _step_name(call: Call) -> str:
    node = call.node
    assert isinstance(node, Proto)
    if node.op == "navigate":
        parts = urlsplit(node.value)
        return f"Open {parts.netloc}{parts.path.rstrip('/')}"
    called = _shown(call, "name") or node.role
    return f"{node.op.capitalize()} {called}".strip()


def flow_name(flow: Workflow) -> str:
    """What a general routine is called: its steps, the first three."""
    parts = []
    for child in flow.children[:3]:
        assert isinstance(child.node, Action)
        bound = dict(child.bindings)
        called = _bound_text(bound.get("name")) or child.node.name or child.node.role
        filled = _bound_text(bound.get("value"))
        parts.append(f"{child.node.op} {filled} in {called}" if filled else f"{child.node.op} {called}")
    text = ", ".join(parts) + (" ..." if len(flow.children) > len(parts) else "")
    return text[:1].upper() + text[1:]


def _bound_text(binding: Binding | None) -> str:
    if isinstance(binding, FromSlot):
        return f"{{{binding.slot}}}"
    return binding.value if isinstance(binding, Constant) else ""


def unique_names(named: Mapping[str, str]) -> dict[str, str]:
    """Key -> name, with a number after a name that an earlier key has already."""
    taken: dict[str, int] = {}
    names = {}
    for key, name in sorted(named.items()):
        taken[name] = taken.get(name, 0) + 1
        names[key] = name if taken[name] == 1 else f"{name} ({taken[name]})"
    return names
