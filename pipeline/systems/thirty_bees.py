"""thirty bees: made from PrestaShop 1.6, it accepts modules for PrestaShop, and themes in the form
of that version.
"""

from collections.abc import Iterator
from typing import Final

from pipeline.archives.markers import Identification, Root
from pipeline.systems.prestashop import PRESTASHOP, is_old_theme
from pipeline.systems.system import Shown, Sign, System, VersionFile
from pipeline.values import replace

_NAME: Final = "thirty bees"
_DEFINES: Final = "config/defines.inc.php"
_SETTINGS: Final = "config/settings.inc.php"
_INSTALLER: Final = "install/install_version.php"
_VERSION: Final = "_TB_VERSION_"
_INSTALLED: Final = "_TB_INSTALL_VERSION_"
_SIGN: Final = Sign(_DEFINES, beside=("classes/",), text=_VERSION.encode(), text_in=_SETTINGS)


def _recognise(root: Root) -> Iterator[Identification]:
    """PrestaShop's markers of a module. The versions that they name are PrestaShop's."""
    for found in PRESTASHOP.recognise(root):
        if found.kind == "module":
            yield replace(found, system=_NAME, runs_on="")


def _themes(root: Root) -> Iterator[Identification]:
    """A theme in the form of PrestaShop 1.6."""
    return (replace(found, system=_NAME) for found in PRESTASHOP.fallbacks["old shape"](root))


THIRTY_BEES: Final = System(
    name=_NAME,
    found_by=_SIGN,
    releases=(_SIGN, replace(_SIGN, text=_INSTALLED.encode(), text_in=_INSTALLER)),
    versions=(VersionFile(_SETTINGS, _VERSION), VersionFile(_INSTALLER, _INSTALLED)),
    made_from=PRESTASHOP.name,
    recognise=_recognise,
    named_at=PRESTASHOP.named_at,
    fallbacks={"old shape": _themes},
    strict_kinds=PRESTASHOP.strict_kinds,
    adopts=lambda component, _: is_old_theme(component),
    next_steps=PRESTASHOP.next_steps,
    rewrites=PRESTASHOP.rewrites,
    overrides=PRESTASHOP.overrides,
    shown=Shown(
        theme=(
            "`config.xml` with `<theme`, or templates such as `index.tpl` at the root (warning "
            "`not-built`)"
        ),
        module="as PrestaShop",
        overrides=PRESTASHOP.shown.overrides,
    ),
)
