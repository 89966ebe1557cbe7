"""The text formats of marker files (`docs/archives.md`).

`plain` (JSON, YAML, TOML and XML), `fields` (`key = value`, and comments at the head of a PHP or CSS file), `php` (the
version in a class, and a namespace).
"""
