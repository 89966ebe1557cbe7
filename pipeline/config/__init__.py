"""What the stages of the chain are made of (`docs/configuration.md`, `docs/precedence.md`).

In reading order: `disk` (what the chain asks of the world), `tree` (a file as plain data with places), `json_reader`
(JSON as text), `layers` (a partial and a complete configuration), `setting_values` (what each setting takes), `flags`
and `variables` (the two highest layers), `presets` (which of them apply), `other_names` (which setting is meant by
another name), `legacy_keys` (what the keys of the 0.x file stand for), `edits` (what a file would hold if someone
changed it).
"""
