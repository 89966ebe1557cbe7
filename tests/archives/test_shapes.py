"""Shapes of real archives: what is recognised in each, as the code of its system has
it (`docs/archives.md`).
"""

import pytest

from pipeline.archives.archive import Archive, Component
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.selection.duplicates import highest
from tests.support.corpus import SHAPES, Case
from tests.support.miniatures import within
from tests.support.recognition import recognitions_of


def reported(component: Component) -> str:
    """A component in one line."""
    by = f" by {component.named_by}" if component.named_by else ""
    guess = ", guessed" if component.is_guessed else ""
    version = f"{component.version} (file name)" if component.version_by else component.version
    needs = f", needs {' '.join(component.requires)}" if component.requires else ""
    parent = f", builds on {component.parent}" if component.parent else ""
    return f"{component.kind} {component.name} {version}{by}{guess}{needs}{parent}"


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.what)
def test_what_is_recognised(shape: Case) -> None:
    """Each archive has the expected kind, name, version, source of the name, and warnings."""
    recognitions = recognitions_of(shape.files, shape.archive)
    components = [reported(each.component) for each in recognitions if each.component]
    reasons = [
        str(refusal.flaw)
        for each in recognitions
        for refusal in each.refusals
        if isinstance(refusal, ArchiveRejected)
    ]
    warnings = [warning.code for each in recognitions for warning in each.warnings]
    assert (*components, *reasons, *warnings) == shape.seen


def test_versions_in_the_names_of_files() -> None:
    """If two archives have no version in their markers, the one with the higher version in its file
    name is built.
    """
    files = within("token", {"token.info.yml": "name: Token\ntype: module\n"})
    names = ("token-8.x-2.21.zip", "token-8.x-2.20.zip")
    found = [recognitions_of(files, name)[0] for name in names]
    assert [each.component and each.component.version_by for each in found] == list(names)
    archives = [
        Archive(file=each.file, component=each.component, content=each.file.name) for each in found
    ]
    best = highest(archives)
    assert best is archives[0]
    unread = Archive(file=archives[0].file, content="x")
    assert highest([unread]) is unread
