"""The glossary: the words that have one meaning in pages, messages and code."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
MODULES = [*(ROOT / "pipeline").rglob("*.py"), *(ROOT / "io_edges").rglob("*.py")]
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES if page != GLOSSARY)
CODE = "\n".join(module.read_text(encoding="utf-8") for module in MODULES)


def words(part: str) -> list[str]:
    """The words of a table."""
    return re.findall(r"^\| ([a-z ]+) \| ", part, re.MULTILINE)


def is_in(text: str, word: str) -> bool:
    """Whether a text has a word, also in the plural, or as a part of a name of the code."""
    form = word.replace(" ", r"[ _\n]+")
    return bool(re.search(rf"(?i)(?<![a-z]){form}(?:s|es)?(?![a-z])", text))


def test_each_word_is_used() -> None:
    """A word of the pages is used in pages and in the code, a word of the code in the code."""
    pages, code = GLOSSARY.read_text(encoding="utf-8").split("## In the code")
    of_pages = [word for word in words(pages) if word != "word"]
    of_code = [word for word in words(code) if word != "word"]
    assert [word for word in of_pages if not is_in(TEXT, word)] == []
    assert [word for word in (*of_pages, *of_code) if not is_in(CODE, word)] == []


def test_the_words_are_in_order() -> None:
    """The words are in alphabetical order, each once."""
    for part in GLOSSARY.read_text(encoding="utf-8").split("## In the code"):
        found = [word for word in words(part) if word != "word"]
        assert found == sorted(set(found))
