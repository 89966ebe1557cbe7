"""Trees for tests of single stages: from a text, as parse would make them."""

from pathlib import PurePath
from typing import Literal

from pipeline.config.tree import Candidate, Document, Form, Tree, spell
from pipeline.parse import parse

BASE = PurePath("/project")


def candidate_of(
    name: str = "tool.config.json", form: Form = "json", layer: Literal["config", "preset"] = "config"
) -> Candidate:
    """A file in the project's folder."""
    return Candidate(path=BASE / name, display_path=name, form=form, layer=layer)


def tree_of(text: str, candidate: Candidate | None = None) -> Tree:
    """The tree of a JSON text."""
    return parse(Document(candidate or candidate_of(), text.encode())).unwrap()


def written(tree: Tree) -> dict[str, tuple[str, str]]:
    """For each marked path, as spelled by position in the data, how the user spelled it and where."""
    return {spell(path): (spell(mark.written), str(mark.value)) for path, mark in tree.marks.items()}
