"""The configuration and the plan as pure transforms of values. Begin with `resolve.py`."""

__version__ = "1.0.0.dev0"
