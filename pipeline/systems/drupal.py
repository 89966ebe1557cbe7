"""Drupal 8 and later: themes and modules, which an `.info.yml` describes. Its stem is the name."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from pipeline.archives.info import Info
from pipeline.archives.markers import Identification, Root, text_of, unbuilt, version_of
from pipeline.archives.naming import words
from pipeline.systems.info_files import GROUPS, KINDS, SEVERAL, SITES, component_of, constraint, described, stems_of
from pipeline.systems.system import HERE, Folders, Shown, Sign, System, VersionFile
from pipeline.values import replace

_NAME: Final = "Drupal"
_INFO: Final = ".info.yml"


def _recognise(root: Root) -> Iterator[Identification]:
    """`<name>.info.yml` that says `type: theme` or `type: module`."""
    return described(root, _INFO, _of_yaml)


def _of_yaml(root: Root, stem: str, marker: str) -> Identification | None:
    fields = _yaml(root, marker)
    if fields.get("type") == "profile":
        return unbuilt("profile", marker, "type", name=stem, system=_NAME, version=version_of(fields.get("version")))
    runs_on = constraint(fields.get("core_version_requirement")) or constraint(fields.get("core"))
    kind = KINDS.get(str(fields.get("type")))
    return kind and replace(component_of(root, stem, marker, kind, fields), runs_on=runs_on, system=_NAME)


def _yaml(root: Root, marker: str) -> Info:
    data = root.plain(marker)
    return data if isinstance(data, dict) else {}


def _unread(root: Root) -> Iterator[str]:
    """The info files at a root that identify nothing: broken, too large, or without a type."""
    for stem in islice(stems_of(root, _INFO), SEVERAL):
        if not text_of(_yaml(root, stem + _INFO).get("type")):
            yield stem + _INFO


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
    folders=Folders(inner=GROUPS, again=SITES),
    recognise=_recognise,
    fallbacks={"no marker": _commands},
    endings=(_INFO,),
    unread=_unread,
    packages="drupal",
    other_packages={"drupal-core": "package", "drupal-drush": "package", "drupal-profile": "profile"},
    supplies=words("""
        action aggregator announcements_feed automated_cron ban bartik basic_auth big_pipe block block_content
        block_place book breakpoint ckeditor ckeditor5 claro classy color comment config config_translation contact
        content_moderation content_translation contextual datetime datetime_range dblog drupal dynamic_page_cache editor
        entity_reference field field_layout field_ui file filter forum hal help help_topics history image
        inline_form_errors jsonapi language layout_builder layout_discovery link locale media media_library
        menu_link_content menu_ui migrate migrate_drupal migrate_drupal_multilingual migrate_drupal_ui mysql navigation
        node olivero options package_manager page_cache path path_alias pgsql quickedit rdf responsive_image rest sdc
        search serialization settings_tray seven shortcut simpletest sqlite stable stable9 stark starterkit_theme
        statistics syslog system taxonomy telephone text toolbar tour tracker umami update user views views_ui workflows
        workspaces workspaces_ui
    """),
    is_nesting=True,
    templates=".html.twig",
    shown=Shown(
        name="Drupal 8 and later",
        theme="`<name>.info.yml` with `type: theme`",
        module="the same with `type: module`",
        overrides="templates of modules and base themes with the same name",
    ),
)
