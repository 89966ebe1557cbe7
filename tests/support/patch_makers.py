"""Patches as programs make them, of one change of a component (`patch_programs.py`).

`WAYS` has how each is made, and the tree that it is of. `data/patch_makers.jsonl` has what some of
them wrote, one for each form that a patch can have, with the version of the program and what is
special about its form.
"""

from typing import Final

from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.patches import apply_patch
from tests.support.patch_programs import (
    ALL,
    EDIT,
    OLD,
    Maker,
    Tree,
    by_cvs,
    by_difflib,
    by_filter,
    by_folders,
    by_git,
    by_history,
    by_jsdiff,
    by_patch_package,
    by_quilt,
    by_svn,
    by_yarn,
)

_NPM_LOCK: Final = (
    '{"lockfileVersion": 3, "packages": {"node_modules/m": {"version": "1.0.0", '
    '"resolved": "file:SHOP/m.tgz"}}}'
)
_YARN_LOCK: Final = '# yarn lockfile v1\n\n\n"m@file:./m.tgz":\n  version "1.0.0"\n'
WAYS: Final[dict[str, tuple[Maker, Tree]]] = {
    "git diff": (by_git("diff", "--cached"), ALL),
    "git diff, no prefix": (by_git("-c", "diff.noprefix=true", "diff", "--cached"), ALL),
    "git diff, mnemonic prefix": (
        by_git("-c", "diff.mnemonicPrefix=true", "diff", "--cached"),
        ALL,
    ),
    "git diff, functions": (by_git("diff", "--cached", "--function-context"), ALL),
    "git diff, no context": (by_git("diff", "--cached", "--unified=0"), ALL),
    "git diff, ten lines": (by_git("diff", "--cached", "--unified=10", "--patience"), ALL),
    "git diff, no renames": (by_git("diff", "--cached", "--no-renames", "--full-index"), ALL),
    "git diff, in a project": (by_git("diff", "--cached", at="shop/modules/m"), ALL),
    "git diff, with a summary": (by_git("diff", "--cached", "--patch-with-stat"), ALL),
    "git format-patch": (by_git("format-patch", "-1", "--stdout", after="commit"), ALL),
    "git show": (by_git("show", after="commit"), ALL),
    "git log": (by_git("log", "-1", "--patch", after="commit"), ALL),
    "git diff of folders": (by_folders("git", "diff", "--no-index"), ALL),
    "git diff of folders, no prefix": (by_folders("git", "diff", "--no-index", "--no-prefix"), ALL),
    "diff -ru": (by_folders("diff", "-ru"), EDIT),
    "diff -ruN": (by_folders("diff", "-ruN"), ALL),
    "diff -Naur": (by_folders("diff", "-Naur", names=("m.orig", "m")), ALL),
    "diff -ruN, deeper": (by_folders("diff", "-ruN", names=("orig/m", "modules/m")), ALL),
    "diff -ruN, from here": (by_folders("diff", "-ruN", names=("./old", "./new")), ALL),
    "diff -U0": (by_folders("diff", "-rN", "-U0"), ALL),
    "busybox diff": (by_folders("busybox", "diff", "-ruN"), ALL),
    "svn diff": (by_svn(), ALL),
    "svn diff --git": (by_svn("--git"), ALL),
    "hg diff": (by_history("hg", "diff"), ALL),
    "hg diff --git": (by_history("hg", "diff", "--git"), ALL),
    "brz diff": (by_history("brz", "diff"), ALL),
    "fossil diff": (by_history("fossil", "diff", "--internal"), EDIT),
    "fossil diff -v": (by_history("fossil", "diff", "--internal", "-v"), ALL),
    "darcs diff": (by_history("darcs", "diff", "--unified"), ALL),
    "cvs diff": (by_cvs, ALL),
    "quilt": (by_quilt(), ALL),
    "quilt -p ab": (by_quilt("-p", "ab"), ALL),
    "filterdiff": (by_filter("filterdiff", "--remove-timestamps"), ALL),
    "difflib": (by_difflib, EDIT),
    "jsdiff, createPatch": (by_jsdiff("diff.createPatch(name, old, now)"), EDIT),
    "jsdiff, createTwoFilesPatch": (
        by_jsdiff(
            "diff.createTwoFilesPatch(old === null ? '/dev/null' : 'a/' + name, "
            "now === null ? '/dev/null' : 'b/' + name, old ?? '', now ?? '')"
        ),
        ALL,
    ),
    "jsdiff, formatPatch": (
        by_jsdiff(
            "diff.formatPatch({...diff.structuredPatch('a/' + name, 'b/' + name, old ?? '', now "
            "?? ''), isGit: true, "
            "isCreate: old === null, isDelete: now === null, "
            "oldMode: now === null ? '100644' : undefined, newMode: old === null ? '100644' : "
            "undefined})"
        ),
        ALL,
    ),
    "patch-package, npm": (by_patch_package("package-lock.json", _NPM_LOCK), ALL),
    "patch-package, yarn": (by_patch_package("yarn.lock", _YARN_LOCK), ALL),
    "yarn patch": (by_yarn, ALL),
}
"""How a patch is made, and the tree that it is of."""


def applied(patch: bytes) -> Tree:
    """The files that the tool makes of the old tree with a patch."""
    named = with_names(read_patch(patch, "modules/m"), OLD, OLD)
    assert named.error is None, patch
    done = apply_patch(named, OLD)
    assert (done.misplaced, done.skipped) == ((), ()), patch
    both = {**OLD, **done.files}
    return {name: content for name, content in both.items() if content is not None}
