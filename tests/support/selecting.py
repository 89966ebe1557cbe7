"""Archives and settings to select from."""

from pathlib import PurePath

from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry, with_component
from pipeline.config.flags import read_flags
from pipeline.config.layers import Settings
from pipeline.config.variables import read_variables
from pipeline.merge import merge
from pipeline.report.events import ComponentKind
from pipeline.schema import Value
from tests.support.disks import START

ENTRY = Entry(name="a", size=1, crc=1)


def settings_of(environ: dict[str, str] | None = None, **flags: Value) -> Settings:
    """Settings of flags over variables over the defaults."""
    return merge((read_flags(flags, START), read_variables(environ or {}, START).unwrap()), START)


def archive(
    kind: ComponentKind,
    name: str,
    file: str | None = None,
    named: bool = False,
    crc: int = 1,
    **more: object,
) -> Archive:
    """An archive that holds one file."""
    shown = file or f"{name}.zip"
    file_ = ArchiveFile(path=PurePath("/drop") / shown, display_path=shown, is_theme_setting=named)
    component = replace(Component(kind=kind, name=name), **more)
    return with_component(Archive(file=file_), component, (replace(ENTRY, crc=crc),))
