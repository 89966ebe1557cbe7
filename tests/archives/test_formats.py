"""The formats that markers are written in: what is read, and what is no marker (`docs/archives.md`)."""

import pytest

from pipeline.archives.formats import last, read_header, read_info, read_xml, read_yaml
from pipeline.archives.php import module_facts


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a = 1\nB b = ' x = ; y '\n", {"a": ("1",), "b b": (" x = ; y ",)}),
        ("a[] = 1\na [] = 2 ; more\na[x] = 3\na = 4\na = 5", {"a[]": ("1", "2", "3"), "a": ("5",)}),
        ("; a = 1\n# b = 2\n= 3\n[x]\nc = 4\n[Info]\nd = 'e\nf", {"d": ("'e",)}),
        ("\ufeffa=1\r\nb =\r\n", {"a": ("1",), "b": ("",)}),
    ],
)
def test_info(text: str, data: object) -> None:
    """`.info` and `.ini` are read as the values of each key, as far as they stand in no section or in `[info]`."""
    assert read_info(text.encode()) == data


def test_the_last_value_of_a_key() -> None:
    """A key that is empty or missing has no value."""
    info = {"a": ("1", "2"), "b": ("",), "c": ()}
    assert [last(info, key) for key in "abcd"] == ["2", None, None, None]


def test_headers() -> None:
    """The header of a style sheet or a PHP file is read as WordPress reads it."""
    text = "<?php /* Plugin Name: A: b */\n * Version: 1\n# Version: 2\r\n// Template: */\n * no field: x\n"
    text += "Requires Plugins: a, b ?>"
    assert read_header(text.encode()) == {"Plugin Name": "A: b", "Version": "1", "Requires Plugins": "a, b"}
    assert read_header(b" " * 8192 + b"\nVersion: 1") == {}


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: 1\nb: [x, {c: d}]\n", {"a": "1", "b": ["x", {"c": "d"}]}),
        ("a: &x y\nb: *x", {"a": "y", "b": None}),
        ("a: 1.10\nb: '~'\nc:\n", {"a": "1.10", "b": "~", "c": ""}),
        ("? [k]\n: v\na: b", {"a": "b"}),
        ("", None),
        ("a: [", None),
        ("\x01", None),
        ("- a\n---\n- b", ["a"]),
        ("[" * 16 + "]" * 16, eval("[" * 16 + "]" * 16)),
        ("[" * 17 + "]" * 17, None),
        ("[" * 1_000_000, None),
    ],
)
def test_yaml(text: str, data: object) -> None:
    """YAML is read as mappings, lists and strings; deep nesting and what is no YAML give nothing."""
    assert read_yaml(text.encode()) == data


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (
            "<m><name> a </name><version><![CDATA[1]]></version><deep><name>b</name></deep>c</m>",
            {"name": "a", "version": "1"},
        ),
        ('<!DOCTYPE m [<!ENTITY a "b">]><m><name>&a;</name></m>', {}),
        ("<m><name>a</name>", {}),
        ("", {}),
    ],
)
def test_xml(text: str, data: object) -> None:
    """XML is read as the text of the elements below the root; with a document type, or broken, it gives nothing."""
    assert [read_xml(text.encode(encoding)) for encoding in ("utf-8", "utf-16")] == [data, data]


@pytest.mark.parametrize(
    ("code", "version"),
    [
        ("$this->version = '1.2.3';", "1.2.3"),
        ('$this -> version="1.2.3" ;', "1.2.3"),
        ("const VERSION = '1.2'; $this->version = self::VERSION;", "1.2"),
        ("$this->version = STATIC::V; } public const A = 1, V = '1', B = 2; final CONST string V = \"2\";", "2"),
        ("$this->version = tide::V; /* of the class */ const int|string V\n=\n'3';", "3"),
        ("$this->version = Other::V; const V = '3';", None),
        ("const V = '1'; class B { const V = '2'; } $this->version = self::V;", None),
        ("const V = '1'; class B { const V = '1'; } $this->version = self::V;", "1"),
        ("$this->version = self::V; $this->version = '4';", "4"),
        ("$this->version = '1'; $this->version = '2';", "1"),
        ("$this->version = 0.2;", "0.2"),
        ("$this->version = 1.10;", "1.1"),
        ("$this->version = 2;", "2"),
        ("$this->version = 1 + 1;", None),
        ("$this->version = '1.' . '2';", None),
        ("$this->version = $this->is('8') ? '1' : '2';", None),
        ('$this->version = "$major.1";', None),
        ("$this->version == '1'; $that->version = '2'; $this->versions = '3'; $this->version = '';", None),
        ("$this->version = '1 2';", None),
        ("// $this->version = '1';\n# $this->version = '2';\r/* $this->version = '3'; */ $this->version = '4';", "4"),
        ("#[At] $this->version = '1';", "1"),
        ("// it's ?> $this->version = '1'; <?php $this->version = '2';", "2"),
        ("$a = 'it\\'s $this->version = \"1\";'; $this->version = '2';", "2"),
        ('$a = "\\\\"; $this->version = \'1\'; $b = "\\"$this->version = \'2\';";', "1"),
        ("<<<A\n$this->version = '1';\nAB\n  A; $this->version = '2';", "2"),
        ("<<<'A'\n$this->version = '1';", None),
        ("/* $this->version = '1';", None),
        ("' $this->version = '1\\", None),
    ],
)
def test_php(code: str, version: str | None) -> None:
    """The version of a module is what `$this->version` is set to, not what a comment or another string shows."""
    assert module_facts(f"it's <?php {code}".encode(), "Tide").version == version


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "part", ["\\'", '\\"', "' ", "/*/", "<<<a", "<<<a\n\t", "const a ", "$this  ", "?>", "//\n", "const"]
)
def test_php_that_never_ends(part: str) -> None:
    """Whatever 64 KiB of PHP hold, they are read in proportion to their length."""
    for text in (part, part * (65536 // len(part)), part + " " * 65536, part + "a" * 65536):
        assert module_facts(f"<?php {text}".encode(), "tide").version is None
