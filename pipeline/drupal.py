"""Drupal and Backdrop: components that an `.info.yml` or `.info` file at the root describes.

The file's stem is the machine name. Of several at one root those count that are called as the folder is, else all.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from pipeline.events import Kind
from pipeline.info_text import last, read_info
from pipeline.markers import SLOW_LIMIT, Found, Root, at, names_in, text_of, version_of
from pipeline.yaml_text import read_yaml

_SEVERAL: Final = 8
"""How many info files of one root are read, at most."""
_KINDS: Final[dict[str, Kind]] = {"theme": "theme", "module": "module"}
_CORE: Final = "drupal:"


def drupal(root: Root) -> Iterator[Found]:
    """`<name>.info.yml` that says `type: theme` or `type: module`."""
    return _described(root, ".info.yml", _of_drupal)


def backdrop(root: Root) -> Iterator[Found]:
    """`<name>.info` that says `type = theme` or `type = module`."""
    return _described(root, ".info", _of_backdrop)


def drupal_7(root: Root) -> Iterator[Found]:
    """`<name>.info` without a type: a module beside its `<name>.module`, a theme where there is no module at all."""
    return _described(root, ".info", _of_drupal_7)


def _described(root: Root, suffix: str, reads: Callable[[Root, str, str], Found | None]) -> Iterator[Found]:
    """What the info files of a root describe: the one that is called as the folder is, else each."""
    stems = [name.removesuffix(suffix) for name in root.top if name.endswith(suffix)]
    stems = [stem for stem in stems if stem and not stem.endswith(".tests")]
    for group in ([stem for stem in root.called if stem in stems], stems):
        found = [each for stem in islice(group, _SEVERAL) if (each := reads(root, stem, stem + suffix))]
        if found:
            return iter(found)
    return iter(())


def _of_drupal(root: Root, stem: str, marker: str) -> Found | None:
    data = read_yaml(root.content(marker, SLOW_LIMIT))
    kind = _KINDS.get(str(at(data, "type")))
    if kind is None:
        return None
    version, parent = version_of(at(data, "version")), text_of(at(data, "base theme"))
    return Found(
        kind=kind,
        marker=marker,
        field="type",
        name=stem,
        version=None if version == "VERSION" else version,  # which stands for that of Drupal itself
        requires=_modules(at(data, "dependencies")),
        parent=None if kind == "module" or parent in {"false", "FALSE", "False"} else parent,
    )


def _of_backdrop(root: Root, stem: str, marker: str) -> Found | None:
    info = read_info(root.content(marker, SLOW_LIMIT))
    kind = _KINDS.get(last(info, "type") or "")
    return _of_info(info, kind, stem, marker, "type") if kind else None


def _of_drupal_7(root: Root, stem: str, marker: str) -> Found | None:
    info = read_info(root.content(marker, SLOW_LIMIT))
    if last(info, "type") or not last(info, "name"):
        return None
    if f"{stem}.module" in root.names:
        return _of_info(info, "module", stem, marker, f"beside {stem}.module")
    if any(name.endswith(".module") for name in root.names):
        return None
    return _of_info(info, "theme", stem, marker, "no .module file")


def _of_info(info: Mapping[str, tuple[str, ...]], kind: Kind, stem: str, marker: str, field: str) -> Found:
    return Found(
        kind=kind,
        marker=marker,
        field=field,
        name=stem,
        version=version_of(last(info, "version")),
        requires=_modules(info.get("dependencies[]", ())),
        parent=last(info, "base theme") if kind == "theme" else None,
    )


def _modules(needs: Any) -> tuple[str, ...]:
    """The modules that a list of `project:module (>=1.2)` names, less those that Drupal itself has."""
    items = needs if isinstance(needs, list | tuple) else ()
    own = (need for need in items if isinstance(need, str) and not need.strip().startswith(_CORE))
    return names_in([need.partition(":")[2] or need for need in own])
