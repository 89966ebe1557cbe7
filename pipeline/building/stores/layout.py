"""Layout: what the tool keeps in a project beside the components. The rules are in `docs/building.md`."""

import re
from typing import Final

RECORD_FILE: Final = ".tool-manifest.json"
"""The record of what the tool wrote."""
LOCAL: Final = ".tool"
"""The folder for all that concerns this one copy of the project."""
STAGING: Final = f"{LOCAL}/staging"
"""The folder for components that a run has extracted and not yet put in place."""
PLAN_FILE: Final = "plan.json"
"""In the local folder: the plan that hook scripts read."""
BACKUPS: Final = f"{LOCAL}/backup"
"""The folder for backups: files of the user, or with `--mine` of an archive, that a run replaced or did not build."""
ARCHIVES: Final = f"{LOCAL}/archives"
"""The folder for the archives that components were built from, each named after its digest."""
PREVIOUS: Final = f"{LOCAL}/previous"
"""The staging folder of the last run that changed the project, renamed, with the trees that it replaced."""
STAGED_BACKUP: Final = "backup"
"""In the staging folder: what a run will put in the backup."""
PATCHES: Final = "patches"
"""The folder for the patches of components, by the paths of these."""
PATCH_SUFFIX: Final = ".patch"
RUN_FILE: Final = "run.json"
"""In the staging folder, and in what it becomes: the journal of a run."""
STATE_FILE: Final = "state.json"
"""In the local folder: what the tool last wrote here."""
DROP_FILE: Final = "drop.json"
"""In the local folder: the drop of the last run that built, for when none is named."""
LOG_FILE: Final = "log.jsonl"
"""In the local folder: the runs that changed the project."""

MARKS: Final = {
    ".gitignore": b"*\n",
    ".htaccess": (
        b"<IfModule mod_authz_core.c>\n    Require all denied\n</IfModule>\n"
        b"<IfModule !mod_authz_core.c>\n    Order allow,deny\n    Deny from all\n</IfModule>\n"
    ),
}
"""The files that keep the local folder out of version control, and Apache 2.4 and 2.2 from handing it out."""
PATCH_MARKS: Final = {".gitattributes": b"*.patch -text\n", ".htaccess": MARKS[".htaccess"]}
"""The files in `patches/` that keep git from changing the ends of lines, and a web server from handing patches out."""


def is_digest(text: str) -> bool:
    """Whether a text is the digest of an archive, and thus safe as a name."""
    return bool(re.fullmatch(r"[0-9a-f]{64}", text))


KEPT_SUFFIX: Final = ".json"
"""Of the file beside a kept archive that says what it was built as."""


def kept_path(digest: str, suffix: str = "zip") -> str:
    """The path of a kept archive or patch in the project. One counts only if its digest is right."""
    return f"{ARCHIVES}/{digest}.{suffix}"
