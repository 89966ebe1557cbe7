"""Drupal 8 and later: themes and modules, which an `.info.yml` describes. Its stem is the name."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from pipeline.archives.archive import Unusable
from pipeline.archives.constraints import is_constraint
from pipeline.archives.info import Info
from pipeline.archives.markers import Identification, Root, at, text_of, unbuilt, version_of
from pipeline.archives.naming import words
from pipeline.archives.yaml_files import YamlFile
from pipeline.report.events import ComponentKind
from pipeline.report.wording import shortened
from pipeline.systems.info_files import (
    EACH_SITE,
    GROUPS,
    KINDS,
    NEXT_STEPS,
    SEVERAL,
    SITES,
    component_of,
    constraint,
    described,
    folders_in,
    stems_of,
    unusable_name,
)
from pipeline.systems.system import HERE, Folders, Shown, Sign, System, VersionFile
from pipeline.values import replace

_NAME: Final = "Drupal"
_INFO: Final = ".info.yml"
_RECIPE: Final = "recipe.yml"
_CORE: Final = "core_version_requirement"
_OLD_CORE: Final = "8.x"
"""The field that Drupal 8 used instead."""
_TESTING: Final = "Testing"
"""The package of test modules, which need not name the versions that they run on."""
_TYPE: Final = rb"type:\s*('|\")?(\w+)\1?\s*(?:#.*)?$"
_URL: Final = r"[A-Za-z][\w+.-]*://[!-~]+"
_ENDING: Final = frozenset({"deprecated", "obsolete"})
_LIFECYCLES: Final = frozenset({"experimental", "stable", "deprecated", "obsolete"})


def _recognise(root: Root) -> Iterator[Identification]:
    """`<name>.info.yml` with `type: theme` or `type: module`, or a recipe."""
    return iter(tuple(described(root, _INFO, _of_yaml)) or tuple(_recipe(root)))


def _of_yaml(root: Root, stem: str, marker: str) -> Identification | None:
    file = root.yaml(marker)
    if not isinstance(file.data, dict):
        return None
    fields: Info = file.data
    kind = text_of(fields.get("type"))
    if kind is None:
        return None
    if kind not in KINDS:
        return _of_another_type(stem, marker, kind, fields)
    wanted = constraint(fields.get(_CORE)) or constraint(fields.get("core"))
    if not is_constraint(wanted):
        wanted = ""
    return replace(
        component_of(root, stem, marker, KINDS[kind], fields),
        runs_on=wanted,
        system=_NAME,
        is_lenient=file.is_lenient,
        unusable=tuple(_unusable(root, stem, marker, file)),
    )


def _named_at(root: Root) -> Iterator[tuple[ComponentKind, str]]:
    """What the `type:` lines of the info files say, which is how Drupal finds components; a profile
    counts as a module.
    """
    for stem in stems_of(root, _INFO):
        if found := _type_line(root, stem + _INFO):
            yield KINDS.get(found[2].decode(), "module"), stem


def _type_line(root: Root, marker: str) -> re.Match[bytes] | None:
    matches = (re.match(_TYPE, line) for line in root.head(marker).split(b"\n"))
    return next(filter(None, matches), None)


def _of_another_type(stem: str, marker: str, kind: str, fields: Info) -> Identification:
    """A profile, or a type that only Drupal itself has: `type: theme_engine`."""
    version = version_of(fields.get("version"))
    if kind == "profile":
        return unbuilt("profile", marker, "type", name=stem, system=_NAME, version=version)
    return unbuilt(
        "other type",
        marker,
        "type",
        name=stem,
        system=_NAME,
        data=f"a part of {_NAME} of the type `{shortened(kind)}`",
    )


def _unusable(root: Root, stem: str, marker: str, file: YamlFile) -> Iterator[Unusable]:
    """What Drupal 11 would not see, cannot read or refuses, by its `ExtensionDiscovery`
    and `InfoParserDynamic`.
    """
    fields: Info = file.data
    wanted = fields.get(_CORE)
    yield from unusable_name(_NAME, marker, stem)
    if not _type_line(root, marker):
        yield Unusable(marker, f"{_NAME} looks for a line `type: {fields['type']}` in it")
    if file.fault:
        yield Unusable(marker, f"{_NAME} cannot read it: {file.fault}")
    if not file.is_lenient and "name" not in fields:
        yield Unusable(marker, "it has no `name`")
    if not file.is_lenient and fields["type"] == "theme" and fields.get("base theme") is None:
        yield Unusable(marker, "it has no `base theme`; `false` is for none")
    if (
        wanted is None
        and not file.is_lenient
        and fields.get("core") != _OLD_CORE
        and fields.get("package") != _TESTING
    ):
        yield Unusable(marker, f"it has no `{_CORE}`")
    if wanted is not None and not is_constraint(constraint(wanted)):
        yield Unusable(marker, f"its `{_CORE}` is no constraint")
    lifecycle = fields.get("lifecycle", "stable")
    link = text_of(fields.get("lifecycle_link")) or ""
    if lifecycle not in _LIFECYCLES:
        yield Unusable(marker, f"{_NAME} knows no such `lifecycle`")
    elif lifecycle in _ENDING and not file.is_lenient and not re.fullmatch(_URL, link):
        yield Unusable(marker, f"a component that is {lifecycle} needs a URL as `lifecycle_link`")


def _unread(root: Root) -> Iterator[str]:
    """The info files at a root that identify nothing: broken, too large, or without a type."""
    return (stem + _INFO for stem in islice(stems_of(root, _INFO), SEVERAL))


def _recipe(root: Root) -> Iterator[Identification]:
    """`recipe.yml` with a `name`."""
    if _RECIPE in root.top and (name := text_of(at(root.plain(_RECIPE), "name"))):
        yield unbuilt("recipe", _RECIPE, "name", name=name, system=_NAME)


def _commands(root: Root) -> Iterator[Identification]:
    """Commands for Drush."""
    if found := [name for name in root.top if name.endswith(".drush.inc")]:
        yield unbuilt("tool", found[0], "file name", system=_NAME)


DRUPAL: Final = System(
    name=_NAME,
    found_by=Sign("core/lib/Drupal.php"),
    roots=(HERE, "web", "docroot"),
    releases=(Sign("core/lib/Drupal.php"),),
    versions=(VersionFile("core/lib/Drupal.php", "VERSION"),),
    kin=("Drupal 7",),
    folders=Folders(inner=GROUPS, again=SITES, own=folders_in("core", HERE, EACH_SITE)),
    recognise=_recognise,
    named_at=_named_at,
    fallbacks={"no marker": _commands},
    endings=(_INFO,),
    unread=_unread,
    packages="drupal",
    other_packages={
        **dict.fromkeys(words("drupal-profile drupal-custom-profile"), "profile"),
        **dict.fromkeys(words("drupal-core drupal-drush"), "package"),
        **dict.fromkeys(
            words("drupal-console drupal-config drupal-database-driver drupal-multisite"),
            "other type",
        ),
        "drupal-recipe": "recipe",
    },
    is_nesting=True,
    next_steps=NEXT_STEPS,
    templates=".html.twig",
    shown=Shown(
        name="Drupal 8 and later",
        theme="`<name>.info.yml` with `type: theme`",
        module="the same with `type: module`",
        overrides="templates of modules and base themes with the same name",
    ),
)
