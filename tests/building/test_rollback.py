"""`NAME@VERSION`, and what the next run would build without it, as pure functions."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.places import USUAL
from pipeline.building.rollback import (
    Offer,
    ambiguity_among,
    copy_into,
    digest_of_kept,
    kept_choice,
    offers,
    offers_of_version,
    paths_of,
    rebuilt_instead,
    rivals_in,
    select_named,
    split_version,
    with_choice,
)
from pipeline.building.stores.kept import BuiltAs, KeptBuild
from pipeline.report.diagnostic import Command
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.diagnostics.building import Copy
from pipeline.report.diagnostics.drop import duplicate_archive
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.report.location import Location
from pipeline.schema import Value
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.select import Selection
from tests.support.selecting import settings_of

DIGEST = "0a1b2c" + 58 * "0"
KEPT_FILE = ArchiveFile(path=PurePath(f".tool/archives/{DIGEST}.zip"), display_path="kept")
REFUSED = ArchiveRejected("c.zip", Flaw("damaged"))
UNMENTIONED = Reason("unmentioned")


def in_drop_as(
    file: str, version: str, rule: Reason = UNMENTIONED, content: str = "", name: str = "m"
) -> Choice:
    """A choice in the drop, which is selected if no setting leaves it out."""
    component = Component(kind="module", name=name, version=version)
    archive_file = ArchiveFile(path=PurePath("/drop") / file, display_path=file)
    digest = f"{file[0]}{version}"
    archive = Archive(
        file=archive_file, digest=digest, file_count=1, content=content or file, component=component
    )
    return Choice(archive, component, rule == UNMENTIONED, rule)


def kept_as(
    path: str = "modules/m", version: str | None = "1.0", archive: str = "m.zip"
) -> KeptBuild:
    """A kept archive."""
    return KeptBuild(DIGEST, BuiltAs(path=path, archive=archive, content="1", version=version))


OLDER = in_drop_as("a.zip", "1.0", Reason("older", word="b.zip"))
NEWER = in_drop_as("b.zip", "2.0")
REFUSED_ONE = in_drop_as("c.zip", "3.0")
REFUSED_CHOICE = replace(REFUSED_ONE, archive=replace(REFUSED_ONE.archive, refusals=(REFUSED,)))
OTHER = in_drop_as("n.zip", "1.0", name="n")


@pytest.mark.parametrize(
    ("word", "pair"),
    [("m@1.0", ("m", "1.0")), ("@a/m@1", ("@a/m", "1")), ("m", None), ("m@", None), ("@1.0", None)],
)
def test_name_and_version(word: str, pair: tuple[str, str] | None) -> None:
    """The last `@` of a word separates name and version; if either would be empty, the word is a
    name.
    """
    assert split_version(word) == pair


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("m/", ("modules/m",)),
        ("old", ("modules/old", "themes/old")),
        ("themes/old", ("themes/old",)),
        ("other", ()),
    ],
)
def test_components_of_a_name(name: str, paths: tuple[str, ...]) -> None:
    """A name that neither drop nor project has may be that of components in kept archives."""
    kept = [kept_as(path) for path in ("modules/old", "themes/old", "modules/old", "modules/m")]
    assert paths_of(name, {"m": ["modules/m"]}, kept, USUAL) == paths


def test_archives_of_a_component() -> None:
    """Archives of the drop that are not refused come first, then the kept ones, the last built
    first; each says where it is, and its version or digest.
    """
    last = replace(kept_as(version=None), is_damaged=True)
    unopened = replace(OLDER, archive=replace(OLDER.archive, component=None))
    selection = Selection((OLDER, NEWER, REFUSED_CHOICE, OTHER, unopened))
    every = offers("modules/m", selection, (kept_as(), kept_as("modules/n"), last))
    assert every == (Offer(OLDER), Offer(NEWER), Offer(last), Offer(kept_as()))
    assert str(Offer(in_drop_as("a.zip", ""))) == "`a` in the drop (`a.zip`)"
    assert list(map(str, every)) == [
        "`1.0` in the drop (`a.zip`)",
        "`2.0` in the drop (`b.zip`)",
        f"`0a1b2c` kept, but damaged (`.tool/archives/{DIGEST}.zip`)",
        "`1.0` kept",
    ]


@pytest.mark.parametrize(
    ("version", "places"),
    [
        ("1.0", [0]),
        ("v1", [0, 1]),
        ("1.0.0", [1]),
        ("0A1B2C", [2]),
        ("0a1b2", []),
        ("a1.0", []),
        ("2.0", []),
    ],
)
def test_archives_of_a_version(version: str, places: list[int]) -> None:
    """An archive whose version is written alike comes first, then one with an equal version, then
    one whose digest begins with the text, from six digits on.
    """
    every = (Offer(OLDER), Offer(in_drop_as("d.zip", "1.0.0")), Offer(kept_as(version=None)))
    assert offers_of_version(version, every) == tuple(every[place] for place in places)


def test_rivals_of_a_version() -> None:
    """Archives of the drop with the same content are one; different ones cannot be told apart by
    their version.
    """
    same = in_drop_as("d.zip", "1.0", content="a.zip")
    different = in_drop_as("e.zip", "1.0")
    rivals = rivals_in([Offer(OLDER), Offer(same), Offer(different), Offer(kept_as())])
    assert rivals == (OLDER, different)
    assert ambiguity_among(rivals) == ComponentAmbiguous("module", "m", ("a.zip", "e.zip"))


def test_rivals_for_other_versions_of_the_system() -> None:
    """If there are several archives of a version, those that run on the system are chosen; if none
    does, all of them.
    """
    elsewhere = in_drop_as("d.zip", "1.0", Reason("other version", word="a.zip"))
    another = in_drop_as("e.zip", "1.0", Reason("other version", word="a.zip"))
    assert rivals_in([Offer(elsewhere), Offer(OLDER), Offer(kept_as())]) == (OLDER,)
    assert rivals_in([Offer(elsewhere), Offer(another)]) == (elsewhere, another)


def test_commands_that_name_the_version_again() -> None:
    """A command that a message advises after `NAME@VERSION` repeats the version, unless the command
    takes none.
    """
    command = Command("drop", named=(("modules/m", "m@1.0"),))
    assert (
        command.create("--force", ["modules/m", "modules/n"])
        == "`tool create drop --force m@1.0 modules/n`"
    )
    assert command.line("patch", "modules/m") == "tool patch drop modules/m"


NAMED = Reason("named version", word="kept")
EXCLUDE = Location("--exclude")


@pytest.mark.parametrize(
    ("path", "archive", "flags", "reason"),
    [
        ("modules/m", "m.zip", {}, NAMED),
        ("modules/m", "m.zip", {"modules_exclude": ("x",)}, NAMED),
        (
            "modules/m",
            "d/m.zip",
            {"modules_exclude": ("m.zip",)},
            Reason("pattern", "modules.exclude", "m.zip", EXCLUDE),
        ),
        (
            "modules/m",
            "b.zip!m",
            {"modules_exclude": ("b.zip!m",)},
            Reason("pattern", "modules.exclude", "b.zip!m", EXCLUDE),
        ),
        ("themes/m", "m.zip", {"theme": "other"}, NAMED),
        ("themes/m", "m.zip", {"modules_exclude": ("m",)}, NAMED),
        (
            "themes/m",
            "m.zip",
            {"theme": "none"},
            Reason("no theme", "theme", "none", Location("--theme")),
        ),
        (
            "themes/m",
            "m.zip",
            {"modules_exclude": ("m.zip",)},
            Reason("pattern", "modules.exclude", "m.zip", EXCLUDE),
        ),
    ],
)
def test_a_kept_archive_is_chosen(
    path: str, archive: str, flags: dict[str, Value], reason: Reason
) -> None:
    """A kept archive is chosen under the name that it had when it was built, unless a setting
    leaves it out.
    """
    looked_into = Component(
        kind="other", name="guess", what="data", is_guessed=True, bundled_in="t"
    )
    opened = Archive(file=KEPT_FILE, digest=DIGEST, file_count=1, component=looked_into)
    choice = kept_choice(opened, kept_as(path, archive=archive), USUAL, settings_of(None, **flags))
    kind = USUAL.kind_of(path)
    component = Component(kind=kind, name="m", version="1.0")
    whole = replace(opened, file=replace(KEPT_FILE, recorded=archive), component=component)
    assert choice == Choice(whole, component, reason == NAMED, reason, folder=f"{kind}s")
    assert (choice.path, digest_of_kept(choice), digest_of_kept(NEWER)) == (path, DIGEST, "")


def test_a_kept_archive_without_the_component() -> None:
    """A kept archive in which the component is not found any more is not chosen."""
    assert kept_choice(Archive(file=KEPT_FILE), kept_as(), USUAL, settings_of()) is None


@pytest.mark.parametrize(
    ("before", "selected", "rule"),
    [
        (NEWER, True, "named version"),
        (replace(OLDER, is_ambiguous=True), True, "named version"),
        (in_drop_as("d.zip", "1.0", Reason("pattern")), False, "pattern"),
    ],
)
def test_an_archive_of_the_drop_is_brought_in(before: Choice, selected: bool, rule: str) -> None:
    """A named version chooses an archive that another one was preferred to, but not one that a
    setting leaves out.
    """
    word = "" if rule == "pattern" else before.archive.file.display_path
    reason = Reason(rule, word=word)  # type: ignore[arg-type]
    expected = replace(before, selected=selected, is_ambiguous=False, reason=reason)
    assert select_named(before) == expected


def test_a_selection_with_a_version() -> None:
    """The other archives of a named component are left out, without errors or warnings about it;
    those about other components stay.
    """
    choice = select_named(OLDER)
    excluded = in_drop_as("d.zip", "1.0", Reason("pattern"))
    older = in_drop_as("e.zip", "0.9", Reason("older", word="b.zip"))
    about_others = duplicate_archive("n.zip", "1.0", (("n2.zip", ""),))
    other_error = ComponentAmbiguous("module", "n", ("n.zip", "n2.zip"))
    about_m = duplicate_archive("b.zip", "2.0", (("a.zip", "1.0"),))
    before = Selection(
        (OLDER, NEWER, REFUSED_CHOICE, excluded, older, OTHER),
        (about_m, about_others),
        (REFUSED, ComponentAmbiguous("module", "m", ("a.zip", "b.zip")), other_error),
    )
    left_out = {"selected": False, "reason": Reason("another version", word="a.zip")}
    assert with_choice(before, choice) == Selection(
        (
            *(replace(each, **left_out) for each in (NEWER, REFUSED_CHOICE)),
            excluded,
            replace(older, **left_out),
            OTHER,
            choice,
        ),
        (about_others,),
        (other_error,),
    )


@pytest.mark.parametrize(
    ("choices", "archives"),
    [
        ((OLDER, NEWER, REFUSED_CHOICE, OTHER), ["b.zip"]),
        ((OLDER, in_drop_as("d.zip", "2.0", content="a.zip")), []),
        ((OLDER, in_drop_as("d.zip", "0.9")), []),
        ((OLDER, NEWER, in_drop_as("d.zip", "3.0", Reason("pattern"))), ["b.zip"]),
        (
            (NEWER, in_drop_as("d.zip", "2.0", Reason("same content"), content="b.zip")),
            ["b.zip", "d.zip"],
        ),
        (
            (
                in_drop_as("d.zip", "2.0", Reason("same content")),
                in_drop_as("e.zip", "2.0", Reason("pattern")),
            ),
            [],
        ),
    ],
)
def test_what_the_next_run_builds_instead(choices: tuple[Choice, ...], archives: list[str]) -> None:
    """The next run would build another archive whose version is not lower, if only the named
    version keeps it out.
    """
    assert list(rebuilt_instead(Selection(choices), select_named(OLDER))) == archives


@pytest.mark.parametrize(
    ("archive", "version", "taken", "target"),
    [
        ("m.zip", "1.0", [], "m.zip"),
        ("modules/m.zip", "1.0", [], "modules/m.zip"),
        ("m.zip", "1.0/b c", ["m.zip"], "m-1.0-b-c.zip"),
        ("m.zip", "", ["m.zip"], "m-0a1b2c.zip"),
        ("m.zip", "1.0", ["m.zip", "m-1.0.zip"], f"m-{DIGEST}.zip"),
        ("b.zip!in/m.zip", "1.0", [], "m.zip"),
        ("b.zip!in/c.zip!m.zip", "1.0", [], "m.zip"),
        ("b.zip!folder", "1.0", ["b.zip"], "b-1.0.zip"),
    ],
)
def test_the_copy_of_a_kept_archive(
    archive: str, version: str, taken: list[str], target: str
) -> None:
    """A kept archive is copied into the drop under its own name; if that is taken, with its version
    or digest.
    """
    copy = copy_into("my drop", "out", DIGEST, (archive, version), taken)
    assert copy == Copy(f"out/.tool/archives/{DIGEST}.zip", f"my drop/{target}")
    assert str(copy) == f"cp out/.tool/archives/{DIGEST}.zip 'my drop/{target}'"
