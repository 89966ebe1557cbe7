"""What is read in a PHP class (`docs/archives.md`).

`tests/integrations/test_readers.py` runs these very classes, as far as PHP accepts them.
"""

import pytest

from pipeline.archives.php.classes import PhpClass, class_in
from tests.support.php import module_in
from tests.support.tables import lists, rows

PROPERTIES = ("version", "dependencies", "ps_versions_compliancy")


def of_a_class(before: str, body: str, constructor: str) -> PhpClass:
    """A class in a file, with other code before it, in it, and in its constructor."""
    return class_in(module_in(before, body, constructor).encode(), "tide", PROPERTIES)


@pytest.mark.parametrize(("before", "body", "constructor", "version"), rows("php", "versions"))
def test_versions(before: str, body: str, constructor: str, version: str | None) -> None:
    """A property has the value of the last assignment in the constructor, otherwise its default, as
    far as both are literals.
    """
    value = of_a_class(before, body, constructor).value("version")
    assert (value if isinstance(value, str) else None) == version


@pytest.mark.parametrize(("body", "constructor", "needs", "limits"), lists("php", "lists"))
def test_lists(body: str, constructor: str, needs: list[str], limits: dict[str, str]) -> None:
    """A list is read whole, by keys and by added items; an item that is not a literal is left
    out.
    """
    own = of_a_class("", body, constructor)
    for name, values in (
        ("dependencies", dict(enumerate(needs))),
        ("ps_versions_compliancy", limits),
    ):
        items = own.value(name)
        texts = (
            {key: each for key, each in items.items() if isinstance(each, str)}
            if isinstance(items, dict)
            else {}
        )
        assert list(texts.values()) == list(values.values())
    assert {key: texts[key] for key in limits} == limits


@pytest.mark.parametrize(
    ("code", "version"),
    [
        ("class A { public $version = '1'; } class tide extends a { }", "1"),
        ("class A { public $version = '1'; } class TIDE { public $version = '2'; }", "2"),
        ("class A { public $version = '1'; function __construct() { $this->version = '3'; } } "
         "class Tide extends \\A { public $version = '2'; const V = parent::V; }", "3"),
        (("class A { const V = '4'; } class Tide extends A { public $version = parent::V . "
        "self::V; }"), "44"),
        ("class A extends Tide { } class Tide extends A { }", None),
        ("class Other { public $version = '5'; }", "5"),
        ("class Tide { public $version = '6'; class Other { } function __construct() { "
         "$this->version = '7'; } }", "7"),
        ("class Tide { public $version = '8", None),
        ("function f() { }", None),
    ],
)  # fmt: skip
def test_classes(code: str, version: str | None) -> None:
    """The class of the module is read, in any case, with the classes of the file that it extends;
    without one, the first class is read.
    """
    assert class_in(f"<?php {code}".encode(), "tide", PROPERTIES).value("version") == version


def test_what_is_set() -> None:
    """A property counts as set if its declaration or the constructor gives it any value; other
    methods do not count.
    """
    assert [
        of_a_class("", body, constructor).sets("version")
        for body, constructor in (
            ("public $version;", ""),
            ("function a() { $this->version = '1'; }", ""),
            ("public $version = VERSION;", ""),
            ("", "$this->version = f();"),
            ("", "[$this->version, $a] = f();"),
        )
    ] == [False, False, True, True, True]


def test_a_constant_whose_name_is_not_utf_8() -> None:
    """A constant with such a name is defined beside the others."""
    code = b"<?php define('\xff', '1'); define('V', '2'); class Tide { public $version = V; }"
    assert class_in(code, "tide", PROPERTIES).value("version") == "2"


@pytest.mark.timeout(20)
@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    "part",
    [
        *(
            "\\'",
            '\\"',
            "' ",
            "/*/",
            "<<<a",
            "<<<a\n\t",
            "const a ",
            "const a=1,",
            "$this  ",
            "?>",
            "//\n",
            "const",
        ),
        *(
            "$this->version=",
            "$this->version[]=1;",
            "$this->version=[",
            "[",
            "(",
            "(string)",
            "1.",
            "$a=",
            "array(",
            "{",
        ),
        *(
            "class a extends a{",
            "function __construct(",
            "define('a',",
            "array_push($this->version,",
            "\\\\",
            "a::a.",
        ),
    ],
)
def test_php_that_never_ends(part: str) -> None:
    """Any 64 KiB of PHP are read in a time proportional to their length."""
    begin = "class Tide { function __construct() { $this->version = ["
    for text in (part, part * (65536 // len(part)), part + " " * 65536, part + "a" * 65536):
        for code in (text, begin + text):
            class_in(f"<?php {code}".encode(), "tide", PROPERTIES).value("version")


def test_constants_that_grow() -> None:
    """Constants that double one another, or are deeply nested, have no known value."""
    doubled = "".join(f"const V{at} = self::V{at + 1} . self::V{at + 1};" for at in range(64))
    nested = "".join(f"const W{at} = [self::W{at + 1}, self::W{at + 1}];" for at in range(64))
    body = (
        f"{doubled} const V64 = 'a'; {nested} const W64 = 'a'; const X0 = {'[' * 64}'a'{']' * 64};"
    )
    for name in ("V0", "V50"):
        assert of_a_class("", body, f"$this->version = self::{name};").value("version") is None
    assert of_a_class("", body, "$this->version = self::V60;").value("version") == "a" * 16
    for name in ("W0", "X0"):
        assert "a" not in str(
            of_a_class("", body, f"$this->version = self::{name};").value("version")
        )
