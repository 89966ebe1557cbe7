"""Info files: components of Drupal and Backdrop with an `.info.yml` or `.info` at the root, of Omeka with an `.ini`.

The stem of an info file is the machine name. Of several at one root, those named after the folder count, else all.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

from pipeline.archives.composer import composer_hints
from pipeline.archives.formats import Info, namespace_in
from pipeline.archives.markers import Identification, Root, names_in, text_of, unbuilt, version_of
from pipeline.archives.naming import Hint
from pipeline.report.diagnostics.archives import Unbuilt
from pipeline.report.events import ComponentKind
from pipeline.values import replace

_SEVERAL: Final = 8
"""The most info files of one root that are read."""
_KINDS: Final[dict[str, ComponentKind]] = {"theme": "theme", "module": "module"}
_UNBUILT: Final[dict[str, Unbuilt]] = {"profile": "profile", "layout": "layout"}
_OTHERS: Final = (".engine", ".info.yml")
"""Suffixes of files that a theme of Drupal 7 does not have: of engines, of what is also for Drupal 8."""
_LONGEST: Final = 200
"""How many characters of a constraint are read."""
_NO_PARENT: Final = frozenset({"false", "FALSE", "False"})
_CORE: Final = "drupal:"
_INSIDE: Final = 1000
"""The most modules within a component that are known."""
_MARKERS: Final[dict[str, tuple[tuple[ComponentKind, str, str, str], ...]]] = {
    "Omeka S": (
        ("theme", "config/theme.ini", "info", ""),
        ("module", "config/module.ini", "info", "dependencies"),
    ),
    "Omeka Classic": (
        ("theme", "theme.ini", "theme", "required_plugins"),
        ("module", "plugin.ini", "info", "required_plugins"),
    ),
}
"""For each system the kind, its marker, the section that counts in it, and the field of what it needs."""
_CLASS: Final = rb"\bclass\s{1,9}(?:([A-Za-z]\w{0,99}?)_\w{0,99}Controller|([A-Za-z]\w{0,99})Plugin)\b"
_CONTROLLER: Final = "Controller.php"
_OLD_MAIN: Final = "plugin.php"
_READ: Final = 4
"""The most controllers that are read."""
_MAIN: Final = "Plugin.php"
"""How the name of the file ends that has the class of a plugin of Omeka Classic."""


def drupal(root: Root) -> Iterator[Identification]:
    """`<name>.info.yml` that says `type: theme` or `type: module`."""
    return _described(root, ".info.yml", _of_drupal)


def info_file(root: Root) -> Iterator[Identification]:
    """`<name>.info`: for Backdrop if it has a `type`, else for Drupal 7."""
    return _described(root, ".info", _of_info)


def unread_info(root: Root) -> Iterator[str]:
    """The info files at a root that identify nothing: broken, too large, or without a type and, in `.info`, a name."""
    for suffix, read in ((".info.yml", _yaml), (".info", Root.info)):
        for stem in islice(_stems(root, suffix), _SEVERAL):
            fields = read(root, stem + suffix)
            if not text_of(fields.get("type")) and not (suffix == ".info" and fields.get("name")):
                yield stem + suffix


def _stems(root: Root, suffix: str) -> list[str]:
    """The stems of the info files at a root, except those of tests."""
    stems = (name.removesuffix(suffix) for name in root.top if name.endswith(suffix))
    return [stem for stem in stems if stem and not stem.endswith(".tests")]


def _described(
    root: Root, suffix: str, reads: Callable[[Root, str, str], Identification | None]
) -> Iterator[Identification]:
    """The components that the info files of a root describe: those named after the folder, else each."""
    stems = _stems(root, suffix)
    for group in ([stem for stem in root.suggested if stem in stems], stems):
        identifications = [each for stem in islice(group, _SEVERAL) if (each := reads(root, stem, stem + suffix))]
        if identifications:
            return iter(identifications)
    return iter(())


def _yaml(root: Root, marker: str) -> Info:
    data = root.plain(marker)
    return data if isinstance(data, dict) else {}


def _of_drupal(root: Root, stem: str, marker: str) -> Identification | None:
    fields = _yaml(root, marker)
    if fields.get("type") == "profile":
        return unbuilt("profile", marker, "type", name=stem, system="Drupal", version=version_of(fields.get("version")))
    runs_on = _constraint(fields.get("core_version_requirement")) or _constraint(fields.get("core"))
    kind = _KINDS.get(str(fields.get("type")))
    return kind and replace(_component(root, stem, marker, kind, fields), runs_on=runs_on, system="Drupal")


def _of_info(root: Root, stem: str, marker: str) -> Identification | None:
    info = root.info(marker)
    declared = info.get("type")
    if other := _unbuilt(root, stem, marker, info):
        return other
    kind, field = (_KINDS.get(declared), "type") if declared else _of_drupal_7(root, stem, info.get("name"))
    runs_on = _constraint(info.get("backdrop" if declared else "core"))
    system = "Backdrop" if declared else "Drupal 7"
    fields = {**info, "dependencies": info.get("dependencies[]")}
    return kind and replace(_component(root, stem, marker, kind, fields), field=field, runs_on=runs_on, system=system)


def _component(root: Root, stem: str, marker: str, kind: ComponentKind, fields: Info) -> Identification:
    """The component that the fields of an info file describe."""
    parent = text_of(fields.get("base theme"))
    return Identification(
        kind=kind,
        evidence=marker,
        field="type",
        name=stem,
        version=version_of(fields.get("version")),
        requires=_modules(fields.get("dependencies")),
        php=version_of(fields.get("php")) or "",
        provides=_inside(root, marker.removeprefix(stem)),
        parent=None if kind == "module" or parent in _NO_PARENT else parent,
    )


def _unbuilt(root: Root, stem: str, marker: str, info: Info) -> Identification | None:
    """A profile or a layout, or a module of Backdrop without the file that Backdrop looks for."""
    declared = info.get("type")
    own = {"name": stem, "version": version_of(info.get("version"))}
    if declared in _UNBUILT:
        return unbuilt(_UNBUILT[declared], marker, "type", **own, system="Backdrop")
    if declared == "module" and f"{stem}.module" not in root.top:
        return unbuilt("tool", marker, "type", **own, system="Backdrop")
    if not declared and info.get("backdrop") and "regions[]" in info:
        return unbuilt("layout", marker, "regions", **own, system="Backdrop")
    if not declared and info.get("name") and f"{stem}.profile" in root.top:
        return unbuilt("profile", marker, f"beside {stem}.profile", **own, system="Drupal 7")
    return None


def _of_drupal_7(root: Root, stem: str, name: str | None) -> tuple[ComponentKind | None, str]:
    """A module if `<name>.module` is beside it; a theme if no module and nothing foreign to a theme is there."""
    if name and f"{stem}.module" in root.names:
        return "module", f"beside {stem}.module"
    others = any(f"{stem}{suffix}" in root.top for suffix in _OTHERS)
    is_theme = name and not others and not any(file.endswith(".module") for file in root.names)
    return ("theme", "no .module file") if is_theme else (None, "")


def _constraint(value: Any) -> str:
    """A constraint on the version of the system; empty if there is none."""
    return value[:_LONGEST] if isinstance(value, str) else ""


def _inside(root: Root, suffix: str) -> tuple[str, ...]:
    """The names of the info files below a root."""
    names = {name.rpartition("/")[2].removesuffix(suffix) for name in root.names if name.endswith(suffix)}
    return tuple(sorted(names))[:_INSIDE]


def _modules(needs: Any) -> tuple[str, ...]:
    """The modules that a list of `project:module (>=1.2)` names, each once, with the project if that has another name.

    Those of `drupal`, the system itself, are left out.
    """
    listed = (each for each in needs if isinstance(each, str)) if isinstance(needs, list | tuple) else ()
    names = (":".join(names_in(each.split(":", 1))) for each in listed if not each.strip().startswith(_CORE))
    return tuple(dict.fromkeys(filter(None, names)))


def omeka_s(root: Root) -> Iterator[Identification]:
    """`config/theme.ini`; `config/module.ini` beside `Module.php`, whose namespace is the module's name."""
    for found in _with_ini(root, "Omeka S", ("name",)):
        if found.kind == "theme":
            yield found
        elif "Module.php" in root.top:
            yield replace(found, name=namespace_in(root.head("Module.php")) or "")


def omeka_classic(root: Root) -> Iterator[Identification]:
    """`theme.ini` with `title` or `name`; `plugin.ini` with `name`, beside `<Name>Plugin.php`."""
    for found in _with_ini(root, "Omeka Classic", ("name", "title")):
        name = _plugin(root) if found.kind == "module" else ""
        yield replace(found, name=name, hints=(*found.hints, *_classes(root)))


def _with_ini(root: Root, system: str, names: tuple[str, ...]) -> Iterator[Identification]:
    """The components that the markers of a system describe, if they have one of some fields."""
    for kind, marker, section, needs in _MARKERS[system]:
        info = root.info(marker, section) if marker in root.names else {}
        if field := next((key for key in names if info.get(key)), None):
            yield Identification(
                kind=kind,
                evidence=marker,
                field=field,
                hints=composer_hints(root, system),
                system=system,
                version=version_of(info.get("version")),
                runs_on=_constraint(info.get("omeka_version_constraint")),
                requires=names_in((info.get(needs) or "").split(",")),
            )


def _plugin(root: Root) -> str:
    """The name in that of the file with the class, if there is one, or one has the name of the folder; else empty."""
    stems = [name.removesuffix(_MAIN) for name in root.top if name.endswith(_MAIN) and name != _MAIN]
    own = [stem for stem in stems if stem in root.suggested] or stems
    return own[0] if len(own) == 1 else ""


def _classes(root: Root) -> Iterator[Hint]:
    """The name that the classes of a plugin of Omeka Classic begin with."""
    controllers = [name for name in root.names if name.startswith("controllers/") and name.endswith(_CONTROLLER)]
    for file in (*(name for name in root.top if name == _OLD_MAIN), *controllers[:_READ]):
        if found := re.search(_CLASS, root.head(file)):
            yield Hint((found[1] or found[2]).decode(), f"{root.prefix}{file} (class)")
