"""A project whose only module, `m`, a system or a person installs or updates beside the tool."""

import json
import shutil
from collections.abc import Mapping
from typing import Any

from tests.support.project import Project, Ran


def built(files: Mapping[str, str], **more: str) -> dict[str, str]:
    """The files of the module by their paths in the project."""
    return {f"modules/{name}": content for name, content in {**files, **more}.items()}


def install(project: Project, files: Mapping[str, str]) -> None:
    """Put a version in the module's place, as a system does that updates it by itself."""
    shutil.rmtree(project.root / "modules" / "m", ignore_errors=True)
    for name, content in files.items():
        project.write(f"modules/{name}", content)


def archives(project: Project, **versions: Mapping[str, str]) -> None:
    """Replace the archives in the drop."""
    for path in project.root.glob("*.zip"):
        path.unlink()
    for name, files in versions.items():
        project.archive(f"{name}.zip", files)


def record_of(project: Project, path: str = "modules/m") -> dict[str, Any]:
    """What the record says of a component; nothing if it is not in it."""
    file = project.root / ".tool-manifest.json"
    recorded = (
        json.loads(file.read_text(encoding="utf-8"))
        if file.exists()
        else {"content": {"components": {}}}
    )
    said: dict[str, Any] = recorded["content"]["components"].get(path, {})
    return said


def codes(ran: Ran) -> list[str]:
    """The codes of the warnings of a run."""
    return [each["code"] for each in ran.reported("warning")]


def errors(ran: Ran) -> list[str]:
    """The names of the errors of a run."""
    return [each["error"] for each in ran.reported("error")]


def backed_up(project: Project) -> list[str]:
    """The names of the files in the backup."""
    return sorted(path.name for path in project.root.glob(".tool/backup/*/**/*") if path.is_file())


def status_of(project: Project, *args: str) -> dict[str, Any]:
    """The event of the module."""
    events = [
        json.loads(line)
        for line in project.run("status", *args, "--log-format=json").out.splitlines()
    ]
    (event,) = [each for each in events if each["path"] == "modules/m"]
    return dict(event)
