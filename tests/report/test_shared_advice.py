"""Errors of several components with the same advice: they are listed, and the advice is given
once.
"""

import pytest

from pipeline.report.diagnostic import Diagnostic, PathContext, with_advice
from pipeline.report.diagnostics.bases import DropBehind, UnknownBase, UnknownComponent
from pipeline.report.diagnostics.conflicts import DisputedFile, OutputConflict
from pipeline.report.diagnostics.selection import ahead
from pipeline.report.diagnostics.updates import BuiltElsewhere, PartialArchive, UnmetRequirement

RUN = PathContext("drop", "shop", None, frozenset({"--exclude"}))
A, B, T = "modules/a", "modules/b", "themes/t"
OLDER, NEWER = (
    UnmetRequirement(A, "Drupal", "^9", "10", is_beyond=True),
    UnmetRequirement(B, "Drupal", "^11", "10"),
)
CONFLICTS = tuple(OutputConflict(path, (DisputedFile(f"{path}/f", "edited"),)) for path in (A, B))


@pytest.mark.parametrize(
    ("errors", "advice"),
    [
        (
            (DropBehind(A, "a.zip", "1", "2"), DropBehind(B, "b.zip", "", "3")),
            "put the archives of the recorded versions into the drop; or `tool create drop "
            "--force modules/a modules/b --output=shop` "
            "builds the older ones",
        ),
        (
            (BuiltElsewhere(A, "modules/x/a", "module"), BuiltElsewhere(T, "themes/x/t", "theme")),
            "leave them out with `--theme=none --exclude=... --exclude=a`; or move `modules/x/a` "
            "to `modules/a`, "
            "`themes/x/t` to `themes/t` by hand; `tool create drop --force modules/a themes/t "
            "--output=shop` builds "
            "them anyway",
        ),
        (
            (PartialArchive(A, "a.zip", 1, 1, 20), PartialArchive(B, "b.zip", 1, 1, 20)),
            "if they are complete, `tool create drop --merge --force modules/a modules/b "
            "--output=shop` builds them; "
            "if not, put complete archives in the drop, or copy the files of these archives into "
            "the components; "
            "`--keep-going` builds the other components",
        ),
        (
            (OLDER, NEWER),
            "get versions for Drupal 10; or leave them out with `--exclude=... --exclude=a "
            "--exclude=b`; "
            "`tool create drop --force modules/a modules/b --output=shop` builds them anyway",
        ),
        (
            (NEWER, UnmetRequirement(T, "Drupal", "^11", "10", kind="theme")),
            "get older versions, or update Drupal first; or leave them out with `--theme=none "
            "--exclude=... "
            "--exclude=b`; `tool create drop --force modules/b themes/t --output=shop` builds "
            "them anyway",
        ),
    ],
)
def test_the_advice_on_several(errors: tuple[Diagnostic, ...], advice: str) -> None:
    """The shared advice fits each of the components, and its commands are about all of them
    together.
    """
    assert [shared for _, shared in with_advice(errors, RUN)] == [advice, advice]


def test_the_advice_on_conflicts() -> None:
    """The advice shows the difference of all components, with the drop and the project of the
    run.
    """
    (_, advice), _ = with_advice(CONFLICTS, RUN)
    shows = (
        "`tool diff drop modules/a modules/b --output=shop --mine` and `--theirs` show both "
        "changes; "
    )
    assert advice.startswith(shows)
    undone = tuple(OutputConflict(path, reason="disputed", undoing=True) for path in (A, B))
    assert [shared for _, shared in with_advice(undone, RUN)] == [undone[0].advice_on(undone)] * 2


def test_versions_that_are_named() -> None:
    """A command repeats the named versions, as a name alone means what the next run builds."""
    run = PathContext("drop", named=((A, "a@1.0"),))
    (_, advice), _ = with_advice((OLDER, NEWER), run)
    assert "`tool create drop --force a@1.0 modules/b` builds them anyway" in advice


def test_unknown_bases() -> None:
    """Advice that fits only some components names these."""
    errors = (
        UnknownBase(UnknownComponent(A, "1", archive="a.zip", available="2", likely="a-1.zip")),
        UnknownBase(UnknownComponent(T, kind="theme")),
    )
    (_, advice), _ = with_advice(errors, RUN)
    assert advice == (
        "put the archives of the versions on disk into the drop, beside the newer ones; or if "
        "`a-1.zip` is what "
        "`modules/a` was made from, run `tool create drop --mine modules/a --output=shop`; or "
        "`tool diff "
        "drop modules/a --output=shop` shows the "
        "difference; or `tool create drop --force modules/a --output=shop` builds the archive "
        "whole; or `--exclude=... --exclude=a` "
        "leaves them to the system; or move `themes/t` away by hand"
    )
    likely = tuple(
        UnknownBase(UnknownComponent(path, archive="z", likely=f"{path}.zip")) for path in (A, B)
    )
    (_, advice), _ = with_advice(likely, RUN)
    assert "if `modules/a.zip`, `modules/b.zip` are what these were made from, run " in advice


def test_the_order_of_errors() -> None:
    """Errors of a kind are listed together, where the first of them was; a single one keeps its own
    advice.
    """
    link = OutputConflict("x", reason="link")
    errors = (OLDER, link, CONFLICTS[0], NEWER, CONFLICTS[1])
    listed = [*with_advice(errors, RUN)]
    assert [error.location and error.location.name for error, _ in listed] == [A, B, "x", A, B]
    assert listed[2][1] == link.advice
    alone = [*with_advice((OLDER, link), RUN)]
    assert [advice for _, advice in alone] == [error.advice for error, _ in alone]


def test_warnings_of_what_is_ahead() -> None:
    """A person reads the shared advice once, and a program the advice on each component."""
    shared, each = ([*ahead(CONFLICTS, RUN, log_format)] for log_format in ("text", "json"))
    assert len({warning.advice for warning in shared}) == 1
    assert len({warning.advice for warning in each}) == 2
