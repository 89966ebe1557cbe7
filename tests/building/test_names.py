"""Names: which components a run is about, and which errors and warnings concern them
(`docs/building.md`).
"""

from pathlib import PurePath

import pytest
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.archives.archive import ArchiveFile
from pipeline.building.names import (
    known_components,
    resolve_names,
    restrict_to_names,
    suggest_names,
    with_recorded,
)
from pipeline.building.stores.record import FileState, Record, RecordedComponent
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import BuildError
from pipeline.report.diagnostics.archives import (
    ArchiveRejected,
    Flaw,
    left_alone,
    unrecognised_archive,
)
from pipeline.report.diagnostics.disk import denied
from pipeline.report.diagnostics.drop import ComponentNotFound, nothing_to_build
from pipeline.report.diagnostics.selection import (
    ComponentAmbiguous,
    ThemeAmbiguous,
    ThemeNotFound,
    needed_component,
    unmatched_pattern,
)
from pipeline.report.events import ComponentKind
from pipeline.report.location import BUILT_IN, Location
from pipeline.report.wording import SUGGESTION_LIMIT
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.hosting import Hosting
from pipeline.selection.select import Selection
from tests.support.drafts import choice_of


def choice(
    name: str, kind: ComponentKind = "module", file: str = "", selected: bool = True
) -> Choice:
    """A component of a drop."""
    return choice_of(name, kind=kind, file=file, selected=selected)


def unrecognised(name: str, file: str = "") -> Choice:
    """An archive that is refused before it is recognised, called like a module."""
    known = choice(name, file=file, selected=False)
    refusal = ArchiveRejected(known.archive.file.display_path, Flaw("bad"))
    return replace(
        known,
        archive=replace(known.archive, component=None, refusals=(refusal,)),
        reason=Reason("refused"),
    )


def recorded(**archives: str) -> Record:
    """A record of modules, by their names, each from an archive."""
    return Record(
        {
            f"modules/{name}": RecordedComponent(archive=archive, digest="1", content="2", files={})
            for name, archive in archives.items()
        }
    )


A, B, LEFT_OUT, SEA, MODULE_SEA = (
    choice("a"),
    choice("b"),
    choice("out", selected=False),
    choice("sea", "theme"),
    choice("sea", file="m.zip"),
)
DROP = Selection((A, B, LEFT_OUT, SEA, MODULE_SEA))


@pytest.mark.parametrize(
    ("names", "paths"),
    [
        ((), None),
        (("a",), {"modules/a"}),
        (("modules/a", "a", "b"), {"modules/a", "modules/b"}),
        (("modules/a/", "./b"), {"modules/a", "modules/b"}),
        (("out",), {"modules/out"}),
        (("was",), {"modules/was"}),
        (("removing",), {"modules/removing"}),  # by a run that was interrupted
        (("sea",), {"modules/sea", "themes/sea"}),
        (("themes/sea",), {"themes/sea"}),
    ],
)
def test_what_names_stand_for(names: tuple[str, ...], paths: set[str] | None) -> None:
    """A name is that of a component in the drop or the project, even if it is left out; without a
    folder it is of any kind.
    """
    known = known_components(DROP, recorded(was="was.zip"), ("modules/removing",))
    assert resolve_names(names, known, DROP, "drop") == Success(paths)


def test_names_that_stand_for_nothing() -> None:
    """Each unknown name is an error with similar names, written in the same way; archives that may
    hold it are reported as well.
    """
    drop = Selection((choice("shop_banner"), refused := unrecognised("x")))
    outcome = resolve_names(
        ("shop_baner", "modules/shop_baner", "shop_banner", "shop_baner", "y"),
        known_components(drop, Record()),
        drop,
        "drop",
    )
    assert outcome == Failure(
        (
            ComponentNotFound("shop_baner", "drop", ("shop_banner",)),
            ComponentNotFound("modules/shop_baner", "drop", ("modules/shop_banner",)),
            ComponentNotFound("y", "drop"),
            *refused.archive.refusals,
        )
    )
    assert suggest_names("themes/x/", ("modules/x", "x")) == ()


def test_many_names_that_stand_for_nothing() -> None:
    """Similar names are only looked for for the first unknown names, as that takes time."""
    names = [f"shop_banner{number}" for number in range(SUGGESTION_LIMIT + 1)]
    drop = Selection((choice("shop_banner"),))
    errors = resolve_names(names, known_components(drop, Record()), drop, "drop").failure()
    assert [error.suggestions for error in errors if isinstance(error, ComponentNotFound)] == [
        *([("shop_banner",)] * SUGGESTION_LIMIT),
        (),
    ]


def test_without_names() -> None:
    """Without names, the whole selection is of concern."""
    assert restrict_to_names(DROP, None, Record()) is DROP


def test_the_archives_of_named_components() -> None:
    """An archive that was not recognised is of concern by its file name, or if a named component
    was built from it.
    """
    called, source, other = (
        unrecognised("a", "A.zip"),
        unrecognised("y", "old.zip"),
        unrecognised("z"),
    )
    bundle = unrecognised("y", "package.zip")
    everything = Selection((A, B, called, source, other, bundle))
    assert restrict_to_names(everything, frozenset({"modules/a"}), Record()).choices == (A, called)
    assert restrict_to_names(
        everything, frozenset({"modules/w"}), recorded(w="old.zip")
    ).choices == (source,)
    assert restrict_to_names(
        everything, frozenset({"modules/w"}), recorded(w="package.zip!in")
    ).choices == (bundle,)
    assert (
        restrict_to_names(everything, frozenset({"modules/w"}), recorded(w="gone.zip")).choices
        == ()
    )
    assert restrict_to_names(everything, frozenset({"themes/a"}), Record()).choices == (called,)


THEMES = (ThemeAmbiguous(("bay", "sea"), BUILT_IN), ThemeNotFound("x", BUILT_IN))
AMBIGUOUS = ComponentAmbiguous("module", "a", ("a.zip", "a2.zip"))
BROKEN, UNREADABLE = ArchiveRejected("a.zip", Flaw("bad")), denied("b.zip")


@pytest.mark.parametrize(
    ("names", "errors"),
    [
        ({"modules/a"}, (AMBIGUOUS, BROKEN)),
        ({"modules/b"}, (UNREADABLE,)),
        ({"themes/sea"}, THEMES),
        ({"modules/sea"}, ()),
    ],
)
def test_the_errors_of_named_components(names: set[str], errors: tuple[BuildError, ...]) -> None:
    """Errors of other archives do not concern a named component, nor do errors about the theme if
    no theme is named.
    """
    a, b = (
        replace(each, archive=replace(each.archive, refusals=(why,)))
        for each, why in ((A, BROKEN), (B, UNREADABLE))
    )
    selection = Selection((a, b, SEA, MODULE_SEA), errors=(*THEMES, AMBIGUOUS, BROKEN, UNREADABLE))
    assert restrict_to_names(selection, frozenset(names), Record()).errors == errors


PATTERN = unmatched_pattern("modules.exclude", "x", Location("--exclude"))
ON_A: tuple[WarningDiagnostic, ...] = (
    unrecognised_archive("a.zip", "a"),
    needed_component("n", ("a", "x"), ""),
)
ON_OTHERS: tuple[WarningDiagnostic, ...] = (
    unrecognised_archive("x.zip", "x"),
    needed_component("n", ("x",), ""),
    nothing_to_build("drop", 1),
)


def test_the_warnings_on_named_components() -> None:
    """Warnings on other archives, and those that only hold for a whole drop, are not reported;
    warnings on settings are.
    """
    selection = Selection((A, B), warnings=(*ON_OTHERS, PATTERN, *ON_A))
    assert restrict_to_names(selection, frozenset({"modules/a"}), Record()).warnings == (
        PATTERN,
        *ON_A,
    )


def test_what_the_record_has_is_not_judged_by_the_system() -> None:
    """The system judges neither an archive whose digest and content are recorded, nor a component
    whose marker is.
    """
    here = choice_of(
        "a", evidence="a/a.php", root="a/", archive={"digest": "1", "content": "2"}
    ).archive
    other = choice_of(
        "a", evidence="a/a.php", root="a/", file="a-2.zip", archive={"digest": "3"}
    ).archive
    files = {"a.php": FileState(digest="4")}
    known = RecordedComponent(archive="a.zip", digest="1", content="2", files=files)
    judged = with_recorded(Hosting(), (here, other), Record({"modules/a": known}))
    assert (judged.recorded, judged.as_recorded) == (
        frozenset({here.file}),
        frozenset({here.file, other.file}),
    )


def test_the_warnings_on_a_bundle() -> None:
    """A warning on a bundle concerns each of its members."""
    file = ArchiveFile(path=PurePath("/drop/c.zip"), display_path="c.zip").at("a")
    member = replace(A, archive=replace(A.archive, file=file))
    warning = left_alone("c.zip", ("docs",))
    assert restrict_to_names(
        Selection((member, B), warnings=(warning,)), frozenset({"modules/a"}), Record()
    ).warnings == (warning,)
    assert (
        restrict_to_names(
            Selection((member, B), warnings=(warning,)), frozenset({"modules/b"}), Record()
        ).warnings
        == ()
    )
