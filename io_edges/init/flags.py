"""Flags: what `tool init` takes."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.flags import ANSWERS, LOG, Flags, Switch, fields, with_flags
from pipeline.init.config_text import Format
from pipeline.init.questions import QUESTIONS


@with_flags((question.leaf, ANSWERS) for question in QUESTIONS)
class AnswerFlags(Flags):
    """One field for each question of `tool init`, `None` where its flag is not given."""


@fields
class InitFlags(Flags):
    """What `tool init` takes besides the answers, one of which is the log format."""

    yes: Switch = False
    """Ask nothing: take the default of every question that no flag answers."""
    format: Annotated[Format | None, Parameter(show_default=False)] = None
    """Write tool.config.json (unless something else is said), .ts or .js, or the key tool of the package.json."""
    force: Switch = False
    """Write over a configuration that is there, and keep it as a backup."""
    no_exec: Switch = False
    """Evaluate no script; a preset that is a script is read if it is a literal."""
    quiet: Annotated[Switch, Parameter(alias="-q", group=LOG)] = False
    """Show only warnings and errors."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=LOG)] = False
    """Show the traceback of a bug."""
