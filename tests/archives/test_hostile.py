"""Hostile archives: every one of the table is refused, by the reader alone and by the
installed command.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from io_edges.archives.data import Damage
from io_edges.archives.zips import read_archive
from tests.support.costs import MIB, Cost, at_most, cost_of
from tests.support.hostile import ROOT, Case, bombs, of_entries, refused_at_sight, refused_when_read
from tests.support.project import Project, Ran
from tests.support.recognition import refusals_of
from tests.support.sweep import sample

Tell = Callable[[str, object], None]
WITHIN = ("bomb-that-declares-nothing", "bomb-of-empty-blocks")
"""The bombs whose records are sound: what they hold shows what they are."""


def refusals(data: bytes) -> list[str]:
    """Why an archive is refused before anything of it is extracted."""
    opened = read_archive(data)
    return [
        str(refusal.flaw)
        for refusal in refusals_of(opened.entries, f"{ROOT.decode()}/", opened.flaws)
    ]


def damage(data: bytes) -> str | None:
    """What is wrong with the data in an archive."""
    opened = read_archive(data)
    try:
        for entry in opened.entries:
            for _ in opened.chunks(entry):
                pass
    except Damage as found:
        return str(found.flaw)
    return None


def test_what_is_refused_for_its_records() -> None:
    """An archive whose records contradict each other, or whose entries could do harm, is refused
    for that reason.
    """
    for case in refused_at_sight():
        reasons = refusals(case.build())
        assert [reason for reason in reasons if case.reason in reason] != [], (case.name, reasons)


def test_what_is_refused_for_its_data() -> None:
    """An archive that holds something else than it declares is damaged, and nothing else is wrong
    with it.
    """
    for case in refused_when_read():
        data = case.build()
        assert refusals(data) == [], case.name
        assert case.reason in (damage(data) or ""), (case.name, damage(data))


def test_the_table() -> None:
    """Every archive of the table has a name of its own and a reason, and none is in it twice."""
    cases = [*refused_at_sight(), *refused_when_read()]
    assert [case.name for case in cases if not case.reason] == []
    built = {case.build(): case.name for case in cases}
    assert sorted({case.name for case in cases} - {*built.values()}) == []
    assert len(built) > 500


@pytest.mark.sweep
@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("count", sample([65_535, 100_000], 1))
def test_as_many_entries_as_are_accepted(count: int) -> None:
    """As many entries as the tool accepts, and as many as the plain end record can count,
    are accepted.
    """
    opened = read_archive(of_entries(ROOT, count))
    assert refusals_of(opened.entries, f"{ROOT.decode()}/", opened.flaws) == ()
    assert len(opened.entries) == count


def run(project: Project) -> Cost:
    """Build the drop; nothing is written but which folder the drop is."""
    before = {*project.root.rglob("*")}
    cost = cost_of(project.root, "create", "drop")
    memory = {
        project.root / ".tool" / name for name in ("", ".gitignore", ".htaccess", "drop.json")
    }
    assert {*project.root.rglob("*")} == before | memory
    assert "Traceback" not in cost.err
    return cost


def refused(err: str) -> set[str]:
    """The archives that are named in the errors."""
    return {
        each["source"]
        for each in Ran(0, "", err).reported("error")
        if each["error"] == "ArchiveRejected"
    }


def fill(drop: Path, cases: Sequence[Case]) -> set[str]:
    """Put every archive of a table into a drop, each with a module of its own."""
    drop.mkdir()
    for index, case in enumerate(cases):
        (drop / f"{case.name}.zip").write_bytes(case.build(b"m%03d" % index))
    return {f"drop/{case.name}.zip" for case in cases}


def test_a_drop_of_hostile_archives(project: Project, record_property: Tell) -> None:
    """The command refuses every archive of the table in one run, names each, writes nothing and
    costs little.
    """
    names = fill(project.root / "drop", refused_at_sight())
    ran = run(project)
    assert ran.code == 76
    assert names - refused(ran.err) == set()
    assert ran.memory < 150 * MIB
    assert ran.seconds < 10
    reported = (
        f"{len(names)} hostile archives refused in one run: {ran.seconds:.1f} s, "
        f"{ran.memory / MIB:.0f} MiB"
    )
    record_property("tried", reported)


def test_a_drop_of_damaged_archives(project: Project, record_property: Tell) -> None:
    """The command builds nothing from a drop in which archives hold something else than they
    declare.
    """
    names = fill(project.root / "drop", refused_when_read())
    ran = run(project)
    assert ran.code == 76
    assert refused(ran.err) & names != set()
    assert refused(ran.err) - names == set()
    record_property(
        "tried", f"{len(names)} archives that hold something else than they declare, refused"
    )


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("case", bombs(), ids=lambda case: case.name)
def test_bombs(case: Case, record_property: Tell) -> None:
    """A bomb is refused in less than a second."""
    data = case.build()
    began = time.process_time()
    with at_most(1):
        reasons = refusals(data) or [damage(data) or ""]
    assert [reason for reason in reasons if case.reason in reason] != [], reasons
    record_property("tried", f"{case.name} refused: {time.process_time() - began:.2f} s")


def test_a_drop_of_bombs(project: Project, record_property: Tell) -> None:
    """The command refuses every bomb that its records betray in one run, in less than 150 MiB, and
    writes nothing.
    """
    names = fill(project.root / "drop", bombs())
    ran = run(project)
    assert ran.code == 76
    assert names - refused(ran.err) == {f"drop/{name}.zip" for name in WITHIN}
    assert ran.memory < 150 * MIB
    record_property(
        "tried", f"{len(names)} bombs in one drop: {ran.seconds:.1f} s, {ran.memory / MIB:.0f} MiB"
    )


@pytest.mark.parametrize(
    "case", [case for case in bombs() if case.name in WITHIN], ids=lambda case: case.name
)
def test_a_bomb_within_the_data(project: Project, case: Case) -> None:
    """A bomb that only its data betrays is refused in less than 150 MiB, and the command writes
    nothing.
    """
    project.write("drop/bomb.zip", case.build())
    ran = run(project)
    assert ran.code == 76, ran.err
    assert refused(ran.err) == {"drop/bomb.zip"}, ran.err
    assert case.reason in ran.err, ran.err
    assert ran.memory < 150 * MIB
