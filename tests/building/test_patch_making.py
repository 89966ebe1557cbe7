"""Making patches: what becomes a part of a patch, what keeps its part, and what is left out."""

import pytest
from msgspec.structs import replace

from io_edges.building.git import GIT
from pipeline.building.patch_file import Patch, read_patch
from pipeline.building.patch_making import Edits, Made, move_patch, save_edits, source_of
from pipeline.building.patches import apply_patch
from pipeline.report.diagnostics.patches import edit_left_out, touching_lines

M, DIGEST = "modules/m", "0" * 64
TEXT = b"".join(b"%d\n" % number for number in range(1, 21))
OURS, MORE = TEXT.replace(b"\n3\n", b"\nthree\n"), TEXT.replace(b"\n17\n", b"\nseventeen\n")
BOTH = OURS.replace(b"\n17\n", b"\nseventeen\n")
DREI, LONG = (TEXT.replace(b"\n3\n", b"\n%s\n" % line) for line in (b"drei", b"3" * 999))
BARE = {"a": TEXT, "b": TEXT, "gone": b"x\n"}
EDITS = Edits(path=M, source="m.zip 1", digest=DIGEST, bare=BARE, built=BARE, disk=BARE, edited=())


def read(made: Made) -> Patch:
    """The patch that was made."""
    patch = read_patch(made.text or b"", M)
    assert isinstance(patch, Patch)
    return patch


def made(**edits: object) -> Made:
    """The patch of some edits, where there is none."""
    return save_edits(replace(EDITS, **edits), None, GIT)


def test_edits_are_saved_and_come_back() -> None:
    """A text is changed, added, executable if it is so, or removed; the first line says for which archive."""
    disk = {"a": OURS, "b": TEXT, "new": b"n\n", "tool": b"#!\n"}
    patch = made(disk=disk, edited=("a", "gone", "new", "tool"), executable=("tool",))
    assert source_of(read(patch)) == ("m.zip 1", DIGEST)
    done = apply_patch(read(patch), BARE)
    files = {"a": OURS, "new": b"n\n", "tool": b"#!\n", "gone": None}
    assert (done.files, done.executable) == (files, {"tool"})
    again = save_edits(replace(EDITS, disk=disk, edited=("a", "gone", "new", "tool")), read(patch), GIT)
    assert again.text == patch.text


def test_what_is_not_to_be_saved() -> None:
    """A picture, and a file whose name no patch can have, are named; what is as the archive has it is in no patch."""
    assert made(disk={**BARE, "a": b"\0"}, edited=("a",)) == Made(None, (edit_left_out(f"{M}/a", "binary"),))
    junk = made(disk={".DS_Store": b"x\n", "a": OURS}, edited=(".DS_Store", "a"))
    assert (read(junk).names, junk.warnings) == (("a",), (edit_left_out(f"{M}/.DS_Store", "name"),))
    assert made(edited=("a",)) == Made(None)
    assert made() == Made(None)
    patch = made(disk={**BARE, "a": OURS, "b": MORE}, edited=("a", "b"))
    left = save_edits(replace(EDITS, dropped=("a",)), read(patch), GIT)
    assert read(left).names == ("b",)
    assert save_edits(replace(EDITS, dropped=("a", "b")), read(patch), GIT) == Made(None)


def test_what_was_pulled_is_put_together_with_an_edit() -> None:
    """Where the patch changed since the build, an edit is merged with it; where both touch, it is left out."""
    pulled = read(made(disk={**BARE, "a": OURS}, edited=("a",)))
    both = save_edits(replace(EDITS, disk={**BARE, "a": MORE}, edited=("a",)), pulled, GIT)
    assert apply_patch(read(both), BARE).files == {"a": BOTH}
    mine = TEXT.replace(b"\n3\n", b"\ndrei\n")
    built = replace(EDITS, built={**BARE, "a": TEXT + b"w\n"}, disk={**BARE, "a": mine + b"w\n"}, edited=("a",))
    assert save_edits(built, pulled, GIT) == Made(
        pulled.text, (edit_left_out(f"{M}/a", "touching", ": `drei` against `three`"),)
    )
    as_built = replace(built, disk={**BARE, "a": TEXT + b"w\n"})
    assert read(save_edits(as_built, pulled, GIT)).names == ("a",)
    alone = replace(built, built={}, disk={**BARE, "a": mine})
    assert save_edits(alone, pulled, GIT).warnings == (edit_left_out(f"{M}/a", "touching"),)


def test_what_is_said_of_lines_that_are_left_out() -> None:
    """Both texts of the first place are shown, and how many places there are."""
    said = edit_left_out("modules/m/a", "touching", touching_lines("three", "", 2), is_part=True)
    assert said.message == (
        "a part of `modules/m/a` is left out of the patch: the archive or the patch changed the same lines: "
        "`three` against nothing, and in 1 more place"
    )
    assert (
        edit_left_out("modules/m/a", "unfit").message
        == "`modules/m/a` is left out of the patch: the patch does not fit the archive that was built"
    )


def test_a_patch_that_does_not_fit_what_was_built() -> None:
    """It is for a later archive: it stays as it is, with its first line."""
    pulled = read(made(disk={**BARE, "a": OURS}, edited=("a",)))
    other = {**BARE, "a": TEXT.replace(b"\n3\n", b"\ndrei\n")}
    disk = {**other, "a": b"x\n", "b": MORE}
    edits = replace(EDITS, digest="1" * 64, bare=other, built=other, disk=disk, edited=("a", "b"))
    saved = save_edits(edits, pulled, GIT)
    assert saved.warnings == (edit_left_out(f"{M}/a", "unfit"),)
    assert (source_of(read(saved))[1], read(saved).names) == (DIGEST, ("a", "b"))


def test_text_and_line_ends() -> None:
    """Text before, between and after files stays; a patch with CRLF is written with LF."""
    patch = made(disk={**BARE, "a": OURS}, edited=("a",)).text or b""
    mail = b"Subject: ours\n\n" + patch.partition(b"\n")[2] + b"-- \n2.39\n"
    saved = save_edits(replace(EDITS, disk={**BARE, "b": MORE}, edited=("b",)), read(Made(mail)), GIT)
    assert saved.text is not None
    assert saved.text.partition(b"\n")[2].startswith(b"Subject: ours\n\n")
    assert saved.text.endswith(b"-- \n2.39\n")
    assert read(saved).names == ("a", "b")
    crlf = read(Made(patch.replace(b"\n", b"\r\n")))
    assert crlf.ignores_ends
    written = save_edits(replace(EDITS, disk={**BARE, "a": OURS, "b": MORE}, edited=("b",)), crlf, GIT)
    assert not read(written).ignores_ends
    assert apply_patch(read(written), BARE).files == {"a": OURS, "b": MORE}


def test_what_the_archive_has_already_leaves_the_patch() -> None:
    """A hunk that the vendor has taken over is removed."""
    patch = read(made(disk={**BARE, "a": OURS, "b": MORE}, edited=("a", "b")))
    taken = {**BARE, "a": OURS}
    left = save_edits(replace(EDITS, bare=taken, built={**taken, "b": MORE}, disk={**taken, "b": MORE}), patch, GIT)
    assert read(left).names == ("b",)


@pytest.mark.parametrize(
    ("theirs", "result", "left"),
    [
        (TEXT.replace(b"\n5\n", b"\n5\nnew\n"), BOTH.replace(b"\n5\n", b"\n5\nnew\n"), ()),
        (DREI, DREI.replace(b"\n17\n", b"\nseventeen\n"), (("three", "drei", 1), True)),
        (LONG.replace(b"\n17\n", b"\nx\n"), None, (("three", "3" * 200, 2), False)),
        (None, None, (("", "", 0), False)),
    ],
)
def test_a_patch_is_moved_to_another_archive(
    theirs: bytes | None, result: bytes | None, left: tuple[tuple[str, str, int], bool] | tuple[()]
) -> None:
    """What fits stays, what does not is merged, and lines that do not merge are left out, with both texts."""
    patch = read(made(disk={**BARE, "a": BOTH, "b": MORE}, edited=("a", "b")))
    bare = {"b": b"0\n" + TEXT, **({"a": theirs} if theirs else {})}
    moved = move_patch(replace(EDITS, digest="1" * 64, bare=bare), patch, BARE, GIT)
    assert source_of(read(moved))[1] == "1" * 64
    done = apply_patch(read(moved), bare)
    assert done.files == {"b": b"0\n" + MORE, **({"a": result} if result else {})}
    expected = (edit_left_out(f"{M}/a", "touching", touching_lines(*left[0]), is_part=left[1]),) if left else ()
    assert moved.warnings == expected
