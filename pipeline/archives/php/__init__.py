"""What the class of a PHP file says of itself, read without running it (`docs/archives.md`).

In reading order: `tokens` (a statement, taken apart), `classes` (the classes and constants of a file, and which
statements set the properties that are asked for), `values` (what an expression comes to).
"""
