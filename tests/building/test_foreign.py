"""Components on disk that the tool did not build (`docs/building.md`)."""

from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.archives.places import FolderProbe, Places
from pipeline.building.draft import Occupant
from pipeline.building.showing.foreign import folders_on_disk, foreign_events
from pipeline.building.stores.kept import BuiltAs, KeptBuild
from pipeline.building.stores.record import Record
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.events import InDrop, StatusEvent
from pipeline.report.states import state
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.select import Selection
from tests.support.drafts import choice_of, reader_of

THERE = {"themes": ["sea"], "modules": ["index.php", "m", "seo", "torn"]}
PROBE = FolderProbe(
    "p", lambda _: False, str, folders=lambda path: THERE[path][-1:], names=THERE.__getitem__
)
SEO = Component(kind="module", name="seo", version="2", system="WordPress")
SEO_PATH = "modules/seo"
OCCUPANTS = {
    "themes/sea": Occupant("folder"),
    "modules/index.php": Occupant("file"),
    "modules/seo": Occupant("component", SEO),
    "modules/torn": Occupant("link"),
}
FOUND = reader_of(
    recognise_occupants=lambda paths: {path: OCCUPANTS[path] for path in paths}, probe=PROBE
)


def events(*choices: Choice, names: tuple[str, ...] | None = None) -> list[StatusEvent]:
    """The events of a project in which `modules/m` is known."""

    def is_asked(path: str) -> bool:
        return path in names if names else path != "modules/m"

    return list(foreign_events(Selection(choices), Record(), FOUND, is_asked))


def test_what_lies_there() -> None:
    """Themes are listed first; known components, and those that nobody asked for, are left out."""
    base: dict[str, Any] = {"version": None, "archive": "", "drop": "gone"}
    seo = StatusEvent(
        kind="module",
        name="seo",
        path="modules/seo",
        **base,
        installed="2",
        foreign="component",
        system="WordPress",
    )
    assert events() == [
        StatusEvent(kind="theme", name="sea", path="themes/sea", **base, foreign="folder"),
        StatusEvent(
            kind="module", name="index.php", path="modules/index.php", **base, foreign="file"
        ),
        seo,
        StatusEvent(kind="module", name="torn", path="modules/torn", **base, foreign="link"),
    ]
    assert events(names=("modules/seo",)) == [seo]
    assert folders_on_disk(Places(), PROBE) == {"themes/sea": "theme", "modules/torn": "module"}


def test_the_folders_of_a_system() -> None:
    """If a system looks for one kind of component in several folders, all of them are listed."""
    there = {
        "modules": ["contrib", "custom", "plain"],
        "modules/custom": ["own"],
        "themes/custom": ["sea"],
    }
    signs = ("core/lib/Drupal.php", "modules/contrib")
    probe = FolderProbe("p", signs.__contains__, str, folders=lambda path: there.get(path, ()))
    every = {
        "themes/custom/sea": "theme",
        "modules/plain": "module",
        "modules/custom/own": "module",
    }
    assert folders_on_disk(Places("themes", "modules/contrib"), probe) == every
    no_system = replace(probe, is_there=lambda _: False)
    assert folders_on_disk(Places("themes", "modules/contrib"), no_system) == {}


def test_a_kept_archive_that_explains_it() -> None:
    """The kept versions of a component are listed as they can be typed; without a version, by the
    beginning of the digest.
    """
    digests = {"2": "1a2b3c" + "0" * 58, None: "4d5e6f" + "0" * 58}
    kept = [
        KeptBuild(digest, BuiltAs(path=path, archive="seo.zip", content="", version=version))
        for version, digest in digests.items()
        for path in ("modules/seo", "modules/m")
    ]
    (event,) = foreign_events(Selection(()), Record(), FOUND, SEO_PATH.__eq__, [*kept, kept[0]])
    assert event.kept == ("2", "4d5e6f")
    explained = "not in the record: a WordPress module; the drop has no archive of it, but"
    assert state(event)[0] == f"{explained} `seo@2`, `seo@4d5e6f` are kept"
    assert state(replace(event, kept=("2",)))[0] == f"{explained} `seo@2` is kept"
    of_omeka = replace(event, kept=(), system="Omeka S")
    assert (
        state(of_omeka)[0] == "not in the record: an Omeka S module; the drop has no archive of it"
    )


LEFT_OUT = choice_of("seo", version="3", selected=False, archive={"file_count": 1})
REFUSED = replace(
    LEFT_OUT,
    archive=replace(LEFT_OUT.archive, refusals=(ArchiveRejected("seo.zip", Flaw("damaged")),)),
    reason=Reason("refused"),
)


@pytest.mark.parametrize(
    ("choice", "drop", "words"),
    [
        (LEFT_OUT, "unselected", "not selected"),
        (replace(LEFT_OUT, is_ambiguous=True), "ambiguous", "several archives in the drop differ"),
        (REFUSED, "unknown", "a refused archive may have it"),
    ],
)
def test_an_archive_that_explains_it(choice: Choice, drop: InDrop, words: str) -> None:
    """If the drop has an archive of a component, that is named, with the reason why it is not
    built.
    """
    (event,) = events(choice, names=("modules/seo",))
    assert (event.archive, event.available, event.drop) == ("seo.zip", "3", drop)
    assert state(event)[0] == f"not in the record: a WordPress module; {words}"


def test_in_words() -> None:
    """The text says what a component is, of which system, and which archive of the drop it may come
    from.
    """
    component = replace(events()[2], system="")
    assert [state(each)[0] for each in (*events(), component)] == [
        f"not in the record: {what}; the drop has no archive of it"
        for what in (
            *("a folder without the marker of a theme", "a file", "a WordPress module"),
            *("a link that leads to nothing", "a module"),
        )
    ]
