"""The configuration and the plan as pure transforms of values. Begin with `resolve.py`."""
