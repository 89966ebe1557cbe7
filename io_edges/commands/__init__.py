"""What each command does, one module a command (`docs/reference/commands.md`)."""
