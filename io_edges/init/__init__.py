"""Asking the questions of `tool init`, and rewriting the 0.x file (`docs/configuration.md`).

`prompts` (plain lines), `terminal` (questionary), `files` (what is written, and the 0.x file).
"""
