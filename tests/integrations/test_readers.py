"""The readers of markers, compared with the code that systems run: WordPress's own functions, and
PHP's.

The code of other systems is in no package: `tests/systems/test_readers.py` has its results, with
its version.
"""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pipeline.archives.headers import read_header
from pipeline.archives.ini import IniFault, read_ini
from pipeline.archives.php.classes import class_in
from pipeline.archives.php_versions import compare_as_php
from pipeline.systems.table import system_called
from tests.support.php import functions_of, instance_of, module_in, run_php
from tests.support.tables import lists, rows

pytestmark = pytest.mark.integration

INSTALLED = Path("/usr/share/wordpress")
UNPACKED = Path(__file__).parents[2] / ".venv" / "wordpress" / "usr" / "share" / "wordpress"
WORDPRESS = next((folder for folder in (UNPACKED, INSTALLED) if folder.exists()), INSTALLED)
"""Debian's package, installed or only unpacked."""
SEED = 20261128
FIELDS = (
    "Theme Name",
    "Plugin Name",
    "Version",
    "Template",
    "Requires Plugins",
    "Text Domain",
    "Requires at least",
)
LEADS = (
    "",
    " * ",
    "\t",
    "// ",
    "# ",
    "@",
    "<?php /* ",
    " <?php // ",
    "- ",
    "a\u2028",
    "b\f",
    "\u00a0",
    "\ufeff",
)
VALUES = (
    "",
    "0",
    "1.0",
    " a b ",
    "x\u00a0",
    "a */ b",
    "a?>",
    "\x0b",
    "\fa\f*/",
    "v6.5\x85",
    "\u2028b",
    ": c",
    "\t",
)
ENDS = ("\n", "\n", "\r", "\r\n")
KEYS = (
    "a",
    "version",
    "x y",
    "a[]",
    "b[k]",
    "no",
    " name",
    "\tc",
    "[s]",
    "[s] ; c",
    "[t:s]",
    "# d",
    ";",
    "",
)
TOKENS = (
    *(
        "1.0",
        "b c",
        '"',
        '"',
        "'",
        "\\",
        "$",
        "${UNSET}",
        "(",
        ")",
        "!",
        "~4",
        "^",
        "|",
        "&",
        ";",
        "#",
        "true",
        "none",
    ),
    *(
        "null",
        "é",
        "\n",
        "\r\n",
        " ",
        "\t",
        "=",
        "[",
        "]",
        "{",
        "}",
        '"q"',
        "'r'",
        ".",
        "-3",
        ">=",
        "\f",
    ),
)
PARTS = (
    *(
        "6",
        "8",
        "0",
        "6.8",
        ".",
        ".",
        "-",
        "_",
        "+",
        " or higher",
        " ",
        "RC1",
        "rc",
        "beta",
        "b",
        "alpha",
        "a",
        "dev",
    ),
    *(
        "pl",
        "p1",
        "x",
        "*",
        ",",
        "/",
        "v",
        "#",
        "é",
        "(tested)",
        "99999999999999999999",
        ".0",
        ".0",
    ),
)


def generated(seed: int, count: int, *pieces: tuple[str, ...], repeated: int = 1) -> list[str]:
    """Texts of pieces, one of each choice in turn, several times over."""
    chance = random.Random(seed)
    return ["".join(map(chance.choice, pieces * chance.randint(1, repeated))) for _ in range(count)]


def by_wordpress(contents: list[str]) -> list[dict[str, str]]:
    """The fields of headers that have a value for WordPress."""
    code = functions_of(
        WORDPRESS / "wp-includes" / "functions.php", "_cleanup_header_comment", "get_file_data"
    )
    program = f"""
        define('KB_IN_BYTES', 1024);
        {code}
        $fields = array_combine($values['fields'], $values['fields']);
        $file = tempnam(sys_get_temp_dir(), 'header');
        foreach ($values['contents'] as $content) {{
            file_put_contents($file, $content);
            $headers[] = array_filter(get_file_data($file, $fields), 'strlen');
        }}
        unlink($file);
        return $headers;
    """
    return [headers or {} for headers in run_php(program, {"fields": FIELDS, "contents": contents})]


def test_headers() -> None:
    """A header has the fields that WordPress finds in it."""
    names = tuple(each for field in FIELDS for each in (field, field.upper(), f"{field} "))
    contents = [text for text, _ in lists("readers", "headers")]
    contents += generated(SEED, 2000, LEADS, names, (":", ":", "::"), VALUES, ENDS, repeated=9)
    assert [read_header(content.encode()) for content in contents] == by_wordpress(contents)


def test_what_wordpress_is_new_enough_for() -> None:
    """A component runs on the versions of WordPress that WordPress itself accepts, except for a
    final `.0`.
    """
    code = functions_of(WORDPRESS / "wp-includes" / "functions.php", "is_wp_version_compatible")
    requirements = [
        each
        for each in generated(SEED, 1500, PARTS, repeated=5)
        if each != "0" and not each.endswith(".0")
    ]
    requirements += [
        runs_on[2:]
        for _, system, _, runs_on, _ in rows("systems", "accepts")
        if system == "WordPress"
    ]
    requirements = [
        each for each in requirements if not (each.endswith(".0") and each.count(".") > 1)
    ]
    cases = [
        (version, each)
        for version in ("5.9", "6.0", "6.8.1", "6.8-beta2", "10.0")
        for each in requirements
    ]
    program = f"""
        global $wp_version;
        {code}
        foreach ($values as [$wp_version, $required]) {{
            $answers[] = is_wp_version_compatible($required);
        }}
        return $answers;
    """
    accepts = system_called("WordPress").accepts
    assert [accepts(version, f">={required}") for version, required in cases] == run_php(
        program, cases
    )


def test_ini() -> None:
    """An ini file gives the values that PHP reads in it, or nothing if PHP refuses it."""
    lines = generated(
        SEED, 4000, KEYS, ("=", " = ", ""), TOKENS, TOKENS, ("\n", "\r\n", ""), repeated=4
    )
    values = generated(SEED, 2000, TOKENS, repeated=6)
    contents = [
        text
        for text, *_ in (*lists("readers", "ini"), *lists("readers", "ini_faults"))
        if "((" not in text
    ]
    contents += [*lines, *(f"[s]\nversion = {value}\nlast = 1\n" for value in values)]
    program = """
        $as_object = function ($value) use (&$as_object) {
            return is_array($value) ? (object) array_map($as_object, $value) : $value;
        };
        return array_map(fn($content) => $as_object(@parse_ini_string($content, true)), $values);
    """
    ours = [read_ini(content.encode()) for content in contents]
    assert [False if isinstance(each, IniFault) else each for each in ours] == run_php(
        program, contents
    )


def test_versions() -> None:
    """Two versions compare as PHP compares them, whatever they are."""
    versions = generated(SEED, 3000, PARTS, repeated=5)
    pairs = [(version, other) for version, other, _ in rows("readers", "php_versions")]
    pairs += [
        *pairwise(versions),
        *((each, f"{each}{part}") for each in versions for part in PARTS[:9]),
    ]
    program = "return array_map(fn($pair) => version_compare(...$pair), $values);"
    assert [compare_as_php(version, other) for version, other in pairs] == run_php(program, pairs)


def test_classes_of_modules() -> None:
    """The values read in a class are those of an instance in PHP, or unknown; PHP refuses some of
    the code.
    """
    names = ("version", "dependencies", "ps_versions_compliancy")
    files = [module_in(*row[:3]) for row in rows("php", "versions")]
    files += [module_in("", *row[:2]) for row in lists("php", "lists")]
    run = [(code, given) for code in files if (given := instance_of(code, *names))]
    assert len(run) > len(files) / 2
    for code, given in run:
        own = class_in(code.encode(), "tide", names)
        assert all(_is_what(own.value(name), given[name]) for name in names), code


def _is_what(value: Any, given: Any) -> bool:
    """Whether a value, or each item of a list, is what PHP has, as far as it is known."""
    if value is None:
        return True
    if not isinstance(value, dict):
        # As PHP prints a boolean.
        printed = {True: "1", False: ""}.get(given) if isinstance(given, bool) else str(given)
        return bool(value == printed)
    items = given
    if isinstance(given, list):
        items = dict(enumerate(given))
    theirs = {str(key): each for key, each in items.items()}
    return all(_is_what(each, theirs.get(str(key))) for key, each in value.items())
