"""`tool init` without a terminal: seven questions, seven answers, one file
(`docs/configuration.md`).
"""

import fcntl
import json
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from io_edges.cli.init import InitFlags
from io_edges.cli.init import init as write_configuration
from io_edges.report.console import Console
from io_edges.system import whole_file
from io_edges.system.stop import Stop
from pipeline.init.declaration import ambient_declaration
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.schema import SETTINGS
from tests.support.configured import configured
from tests.support.forks import TOOL, Forks
from tests.support.project import Project, Ran

ELSEWHERE = "to write it in TypeScript"
PROMPTS = [
    "Theme (default auto)",
    "Modules to leave out (default [])",
    "Presets (default auto)",
    "Folders of local presets (default [])",
    "When a hook script fails (default continue)",
    "Cache file (default .tool-cache.json)",
    "Log format (default text)",
]
ANSWERS = "harbour\nshop_*, blog\nci, ./p.json\npresets\nfail\nc.json\njson\n"
ANSWERED = {
    "schema": 1,
    "theme": "harbour",
    "modules": {"exclude": ["shop_*", "blog"]},
    "presets": ["ci", "./p.json"],
    "presetsSearchPath": ["presets"],
    "hooks": {"onFailure": "fail"},
    "cache": {"file": "c.json"},
    "log": {"format": "json"},
}
FLAGS = (
    *("--theme=harbour", "--exclude=shop_*", "--exclude=blog", "--preset=ci", "--preset=./p.json"),
    *(
        "--presets-search-path=presets",
        "--on-failure=fail",
        "--cache-file=c.json",
        "--log-format=json",
    ),
)
FILES = {"json": "tool.config.json", "ts": "tool.config.ts"}


def init(
    project: Project,
    *args: str,
    typed: str | bytes = "\n" * 7,
    cwd: str = ".",
    env: Mapping[str, str] | None = None,
) -> Ran:
    """Run `tool init` with lines on standard input."""
    return project.run(
        "init", *args, typed=typed, cwd=cwd, env={"LC_ALL": "C.UTF-8", **(env or {})}
    )


def files(project: Project) -> dict[str, str]:
    """The files at the top of the project."""
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in project.root.iterdir()
        if path.is_file()
    }


def settings(project: Project) -> dict[str, object]:
    """The values that the configuration sets, by the path of the setting."""
    return configured(project.root)


@pytest.mark.rule("Surface, `init`", "Surface, `init`, JSON")
def test_seven_times_nothing(project: Project) -> None:
    """Seven empty answers write a minimal file; each question is one line, and standard output only
    has the path.

    A file that is in the way the next time is reported before anything is asked.
    """
    ran = init(project)
    asked = [line.partition(": ")[0] for line in ran.err.splitlines()]
    assert ran.code == 0
    assert ran.out == f"{project.root}/tool.config.json\n"
    assert files(project) == {"tool.config.json": '{\n  "schema": 1\n}\n'}
    assert asked == [*PROMPTS, "wrote tool.config.json", ELSEWHERE, "next"]
    assert project.run("config", "validate").out == "tool.config.json: valid\n"
    again = init(project)
    assert (again.code, "(default" in again.err) == (73, False)


@pytest.mark.rule("Surface, `init`", "Surface, `init`, JSON")
@pytest.mark.parametrize("form", FILES)
def test_seven_answers(project: Project, form: str) -> None:
    """Answers are written as they were given, in every format, and are read back."""
    project.write("p.json", {})
    ran = init(project, f"--format={form}", typed=ANSWERS)
    assert ran.code == 0
    assert ran.out == f"{project.root}/{FILES[form]}\n"
    assert settings(project) == {
        "theme": "harbour",
        "modules.exclude": ["shop_*", "blog"],
        "presets": ["ci", "./p.json"],
        "presetsSearchPath": ["presets"],
        "hooks.onFailure": "fail",
        "cache.file": "c.json",
        "log.format": "json",
    }


@pytest.mark.rule("Surface, `init`, flags")
def test_flags_answer(project: Project) -> None:
    """A flag answers its question, which is then not asked; with all seven flags nothing is asked,
    and no input is needed.
    """
    project.write("p.json", {})
    ran = init(project, *FLAGS, typed="")
    assert ran.code == 0
    assert ran.events == []
    assert json.loads(files(project)["tool.config.json"]) == ANSWERED
    assert list(ANSWERED) == ["schema", *dict.fromkeys(setting.keys[0] for setting in SETTINGS)]
    (project.root / "tool.config.json").unlink()
    some = init(project, "--theme=none", "--preset=[]", typed="\n\nfail\n\n\n")
    assert [line.partition(" (")[0] for line in some.err.splitlines()[:5]] == [
        "Modules to leave out",
        *("Folders of local presets", "When a hook script fails", "Cache file", "Log format"),
    ]
    assert settings(project) == {"theme": "none", "presets": [], "hooks.onFailure": "fail"}


@pytest.mark.rule("Surface, `init`, flags")
def test_yes_asks_nothing(project: Project) -> None:
    """`--yes` takes the default of what no flag answers, and reads nothing."""
    ran = init(project, "--yes", "--exclude=a", typed=ANSWERS)
    assert ran.code == 0
    assert ran.err.splitlines()[0] == "wrote tool.config.json"
    assert settings(project) == {"modules.exclude": ["a"]}


@pytest.mark.rule("Surface, `init`, nothing is lost")
@pytest.mark.parametrize("lines", [0, 3])
def test_answers_that_end_too_early(project: Project, lines: int) -> None:
    """Input that ends before the seventh answer ends the run with 64, names the flag and `--yes`,
    and nothing is written.
    """
    ran = init(project, typed="\n" * lines)
    assert ran.code == 64
    assert ran.out == ""
    assert files(project) == {}
    assert "or --yes to take the defaults" in ran.err.splitlines()[-2]
    asked = [line for line in ran.err.splitlines() if "(default" in line]
    assert len(asked) == lines + 1


def test_a_closed_input(project: Project) -> None:
    """A closed standard input counts as one that has ended."""
    script = '"$0" init {}; exit $?'
    for redirect in ("<&-", "<&- 2>&- >&-"):
        done = subprocess.run(
            ["bash", "-c", script.format(redirect), TOOL],
            cwd=project.root,
            env={"PATH": os.environ["PATH"]},
            check=False,
        )
        assert done.returncode == 64
        assert files(project) == {}


def test_an_interrupt(project: Project) -> None:
    """An interrupt while an answer is awaited ends the run with 130, and nothing is written."""
    with subprocess.Popen(
        [TOOL, "init"],
        cwd=project.root,
        env={"PATH": os.environ["PATH"]},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith(b"Theme (default auto)")
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 130
    assert rest == b"interrupted: nothing was written\n"
    assert files(project) == {}


def test_the_last_answer_needs_no_line_end(project: Project) -> None:
    """The seventh answer may end with the input; line ends of another system and a byte order mark
    do no harm.
    """
    assert init(project, typed="\ufeffnone" + "\r\n" * 6 + "json").code == 0
    assert settings(project) == {"theme": "none", "log.format": "json"}
    assert init(project, "--force", typed="\n" * 100).code == 0


@pytest.mark.rule("Surface, `init`, nothing is lost")
@pytest.mark.parametrize(
    ("typed", "path", "line", "words"),
    [
        (
            "nosuch\n",
            "theme",
            1,
            ("no theme `nosuch`; the drop has `harbour`", "Theme: auto takes"),
        ),
        ("\n\n./no.ts\n", "presets", 3, ("there is no file `./no.ts`", "Presets: auto detects")),
        (
            "\n\n\n\nfial",
            "hooks.onFailure",
            5,
            ("expected `continue` or `fail`, found `fial`", "When a hook script"),
        ),
    ],
)
def test_a_wrong_answer(
    project: Project, typed: str, path: str, line: int, words: tuple[str, str]
) -> None:
    """A wrong answer ends the run with 64 at its question, in the words of the prompt, and nothing
    is written.
    """
    project.theme("harbour", "drop/harbour.zip")
    ran = init(project, "drop", "--log-format=json", typed=typed)
    (error,) = ran.reported("error")
    assert (ran.code, error["error"], error["path"]) == (64, "UsageError", path)
    assert error["source"] == f"standard input:{line}:1"
    assert error["message"].startswith(f"{path}: {words[0]}")
    assert error["help"].startswith(words[1])
    assert files(project) == {}


def test_an_answer_that_is_too_long(project: Project) -> None:
    """A line of more than 1 MiB is not an answer."""
    ran = init(project, typed="a" * (1024 * 1024 + 1))
    assert ran.code == 65
    assert ran.err.splitlines()[-3] == "error: ConfigSyntaxError: more than 1,048,576 bytes"
    assert files(project) == {}


def test_themes_and_modules_of_the_drop_are_named(project: Project) -> None:
    """The questions name the themes and modules of the drop; a damaged archive is left out."""
    project.theme("harbour", "drop/harbour.zip")
    project.module("blog", "drop/modules/blog.zip")
    project.write("drop/broken.zip", "no archive")
    theme, modules, *others = init(project, "drop").err.splitlines()
    assert theme.endswith("; in the drop: harbour")
    assert modules.endswith("; in the drop: blog")
    assert "in the drop" not in " ".join(others)
    assert others[-1] == "next: `tool create drop --dry-run` shows what would be built"


FORMS = {
    "tool.config.ts": 'export default { theme: "none", hooks: { initScriptsDir: "x" } };\n',
    "tool.config.js": (
        'module.exports = { theme: ["no", "ne"].join(""), hooks: { initScriptsDir: "x" } };\n'
    ),
    "tool.config.json": '{"theme": "none", "hooks": {"initScriptsDir": "x"}}',
    "package.json": '{"name": "shop", "tool": {"theme": "none", "hooks": {"initScriptsDir": "x"}}}',
}


@pytest.mark.rule("Surface, `init`, nothing is lost")
@pytest.mark.parametrize(
    ("there", "form"), [*zip(FORMS, ("json", "ts", "ts", "json"), strict=True)]
)
def test_a_configuration_is_converted(project: Project, there: str, form: str) -> None:
    """A configuration in any format ends the run with 73; with `--force`, its values are rewritten
    and the original is kept.
    """
    project.write(there, FORMS[there])
    before = files(project)
    refused = init(project, "--yes", f"--format={form}")
    assert (refused.code, files(project)) == (73, before)
    assert refused.err.splitlines()[0].startswith(f"error: OutputConflict: `{there}` already ")
    ran = init(project, "--yes", f"--format={form}", "--force")
    after = files(project)
    assert ran.code == 0
    assert settings(project) == {"theme": "none", "hooks.initScriptsDir": "x"}
    kept = there if there == "package.json" else f"{there}.bak"
    assert after.pop(kept) == FORMS[there]
    assert {*after} == {FILES[form], *(("tool.d.ts",) if form == "ts" else ())}
    said = (
        "is used, not `package.json`"
        if there == "package.json"
        else f"the original is kept in `{kept}`"
    )
    assert [said in warning for warning in warnings(ran)] == [True]


def test_what_a_script_computes_is_written_as_its_value(project: Project) -> None:
    """Computed values of a script are written as constants, and a warning says so."""
    project.write(
        "tool.config.ts", "export default () => ({ exclude: [1, 2].map((each) => `m${each}`) });\n"
    )
    ran = init(project, "--yes", "--force")
    assert "`tool.config.ts` is a script: each value is written as what it evaluates to" in ran.err
    assert settings(project) == {"modules.exclude": ["m1", "m2"]}


def test_every_form_in_the_folder_makes_way(project: Project) -> None:
    """All other configurations in the folder are moved away, so that none shadows another, and no
    backup is overwritten.
    """
    for name, text in FORMS.items():
        project.write(name, text)
    project.write(".tool.json", '{"themeName": "old"}')
    project.write("tool.config.json.bak", "an earlier one")
    assert init(project, "--yes", "--force").code == 0
    assert {*files(project)} == {
        *("tool.config.json", "tool.config.json.bak", "tool.config.json.bak.2", "package.json"),
        *("tool.config.ts.bak", "tool.config.js.bak", ".tool.json.0x.bak"),
    }
    assert files(project)["tool.config.json.bak"] == "an earlier one"
    assert files(project)["tool.config.json.bak.2"] == FORMS["tool.config.json"]
    assert settings(project) == {"theme": "none", "hooks.initScriptsDir": "x"}


def test_what_is_as_it_would_be_written_stays(project: Project) -> None:
    """A file that would not change gets no backup; a replaced file keeps its mode, and a warning
    names its backup.
    """
    assert init(project, "--yes", "--theme=none").code == 0
    (project.root / "tool.config.json").chmod(0o600)
    again = init(project, "--yes", "--force")
    assert again.err.splitlines()[0] == "tool.config.json is unchanged"
    assert [*files(project)] == ["tool.config.json"]
    replaced = init(project, "--yes", "--force", "--theme=auto")
    assert replaced.code == 0
    assert ["`tool.config.json.bak`" in warning for warning in warnings(replaced)] == [True]
    modes = {
        (project.root / name).stat().st_mode & 0o777
        for name in ("tool.config.json", "tool.config.json.bak")
    }
    assert modes == {0o600}


@pytest.mark.parametrize(
    ("there", "text", "code"),
    [
        ("tool.config.ts", "throw new Error('no');", 65),
        ("tool.config.json", '{"theme": 1}', 65),
        (".tool.json", "{", 65),
        ("package.json", "{", 65),
    ],
)
def test_a_configuration_that_cannot_be_read(
    project: Project, there: str, text: str, code: int
) -> None:
    """`tool init` ends with the error of a broken configuration; with `--force` it uses the
    built-in defaults and says so.
    """
    project.write(there, text)
    forced = init(project, "--yes", "--force", env={"TOOL_LOG_FORMAT": "json"})
    assert forced.code == 0
    unread = [each for each in forced.reported("warning") if each["code"] == "unread-config"]
    assert [(each["source"].partition(":")[0], each["help"]) for each in unread] == [
        (there, "the built-in defaults are used")
    ]
    assert files(project)["tool.config.json"] == '{\n  "schema": 1\n}\n'
    if there in {".tool.json", "package.json"}:
        (project.root / "tool.config.json").unlink()
        project.write(there, text)
        assert init(project, "--yes").code == code


def test_a_script_that_may_not_run(project: Project) -> None:
    """With `--no-exec`, a configuration that is a script ends the run with 65, even with `--force`,
    and nothing changes.
    """
    project.write("tool.config.ts", FORMS["tool.config.ts"])
    before = files(project)
    for how in ({"TOOL_NO_EXEC": "1"}, {}):
        ran = init(project, "--yes", "--force", *(() if how else ("--no-exec",)), env=how)
        assert (ran.code, files(project)) == (65, before)


def test_what_is_no_file_is_left_alone(project: Project) -> None:
    """A folder in the place of the file is never touched; a broken link is moved away like a
    configuration.
    """
    (project.root / "tool.config.json").mkdir()
    for args in ((), ("--force",)):
        ran = init(project, *args)
        assert ran.code == 73
        assert ran.err.splitlines()[0] == "error: OutputConflict: `tool.config.json` is not a file"
    (project.root / "tool.config.json").rmdir()
    (project.root / "tool.config.json").symlink_to("kept/config.json")
    assert init(project, "--yes").code == 73
    forced = init(project, "--yes", "--force")
    assert (forced.code, settings(project)) == (0, {})
    assert (project.root / "tool.config.json.bak").readlink() == Path("kept/config.json")


def test_what_to_run_next_can_be_run(project: Project) -> None:
    """In the suggested command, a drop whose name looks like a flag is written so that it is not
    one.
    """
    (project.root / "-d").mkdir()
    ran = init(project, "--yes", "--", "-d")
    assert ran.code == 0
    assert (
        ran.err.splitlines()[-1] == "next: `tool create ./-d --dry-run` shows what would be built"
    )
    assert project.run("create", "./-d", "--dry-run").code == 0


def test_the_declaration(project: Project) -> None:
    """With `ts`, the declaration of the types is written as well; a different one that exists is a
    conflict.
    """
    project.write("tool.d.ts", ambient_declaration())
    assert init(project, "--format=ts").code == 0
    assert sorted(files(project)) == ["tool.config.ts", "tool.d.ts"]
    project.write("tool.d.ts", "mine")
    (project.root / "tool.config.ts").unlink()
    ran = init(project, "--format=ts")
    assert ran.code == 73
    assert "`tool.d.ts` already exists" in ran.err
    assert sorted(files(project)) == ["tool.d.ts"]
    assert init(project, "--format=ts", "--force").code == 0
    assert files(project)["tool.d.ts"] == ambient_declaration()
    assert files(project)["tool.d.ts.bak"] == "mine"


def warnings(ran: Ran) -> list[str]:
    """The warnings as text."""
    return [
        line.removeprefix("warning: ")
        for line in ran.err.splitlines()
        if line.startswith("warning: ")
    ]


LEGACY = {
    "version": "0.6.2",
    "themeName": "none",
    "excludeModules": ["a, b", "c"],
    "modules": ["d"],
    "cache": True,
    "initScripts": "up",
    "cacheFile": ".tool-cache.json",
}


@pytest.mark.rule("Versioning, rule 3, lifted")
def test_the_0x_file_is_the_default(project: Project) -> None:
    """The defaults of the answers are the values of the 0.x file; its other settings are kept."""
    project.write(".tool.json", LEGACY)
    ran = init(project)
    assert json.loads(files(project)["tool.config.json"]) == {
        "schema": 1,
        "theme": "none",
        "modules": {"include": ["d"], "exclude": ["a, b", "c"]},
        "hooks": {"initScriptsDir": "up"},
        "cache": {"file": ".tool-cache.json", "enabled": True},
    }
    asked = [line.partition(": ")[0] for line in ran.err.splitlines() if "(default" in line]
    assert asked[:3] == [
        "Theme (default none)",
        'Modules to leave out (default ["a, b","c"])',
        PROMPTS[2],
    ]
    assert (
        warnings(ran)[-1]
        == "`.tool.json` was replaced; the original is kept in `.tool.json.0x.bak`"
    )
    assert {*files(project)} == {"tool.config.json", ".tool.json.0x.bak"}
    assert files(project)[".tool.json.0x.bak"] == json.dumps(LEGACY)


def test_what_lies_above_gives_no_default(project: Project) -> None:
    """The defaults come from this folder alone; a warning reports that a file above
    becomes hidden.
    """
    project.write("tool.config.json", {"theme": "above", "cache": {"file": "c"}})
    project.write("app/.tool.json", {"themeName": "below", "initScripts": "up"})
    ran = init(project, "--yes", cwd="app")
    assert json.loads((project.root / "app/tool.config.json").read_text()) == {
        "schema": 1,
        "theme": "below",
        "hooks": {"initScriptsDir": "up"},
    }
    assert sorted(path.name for path in (project.root / "app").iterdir()) == [
        ".tool.json.0x.bak",
        "tool.config.json",
    ]
    assert warnings(ran)[-1] == "`tool.config.json` is used, not `../tool.config.json`"
    project.write("other/x", "")
    assert init(project, "--yes", cwd="other").code == 0
    assert json.loads((project.root / "other/tool.config.json").read_text()) == {"schema": 1}


@pytest.mark.parametrize(
    ("preset", "code", "place"), [("p.json", 65, "p.json:1:11"), ("q.ts", 67, "--preset")]
)
def test_a_preset_that_cannot_be_read(project: Project, preset: str, code: int, place: str) -> None:
    """A flag with an invalid or missing preset ends the run before anything is asked."""
    project.write("p.json", {"theme": 1})
    ran = init(project, f"--preset=./{preset}", typed="")
    assert (ran.code, ran.err.splitlines()[1]) == (code, f"  --> {place}")
    assert "(default" not in ran.err
    assert sorted(files(project)) == ["p.json"]


def test_a_broken_file_above(project: Project) -> None:
    """A `package.json` above that is not JSON does not matter, as the new file ends the search."""
    project.write("package.json", "{")
    project.write("app/package.json", "{}")
    assert init(project, "--format=ts", "--yes", cwd="app").code == 0
    assert configured(project.root / "app") == {}


@pytest.mark.parametrize("how", [("--quiet",), ("--log-format=json",)])
def test_nothing_is_said(project: Project, how: tuple[str, ...]) -> None:
    """With `--quiet` or a JSON log, the questions are not shown, but the answers are read."""
    ran = init(project, *how, typed="none\n" + "\n" * 6)
    assert ran.code == 0
    assert [line for line in ran.err.splitlines() if '"event":"start"' not in line] == []
    assert settings(project)["theme"] == "none"


@pytest.mark.parametrize(
    "there", [{}, {"tool.config.ts": FORMS["tool.config.ts"], "tool.d.ts": "my own"}]
)
def test_what_the_system_refuses(forks: Forks, project: Project, there: dict[str, str]) -> None:
    """Whatever call is refused, the run ends with 74, the configuration is as before, and no
    content is lost.
    """
    number, refused = 1, 0
    while True:
        for name in {*files(project), *there}:
            project.write(name, there.get(name, "")) if name in there else (
                project.root / name
            ).unlink()
        ran = forks.run(
            project.root,
            "init",
            "--yes",
            "--force",
            "--format=ts",
            number=number,
            way="ENOSPC",
            renameat2=not there,
        )
        if not ran.broken:
            break
        if ran.code:
            left = files(project)
            assert ran.code == 74, ran.broken
            assert left.get("tool.config.ts") == there.get("tool.config.ts"), ran.broken
            assert {*there.values()} <= {*left.values()}, ran.broken
            assert {*left} <= {*there, "tool.d.ts", "tool.d.ts.bak"}, ran.broken
            error = json.loads(ran.err.splitlines()[-1])
            assert error["message"].endswith("no space left on device")
        number, refused = number + 1, refused + bool(ran.code)
    assert refused == (16 if there else 8)


@pytest.mark.parametrize(
    ("env", "code", "said"),
    [
        (
            {"TOOL_LOG_FORMAT": "xml"},
            65,
            "SchemaValidationError: log.format: expected `text` or `json`, found `xml`",
        ),
        ({"TOOL_LOG_FORMT": "json"}, 0, "TOOL_LOG_FORMT"),
    ],
)
def test_a_bad_variable(project: Project, env: Mapping[str, str], code: int, said: str) -> None:
    """An invalid variable is refused as in every command, and a misspelt one is a warning, before
    anything is asked.
    """
    ran = init(project, env=env)
    first = ran.err.splitlines()[0]
    assert ran.code == code
    assert said in first
    assert first.partition(":")[0] == ("error" if code else "warning")
    assert ("tool.config.json" in files(project)) == (not code)


@pytest.mark.parametrize(
    ("there", "force", "call"),
    [("old", True, "write_whole"), (None, True, "rename_to_new"), (None, False, "rename_to_new")],
)
def test_what_changes_during_the_run(
    project: Project, monkeypatch: pytest.MonkeyPatch, there: str | None, force: bool, call: str
) -> None:
    """A file that changes or appears just before it would be written is the user's: it stays, and
    no backup is made.
    """
    if there:
        project.write("tool.config.json", there)
    monkeypatch.chdir(project.root)
    real = getattr(whole_file, call)

    def change(*args: object, **how: object) -> object:
        project.write("tool.config.json", "theirs")
        return real(*args, **how)

    monkeypatch.setattr(whole_file, call, change)
    with pytest.raises(Stop) as stopped:
        write_configuration(flags=InitFlags(yes=True, force=force), console=Console())
    assert stopped.value.errors == (OutputConflict("tool.config.json", reason="changed"),)
    assert files(project) == {"tool.config.json": "theirs"}


def test_a_lock_is_not_waited_for(project: Project) -> None:
    """A configuration that another program has locked is replaced without waiting."""
    with project.write("tool.config.json", "old").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert init(project, "--yes", "--force").code == 0


def test_the_library_of_prompts_is_not_loaded(project: Project) -> None:
    """Without a terminal, the library of prompts is not loaded."""
    code = (
        "import sys; sys.argv = ['tool', 'init']; from io_edges.cli.main import main; main(); "
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [TOOL.with_name("python"), "-c", code],
        cwd=project.root,
        input="\n" * 7,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = done.stdout.split()
    assert "msgspec" in loaded
    assert {"questionary", "prompt_toolkit"} & {*loaded} == set()
