"""The text formats of marker files (`docs/archives.md`).

`header` (comments at the head of a PHP or CSS file), `info` (`key = value`), `json`, `php` (the version in a class, and
a namespace), `xml` and `yaml` (by PyYAML).
"""
