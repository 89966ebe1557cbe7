"""The text formats of marker files (`docs/archives.md`).

`header` (comments at the head of a PHP or CSS file), `info` (`key = value`), `xml`, `yaml` (by PyYAML, except what is
`plain_yaml`).
"""
