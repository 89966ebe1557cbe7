"""The type, the tool and the JSON Schema agree on what a configuration is; `type_cases`
has the table.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from toolz import partition_all

from pipeline.schema import OBJECTS, SETTINGS, SHORTHAND, VERSION
from tests.support.project import Project
from tests.support.sweep import Thinned, sample
from tests.support.type_cases import (
    ACCEPTED,
    FORMS,
    HEAD,
    ONLY_TOOL_REFUSES,
    ONLY_TYPE_REFUSES,
    PRESETS_ACCEPTED,
    PRESETS_REFUSED,
    REFUSED,
    SCRIPTS_ACCEPTED,
    SCRIPTS_REFUSED,
    TSC,
)

NPM = Path(__file__).parent.parent.parent / "io_edges" / "scripts" / "npm"
REFERENCE = '/// <reference path="./tool.d.ts" />'
DIAGNOSTIC = re.compile(r"^(.+?)\((\d+),\d+\): error TS\d+: ", re.MULTILINE)
WRITTEN = ("tool.config.ts", "wrong.ts")
FIRST_FORM = 3  # the line of the first form, below the reference and the head

CONFIGS = {f"config-{index}": text for index, text in enumerate((*ACCEPTED, *REFUSED))}
PRESETS = {
    f"preset-{index}": text for index, text in enumerate((*PRESETS_ACCEPTED, *PRESETS_REFUSED))
}
SCRIPTS = {**SCRIPTS_ACCEPTED, **SCRIPTS_REFUSED, **ONLY_TOOL_REFUSES, **ONLY_TYPE_REFUSES}


def scripts(reference: str = "") -> dict[str, str]:
    """Every case as a script, by the name of its file; a literal in each of its forms,
    a line each.
    """
    configs = {
        stem: every_form(text, "ToolConfig", "defineConfig") for stem, text in CONFIGS.items()
    }
    presets = {
        stem: every_form(text, "ToolPreset", "definePreset") for stem, text in PRESETS.items()
    }
    literals = {f"{stem}.ts": text for stem, text in (configs | presets).items()}
    return {file: f"{reference}\n{HEAD}{text}\n" for file, text in (literals | SCRIPTS).items()}


def every_form(literal: str, of: str, helper: str) -> str:
    """A literal in every form; the last is the default export."""
    return "\n".join(
        form.format(literal=literal, type=of, helper=helper) for form in FORMS.values()
    )


def refused_by_tsc(
    folder: Path, files: Iterable[str], resolution: str, exact: bool
) -> set[tuple[str, str]]:
    """What `tsc` refuses of the scripts in a folder: a literal with the form that it stands
    in, or a file.
    """
    options = {
        "strict": True,
        "skipLibCheck": False,
        "exactOptionalPropertyTypes": exact,
        "module": {"bundler": "esnext", "nodenext": "nodenext"}[resolution],
        "moduleResolution": resolution,
        "target": "es2022",
        "lib": ["es2022"],
        "types": [],
        "noEmit": True,
    }
    config = {"compilerOptions": options, "files": sorted(files)}
    (folder / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    ran = subprocess.run(
        [TSC, "--project", ".", "--pretty", "false"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    literals = CONFIGS | PRESETS
    forms = dict(enumerate(FORMS, start=FIRST_FORM))
    found = [(Path(file), int(line)) for file, line in DIAGNOSTIC.findall(ran.stdout)]
    assert ran.returncode == 2, ran.stdout
    assert found, ran.stdout
    assert ran.stderr == "", ran.stdout
    return {
        (f"{file.stem}: {literals[file.stem]}", forms[line])
        if file.stem in literals
        else (file.name, "")
        for file, line in found
    }


def refused_by_tool(project: Project, *files: str) -> set[str]:
    """The files that `tool config validate` refuses: those named, or those that the
    configuration leads to.
    """
    ran = project.run("config", "validate", *files, env={"TOOL_LOG_FORMAT": "json"})
    refused = {error["source"].partition(":")[0] for error in ran.reported("error")}
    assert ran.code == (65 if refused else 0)
    assert {line.partition(":")[0] for line in ran.out.splitlines()} == set(files) - refused
    return refused


def refused_by_schema(schema: dict[str, Any], text: str) -> bool:
    """Whether the JSON Schema refuses a text."""
    # Imports for a second where all its formats are installed.
    from jsonschema import (
        Draft7Validator,
    )

    return not Draft7Validator(schema).is_valid(json.loads(text))


def stems(texts: Iterable[str], table: dict[str, str]) -> set[str]:
    """The names of the files that literals of a table stand in."""
    return {stem for stem, text in table.items() if text in set(texts)}


@pytest.fixture
def schema(project: Project) -> dict[str, Any]:
    """What `tool config schema` prints."""
    printed: dict[str, Any] = json.loads(project.run("config", "schema").out)
    return printed


@pytest.mark.rule("Schema, `ToolConfig`")
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("found", "resolution", "exact"),
    sample(
        [
            ("reference", "nodenext", True),
            ("reference", "bundler", False),
            ("package", "nodenext", False),
            ("package", "bundler", True),
        ],
        1,
    ),
)
def test_tsc_says_what_the_table_says(
    project: Project, found: str, resolution: str, exact: bool
) -> None:
    """Strict `tsc` refuses exactly the wrong configurations, in whatever form they are written; it
    finds `tool` by a reference to the printed declaration and in the npm package.

    Every two of the options meet in a run. Beside the declaration it accepts the file that `tool
    init --format=ts` writes, and refuses it once a value is wrong.
    """
    written: tuple[str, ...] = ()
    if found == "package":
        shutil.copytree(NPM, project.root / "node_modules" / "tool")
    else:
        written = WRITTEN
        answers = ("--theme=harbour", "--exclude=blog", "--on-failure=fail", "--log-format=json")
        assert project.run("init", "--yes", "--format=ts", *answers).code == 0
        text = (project.root / written[0]).read_text(encoding="utf-8")
        project.write(written[1], text.replace('"fail"', '"fial"'))
        project.write("tool.d.ts", project.run("config", "types").out)
    for file, text in scripts(REFERENCE if found == "reference" else "").items():
        project.write(file, text)
    literals = (CONFIGS | PRESETS).items()
    wrong = stems(REFUSED, CONFIGS) | stems(PRESETS_REFUSED, PRESETS)
    assert refused_by_tsc(project.root, (*scripts(), *written), resolution, exact) == {
        *((f"{stem}: {text}", form) for stem, text in literals if stem in wrong for form in FORMS),
        *((file, "") for file in (SCRIPTS_REFUSED | ONLY_TYPE_REFUSES)),
        *((file, "") for file in written[1:]),
    }


@pytest.mark.rule("Schema, `ToolConfig`")
def test_validate_says_of_scripts_what_the_table_says(
    project: Project, thinned: Thinned[str]
) -> None:
    """`tool config validate` refuses exactly the scripts that are wrong."""
    texts = scripts()
    project.write("presets/mine.ts", "export default {};")
    files = {
        file: texts[file]
        for file in thinned([file for file in texts if Path(file).stem not in PRESETS], 10)
    }
    for file, text in files.items():
        project.write(file, text)
    wrong = {
        *(f"{stem}.ts" for stem in stems(REFUSED, CONFIGS)),
        *SCRIPTS_REFUSED,
        *ONLY_TOOL_REFUSES,
    }
    batches = partition_all(40, files)  # all scripts of a run share ten seconds
    assert {
        file for batch in batches for file in refused_by_tool(project, *batch)
    } == wrong & files.keys()


def test_validate_says_of_json_what_the_table_says(project: Project) -> None:
    """`tool config validate` refuses exactly the JSON files that are wrong."""
    project.write("presets/mine.ts", "export default {};")
    for stem, text in CONFIGS.items():
        project.write(f"{stem}.json", text)
    assert refused_by_tool(project, *(f"{stem}.json" for stem in CONFIGS)) == {
        f"{stem}.json" for stem in stems(REFUSED, CONFIGS)
    }


def test_validate_says_of_presets_what_the_table_says(project: Project) -> None:
    """A preset that chooses presets is wrong, as a script and as JSON; otherwise it is judged like
    a configuration.
    """
    files = {file: text for file, text in scripts().items() if Path(file).stem in PRESETS}
    files |= {f"{stem}.json": text for stem, text in PRESETS.items()}
    for file, text in files.items():
        project.write(file, text)
    project.write("tool.config.json", {"presets": [f"./{file}" for file in files]})
    assert refused_by_tool(project) == {
        f"{stem}.{suffix}" for stem in stems(PRESETS_REFUSED, PRESETS) for suffix in ("json", "ts")
    }


BEYOND_TYPES = {
    "an empty path": ('{"hooks": {"initScriptsDir": ""}}', True),
    "another": ('{"hooks": {"postScriptsDir": ""}}', True),
    "and the third": ('{"cache": {"file": ""}}', True),
    "the list of the layers below, twice": ('{"exclude": ["...", "..."]}', False),
    "a key twice, which a JSON Schema never sees": ('{"theme": "a", "theme": "b"}', False),
    "half a character": ('{"theme": "\\ud800"}', False),
}
"""What no type can refuse, and whether the JSON Schema does."""


def test_validate_refuses_json_that_a_schema_or_a_type_may_not(
    project: Project, schema: dict[str, Any]
) -> None:
    """The tool refuses some JSON that neither a schema nor a type can describe."""
    for name, (text, _) in BEYOND_TYPES.items():
        project.write(f"{name}.json", text)
    files = {f"{name}.json" for name in BEYOND_TYPES}
    assert refused_by_tool(project, *files) == files
    assert [refused_by_schema(schema, text) for text, _ in BEYOND_TYPES.values()] == [
        by_schema for _, by_schema in BEYOND_TYPES.values()
    ]


def test_a_schema_does_not_tell_a_preset_from_a_configuration(schema: dict[str, Any]) -> None:
    """The only JSON Schema is that of a configuration, so it accepts a preset that chooses
    presets.
    """
    assert {text for text in PRESETS_REFUSED if not refused_by_schema(schema, text)} == {
        text for text in PRESETS_REFUSED if "presets" in text
    }


def test_the_table_has_every_setting_right_and_wrong() -> None:
    """The table has each setting in an accepted configuration, and alone in a refused one."""

    def alone(texts: Iterable[str]) -> set[str]:
        given = (json.loads(text) for text in texts)
        return {
            ".".join((key, *inside)) if isinstance(value, dict) else key
            for data in given
            if isinstance(data, dict) and len(data) == 1
            for key, value in data.items()
            for inside in (
                [[name] for name in value] if isinstance(value, dict) and len(value) == 1 else [[]]
            )
        }

    settings = {setting.path for setting in SETTINGS}
    assert settings - alone(ACCEPTED) == set()
    assert settings - alone(REFUSED) == set()


def test_the_json_schema_is_valid_and_complete(schema: dict[str, Any]) -> None:
    """`tool config schema` is valid by draft-07, describes each key and has every default."""
    from jsonschema import Draft7Validator

    Draft7Validator.check_schema(schema)
    assert schema["$schema"] == Draft7Validator.META_SCHEMA["$id"]
    assert schema["$id"] == f"https://json.schemastore.org/tool-{VERSION}.json"
    top = schema["properties"]
    keys = {
        **top,
        **{f"{key}.{name}": of for key in OBJECTS for name, of in top[key]["properties"].items()},
    }
    assert {key: of.get("default") for key, of in keys.items() if of["description"]} == {
        "schema": VERSION,
        SHORTHAND: None,
        **{key: {} for key in OBJECTS},
        **{setting.path: json.loads(json.dumps(setting.default)) for setting in SETTINGS},
        "presets": None,
    }


def test_the_npm_package_can_be_published(tmp_path: Path) -> None:
    """`npm pack` takes the declaration, the helpers and the manifest, which has a name and a
    version, and nothing else.
    """
    shutil.copytree(NPM, tmp_path / "package")
    ran = subprocess.run(
        ["npm", "pack", "--dry-run", "--json", "--ignore-scripts"],
        cwd=tmp_path / "package",
        env={
            **os.environ,
            "npm_config_cache": str(tmp_path / "cache"),
            "npm_config_update_notifier": "false",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    (packed,) = json.loads(ran.stdout)
    manifest = json.loads((NPM / "package.json").read_text(encoding="utf-8"))
    assert packed["name"] == "tool"
    assert packed["version"] == manifest["version"]
    assert sorted(file["path"] for file in packed["files"]) == [
        "index.d.ts",
        "index.js",
        "package.json",
    ]
