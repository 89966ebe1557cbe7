"""Layout: the files and folders of the tool in a project. The rules are in `docs/building.md`."""

import re
from typing import Final

RECORD_FILE: Final = ".tool-manifest.json"
"""The record, in the project."""
LOCAL: Final = ".tool"
"""The local folder: everything that concerns only this copy of the project."""
STAGING: Final = f"{LOCAL}/staging"
"""The staging folder: components that a run has extracted and not yet moved to their paths."""
PLAN_FILE: Final = "plan.json"
"""The plan that hook scripts read, in the local folder."""
BACKUPS: Final = f"{LOCAL}/backup"
"""The folder for backups: files of the user, or with `--mine` of an archive, that a run replaced or
did not build.
"""
ARCHIVES: Final = f"{LOCAL}/archives"
"""The folder of kept archives, each named by its digest."""
PREVIOUS: Final = f"{LOCAL}/previous"
"""The staging folder of the previous run, renamed, with the files that the run replaced."""
STAGED_BACKUP: Final = "backup"
"""The folder for the files of the backup, in the staging folder."""
PATCHES: Final = "patches"
"""The folder of patches, each named by the path of its component."""
PATCH_SUFFIX: Final = ".patch"
RUN_FILE: Final = "run.json"
"""The journal of a run, in the staging folder and later in the folder of the previous run."""
STATE_FILE: Final = "state.json"
"""The state, in the local folder."""
DROP_FILE: Final = "drop.json"
"""The last drop, in the local folder."""
LOG_FILE: Final = "log.jsonl"
"""The run log, in the local folder."""

MARKS: Final = {
    ".gitignore": b"*\n",
    ".htaccess": (
        b"<IfModule mod_authz_core.c>\n    Require all denied\n</IfModule>\n"
        b"<IfModule !mod_authz_core.c>\n    Order allow,deny\n    Deny from all\n</IfModule>\n"
    ),
}
"""Files that keep the local folder out of version control, and keep Apache 2.4 and 2.2
from serving it.
"""
PATCH_MARKS: Final = {".gitattributes": b"*.patch -text\n", ".htaccess": MARKS[".htaccess"]}
"""Files that keep git from changing the line ends of patches, and web servers from
serving patches.
"""


def is_digest(text: str) -> bool:
    """Whether a text is a digest, and thus safe as a file name."""
    return bool(re.fullmatch(r"[0-9a-f]{64}", text))


KEPT_SUFFIX: Final = ".json"
"""The suffix of the file beside a kept archive that lists the components it was built as."""


def kept_path(digest: str, suffix: str = "zip") -> str:
    """The path of a kept archive or patch in the project. A reader has to check its digest."""
    return f"{ARCHIVES}/{digest}.{suffix}"
