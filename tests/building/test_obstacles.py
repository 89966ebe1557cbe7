"""What is where something would be written (`docs/building.md`)."""

from pipeline.building.judging.obstacles import inside


def test_the_paths_inside_another() -> None:
    """What is at a path or below it is seen from there; a longer name is another path."""
    assert inside("modules/m", ("modules", "modules/m", "modules/m/a", "modules/mine")) == ("", "a")
