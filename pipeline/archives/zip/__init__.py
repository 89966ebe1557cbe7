"""The structure of a `.zip` file, as its bytes say it (`docs/archives.md`, `docs/reliability.md`).

In reading order: `fields` (extra fields), `records` (the end records and the central directory, and
the entries that they list), `headers` (the local ones), `structure` (whether they agree and cover
the file), `lookalikes` (what is no zip archive at all).
"""
