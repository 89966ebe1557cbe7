"""The action for GitHub: its steps, run as the runner runs them (`docs/howto/git-and-ci.md`)."""

import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests.support.checkout import ROOT, copy_of_this, repository
from tests.support.forks import TOOL
from tests.support.github_actions import Job, Used, use

DROP = ROOT / "docs" / "quickstart" / "drop"


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A job in a checkout with the sample drop, whose temporary folder has an installation, as
    from the cache.
    """
    workspace, temp = tmp_path / "work", tmp_path / "temp"
    shutil.copytree(DROP, workspace / "shop" / "drop")
    repository(workspace, {"shop/tool.config.json": '{"theme": "harbour"}\n'})
    (temp / "tool-venv" / "bin").mkdir(parents=True)
    (temp / "tool-venv" / "bin" / "tool").symlink_to(TOOL)
    return Job(workspace, temp, tmp_path / "store")


def run(job: Job, **inputs: str) -> Used:
    """Use the action in the folder of the shop, without the cache of the service."""
    names = {name.replace("_", "-"): value for name, value in inputs.items()}
    return use(job, {"working-directory": "shop", "drop": "drop", "cache": "false", **names})


def test_a_build(job: Job) -> None:
    """A build outputs the project's path and whether anything changed; the log shows the preset
    `ci`.
    """
    built = run(job, output="out")
    assert not built.failed
    assert built.outputs == {
        "path": str(job.workspace / "shop" / "out"),
        "changed": "true",
        "exit-code": "0",
    }
    assert (job.workspace / "shop" / "out" / "modules" / "shop_banner").is_dir()
    assert "detects ci (CI)" in built.log
    assert built.annotations == []
    assert run(job, output="out").outputs["changed"] == "false"


@pytest.mark.integration
def test_a_check(job: Job) -> None:
    """A check fails with 80 and an annotation for each component that a build would change, until
    it is built.
    """
    checked = run(job, mode="check")
    assert checked.failed
    assert checked.outputs == {"path": "", "changed": "true", "exit-code": "80"}
    assert [(level, where["file"], where["code"]) for level, where, _ in checked.annotations] == [
        ("error", f"shop/{path}", "OutOfDate")
        for path in (
            "themes/harbour",
            "modules/shop_banner",
            "modules/shop_reviews",
            "modules/shop_sitemap",
        )
    ]
    assert not (job.workspace / "shop" / "modules").exists()
    assert not run(job).failed
    assert not run(job, mode="check").failed


@pytest.mark.integration
def test_what_the_record_says(job: Job) -> None:
    """A frozen build of another drop than the recorded one fails and changes nothing."""
    assert not run(job).failed
    (job.workspace / "shop" / "drop" / "shop_banner.zip").unlink()
    frozen = run(job, mode="frozen", annotate="false")
    assert (frozen.failed, frozen.annotations) == (True, [])
    assert frozen.outputs == {"path": "", "changed": "false", "exit-code": "80"}


@pytest.mark.integration
def test_arguments(job: Job) -> None:
    """Each line of `args` is one argument, whatever is in it except blanks around it; JSON logs are
    counted, too.
    """
    built = run(job, args="--exclude=shop_*\n\n--theme=none \n --log-format=json\n")
    assert built.outputs["changed"] == "false"
    assert '"value":["shop_*"],"layer":"flag"' in built.log
    assert run(job, args="--log-format=json").outputs["changed"] == "true"
    refused = run(job, args="--theme=$(touch x) `touch x`; touch x")
    assert refused.outputs["exit-code"] == "68"
    assert not (job.workspace / "shop" / "x").exists()


def test_a_place_that_is_no_file(job: Job) -> None:
    """A flag or a variable stays as it is in the log; only paths of files are named from the
    root.
    """
    refused = run(job, args="--on-failure=x")
    assert refused.outputs["exit-code"] == "64"
    assert "\n  --> --on-failure\n" in refused.log
    empty = run(job, args="--include=gone\n--cache-file=~/x")
    assert "shop/--" not in empty.log


def test_names_and_a_summary(job: Job) -> None:
    """Only the components that are named are built; the summary of the job has the log as text."""
    folder = job.workspace / "shop"
    (folder / "tool.config.json").write_text(
        '{"modules": {"exclude": ["<b>&*"]}}', encoding="utf-8"
    )
    assert not run(job, names=" shop_banner\n\nshop_sitemap\n").failed
    assert sorted(each.name for each in (folder / "modules").iterdir()) == [
        "shop_banner",
        "shop_sitemap",
    ]
    summary = (job.temp / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")
    assert summary.startswith("### tool: build, exit code 0\n<pre>\n")
    assert summary.endswith("</pre>\n")
    assert "&lt;b>&amp;*" in summary


@pytest.mark.integration
def test_hook_scripts_do_not_see_the_inputs(job: Job) -> None:
    """Hook scripts get no inputs as variables, as `OUTPUT` or `MODE` may mean something to them."""
    script = job.workspace / "shop" / "init-scripts" / "10.sh"
    script.parent.mkdir()
    names = ("MODE", "DROP", "NAMES", "OUTPUT", "ARGS", "ANNOTATE", "VENV")
    script.write_text(f"echo in {' '.join(f'${{{name}-none}}' for name in names)}\n")
    assert "10.sh: in none none none none none none none\n" in run(job).log


@pytest.mark.integration
def test_a_path_with_a_line_break(job: Job) -> None:
    """The name of a folder cannot set an output of its own."""
    built = run(job, output="out\nexit-code=7")
    assert built.outputs == {
        "path": f"{job.workspace}/shop/out\nexit-code=7",
        "changed": "true",
        "exit-code": "0",
    }


@pytest.mark.integration
def test_mistakes(job: Job) -> None:
    """A mistake in the configuration is annotated at its line; an unknown mode is an error of the
    workflow.
    """
    (job.workspace / "shop" / "tool.config.json").write_text('{"theme": 1}', encoding="utf-8")
    failed = run(job)
    assert failed.outputs == {"path": "", "changed": "false", "exit-code": "65"}
    assert [where for _, where, _ in failed.annotations] == [
        {
            "file": "shop/tool.config.json",
            "line": "1",
            "column": "11",
            "code": "SchemaValidationError",
        }
    ]
    unknown = run(job, mode="built")
    assert (unknown.failed, unknown.log.splitlines()[-1]) == (
        True,
        "::error title=tool::mode: expected build, check, frozen or install",
    )
    for quiet in ("--quiet", "-vq", "--quiet=true"):
        silent = run(job, args=f"--prune\n{quiet}")
        assert (silent.failed, silent.log.splitlines()[-1]) == (
            True,
            "::error title=tool::args: --quiet hides what the output changed is read from",
        )


@pytest.mark.integration
def test_the_command_for_later_steps(job: Job) -> None:
    """Only the command is put on the `PATH`; with `install`, nothing is run."""
    installed = run(job, mode="install")
    assert (installed.failed, installed.outputs) == (
        False,
        {"path": "", "changed": "", "exit-code": ""},
    )
    (folder,) = job.path
    assert [each.name for each in Path(folder).iterdir()] == ["tool"]
    assert (Path(folder) / "tool").resolve() == TOOL


def test_no_input_is_part_of_a_script() -> None:
    """Inputs reach scripts as variables: an expression in a script would be run as a part of it."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert [step["run"] for step in action["runs"]["steps"] if "${{" in step.get("run", "")] == []
    pinned = re.compile(r"actions/[\w-]+@[0-9a-f]{40}")
    assert all(pinned.fullmatch(step["uses"]) for step in action["runs"]["steps"] if "uses" in step)
    assert all(
        each["description"] for part in ("inputs", "outputs") for each in action[part].values()
    )


@pytest.mark.integration
def test_installed_and_cached(tmp_path: Path) -> None:
    """The first job installs the code of the action, the next one restores it from the cache, and
    both build.
    """
    store, source = tmp_path / "store", tmp_path / "source"
    copy_of_this(source)
    temp = tmp_path / "temp"
    logs = []
    for number in (1, 2):
        temp.mkdir()
        workspace = tmp_path / f"work-{number}"
        shutil.copytree(DROP, workspace / "drop")
        job = Job(workspace, temp, store, source)
        built = use(job, {"drop": "drop"})
        assert built.outputs == {"path": str(workspace), "changed": "true", "exit-code": "0"}
        logs.append(built.log)
        shutil.rmtree(temp)
    assert "tool-venv/bin/tool: No such file or directory" in logs[0]
    assert logs[1].startswith("1.0.0\n")
    assert len(list(store.iterdir())) == 1


@pytest.mark.integration
def test_the_workflows_of_the_page(job: Job) -> None:
    """The workflows of the page use inputs of the action, and do what the page says, in a checkout
    with a record.
    """
    page = (ROOT / "docs" / "howto" / "git-and-ci.md").read_text(encoding="utf-8")
    workflows = map(
        yaml.safe_load,
        re.findall(r"^```yaml \.github/\S+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL),
    )
    steps = [step for each in workflows for part in each["jobs"].values() for step in part["steps"]]
    used = [step["with"] for step in steps if step.get("uses") == "OWNER/tool@v1"]
    assert used == [{"drop": "drop", "mode": "frozen"}]
    assert not run(job).failed
    shutil.rmtree(job.workspace / "shop" / "modules")
    frozen, installed = (
        use(job, {"working-directory": "shop", **inputs}) for inputs in (*used, {"mode": "install"})
    )
    assert frozen.outputs == {
        "path": str(job.workspace / "shop"),
        "changed": "true",
        "exit-code": "0",
    }
    assert (installed.failed, installed.outputs["exit-code"]) == (False, "")
