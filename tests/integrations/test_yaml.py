"""YAML, compared with Symfony's own parser, which Drupal and PrestaShop use."""

import random
from typing import Any

import pytest

from pipeline.archives.yaml_files import read_yaml
from tests.support.php import run_php
from tests.support.tables import rows

pytestmark = pytest.mark.integration

PARSER = "/usr/share/php/Symfony/Component/Yaml/autoload.php"
PROGRAM = """
    foreach ($values as $text) {
        try {
            $read[] = [Symfony\\Component\\Yaml\\Yaml::parse($text)];
        } catch (Symfony\\Component\\Yaml\\Exception\\ParseException) {
            $read[] = null;
        }
    }
    return $read;
"""
HEAD = ("name: Acme", "type: module", "core_version_requirement: ^11")
ATOMS = (
    *(
        "a",
        "x:",
        "- x",
        "[x]",
        "{a: b}",
        "? x",
        "::",
        "C#",
        " #c",
        "'y'",
        "it's",
        '"q"',
        "`x`",
        "\u2028",
        "\x92",
    ),
    *(
        "&amp;",
        "%s",
        "50%",
        "é",
        "[WIP]",
        "1.10",
        "null",
        "~",
        ":",
        "-",
        "{",
        "}",
        "]",
        "[",
        ", b",
        "don\x92t",
        "@",
    ),
)
LINES = ("---", "\tx: y", "  x: y", "junk", "# c", "'q q': v", "k : v")


def value(chance: random.Random) -> str:
    """A value, perhaps an odd one."""
    return " ".join(chance.choice(ATOMS) for _ in range(chance.choice((1, 1, 1, 2, 2, 3))))


def document(chance: random.Random) -> str:
    """A marker with odd values and lines."""
    lines = list(HEAD)
    for number in range(chance.choice((1, 1, 2))):
        lines += chance.choice(
            (
                *((f"description{number}: {value(chance)}",),) * 7,
                ("dependencies:", f"  - {value(chance)}", "  - acme_pay:acme_pay"),
                ("regions:", f"  header: {value(chance)}", f"  'x y': {value(chance)}"),
                (chance.choice(LINES),),
            )
        )
    return "\n".join((*lines, "version: v1", ""))


def test_what_symfony_reads() -> None:
    """The fields of each marker that Symfony accepts are read, whatever the other fields have, and
    no fault is reported.
    """
    chance = random.Random(1)
    texts = [document(chance) for _ in range(3000)]
    taken = [
        (text, each[0])
        for text, each in zip(texts, run_php(PROGRAM, texts, PARSER), strict=True)
        if each
    ]
    ours = [(read_yaml(text.encode()), data) for text, data in taken]
    wrong = [(read, data) for read, data in ours if read.fault or not agrees(read.data, data)]
    assert [(read, data) for read, data in wrong if not read.fault] == []
    assert len(wrong) < len(taken) // 500
    assert sum(read.is_lenient for read, _ in ours) > 400


def agrees(read: Any, data: dict[str, Any]) -> bool:
    """Whether the fields are read, but for what stands behind a value that is left open."""
    return all(
        read.get(key, data[key]) == data[key]
        for key in ("name", "type", "core_version_requirement", "version")
    )


def test_what_symfony_refuses() -> None:
    """Symfony refuses each fault of the table, except a byte order mark, which it takes for a part
    of the key.
    """
    table = [
        (text, fault) for text, _, _, fault in rows("yaml", "read") if "byte order" not in fault
    ]
    refused = [each is None for each in run_php(PROGRAM, [text for text, _ in table], PARSER)]
    assert [
        text
        for (text, fault), is_refused in zip(table, refused, strict=True)
        if fault and not is_refused
    ] == []
