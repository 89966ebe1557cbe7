"""Making patches: which edits become part of a patch, which parts stay, and what is left out."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace
from returns.result import Success

from io_edges.building.git import GIT
from pipeline.archives.archive import Component
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch import Patch
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.patches import apply_patch
from pipeline.building.planning.contents import rewrite_patch
from pipeline.building.showing.patch_making import Edits, NewPatch, make_patch
from pipeline.building.stores.record import FileState, RecordedComponent
from pipeline.report.diagnostics.patches import PatchConflict, PatchInvalid, edits_left_out
from pipeline.report.outcome import errors_of
from tests.support.updates import Texts, contents_of_texts, files_of

M = "modules/m"
TEXT = b"".join(b"%d\n" % number for number in range(1, 21))
OURS, MORE = TEXT.replace(b"\n3\n", b"\nthree\n"), TEXT.replace(b"\n17\n", b"\nseventeen\n")
BOTH = OURS.replace(b"\n17\n", b"\nseventeen\n")
BARE = {"a": TEXT, "b": TEXT, "gone": b"x\n"}
NONE = Patch(M)


def read(made: NewPatch) -> Patch:
    """The patch that was made."""
    patch = with_names(read_patch(made.text, M), BARE)
    assert patch.error is None
    return patch


def made(
    patch: Patch = NONE,
    *,
    disk: Texts = BARE,
    originals: Texts = BARE,
    built: Texts = BARE,
    states: Mapping[str, FileState] = {},
    **more: Any,
) -> NewPatch:
    """The patch of what differs on disk from what was built."""
    base = RecordedComponent(archive="m.zip", digest="1", content="1", files=files_of(built))
    edits = replace(Edits(base=base, disk={**files_of(disk), **states}, patch=patch), **more)
    outcome = make_patch(edits, (), contents_of_texts(disk, kept=originals))
    assert isinstance(outcome, Success), outcome
    return outcome.unwrap()


def test_edits_are_saved_and_come_back() -> None:
    """A changed text is saved; a named file is added, executable or not, or removed; saving twice
    gives the same bytes.
    """
    disk = {"a": OURS, "b": TEXT, "new": b"n\n", "tool": b"#!\n"}
    tool = {"tool": replace(files_of(disk)["tool"], executable=True)}
    assert apply_patch(read(made(disk=disk)), BARE).files == {"a": OURS}
    patch = made(disk=disk, named=("a", "gone", "new", "tool"), states=tool)
    assert apply_patch(read(patch), BARE).files == {
        "a": OURS,
        "new": b"n\n",
        "tool": b"#!\n",
        "gone": None,
    }
    assert [each.name for each in read(patch).files if each.executable] == ["tool"]
    assert made(read(patch), disk=disk, named=("a", "gone", "new", "tool"), states=tool) == patch


def test_a_part_whose_file_is_as_in_the_archive_again_is_left_out() -> None:
    """A rewritten patch has no part of a file that it no longer changes."""
    both = read(made(disk={**BARE, "a": OURS, "b": OURS}))
    assert rewrite_patch(both, BARE, {"a": MORE, "b": TEXT}, GIT) == (
        made(disk={**BARE, "a": MORE}).text
    )


def test_what_is_not_to_be_saved() -> None:
    """A picture, a link, and a file whose name no patch can have are named; an unchanged file is in
    no patch.
    """
    left = (edits_left_out((f"{M}/a",), "binary"),)
    assert (
        made(disk={**BARE, "a": b"\0"})
        == made(states={"a": FileState(kind="link", target="b")})
        == NewPatch(b"", left)
    )
    junk = made(disk={**BARE, ".DS_Store": b"x\n", "a": OURS}, named=(".DS_Store", "a"))
    assert (read(junk).names, junk.warnings) == (
        ("a",),
        (edits_left_out((f"{M}/.DS_Store",), "name"),),
    )
    assert made(named=("a",)) == NewPatch()
    assert made() == NewPatch()


def test_what_the_system_rewrites_is_saved_if_it_is_named() -> None:
    """A shop rewrites `config.xml`, so it is saved only if the user names it."""
    shop = Component(kind="module", name="m", system="PrestaShop")
    written = {"config.xml": TEXT}
    differing: dict[str, Any] = {
        "built": written,
        "originals": written,
        "disk": {"config.xml": OURS},
        "component": shop,
    }
    assert made(**differing) == NewPatch(b"", (edits_left_out((f"{M}/config.xml",), "rewritten"),))
    assert made(**differing, named=("config.xml",)).text


def test_a_patch_loses_no_line_of_a_file_that_is_not_named() -> None:
    """A file that is missing, or as the archive has it, keeps its lines; if it is named, they
    are removed.
    """
    both = {**BARE, "a": OURS, "b": MORE}
    patch = read(made(disk=both))
    assert made(patch, built=both, disk={**BARE, "b": MORE}).text == patch.text
    without = made(patch, built=both, disk={"b": MORE, "gone": b"x\n"})
    assert (without.text, without.warnings) == (
        patch.text,
        (edits_left_out((f"{M}/a",), "deleted"),),
    )
    assert read(made(patch, built=both, disk={**BARE, "b": MORE}, named=("a",))).names == ("b",)
    assert made(patch, named=("a", "b")) == NewPatch(is_saved=True)
    originals, mended = (
        {**BARE, "a": TEXT.replace(b"\n3\n", b"\ndrei\n")},
        {**BARE, "a": b"mended\n", "b": MORE},
    )
    left = made(patch, originals=originals, built=both, disk=mended)
    assert (left.text, left.warnings) == (patch.text, (edits_left_out((f"{M}/a",), "unfit"),))
    assert (
        b"+mended" in made(patch, originals=originals, built=both, disk=mended, named=("a",)).text
    )


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_patch_that_has_changed_since_it_was_built(is_kept: bool) -> None:
    """If a patch has changed since it was built, edits of its files are left out.

    If it was changed on this machine, the whole file on disk is saved.
    """
    pulled = read(made(disk={**BARE, "a": OURS}))
    edited = made(pulled, disk={**BARE, "a": MORE, "b": MORE}, is_kept=is_kept)
    assert apply_patch(read(edited), BARE).files == {"a": MORE if is_kept else OURS, "b": MORE}
    assert edited.warnings == (() if is_kept else (edits_left_out((f"{M}/a",), "unbuilt"),))
    built = made(pulled, built={**BARE, "a": OURS}, disk={**BARE, "a": MORE}, is_kept=is_kept)
    assert apply_patch(read(built), BARE).files == {"a": MORE}
    removed = read(made(disk={"a": TEXT, "b": TEXT}, named=("gone",)))
    there = made(removed, disk={**BARE, "gone": b"y\n"}, is_kept=is_kept)
    assert (there.warnings == ()) == is_kept


def test_text_besides_files_stays() -> None:
    """Text before, between and after files stays; a patch with CRLF is written with LF."""
    ours = {**BARE, "a": OURS}
    patch = made(disk=ours).text
    mail = b"Subject: ours\n\n" + patch + b"-- \n2.39\n"
    disk = {**ours, "b": MORE}
    both = made(disk=disk)
    saved = made(read(NewPatch(mail)), built=ours, disk=disk)
    assert saved.text == b"Subject: ours\n\n" + both.text + b"-- \n2.39\n"
    assert made(read(NewPatch(patch.replace(b"\n", b"\r\n"))), built=ours, disk=disk) == both


def test_what_the_archive_has_already_leaves_the_patch() -> None:
    """A hunk that the vendor has taken over is removed if its file is named."""
    patch = read(made(disk={**BARE, "a": BOTH}))
    taken = {**BARE, "a": OURS}
    both = {**taken, "a": BOTH}
    assert made(patch, originals=taken, built=both, disk=both).text == patch.text
    left = made(patch, originals=taken, built=both, disk=both, named=("a",)).text
    assert left.count(b"\n+") - left.count(b"\n+++") == 1


def test_edits_that_make_too_large_a_patch() -> None:
    """A patch that would be larger than 4 MiB is an error, and is not written."""
    # Each file alone would fit.
    before = dict.fromkeys("abcde", b"a" * 600_000 + b"\n")
    disk = dict.fromkeys(before, b"b" * 600_000 + b"\n")
    base = RecordedComponent(archive="m.zip", digest="1", content="1", files=files_of(before))
    edits = Edits(base=base, disk=files_of(disk), patch=NONE)
    outcome = make_patch(edits, (), contents_of_texts(disk, kept=before))
    reason = "it would be larger than 4 MiB"
    assert errors_of(outcome) == (PatchInvalid(NONE.path, 0, reason, is_written=False),)


def test_a_patch_that_is_none_is_no_patch_to_save_in() -> None:
    """Edits are not saved in a patch that cannot be read, nor in one that could not be read again;
    the error says why.
    """
    none, disk = read_patch(b"", M), {**BARE, "a": OURS}
    base = RecordedComponent(archive="m.zip", digest="1", content="1", files=files_of(BARE))
    for edits in (
        Edits(base=base, disk=files_of(disk), patch=none),
        Edits(base=base, disk=files_of(BARE), patch=none),
    ):
        assert errors_of(make_patch(edits, (), contents_of_texts(disk, kept=BARE))) == (none.error,)
    nowhere = replace(contents_of_texts(disk, kept=BARE), read_kept=lambda *_: None)
    edits = Edits(base=base, disk=files_of(disk), patch=NONE)
    (error,) = errors_of(make_patch(edits, (), nowhere))
    assert error == PatchConflict(NONE.path, 1, path=M, name="", archive="m.zip", why="unkept")
    assert (
        error.message
        == f"`patches/{M}.patch` cannot be made: `m.zip` is neither kept nor in the drop"
    )
