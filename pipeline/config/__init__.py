"""What the stages of the chain are made of (`docs/configuration.md`).

In reading order: `tree` (a configuration file as plain data with positions), `json_reader` (JSON
with positions), `places` (the positions of a script's values), `disk` (what the chain asks of the
world), `layers` (a partial and a complete configuration), `setting_values` (what each setting
takes), `flags` and `variables` (the two highest layers), `presets` (which of them apply),
`odd_paths` (paths that are probably not what was meant), `other_names` (the setting that a misnamed
key stands for), `legacy_keys` (the keys of the 0.x file).
"""
