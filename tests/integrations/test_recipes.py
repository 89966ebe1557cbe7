"""The recipes of `docs/howto/recipes.md` run as they stand, with the programs that they need."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.forks import TOOL

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/howto/recipes.md").read_text(encoding="utf-8")
QUICKSTART = ROOT / "docs/quickstart"

pytestmark = pytest.mark.integration


def scripts(heading: str) -> str:
    """The shell blocks of a section, one after the other."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert section, f"the page has no section {heading}"
    return "\n".join(re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL))


def run(heading: str, folder: Path, *programs: str, **variables: str) -> str:
    """Run the script of a section in a folder, which has to succeed, and return its
    standard output.
    """
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    environ = {
        **os.environ,
        "PATH": f"{TOOL.parent}:{os.environ['PATH']}",
        "COMPOSER_ALLOW_SUPERUSER": "1",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", scripts(heading)],
        cwd=folder,
        env={**environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project that was built from the drop of the quick start."""
    shutil.copytree(QUICKSTART / "drop", tmp_path / "drop")
    subprocess.run([TOOL, "create", "drop", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path


def test_archives_are_fetched_and_checked(tmp_path: Path) -> None:
    """The listed archives are fetched and built; one with other bytes stops the script before
    anything is built.
    """
    drop = QUICKSTART / "drop"
    names = sorted(path.name for path in drop.iterdir())
    listed = subprocess.run(
        ["sha256sum", *names], cwd=drop, capture_output=True, text=True, check=True
    ).stdout
    (tmp_path / "archives.sha256").write_text(listed, encoding="utf-8")
    run("Fetch the archives, and check them", tmp_path, "curl", ARCHIVES=drop.as_uri())
    assert sorted(path.name for path in (tmp_path / "modules").iterdir()) == [
        "shop_banner",
        "shop_reviews",
        "shop_sitemap",
    ]
    shutil.rmtree(tmp_path / "modules")
    other = re.sub("^.{8}", "01234567", listed, flags=re.MULTILINE)
    (tmp_path / "archives.sha256").write_text(other, encoding="utf-8")
    with pytest.raises(AssertionError, match="did NOT match"):
        run("Fetch the archives, and check them", tmp_path, "curl", ARCHIVES=drop.as_uri())
    assert not (tmp_path / "modules").exists()


def test_the_table_of_sites(tmp_path: Path) -> None:
    """Each component of each site is a line with its version and the site."""
    for site, drop in (("north", "drop"), ("south", "update")):
        command: list[str | Path] = [
            TOOL,
            "create",
            QUICKSTART / drop,
            "shop_banner",
            f"--output=sites/{site}",
            "--quiet",
        ]
        subprocess.run(command, cwd=tmp_path, check=True)
    table = run("One table of many sites", tmp_path, "jq")
    assert table == "modules/shop_banner\t1.4.2\tnorth\nmodules/shop_banner\t1.5.0\tsouth\n"


def test_the_bill_of_materials(shop: Path) -> None:
    """The SBOM is valid CycloneDX, and lists every component of the record with its version."""
    from cyclonedx.schema import SchemaVersion  # of the group of integrations alone
    from cyclonedx.validation.json import JsonStrictValidator

    run("A bill of materials", shop, "jq")
    text = (shop / "bom.json").read_text(encoding="utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    components: list[dict[str, Any]] = json.loads(text)["components"]
    assert [(each["bom-ref"], each["version"]) for each in components] == [
        ("modules/shop_banner", "1.4.2"),
        ("modules/shop_reviews", "0.9.0"),
        ("modules/shop_sitemap", "3.0.1"),
        ("themes/harbour", "2.1.0"),
    ]


def test_composer_installs_from_the_drop(shop: Path) -> None:
    """Composer installs a component of the drop through the repository that the recipe writes."""
    run("The drop as a Composer repository", shop, "jq", "composer")
    installed = shop / "site/vendor/drop/shop_banner/shop_banner.php"
    assert installed.read_bytes() == (shop / "modules/shop_banner/shop_banner.php").read_bytes()


def test_the_summary_of_a_job(shop: Path, tmp_path: Path) -> None:
    """The summary has the changes that a build would make, as a diff."""
    shutil.copy(QUICKSTART / "update/harbour.zip", shop / "drop")
    summary = tmp_path / "summary.md"
    run("The changes of a pull request", shop, GITHUB_STEP_SUMMARY=str(summary))
    lines = summary.read_text(encoding="utf-8").splitlines()
    assert (lines[0], lines[-1]) == ("```diff", "```")
    assert "+++ b/themes/harbour/templates/product.tpl" in lines
