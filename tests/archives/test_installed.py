"""Installed components: how a component in a project is recognised by its marker
(`docs/archives.md`).
"""

import pytest
from msgspec.structs import replace

from pipeline.recognition.recognise import installed
from tests.support.corpus import MINIATURES, Miniature
from tests.support.miniatures import drupal, drupal_7, prestashop_module, within, wordpress_theme
from tests.support.recognition import component, reader, recognitions_of

FOUND = [
    each
    for each in MINIATURES
    if each.shape != "Windows separators"
    and isinstance(each.seen, tuple)
    and len(each.seen) == 1
    and each.seen[0].evidence
    and each.seen[0].kind in {"theme", "module"}
    and not each.seen[0].member
]


@pytest.mark.parametrize("miniature", FOUND, ids=lambda miniature: miniature.shape)
def test_what_was_recognised_in_an_archive(miniature: Miniature) -> None:
    """A component in a project is recognised as it was in its archive, by the same marker."""
    found = recognitions_of(miniature.files, miniature.archive)[0].component
    assert found is not None
    assert found.evidence is not None
    assert found.kind in ("theme", "module")
    files = {path.removeprefix(found.root): text for path, text in miniature.files.items()}
    assert installed(found.kind, found.name, files, reader(files)) == replace(
        found,
        evidence=found.evidence.removeprefix(found.root),
        root="",
        named_by="",
        is_guessed=False,
    )


def test_what_is_said_of_something_else() -> None:
    """A marker of another kind or with another name is ignored, as are files that operating systems
    leave behind.
    """
    files = {**wordpress_theme(), **prestashop_module("sea", "3.0.0"), **drupal("tide")}
    said = [
        installed("theme", "sea", files, reader(files)),
        installed("module", "sea", files, reader(files)),
    ]
    assert [each and replace(each, system="", field="", title="") for each in said] == [
        component("theme", "sea", "1.8", "style.css", ""),
        component("module", "sea", "3.0.0", "sea.php", ""),
    ]
    assert installed("theme", "tide", drupal("tide"), reader(drupal("tide"))) is None
    beside = {**drupal_7("zen", module=False), "._zen.module": ""}
    assert installed("theme", "zen", beside, reader(beside)) is not None
    inside = within("tide", drupal("tide"))
    assert installed("module", "tide", inside, reader(inside)) is None


def test_a_marker_that_cannot_be_read() -> None:
    """A missing file is not a marker, and neither is a link."""
    assert installed("module", "tide", drupal("tide"), lambda *_: None) is None
