"""The table of systems: rules for the record of each."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.archives.archive import Entry
from pipeline.archives.places import Places, joined
from pipeline.building.target_folders import check_systems_below
from pipeline.recognition.recognise import find_roots
from pipeline.report.outcome import errors_of
from pipeline.systems.residences import Residence, residences
from pipeline.systems.system import System
from pipeline.systems.table import SYSTEMS, system_called
from tests.support.corpus import MINIATURES
from tests.support.recognition import project_with, reader

ROOT = Path(__file__).parents[2]
ALLOWED = ("pipeline/systems/", "pipeline/report/diagnostics/", "pipeline/recognition/others.py")
"""Where systems are named: in their own package, in messages, and among those that nothing
is built for.
"""
each_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)


@each_system
def test_a_system_is_found_by_its_sign(system: System) -> None:
    """A system is found in each folder that it may be in, and no other system is found with it."""
    own = system.folders.places
    for root in system.roots:
        places = Places(joined(root, own.themes), joined(root, own.modules))
        assert tuple(residences(project_with(system, root))) == (Residence(system, root, places),)


@each_system
def test_a_system_one_folder_down_is_called_by_its_own_name(system: System) -> None:
    """A system one folder down is named as itself, even if the components are for the one that it
    was made from.
    """
    outcome = check_systems_below(
        project_with(system, "public"), {system.made_from or system.name, ""}, "shop"
    )
    start = f"{system.name} is not in the project itself, but one folder down, in `public`"
    assert [each.message for each in errors_of(outcome)] == [start]


def test_the_names_in_the_table_are_those_of_systems() -> None:
    """No two systems have one name, and a system only refers to systems of the table."""
    names = [system.name for system in SYSTEMS]
    assert sorted(names) == sorted(set(names))
    assert {
        other for system in SYSTEMS for other in (*system.kin, system.made_from) if other
    } <= set(names)


def test_a_system_takes_the_modules_of_the_one_that_it_was_made_from() -> None:
    """A system's recogniser finds every module of the system that it was made from, which comes
    first in the table.
    """
    names = [system.name for system in SYSTEMS]
    for system in SYSTEMS:
        origin = system_called(system.made_from)
        assert not origin.name or names.index(origin.name) < names.index(system.name)
        for miniature in MINIATURES:
            for root in find_roots(
                tuple(Entry(name=path) for path in miniature.files), reader(miniature.files)
            ):
                wanted = {each.name for each in origin.recognise(root) if each.kind == "module"}
                assert wanted <= {
                    each.name for each in system.recognise(root) if each.system == system.name
                }


def test_no_other_module_names_a_system() -> None:
    """No module outside the table names a system in its code or strings; docstrings may."""
    words = {
        word for system in SYSTEMS for word in (system.name, system.name.rpartition(" ")[0])
    } - {""}
    named = re.compile(rf"(?i)(?<![^\W_])(?:{'|'.join(map(re.escape, sorted(words)))})(?![^\W_])")
    modules = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for package in ("pipeline", "io_edges")
        for path in (ROOT / package).rglob("*.py")
    }
    found = {
        name: texts
        for name, module in modules.items()
        if not name.startswith(ALLOWED)
        and named.search(module)
        and (texts := [text for text in _texts(module) if named.search(text)])
    }
    assert found == {}


def _texts(module: str) -> Iterator[str]:
    """The names and strings in a module, but docstrings: strings that are statements."""
    tree = ast.parse(module)
    described = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() | bytes() as value) if id(node) not in described:
                yield value if isinstance(value, str) else value.decode(errors="replace")
            case (
                ast.Name(id=name)
                | ast.Attribute(attr=name)
                | ast.alias(name=name)
                | ast.arg(arg=name)
            ):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
