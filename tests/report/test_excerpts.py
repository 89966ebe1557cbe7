"""The line that an error shows: only lines of a loaded configuration are shown."""

from pathlib import Path

import pytest

from io_edges.report.excerpts import Excerpts
from pipeline.report.layout import PIPE, Screen
from pipeline.report.location import Location
from tests.support.project import Project

SECRET = "hunter2"
FORGED = (
    "const e: any = new Error('no'); e.stack = `Error: no\\n    at file://{path}:1:1`; throw e;"
)


@pytest.fixture
def secrets(project: Project) -> Path:
    """Beside the project, files that are none of its business; in it, links to them and a file
    with a password.
    """
    outside = project.root.parent / "outside"
    outside.mkdir()
    (outside / "shadow").write_text(f"root:{SECRET}:1:1\n")
    (outside / "keys.json").write_text(f'{{"{SECRET}": 1, "a": "{SECRET}"}}\n')
    (outside / "list.json").write_text(f'["{SECRET}"]\n')
    (outside / "secret.ts").write_text(f"const {SECRET} = ;\n")
    (project.root / "link.json").symlink_to(outside / "shadow")
    (project.root / "link.ts").symlink_to(outside / "secret.ts")
    (project.root / ".env").write_text(f"PASSWORD={SECRET}\n")
    return outside


@pytest.mark.parametrize(
    "path",
    [
        "{project}/link.json",
        "/proc/self/environ",
        "{project}/" + "a" * 5000,
        "{project}/../outside/shadow.hooked.mjs",
    ],
)
@pytest.mark.usefixtures("secrets")
def test_no_file_that_a_script_names(project: Project, secrets: Path, path: str) -> None:
    """If a script makes up the file of an error, no line of that file is shown."""
    path = path.replace("{project}", str(project.root)).replace("{outside}", str(secrets))
    project.write("tool.config.ts", FORGED.replace("{path}", path) + "\nexport default {};\n")
    run = project.run("config", "show", env={"HUNTER": SECRET})
    assert run.code == 65
    assert SECRET not in run.err
    assert "| root" not in run.err


@pytest.mark.parametrize(
    "preset",
    [
        "{outside}/shadow",
        "{outside}/keys.json",
        "{outside}/list.json",
        "./link.json",
        "./link.ts",
        "./.env",
    ],
)
def test_no_file_that_a_configuration_calls_a_preset(
    project: Project, secrets: Path, preset: str
) -> None:
    """No line is shown of a preset outside the project, or of a file that is not a preset."""
    project.write("tool.config.json", {"presets": [preset.replace("{outside}", str(secrets))]})
    run = project.run("config", "validate")
    lines = [line for line in run.err.splitlines() if SECRET in line]
    assert run.code == 65
    assert [
        line for line in lines if not line.startswith("error: SchemaValidationError: hunter2:")
    ] == []


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("tool.config.json", "shadow"),
        ("tool.config.json", "keys.json"),
        ("tool.config.ts", "secret.ts"),
        ("package.json", "list.json"),
        (".tool.json", "keys.json"),
    ],
)
def test_no_file_that_a_configuration_is_a_link_to(
    project: Project, secrets: Path, name: str, target: str
) -> None:
    """No line is shown of a configuration that is a link out of the project."""
    (project.root / name).symlink_to(secrets / target)
    run = project.run("config", "validate")
    assert [line for line in run.err.splitlines() if " | " in line] == []


def test_a_file_that_the_user_names_is_quoted_if_it_looks_like_a_configuration(
    project: Project, secrets: Path
) -> None:
    """A line of a file outside the project is shown if the user named the file and it begins like a
    configuration.
    """
    quoted = [
        [line for line in run.err.splitlines() if line.startswith(" 1 | ")]
        for run in (
            project.run("config", "validate", str(secrets / name))
            for name in ("keys.json", "shadow")
        )
    ]
    line = f' 1 | {{"{SECRET}": 1, "a": "{SECRET}"}}'
    assert quoted == [[line, line], []]


@pytest.mark.parametrize(
    ("files", "line"),
    [
        ({"tool.config.json": '{"theme": 1}'}, ' 1 | {"theme": 1}'),
        ({"tool.config.json": '\ufeff {"theme" 1}'}, ' 1 |  {"theme" 1}'),
        ({"tool.config.ts": "export default { theme: 1 }"}, " 1 | export default { theme: 1 }"),
        ({"tool.config.ts": "export default { theme: }"}, " 1 | export default { theme: }"),
        ({"package.json": '{"tool": {"theme": 1}}'}, ' 1 | {"tool": {"theme": 1}}'),
        (
            {"tool.config.json": '{"presets": ["./p/../a.json"]}', "a.json": '{"a": 1}', "p/x": ""},
            ' 1 | {"a": 1}',
        ),
    ],
)
def test_the_line_of_a_configuration(project: Project, files: dict[str, str], line: str) -> None:
    """The line of a configuration or preset of the project is shown, whatever is wrong with it."""
    for name, text in files.items():
        project.write(name, text)
    assert [
        each
        for each in project.run("config", "validate").err.splitlines()
        if each.startswith(" 1 | ")
    ] == [line]


@pytest.mark.parametrize(
    ("screen", "lines"),
    [
        (PIPE, ("   |", f" 2 | {'a' * 50}!{'b' * 49}", f"   | {' ' * 50}^")),
        (Screen(120), ("   |", f" 2 | {'a' * 50}!{'b' * 49}", f"   | {' ' * 50}^")),
        (Screen(65), ("   |", f" 2 | …{'a' * 39}!{'b' * 18}…", f"   | {' ' * 40}^")),
        (Screen(20), ("   |", f" 2 | …{'a' * 9}!{'b' * 3}…", f"   | {' ' * 10}^")),
        (Screen(accessible=True), (f"  the line reads: {'a' * 50}!{'b' * 49}",)),
    ],
)
def test_an_excerpt_fits_the_screen(screen: Screen, lines: tuple[str, ...]) -> None:
    """Of a line that is too wide, the part around the position is shown, with signs where it is
    cut; read aloud, it has no caret.
    """
    excerpts = Excerpts()
    excerpts.add("c.json", f"{{\n{'a' * 50}!{'b' * 49}\n}}".encode())
    assert excerpts.at(Location("./c.json", 2, 51), screen) == lines


def test_an_excerpt_with_wide_characters() -> None:
    """The caret is under the position even if characters take two columns; then fewer of them are
    shown.
    """
    excerpts = Excerpts()
    excerpts.add("c.json", f"{'日' * 20}!{'本' * 20}".encode())
    assert excerpts.at(Location("c.json", 1, 21), Screen(35)) == (
        "   |",
        f" 1 | …{'日' * 9}!{'本' * 3}…",
        f"   | {' ' * 19}^",
    )


def test_a_hundred_characters_of_a_line() -> None:
    """Of a line of more than a hundred characters, a hundred are shown, the last as a sign that it
    goes on.
    """
    excerpts = Excerpts()
    excerpts.add("c.json", b"a" * 101)
    assert excerpts.at(Location("c.json", 1, 1), PIPE)[1] == f" 1 | {'a' * 99}…"
