"""What an archive is, as the systems read it (`docs/archives.md`).

In reading order: `recognise` (kind, name and version), `recognisers` (the table of recognisers),
`packages` (what a Composer package is), `others` (whole systems, extensions of other systems,
data), `unmarked` (archives without a marker, other files in a drop), `bundles` (several components
in one archive).
"""
