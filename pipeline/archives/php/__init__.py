"""What the class in a PHP file says about itself, read without running it (`docs/archives.md`).

In reading order: `tokens` (a statement, split up), `classes` (the classes and constants of a file,
and the statements that set the properties asked for), `values` (the value of an expression).
"""
