"""Settings that are resolved on a disk made of a dict, with everything that they came from."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pipeline.config.disk import Disk
from pipeline.config.flags import read_flags
from pipeline.config.layers import Settings
from pipeline.report.outcome import fold
from pipeline.resolve import Request, Resolution, resolve
from pipeline.schema import Value
from property_tests.printing import unexpected
from property_tests.strategies import SETTING
from tests.support.disks import START, disk_of


class Case(Struct, frozen=True):
    """The result of resolving, and what it came from."""

    disk: Disk
    resolution: Resolution

    @property
    def settings(self) -> Settings:
        """The settings."""
        return self.resolution.settings


def case_of(
    config: object = None,
    files: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Value] | None = None,
    name: str = "tool.config.json",
) -> Case:
    """Resolve in `/project`, given the contents of its files, as text or data, and the flags by the
    path of a setting.
    """
    contents = {**({} if config is None else {name: config}), **(files or {})}
    texts = {
        f"/project/{file}": each if isinstance(each, str) else json.dumps(each)
        for file, each in contents.items()
    }
    disk = disk_of({"/project/.git": None, **texts})
    passed: dict[str, Any] = {SETTING[path].name: value for path, value in (flags or {}).items()}
    request = Request(start=START, environ=environ or {}, flags=read_flags(passed, START))
    return fold(resolve(request, disk), lambda resolution: Case(disk, resolution), unexpected)
