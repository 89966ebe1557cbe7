"""The command line, `tool help`."""


def show_help(*command: str) -> None:
    """Print the help of a command.

    Parameters
    ----------
    command
        The command, as it is typed after tool.
    """
    raise AssertionError(command)  # `main` prints it
