"""Laws of version constraints."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.archives.constraints import satisfies

NUMBERS = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(
    lambda parts: ".".join(map(str, parts))
)
TERMS = st.one_of(
    st.tuples(st.sampled_from(["", "=", "!=", "<", "<=", ">", ">=", "^", "~"]), NUMBERS).map(
        "".join
    ),
    NUMBERS.map("{}.*".format),
    st.just("*"),
)


@given(NUMBERS, TERMS, TERMS)
def test_and_or_not(version: str, one: str, other: str) -> None:
    """A blank or a comma requires both constraints, `||` one of them; of two opposite comparisons,
    exactly one holds.
    """
    first, second = satisfies(version, one), satisfies(version, other)
    assert (
        satisfies(version, f"{one} {other}")
        is satisfies(version, f"{other},{one}")
        is (first and second)
    )
    assert (
        satisfies(version, f"{one} || {other}")
        is satisfies(version, f"{other}|{one}")
        is (first or second)
    )
    for this, opposite in (("=", "!="), ("<", ">="), (">", "<=")):
        assert satisfies(version, f"{this}{version}.1") is not satisfies(
            version, f"{opposite}{version}.1"
        )


@given(NUMBERS, NUMBERS)
def test_ranges(version: str, limit: str) -> None:
    """A version fits its own range, zeros at its end make no difference, and whatever fits a range
    is not below its lower limit.
    """
    for constraint in (f"^{limit}", f"~{limit}", f"{limit}.*", limit):
        assert satisfies(limit, constraint) is True
        assert satisfies(f"{version}.0", constraint) is satisfies(version, constraint)
        if satisfies(version, constraint):
            assert satisfies(version, f">={limit}")


@given(st.text(max_size=30), st.text(alphabet="0123.*x^~<>=!|, -@v", max_size=20))
def test_any_text(version: str, constraint: str) -> None:
    """Any two texts can be judged: the version fits, does not fit, or cannot be judged."""
    assert satisfies(version, constraint) in {True, False, None}
    assert satisfies("1.2", constraint) in {True, False, None}
