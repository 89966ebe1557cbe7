"""Kept: the archives that earlier builds kept, and what each was built as (`docs/building.md`, "The
folder `.tool/`"). `archives` writes them.
"""

from contextlib import suppress
from hashlib import file_digest
from pathlib import PurePath

from io_edges.archives.examine import look_into
from io_edges.building.archives import load_log, read_beside
from io_edges.building.project import ProjectView
from io_edges.system.syscalls import open_regular
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.building.showing.run_log import archives_by_age
from pipeline.building.stores.kept import KeptBuild
from pipeline.building.stores.layout import ARCHIVES, KEPT_SUFFIX, is_digest, kept_path
from pipeline.values import replace


def kept_archives(view: ProjectView) -> tuple[Archive, ...]:
    """The kept archives of earlier builds whose digests match their names."""
    if view.folder is None or view.folder.status(ARCHIVES) is None:
        return ()
    with view.folder.inner(ARCHIVES) as kept:
        folder = kept.path
        names = sorted(name for name, _ in kept.entries() if is_digest(name.removesuffix(".zip")))
    archives = list[Archive]()
    for name in names:
        for archive in look_into(ArchiveFile(path=PurePath(folder, name), display_path=name)):
            if archive.component and f"{archive.digest}.zip" == archive.file.whole:
                archives.append(archive)
    return tuple(archives)


def kept_builds(view: ProjectView) -> tuple[KeptBuild, ...]:
    """What the kept archives were built as; by the log, the last build comes last."""
    if view.folder is None or not view.is_readable or view.folder.status(ARCHIVES) is None:
        return ()
    ages = {digest: age for age, digest in enumerate(archives_by_age(load_log(view.folder)))}
    with view.folder.inner(ARCHIVES) as kept:
        names = (
            name.removesuffix(KEPT_SUFFIX)
            for name, _ in kept.entries()
            if name.endswith(KEPT_SUFFIX)
        )
        builds = list[KeptBuild]()
        for digest in sorted(
            filter(is_digest, names), key=lambda digest: (ages.get(digest, -1), digest)
        ):
            builds += [KeptBuild(digest, built) for built in read_beside(kept, digest).built]
    return tuple(builds)


def checked_builds(view: ProjectView) -> tuple[KeptBuild, ...]:
    """What the kept archives were built as, as `kept_builds` has it, and whether each
    archive is damaged.
    """
    return tuple(
        replace(build, is_damaged=not _is_whole(view, build.digest)) for build in kept_builds(view)
    )


def _is_whole(view: ProjectView, digest: str) -> bool:
    with suppress(OSError), open_regular(PurePath(view.path, kept_path(digest))) as file:
        return file_digest(file, "sha256").hexdigest() == digest
    return False


def open_kept(view: ProjectView, build: KeptBuild) -> Archive | None:
    """The component that a kept archive was built as; `None` if the archive is
    missing or damaged.
    """
    path = PurePath(view.path, kept_path(build.digest))
    file = ArchiveFile(path=path, display_path=f"./{kept_path(build.digest)}")
    for archive in look_into(file):
        is_same = archive.digest == build.digest and archive.content == build.built.content
        if archive.component and is_same and not archive.refusals:
            return archive
    return None
