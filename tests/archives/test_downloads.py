"""Downloads: of the files that people really drop, components are built, and everything else is
named.
"""

from pathlib import Path

import pytest

from io_edges.archives.examine import look_into
from pipeline.archives.archive import ArchiveFile, Shelf
from pipeline.config.flags import read_flags
from pipeline.config.layers import Settings
from pipeline.merge import merge
from pipeline.schema import Value
from pipeline.selection.choices import reason_text
from pipeline.selection.select import select
from tests.support.corpus import DOWNLOADS, Case
from tests.support.miniatures import lay


def _settings(path: Path, **flags: Value) -> Settings:
    return merge((read_flags(flags, path),), path)


def seen_in(file: ArchiveFile, settings: Settings) -> tuple[str, ...]:
    """What is built of an archive, what is not and why, and the codes of the warnings, but that
    nothing is built.
    """
    selection = select(settings, look_into(file), "drop")
    assert selection.errors == ()
    lines = []
    for choice in selection.choices:
        member = f" of {choice.archive.file.member}" if choice.archive.file.member else ""
        said = (
            f"{choice.component.version}{member}"
            if choice.selected
            else f"{member.lstrip()}: {reason_text(choice.reason)}"
        )
        lines.append(
            (
                f"{'use' if choice.selected else 'skip'} {choice.component.kind} "
                f"{choice.component.name} {said}"
            ).replace(" :", ":")
        )
    codes = (warning.code for warning in selection.warnings)
    return (*sorted(lines, reverse=True), *(each for each in codes if each != "nothing-to-build"))


@pytest.mark.parametrize("download", DOWNLOADS, ids=lambda download: download.what)
def test_what_is_built_of_a_download(download: Case, tmp_path: Path) -> None:
    """If a download is a component, it is built; otherwise it is not, and the report names it."""
    path = lay(download.files, tmp_path / download.archive)
    file = ArchiveFile(path=path, display_path=path.name)
    assert seen_in(file, _settings(tmp_path)) == download.seen


@pytest.mark.parametrize(
    "download",
    [each for each in DOWNLOADS if each.seen[1:] == ("not-built",)],
    ids=lambda each: each.what,
)
def test_what_the_user_calls_a_component(download: Case, tmp_path: Path) -> None:
    """The user can make anything a component: by its folder in the drop, by the theme setting, or
    by writing out its name.
    """
    path = lay(download.files, tmp_path / download.archive)
    places: tuple[tuple[str, Shelf], ...] = (("module", "modules"), ("theme", "themes"))
    for kind, shelf in places:
        (one,) = look_into(ArchiveFile(path=path, display_path=f"{shelf}/{path.name}", shelf=shelf))
        assert (one.component and (one.component.kind, one.component.what), one.warnings) == (
            (kind, None),
            (),
        )
    (one,) = look_into(ArchiveFile(path=path, display_path=path.name, is_theme_setting=True))
    assert one.component and one.component.kind == "theme"
    file = ArchiveFile(path=path, display_path=path.name)
    seen = seen_in(file, _settings(tmp_path, modules_include=(path.name,)))
    assert seen[0].startswith("use module")
    assert set(seen[1:]) <= {"guessed-name"}
