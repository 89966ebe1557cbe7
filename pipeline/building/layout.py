"""Layout: what the tool keeps in a project beside the components. The rules are in `docs/building.md`."""

from typing import Final

RECORD_FILE: Final = ".tool-manifest.json"
"""The record of what the tool wrote."""
STAGING: Final = ".tool-staging"
"""The folder for what a run has extracted but not yet put in its place."""
JOURNAL_FILE: Final = "journal.json"
PLAN_FILE: Final = "plan.json"
"""In the staging folder: the journal of the swaps, and the plan that hook scripts read."""
BACKUPS: Final = ".tool-backup"
"""The folder for the user's files that `--force` moves away."""
