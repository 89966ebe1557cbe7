"""Making patches: what becomes a part of a patch, what keeps its part, and what is left out."""

import pytest
from msgspec.structs import replace

from io_edges.building.git import GIT
from pipeline.building.patching.patch_file import Patch, read_patch
from pipeline.building.patching.patch_making import Edits, Made, make_patch
from pipeline.building.patching.patches import apply_patch, with_names
from pipeline.report.diagnostics.patches import edits_left_out

M = "modules/m"
TEXT = b"".join(b"%d\n" % number for number in range(1, 21))
OURS, MORE = TEXT.replace(b"\n3\n", b"\nthree\n"), TEXT.replace(b"\n17\n", b"\nseventeen\n")
BOTH = OURS.replace(b"\n17\n", b"\nseventeen\n")
BARE = {"a": TEXT, "b": TEXT, "gone": b"x\n"}
EDITS = Edits(path=M, bare=BARE, built=BARE, disk=BARE, edited=())


def read(made: Made) -> Patch:
    """The patch that was made."""
    patch = read_patch(made.text or b"", M)
    assert isinstance(patch, Patch)
    named = with_names(patch, BARE)
    assert isinstance(named, Patch)
    return named


def made(patch: Patch | None = None, **edits: object) -> Made:
    """The patch of some edits."""
    return make_patch(replace(EDITS, **edits), patch, GIT)


def test_edits_are_saved_and_come_back() -> None:
    """A text is changed; what is named is added, executable if it is so, or removed; twice gives the same bytes."""
    disk = {"a": OURS, "b": TEXT, "new": b"n\n", "tool": b"#!\n"}
    names = {"edited": ("a",), "named": ("gone", "new", "tool"), "executable": ("tool",)}
    patch = made(disk=disk, **names)
    done = apply_patch(read(patch), BARE)
    files = {"a": OURS, "new": b"n\n", "tool": b"#!\n", "gone": None}
    assert (done.files, done.executable) == (files, {"tool"})
    assert made(read(patch), disk=disk, **names) == patch


def test_what_is_not_to_be_saved() -> None:
    """A picture, and a file whose name no patch can have, are named; what is as the archive has it is in no patch."""
    assert made(disk={**BARE, "a": b"\0"}, edited=("a",)) == Made(None, (edits_left_out((f"{M}/a",), "binary"),))
    junk = made(disk={".DS_Store": b"x\n", "a": OURS}, edited=("a",), named=(".DS_Store",))
    assert (read(junk).names, junk.warnings) == (("a",), (edits_left_out((f"{M}/.DS_Store",), "name"),))
    assert made(named=("a",)) == Made(None)
    assert made() == Made(None)


def test_a_patch_loses_no_line_of_a_file_that_is_not_named() -> None:
    """A file that is missing, or as the archive has it, keeps its lines; if it is named, they are removed."""
    patch = read(made(disk={**BARE, "a": OURS, "b": MORE}, edited=("a", "b")))
    for disk in (BARE, {"b": MORE}):
        assert made(patch, disk=disk, edited=("a",)).text == patch.text
    assert read(made(patch, disk={**BARE, "b": MORE}, named=("a",))).names == ("b",)
    assert made(patch, named=("a", "b")) == Made(None, is_saved=True)
    misfit = replace(EDITS, bare={**BARE, "a": TEXT.replace(b"\n3\n", b"\ndrei\n")}, disk={"a": b"mended\n", "b": MORE})
    left = make_patch(replace(misfit, edited=("a", "b")), patch, GIT)
    assert (left.text, left.warnings) == (patch.text, (edits_left_out((f"{M}/a",), "unfit"),))
    named = make_patch(replace(misfit, named=("a",)), patch, GIT)
    assert b"+mended" in (named.text or b"")


@pytest.mark.parametrize("is_known", [True, False])
def test_a_patch_that_has_changed_since_it_was_built(is_known: bool) -> None:
    """What has come from elsewhere is merged with an edit; where both touch, the edit is left out. What was written
    here is what is on disk, whole.
    """
    pulled = read(made(disk={**BARE, "a": OURS}, edited=("a",)))
    both = made(pulled, disk={**BARE, "a": MORE}, edited=("a",), is_known=is_known)
    assert apply_patch(read(both), BARE).files == {"a": MORE if is_known else BOTH}
    drei = TEXT.replace(b"\n3\n", b"\ndrei\n")
    touching = made(pulled, disk={**BARE, "a": drei}, edited=("a",), is_known=is_known)
    if is_known:
        assert apply_patch(read(touching), BARE).files == {"a": drei}
    else:
        assert (touching.text, touching.warnings) == (pulled.text, (edits_left_out((f"{M}/a",), "touching"),))
    removed = read(made(disk={"a": TEXT, "b": TEXT}, named=("gone",)))
    edited = made(removed, disk={**BARE, "gone": b"y\n"}, edited=("gone",), is_known=is_known)
    assert (edited.warnings == ()) == is_known


def test_text_besides_files_stays() -> None:
    """Text before, between and after files stays; a patch with CRLF is written with LF."""
    patch = made(disk={**BARE, "a": OURS}, edited=("a",)).text or b""
    mail = b"Subject: ours\n\n" + patch + b"-- \n2.39\n"
    saved = made(read(Made(mail)), disk={**BARE, "b": MORE}, edited=("b",)).text or b""
    assert saved.startswith(b"Subject: ours\n\n")
    assert saved.endswith(b"-- \n2.39\n")
    assert read(Made(saved)).names == ("a", "b")
    written = made(read(Made(patch.replace(b"\n", b"\r\n"))), disk={**BARE, "a": OURS, "b": MORE}, edited=("b",))
    assert b"\r" not in (written.text or b"\r")
    assert apply_patch(read(written), BARE).files == {"a": OURS, "b": MORE}


def test_what_the_archive_has_already_leaves_the_patch() -> None:
    """A hunk that the vendor has taken over is removed if the file is edited or named."""
    patch = read(made(disk={**BARE, "a": BOTH}, edited=("a",)))
    taken = {**BARE, "a": OURS}
    assert made(patch, bare=taken, built={**taken, "a": BOTH}, disk={**taken, "a": BOTH}).text == patch.text
    left = made(patch, bare=taken, built={**taken, "a": BOTH}, disk={**taken, "a": BOTH}, named=("a",))
    assert (left.text or b"").count(b"\n+") - (left.text or b"").count(b"\n+++") == 1
