"""Limits of inputs without a natural one: elements, flags, presets, the length of a path, and
special files.
"""

import json
import os
from itertools import count
from pathlib import PurePath
from typing import Any

import pytest
from msgspec.structs import replace

from io_edges.cli.main import FLAG_LIMIT
from pipeline.config.flags import check_flags, read_flags
from pipeline.config.presets import SUFFIXES, choose_presets
from pipeline.config.variables import read_variables
from pipeline.init.json_schema import json_schema
from pipeline.merge import decide
from pipeline.normalise import normalise
from pipeline.report.diagnostics.settings import InvalidValue, PresetNotFound
from pipeline.report.location import Location
from pipeline.report.outcome import errors_of
from pipeline.schema import SETTINGS
from pipeline.validate import validate
from tests.support.costs import MIB, cost_of
from tests.support.disks import disk_of
from tests.support.project import Project
from tests.support.sweep import sample
from tests.support.trees import tree_of

START = PurePath("/project")
MANY = tuple(f"m{number}" for number in range(1001))
EXPECTED = ("a list of at most 1,000 strings", "one of 1,001")


def test_a_list_is_bounded() -> None:
    """A list may have 1,000 elements and no more, whether it is a flag, a variable or in a file."""
    flags = [
        check_flags(read_flags({"modules_exclude": items}, START)) for items in (MANY, MANY[1:])
    ]
    texts = [{"TOOL_MODULES_EXCLUDE": ",".join(items)} for items in (MANY, MANY[1:])]
    variables = [read_variables(environ, START) for environ in texts]
    assert [*map(errors_of, flags)] == [
        (InvalidValue("modules.exclude", Location("--exclude"), *EXPECTED),),
        (),
    ]
    assert [*map(errors_of, variables)] == [
        (InvalidValue("modules.exclude", Location("TOOL_MODULES_EXCLUDE"), *EXPECTED),),
        (),
    ]
    files = [validate(tree_of(json.dumps({"presets": items}))) for items in (MANY, MANY[1:])]
    at = Location("tool.config.json", 1, 13)
    assert [*map(errors_of, files)] == [(InvalidValue("presets", at, *EXPECTED),), ()]


@pytest.mark.parametrize(
    ("config", "path"),
    [
        (
            {"exclude": MANY[:600], "modules": {"exclude": [f"x{name}" for name in MANY[:600]]}},
            None,
        ),
        ({"exclude": ["a"] * 1001}, "exclude"),
        ({"exclude": ["a"] * 1001, "modules": {"exclude": ["a"]}}, "exclude"),
        ({"exclude": ["a"], "modules": {"exclude": MANY}}, "modules.exclude"),
        ({"exclude": MANY[1:], "modules": {"exclude": MANY[:1]}}, None),
    ],
)
def test_the_limit_counts_each_list_as_it_is_written(
    config: dict[str, Any], path: str | None
) -> None:
    """The limit counts each list as it is written, before lists are folded and duplicates dropped,
    as in the JSON Schema.
    """
    # Imports for a second where all its formats are installed.
    from jsonschema import (
        Draft7Validator,
    )

    text = json.dumps(config)
    errors = errors_of(validate(normalise(tree_of(text))))
    paths = [each.path for each in errors if isinstance(each, InvalidValue)]
    assert paths == ([path] if path else [])
    assert Draft7Validator(json.loads(json.dumps(json_schema()))).is_valid(json.loads(text)) is (
        path is None
    )


@pytest.mark.parametrize("args", [["--config=pipe.json"], ["--preset=./pipe.json"]])
def test_what_is_no_regular_file_is_not_waited_for(project: Project, args: list[str]) -> None:
    """A pipe in the place of a configuration or a preset is refused at once."""
    os.mkfifo(project.root / "pipe.json")
    ran = project.run("config", "show", *args)
    assert (ran.code, "it is not a file" in ran.err) == (66, True)


@pytest.mark.usefixtures("unmeasured")
def test_many_presets_are_searched_in_many_folders_at_once() -> None:
    """However many presets are missing, each folder is listed once and nothing else is asked of the
    disk.

    Only the first 50 get suggestions.
    """
    presets = tuple(f"shops{number}" for number in range(100))
    folders = tuple(f"f{number}" for number in range(100))
    disk, listings = disk_of({f"/project/{folder}/shops.json": "" for folder in folders}), count()
    looks = count()
    seen = replace(
        disk,
        names=lambda path: next(listings) * 0 or disk.names(path),
        presence=lambda path: next(looks) and disk.presence(path),
    )
    listed = decide("presets", (read_flags({"presets": presets}, START),), START)
    errors = errors_of(choose_presets(listed, [START / each for each in folders], START, seen))
    searched = [f"{folder}/shops99{suffix}" for folder in folders for suffix in SUFFIXES]
    assert errors[-1] == PresetNotFound("shops99", Location("--preset"), tuple(searched))
    assert [each.suggestions for each in errors if isinstance(each, PresetNotFound)] == [
        ("shops",)
    ] * 50 + [()] * 50
    assert (next(listings), next(looks)) == (100, 0)


def test_a_folder_whose_names_cannot_be_read_is_looked_into() -> None:
    """A preset is found by its name in a folder that may be entered but not listed."""
    disk = replace(disk_of({"/project/p/shop.json": ""}), names=lambda _: None)
    listed = decide("presets", (read_flags({"presets": ("shop",)}, START),), START)
    assert [
        each.display_path for each in choose_presets(listed, [START / "p"], START, disk).unwrap()
    ] == ["p/shop.json"]


@pytest.mark.parametrize("written", ["Shop.json", "s\u0068op.JSON", "shop.json"])
def test_the_disk_decides_which_names_are_equal(written: str) -> None:
    """On a disk that ignores case, a preset is found under a name in another case."""
    disk = disk_of({"/project/p/shop.json": ""})
    seen = replace(disk, names=lambda _: (written,))
    listed = decide("presets", (read_flags({"presets": ("shop",)}, START),), START)
    assert [
        each.display_path for each in choose_presets(listed, [START / "p"], START, seen).unwrap()
    ] == ["p/shop.json"]


def test_many_flags_are_refused_before_they_are_parsed(project: Project) -> None:
    """A command line with very many flags ends at once and says what to do instead."""
    ran = project.run(
        "config", "show", *[f"--exclude=m{number}" for number in range(FLAG_LIMIT + 1)]
    )
    assert (ran.code, ran.err) == (
        64,
        "error: UsageError: Expected at most 1,500 flags\n"
        "  = help: write long lists in a configuration file, and pass it with `--config`\n",
    )


LONG = "x/" * 60_000
PATH_FLAGS = [setting.flag for setting in SETTINGS if setting.paths != "no"]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("args", "code"),
    sample(
        [
            (["create", "--output", LONG], 74),
            (["create", "--output", f"{LONG}.."], 74),
            (["create", LONG], 72),
            (["status", LONG], 72),
            (["config", "show", "--config", LONG], 66),
            (["config", "show", "--config", "../" * 40_000], 66),
            (["config", "show", LONG], 64),
            (["inspect", LONG], 68),
            (["inspect", "x" * 120_000], 68),
            (["inspect", f"{LONG}.zip"], 74),
            (["create", ".", "x" * 120_000], 68),
            (["diff", ".", LONG], 68),
            *(
                ([*["create", "--dry-run", "--output=p"], f"{flag}={LONG}"], None)
                for flag in PATH_FLAGS
            ),
        ],
        2,
    ),
)
def test_a_very_long_path_costs_little(project: Project, args: list[str], code: int | None) -> None:
    """Wherever a path or a name may be given, one of 120 KB takes little more time than a short
    one.
    """
    cost = cost_of(project.root, *args)
    assert code in {None, cost.code}
    assert (cost.seconds < 10, cost.memory < 100 * MIB) == (True, True)
